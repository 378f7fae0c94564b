/**
 * Validation's calls into the core: every decision is made there. The functions that the machinery of runs calls have the same
 * names as in Design Lab.
 */
import { guarded, json, outcome, packageVersion } from "./load.js";

/**
 * @typedef {import("./types.js").Problem} Problem
 * @typedef {import("./types.js").EventKind<import("./types.js").ValidationOpening, import("./types.js").ValidationDecision>} ValidationEventKind
 * @typedef {import("./types.js").Summary<import("./types.js").ValidationFacts>} ValidationSummary
 * @typedef {import("./types.js").Found<import("./types.js").ValidationFacts>} ValidationFound
 * @typedef {import("./types.js").Command<import("./types.js").ValidationRole, import("./types.js").ValidationOpening, import("./types.js").ValidationDecision, import("./types.js").ValidationEffect>} ValidationCommand
 */

/** The core's functions for Validation, typed. */
export class ValidationCore {
  /** The package's version. */
  version = packageVersion();

  /**
   * @param {string} text the arguments of `/validate`
   * @returns {import("./types.js").ValidateCommand}
   */
  command(text) {
    return outcome((wasm) => wasm.validationCommand(text));
  }

  /** The problem when `/validate` refers to a session of Flow and there is none. @returns {Problem} */
  noSubject() {
    return outcome((wasm) => wasm.validationNoSubject());
  }

  /**
   * Returns the settings. Throws a `DesignLabError` if they are broken, or if there are none and a run of this scope needs
   * them.
   * @param {import("./types.js").ValidationScope} scope
   * @param {import("./types.js").Source | null} source
   * @param {import("./types.js").Source[]} configuration Design Lab's, which contains the prices of models
   * @returns {import("./types.js").ValidationSettings}
   */
  settings(scope, source, configuration) {
    return outcome((wasm) => wasm.validationSettings(json(scope), json(source), json(configuration)));
  }

  /**
   * @param {string} text the arguments of `/validate-init`
   * @returns {import("./types.js").ValidateInitCommand}
   */
  initCommand(text) {
    return outcome((wasm) => wasm.validationInitCommand(text));
  }

  /**
   * @param {import("./types.js").ValidationInstallInput} found
   * @returns {import("./types.js").ValidationInstall | null} what npm must install; null if it is already installed. Throws a
   *   `DesignLabError` if something else is in its place
   */
  install(found) {
    return outcome((wasm) => wasm.validationInstall(json(found)));
  }

  /**
   * Throws a `DesignLabError` if it wasn't installed.
   * @param {import("./types.js").ValidationInstallRan} ran
   */
  installed(ran) {
    outcome((wasm) => wasm.validationInstalled(json(ran)));
  }

  /**
   * @param {string[]} files all files of a project
   * @returns {string[]} those whose content shows which servers it has
   */
  toRead(files) {
    return outcome((wasm) => wasm.validationToRead(json(files)));
  }

  /**
   * @param {import("./types.js").ValidationStarterInput} input
   * @returns {import("./types.js").ValidationStarter} a first settings file, and the message for the user
   */
  starter(input) {
    return outcome((wasm) => wasm.validationStarter(json(input)));
  }

  /**
   * @param {import("./types.js").ValidationLive} live
   * @returns {import("./types.js").ValidationPlan} the plan that the page's script of a live counterfeit follows
   */
  livePlan(live) {
    return outcome((wasm) => wasm.validationLivePlan(json(live)));
  }

  /**
   * @param {import("./types.js").ValidationLive} live
   * @param {import("./types.js").ValidationLiveRequest} request
   * @returns {import("./types.js").ValidationLiveAnswer | null} the answer instead of the application's; null if the
   *   application is asked
   */
  liveInstead(live, request) {
    return outcome((wasm) => wasm.validationLiveInstead(json(live), json(request)));
  }

  /**
   * @param {import("./types.js").ValidationLive} live
   * @param {import("./types.js").ValidationLiveRequest} request
   * @param {import("./types.js").ValidationLiveAnswer} answer the application's answer
   * @returns {import("./types.js").ValidationLiveChange} the answer that replaces it
   */
  liveChanged(live, request, answer) {
    return outcome((wasm) => wasm.validationLiveChanged(json(live), json(request), json(answer)));
  }

  /**
   * @param {import("./types.js").ValidationSetup | null} setup null if there are no settings
   * @returns {string} a description of the settings. Throws a `DesignLabError` that lists everything wrong
   */
  check(setup) {
    return outcome((wasm) => wasm.validationCheck(json(setup)));
  }

  /**
   * @param {import("./types.js").ValidationOpeningInput} input
   * @returns {import("./types.js").ValidationOpening}
   */
  begin(input) {
    return outcome((wasm) => wasm.validationBegin(json(input)));
  }

  /**
   * @param {import("./types.js").ValidationOpening} opening
   * @param {ValidationFound[]} found
   * @returns {import("./types.js").ValidationOpening} with the expected cost of the run, and the run before on the same subject
   */
  foreseen(opening, found) {
    return outcome((wasm) => wasm.validationForeseen(json(opening), json(found)));
  }

