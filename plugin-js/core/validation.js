// Generated from src/boundary/validation.rs by `cargo xtask update`.

import { call, json, packageVersion } from "./load.js";

/**
 * @import { Activity, AvailableModels, CiGiven, CiTexts, Command, DiskDeed, EventKind, Found, JobId, Panel, Problem, Replayed, Reply, Source, Spending, Summary, ValidateCommand, ValidateInitCommand, ValidationBefore, ValidationDecision, ValidationEffect, ValidationEvidenceFile, ValidationFacts, ValidationInstall, ValidationInstallInput, ValidationInstallRan, ValidationKept, ValidationLeft, ValidationLive, ValidationLiveAnswer, ValidationLiveChange, ValidationLiveRequest, ValidationOpening, ValidationOpeningInput, ValidationPicture, ValidationPlan, ValidationRepeat, ValidationRole, ValidationScope, ValidationSeen, ValidationSettings, ValidationSetup, ValidationStarter, ValidationStarterInput, ValidationToFix } from "./types.js"
 * @typedef {EventKind<ValidationOpening, ValidationDecision>} ValidationEventKind
 * @typedef {Found<ValidationFacts>} ValidationFound
 * @typedef {Command<ValidationRole, ValidationOpening, ValidationDecision, ValidationEffect>} ValidationCommand
 */

/**
 * Validation's calls into the core: every decision is made there. The methods that the machinery of runs calls have the same
 * names as in Design Lab.
 */
export class ValidationCore {
  /** The package's version. */
  get version() {
    return packageVersion();
  }

  /**
   * Parses the arguments of `/validate`.
   * @param {string} text
   * @returns {ValidateCommand}
   */
  command(text) {
    return call("validation.command", text);
  }

  /**
   * The problem when `/validate` without arguments finds no session of Flow to validate.
   * @returns {Problem}
   */
  noSubject() {
    return call("validation.no_subject");
  }

  /**
   * The settings. Throws if they are broken, or if there are none and a run of this scope needs them. `configuration`: Design
   * Lab's, which contains the prices of models.
   * @param {ValidationScope} scope
   * @param {Source | null} source
   * @param {Array<Source>} configuration
   * @returns {ValidationSettings}
   */
  settings(scope, source, configuration) {
    return call("validation.settings", json(scope), json(source), json(configuration));
  }

  /**
   * The files that show which servers a project has. `files`: all files of the project.
   * @param {Array<string>} files
   * @returns {Array<string>}
   */
  toRead(files) {
    return call("validation.to_read", json(files));
  }

  /**
   * A first settings file, and the message for the user.
   * @param {ValidationStarterInput} input
   * @returns {ValidationStarter}
   */
  starter(input) {
    return call("validation.starter", json(input));
  }

  /**
   * Parses the arguments of `/validate-init`.
   * @param {string} text
   * @returns {ValidateInitCommand}
   */
  initCommand(text) {
    return call("validation.init_command", text);
  }

  /**
   * The packages that npm is to install; null if they are already installed. Throws if something else is in their place.
   * @param {ValidationInstallInput} found
   * @returns {ValidationInstall | null}
   */
  install(found) {
    return call("validation.install", json(found));
  }

  /**
   * Throws if the installation failed.
   * @param {ValidationInstallRan} ran
   */
  installed(ran) {
    call("validation.installed", json(ran));
  }

  /**
   * The plan that the page's script for a live counterfeit follows.
   * @param {ValidationLive} live
   * @returns {ValidationPlan}
   */
  livePlan(live) {
    return call("validation.live_plan", json(live));
  }

  /**
   * The answer given without asking the application; null if the application is asked.
   * @param {ValidationLive} live
   * @param {ValidationLiveRequest} request
   * @returns {ValidationLiveAnswer | null}
   */
  liveInstead(live, request) {
    return call("validation.live_instead", json(live), json(request));
  }

  /**
   * The answer that replaces the application's answer.
   * @param {ValidationLive} live
   * @param {ValidationLiveRequest} request
   * @param {ValidationLiveAnswer} answer
   * @returns {ValidationLiveChange}
   */
  liveChanged(live, request, answer) {
    return call("validation.live_changed", json(live), json(request), json(answer));
  }

  /**
   * A description of the settings; null stands for none. Throws with everything that is wrong.
   * @param {ValidationSetup | null} [setup]
   * @returns {string}
   */
  check(setup = null) {
    return call("validation.check", json(setup));
  }

  /**
   * The first event's content.
   * @param {ValidationOpeningInput} input
   * @returns {ValidationOpening}
   */
  begin(input) {
    return call("validation.begin", json(input));
  }

  /**
   * The opening with the expected cost of the run, and with the run before on the same subject.
   * @param {ValidationOpening} opening
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {ValidationOpening}
   */
  foreseen(opening, found) {
    return call("validation.foreseen", json(opening), json(found));
  }

  /**
   * What the run before saw; null if there is nothing to compare. `name` and `subject`: as the opening has them.
   * @param {number} run
   * @param {string} name
   * @param {string} subject
   * @returns {ValidationBefore | null}
   */
  before(run, name, subject) {
    return call("validation.before", json(run), name, subject);
  }

  /**
   * The runs in chronological order.
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {Array<Found<ValidationFacts>>}
   */
  begun(found) {
    return call("validation.begun", json(found));
  }

  /**
   * The name of the run that `/validate-status` shows; null if only the list is requested.
   * @param {string} text
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string | null}
   */
  shown(text, found) {
    return call("validation.shown", text, json(found));
  }

  /**
   * The name of the run that a name refers to, or of the latest without a name.
   * @param {string} text
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string}
   */
  toShow(text, found) {
    return call("validation.to_show", text, json(found));
  }

  /**
   * The list that `/validate-status` shows, below a run or alone; null if a run is named, or there is no other.
   * @param {string} text
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string | null}
   */
  list(text, found) {
    return call("validation.list", text, json(found));
  }

  /**
   * The name of the run that `/validate-decide` is about.
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string}
   */
  toDecide(found) {
    return call("validation.to_decide", json(found));
  }

  /**
   * The name of the run whose failures and gaps `/flow-plan fix` is to fix.
   * @param {string} text
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string}
   */
  runToFix(text, found) {
    return call("validation.run_to_fix", text, json(found));
  }

  /**
   * The failures and gaps of the run that are to be fixed.
   * @param {number} run
   * @returns {ValidationToFix}
   */
  toFix(run) {
    return call("validation.to_fix", json(run));
  }

  /**
   * Parses the arguments of `/validate-resume`: the run as the user names it, and whether it is adopted.
   * @param {string} text
   * @returns {[string, boolean]}
   */
  resumeRequest(text) {
    return call("validation.resume_request", text);
  }

  /**
   * Whether this machine wrote all of the run's journal.
   * @param {number} run
   * @returns {boolean}
   */
  isOurs(run) {
    return call("validation.is_ours", json(run));
  }

  /**
   * The name of the run that `/validate-resume` continues.
   * @param {string} text
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string}
   */
  toResume(text, found) {
    return call("validation.to_resume", text, json(found));
  }

  /**
   * The name of the run whose tests are repeated or kept.
   * @param {string} text
   * @param {Array<Found<ValidationFacts>>} found
   * @returns {string}
   */
  toRepeat(text, found) {
    return call("validation.to_repeat", text, json(found));
  }

  /**
   * The tests of a run that can be repeated. Throws if there are none.
   * @param {number} run
   * @returns {ValidationRepeat}
   */
  repeat(run) {
    return call("validation.repeat", json(run));
  }

  /**
   * Tests as files of the project. Throws if they can't be kept there. `directory`: as the user names it; `taken`: existing paths.
   * @param {ValidationRepeat} repeat
   * @param {string} directory
   * @param {Array<string>} taken
   * @returns {ValidationKept}
   */
  kept(repeat, directory, taken) {
    return call("validation.kept", json(repeat), directory, json(taken));
  }

  /**
   * A run before its first event; returns its handle.
   * @returns {number}
   */
  openRun() {
    return call("validation.open_run");
  }

  /**
   * The run that results from a journal.
   * @param {string} journal
   * @returns {Replayed}
   */
  replayRun(journal) {
    return call("validation.replay_run", journal);
  }

  /**
   * Closes a run's handle.
   * @param {number} run
   */
  closeRun(run) {
    call("validation.close_run", json(run));
  }

  /**
   * The journal line for an event.
   * @param {number} run
   * @param {{at: number} & EventKind<ValidationOpening, ValidationDecision>} event
   * @returns {string}
   */
  seal(run, event) {
    return call("validation.seal", json(run), json(event));
  }

  /**
   * Applies a sealed line that is on disk.
   * @param {number} run
   * @param {string} line
   * @returns {Array<Command<ValidationRole, ValidationOpening, ValidationDecision, ValidationEffect>>}
   */
  apply(run, line) {
    return call("validation.apply", json(run), line);
  }

  /**
   * The event that stops a call between two steps of its answer; null if no budget is reached. `used`: by all calls in flight.
   * @param {number} run
   * @param {JobId} job
   * @param {Array<Spending>} used
   * @returns {EventKind<ValidationOpening, ValidationDecision> | null}
   */
  overspending(run, job, used) {
    return call("validation.overspending", json(run), json(job), json(used));
  }

  /**
   * The paths that an answer cites.
   * @param {number} run
   * @param {JobId} job
   * @param {Reply} reply
   * @returns {Array<string>}
   */
  cited(run, job, reply) {
    return call("validation.cited", json(run), json(job), json(reply));
  }

  /**
   * The events of `/validate-decide <decision>`. `settings`: the current ones.
   * @param {number} run
   * @param {ValidationSettings} settings
   * @param {string} text
   * @param {AvailableModels} available
   * @returns {Array<EventKind<ValidationOpening, ValidationDecision>>}
   */
  decide(run, settings, text, available) {
    return call("validation.decide", json(run), json(settings), text, json(available));
  }