  /**
   * @param {number} run the run before
   * @param {string} name as the opening has it
   * @param {string} subject
   * @returns {import("./types.js").ValidationBefore | null} what it saw; null if there is nothing to compare
   */
  before(run, name, subject) {
    return outcome((wasm) => wasm.validationBefore(run, name, subject));
  }

  /**
   * @param {string} text the arguments of `/validate-status`
   * @param {ValidationFound[]} found
   * @returns {string | null} the name of the run to show; null if only the list is requested
   */
  shown(text, found) {
    return outcome((wasm) => wasm.validationShown(text, json(found)));
  }

  /**
   * @param {string} text the run, as the user names it; empty for the latest
   * @param {ValidationFound[]} found
   * @returns {string} its name
   */
  toShow(text, found) {
    return outcome((wasm) => wasm.validationToShow(text, json(found)));
  }

  /**
   * @param {string} text the arguments of `/validate-status`
   * @param {ValidationFound[]} found
   * @returns {string | null} the list of the latest runs, or of all; null if one is named, or there is no other
   */
  list(text, found) {
    return outcome((wasm) => wasm.validationList(text, json(found)));
  }

  /**
   * @param {ValidationFound[]} found
   * @returns {string} the name of the run that `/validate-decide` is about
   */
  toDecide(found) {
    return outcome((wasm) => wasm.validationToDecide(json(found)));
  }

  /**
   * @param {string} text the arguments of `/flow-plan fix`
   * @param {ValidationFound[]} found
   * @returns {string} the name of the run whose failures and gaps are fixed
   */
  runToFix(text, found) {
    return outcome((wasm) => wasm.validationRunToFix(text, json(found)));
  }

  /**
   * @param {number} run
   * @returns {import("./types.js").ValidationToFix} its findings to fix
   */
  toFix(run) {
    return outcome((wasm) => wasm.validationToFix(run));
  }

  /**
   * @param {string} text the arguments of `/validate-resume`
   * @returns {[string, boolean]} the run, as the user names it, and whether it is taken over
   */
  resumeRequest(text) {
    return outcome((wasm) => wasm.validationResumeRequest(text));
  }

  /** @param {number} run @returns {boolean} whether this machine wrote all of its journal */
  isOurs(run) {
    return outcome((wasm) => wasm.validationIsOurs(run));
  }

  /**
   * @param {string} text the run, as the user names it
   * @param {ValidationFound[]} found
   * @returns {string} the name of the run to continue
   */
  toResume(text, found) {
    return outcome((wasm) => wasm.validationToResume(text, json(found)));
  }

  /**
   * @param {string} text the run, as the user names it
   * @param {ValidationFound[]} found
   * @returns {string} the name of the run whose tests are repeated or kept
   */
  toRepeat(text, found) {
    return outcome((wasm) => wasm.validationToRepeat(text, json(found)));
  }

  /**
   * @param {number} run
   * @returns {import("./types.js").ValidationRepeat} what can be repeated of it. Throws a `DesignLabError` if there is nothing
   */
  repeat(run) {
    return outcome((wasm) => wasm.validationRepeat(run));
  }