  /**
   * The events of `/validate-resume`. `settings`: the current ones; `shown`: the hashes of commands that this process has shown.
   * @param {number} run
   * @param {ValidationSettings} settings
   * @param {Array<string>} shown
   * @param {AvailableModels} available
   * @returns {Array<EventKind<ValidationOpening, ValidationDecision>>}
   */
  resume(run, settings, shown, available) {
    return call("validation.resume", json(run), json(settings), json(shown), json(available));
  }

  /**
   * The events that cancel a run whose process has died; empty if it isn't active.
   * @param {number} run
   * @returns {Array<EventKind<ValidationOpening, ValidationDecision>>}
   */
  cancel(run) {
    return call("validation.cancel", json(run));
  }

  /**
   * The notes on processes that runs have left behind.
   * @param {Array<ValidationLeft>} found
   * @returns {Array<string>}
   */
  left(found) {
    return call("validation.left", json(found));
  }

  /**
   * The live message at this moment. `place`: of the run's directory, as a `file:` URL.
   * @param {number} run
   * @param {number} now
   * @param {string} place
   * @param {Activity | null} [activity]
   * @returns {string}
   */
  liveMessage(run, now, place, activity = null) {
    return call("validation.live_message", json(run), json(now), place, json(activity));
  }

  /**
   * The message for a model that called a command: what the user sees, without file paths.
   * @param {number} run
   * @param {number} now
   * @returns {string}
   */
  account(run, now) {
    return call("validation.account", json(run), json(now));
  }

  /**
   * The run, for a reader that doesn't run it.
   * @param {number} run
   * @param {Found<ValidationFacts>} found
   * @returns {string}
   */
  status(run, found) {
    return call("validation.status", json(run), json(found));
  }

  /**
   * The last live message of a process whose run another process now continues.
   * @param {number} run
   * @returns {string}
   */
  continued(run) {
    return call("validation.continued", json(run));
  }

  /**
   * The run for a panel next to the chat, at this moment; null unless it is running.
   * @param {number} run
   * @param {number} now
   * @param {Activity | null} [activity]
   * @returns {Panel | null}
   */
  panel(run, now, activity = null) {
    return call("validation.panel", json(run), json(now), json(activity));
  }

  /**
   * Every file that should be on disk by now, except those that the shell writes: path and text.
   * @param {number} run
   * @returns {Array<[string, string]>}
   */
  files(run) {
    return call("validation.files", json(run));
  }

  /**
   * The pictures and videos that the page contains, as they were recorded, each with the earlier run that has it.
   * @param {number} run
   * @returns {Array<[string | null, ValidationEvidenceFile]>}
   */
  pictures(run) {
    return call("validation.pictures", json(run));
  }

  /**
   * The run's page. `pictures`: those that still exist.
   * @param {number} run
   * @param {Array<ValidationPicture>} pictures
   * @returns {string}
   */
  page(run, pictures) {
    return call("validation.page", json(run), json(pictures));
  }

  /**
   * The account if the observations match the journal.
   * @param {number} run
   * @param {ValidationSeen} seen
   * @returns {string}
   */
  verify(run, seen) {
    return call("validation.verify", json(run), json(seen));
  }

  /**
   * The texts for build servers.
   * @param {number} run
   * @param {CiGiven} given
   * @returns {CiTexts}
   */
  ci(run, given) {
    return call("validation.ci", json(run), json(given));
  }

  /**
   * A run in a few facts; null before its first event.
   * @param {number} run
   * @returns {Summary<ValidationFacts> | null}
   */
  summary(run) {
    return call("validation.summary", json(run));
  }

  /**
   * What a failed file operation means for the user. `code`: the system's.
   * @param {string} file
   * @param {string} code
   * @param {DiskDeed} deed
   * @returns {Problem}
   */
  diskProblem(file, code, deed) {
    return call("validation.disk_problem", file, code, json(deed));
  }

  /**
   * The problem when the run is running in another process.
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  locked(run, process) {
    return call("validation.locked", run, process);
  }

  /**
   * The problem when a process doesn't stop a run when asked.
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  notStopped(run, process) {
    return call("validation.not_stopped", run, process);
  }

  /**
   * The reply of a stop command when nothing is running.
   * @returns {string}
   */
  nothingRuns() {
    return call("validation.nothing_runs");
  }

  /**
   * The system text for a session of Validation. `own`: the role's text; `host`: what the host would send.
   * @param {string} own
   * @param {string} host
   * @returns {string}
   */
  systemText(own, host) {
    return call("validation.system_text", own, host);
  }

  /**
   * Why a session of Validation may not call a tool; null if it may.
   * @param {string} tool
   * @returns {string | null}
   */
  refusal(tool) {
    return call("validation.refusal", tool);
  }
}