  /**
   * Throws a `DesignLabError` when the tests can't be kept there.
   * @param {import("./types.js").ValidationRepeat} repeat
   * @param {string} directory as the user names it
   * @param {string[]} taken paths that already exist
   * @returns {import("./types.js").ValidationKept}
   */
  kept(repeat, directory, taken) {
    return outcome((wasm) => wasm.validationKept(json(repeat), directory, json(taken)));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").ValidationSettings} settings the current settings
   * @param {string} text the arguments of `/validate-decide`
   * @param {import("./types.js").AvailableModels} available
   * @returns {ValidationEventKind[]}
   */
  decide(run, settings, text, available) {
    return outcome((wasm) => wasm.validationDecide(run, json(settings), text, json(available)));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").ValidationSettings} settings the current settings
   * @param {string[]} shown the hashes of commands that this process has shown
   * @param {import("./types.js").AvailableModels} available
   * @returns {ValidationEventKind[]}
   */
  resume(run, settings, shown, available) {
    return outcome((wasm) => wasm.validationResume(run, json(settings), json(shown), json(available)));
  }

  /**
   * @param {number} run a run whose process has died
   * @returns {ValidationEventKind[]} the events that cancel it; empty if it isn't active
   */
  cancel(run) {
    return outcome((wasm) => wasm.validationCancel(run));
  }

  /**
   * @param {import("./types.js").ValidationLeft[]} found
   * @returns {string[]} the messages about them
   */
  left(found) {
    return outcome((wasm) => wasm.validationLeft(json(found)));
  }

  /**
   * @param {string} own the role's text
   * @param {string} host what the host would send
   * @returns {string}
   */
  systemText(own, host) {
    return outcome((wasm) => wasm.validationSystemText(own, host));
  }

  /**
   * @param {string} tool
   * @returns {string | null} why a Validation session may not call it
   */
  refusal(tool) {
    return outcome((wasm) => wasm.validationRefusal(tool));
  }

  /** A run before its first event. */
  openRun() {
    return guarded((wasm) => wasm.validationOpen());
  }

  /** @param {number} run */
  closeRun(run) {
    guarded((wasm) => wasm.validationClose(run));
  }

  /**
   * @param {string} journal
   * @returns {{handle: number, whole: number}}
   */
  replayRun(journal) {
    return outcome((wasm) => wasm.validationReplay(journal));
  }

  /**
   * @param {number} run
   * @param {{at: number} & ValidationEventKind} event
   * @returns {string} the journal line
   */
  seal(run, event) {
    return outcome((wasm) => wasm.validationSeal(run, json(event)));
  }

  /**
   * @param {number} run
   * @param {string} line
   * @returns {ValidationCommand[]}
   */
  apply(run, line) {
    return outcome((wasm) => wasm.validationApply(run, line));
  }

  /**
   * @param {number} run
   * @param {string} job
   * @param {import("./types.js").Spending[]} used
   * @returns {ValidationEventKind | null}
   */
  overspending(run, job, used) {
    return outcome((wasm) => wasm.validationOverspending(run, job, json(used)));
  }

  /**
   * The paths that an answer cites.
   * @param {number} run
   * @param {string} job
   * @param {import("./types.js").Reply} reply
   * @returns {string[]}
   */
  cited(run, job, reply) {
    return outcome((wasm) => wasm.validationCited(run, job, json(reply)));
  }

  /**
   * @param {number} run
   * @returns {ValidationSummary}
   */
  summary(run) {
    return outcome((wasm) => wasm.validationSummary(run));
  }

  /**
   * @param {number} run
   * @returns {[string, string][]}
   */
  files(run) {
    return outcome((wasm) => wasm.validationFiles(run));
  }

  /**
   * @param {number} run
   * @returns {[string | null, import("./types.js").ValidationEvidenceFile][]} the pictures and videos on its page, as they were
   *   recorded, each with the earlier run that has it
   */
  pictures(run) {
    return outcome((wasm) => wasm.validationPictures(run));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").ValidationPicture[]} pictures
   * @returns {string} its page with the pictures
   */
  page(run, pictures) {
    return outcome((wasm) => wasm.validationPage(run, json(pictures)));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").ValidationSeen} seen
   * @returns {string} the account if nothing differs
   */
  verify(run, seen) {
    return outcome((wasm) => wasm.validationVerify(run, json(seen)));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").CiGiven} given
   * @returns {import("./types.js").CiTexts} the texts for build servers
   */
  ci(run, given) {
    return outcome((wasm) => wasm.validationCi(run, json(given)));
  }

  /**
   * @param {number} run
   * @param {Pick<ValidationFound, "owner">} found
   * @returns {string}
   */
  status(run, { owner }) {
    return outcome((wasm) => wasm.validationStatus(run, json(owner)));
  }

  /**
   * @param {number} run
   * @param {number} now
   * @param {string} place of its directory, as a `file:` URL
   * @param {import("./types.js").Activity | null} [activity] what its models are doing
   * @returns {string} the live message
   */
  liveMessage(run, now, place, activity) {
    return outcome((wasm) => wasm.validationLiveMessage(run, now, place, json(activity?.calls ?? [])));
  }

  /**
   * The message for a model that called a command: what the user sees, without file paths.
   * @param {number} run
   * @param {number} now
   */
  account(run, now) {
    return outcome((wasm) => wasm.validationLiveMessage(run, now, "", json([])));
  }

  /**
   * @param {number} run
   * @param {number} now
   * @param {import("./types.js").Activity | null} [activity] what its models are doing
   * @returns {import("./types.js").Panel | null} null unless it is running
   */
  panel(run, now, activity) {
    return outcome((wasm) => wasm.validationPanel(run, now, json(activity?.calls ?? [])));
  }

  /**
   * @param {ValidationFound[]} found
   * @returns {ValidationFound[]} in chronological order
   */
  begun(found) {
    return outcome((wasm) => wasm.validationBegun(json(found)));
  }

  /**
   * @param {number} run
   * @returns {string} the text for the live message that an earlier process left
   */
  continued(run) {
    return outcome((wasm) => wasm.validationContinued(run));
  }

  /**
   * @param {string} file
   * @param {string} code
   * @param {import("./types.js").DiskDeed} deed
   * @returns {Problem}
   */
  diskProblem(file, code, deed) {
    return outcome((wasm) => wasm.diskProblem(file, code, json(deed), json("validation")));
  }

  /**
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  locked(run, process) {
    return outcome((wasm) => wasm.validationLocked(run, process));
  }

  /**
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  notStopped(run, process) {
    return outcome((wasm) => wasm.validationNotStopped(run, process));
  }

  /** The message when nothing is running that could be stopped. @returns {string} */
  nothingRuns() {
    return outcome((wasm) => wasm.nothingRuns());
  }
}
