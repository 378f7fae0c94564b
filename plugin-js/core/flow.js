// Generated from src/boundary/flow.rs by `cargo xtask update`.

import { call, json, packageVersion } from "./load.js";

/**
 * @import { Activity, CiGiven, CiTexts, Command, CommandEnd, DiskDeed, EventKind, FlowAdded, FlowAutoCommand, FlowChangedFile, FlowChangedText, FlowCleanRoom, FlowDecision, FlowEffect, FlowFacts, FlowFaults, FlowFeedbackCommand, FlowFeedbackDone, FlowGuardFacts, FlowInquiry, FlowLaneBuilt, FlowLaneToTake, FlowLaneTold, FlowLogged, FlowMutatorLeft, FlowMutatorSeen, FlowOpening, FlowOpeningInput, FlowPlanCommand, FlowProjectRule, FlowPullRequest, FlowPullRequestCommand, FlowPullRequestFacts, FlowRaceCommand, FlowRanAgain, FlowResetCommand, FlowRole, FlowSearched, FlowSearchedPlace, FlowSeen, FlowSessionCommand, FlowSettings, FlowSurroundings, FlowTestCounts, FlowTestSetting, FlowToVerify, FlowWanted, Found, Handover, HostAgent, InstructionFile, JobId, Panel, Problem, Replayed, Reply, ShellRules, Source, Spending, Summary, ValidationSubject } from "./types.js"
 * @typedef {EventKind<FlowOpening, FlowDecision>} FlowEventKind
 * @typedef {Found<FlowFacts>} FlowFound
 * @typedef {Command<FlowRole, FlowOpening, FlowDecision, FlowEffect>} FlowCommand
 */

/**
 * Flow's calls into the core: every decision is made there. The methods that the machinery of runs calls have the same names
 * as in Design Lab.
 */
export class FlowCore {
  /** The package's version. */
  get version() {
    return packageVersion();
  }

  /**
   * Parses the arguments of `/flow-plan`.
   * @param {string} text
   * @returns {FlowPlanCommand}
   */
  planCommand(text) {
    return call("flow.plan_command", text);
  }

  /**
   * Parses the arguments of `/flow-auto`.
   * @param {string} text
   * @returns {FlowAutoCommand}
   */
  autoCommand(text) {
    return call("flow.auto_command", text);
  }

  /**
   * Parses the arguments of `/flow-reset`.
   * @param {string} text
   * @returns {FlowResetCommand}
   */
  resetCommand(text) {
    return call("flow.reset_command", text);
  }

  /**
   * Parses the arguments of `/flow-session`.
   * @param {string} text
   * @param {boolean} byModel
   * @returns {FlowSessionCommand}
   */
  sessionCommand(text, byModel) {
    return call("flow.session_command", text, json(byModel));
  }

  /**
   * Whether this machine wrote all of the session's journal.
   * @param {number} session
   * @returns {boolean}
   */
  isOurs(session) {
    return call("flow.is_ours", json(session));
  }

  /**
   * The list that `/flow-session` shows without a name. `active`: the active session. Returns null if the arguments request
   * something else.
   * @param {string} text
   * @param {Array<Found<FlowFacts>>} found
   * @param {string | null} active
   * @param {boolean} byModel
   * @returns {string | null}
   */
  list(text, found, active, byModel) {
    return call("flow.list", text, json(found), json(active), json(byModel));
  }

  /**
   * The name of the session that `/flow-session` makes the active one.
   * @param {string} text
   * @param {Array<Found<FlowFacts>>} found
   * @returns {string}
   */
  toActivate(text, found) {
    return call("flow.to_activate", text, json(found));
  }

  /**
   * The name of the session that `/flow-history` shows.
   * @param {string} text
   * @param {Array<Found<FlowFacts>>} found
   * @returns {string}
   */
  toShow(text, found) {
    return call("flow.to_show", text, json(found));
  }

  /**
   * The problem when a command needs a session but none exists.
   * @returns {Problem}
   */
  noSession() {
    return call("flow.no_session");
  }

  /**
   * The first event's content. `stored`: the sessions of the project, which show what similar work cost.
   * @param {FlowOpeningInput} input
   * @param {Array<Found<FlowFacts>>} stored
   * @returns {FlowOpening}
   */
  begin(input, stored) {
    return call("flow.begin", json(input), json(stored));
  }

  /**
   * A session before its first event; returns its handle.
   * @returns {number}
   */
  openRun() {
    return call("flow.open_run");
  }

  /**
   * The session that results from a journal.
   * @param {string} journal
   * @returns {Replayed}
   */
  replayRun(journal) {
    return call("flow.replay_run", journal);
  }

  /**
   * Closes a session's handle.
   * @param {number} session
   */
  closeRun(session) {
    call("flow.close_run", json(session));
  }

  /**
   * The journal line for an event.
   * @param {number} session
   * @param {{at: number} & EventKind<FlowOpening, FlowDecision>} event
   * @returns {string}
   */
  seal(session, event) {
    return call("flow.seal", json(session), json(event));
  }

  /**
   * Applies a sealed line that is on disk.
   * @param {number} session
   * @param {string} line
   * @returns {Array<Command<FlowRole, FlowOpening, FlowDecision, FlowEffect>>}
   */
  apply(session, line) {
    return call("flow.apply", json(session), line);
  }

  /**
   * The event that stops a call between two steps of its answer; null if no budget is reached. `used`: by all calls in flight.
   * @param {number} session
   * @param {JobId} job
   * @param {Array<Spending>} used
   * @returns {EventKind<FlowOpening, FlowDecision> | null}
   */
  overspending(session, job, used) {
    return call("flow.overspending", json(session), json(job), json(used));
  }

  /**
   * The paths that an answer cites.
   * @param {number} session
   * @param {JobId} job
   * @param {Reply} reply
   * @returns {Array<string>}
   */
  cited(session, job, reply) {
    return call("flow.cited", json(session), json(job), json(reply));
  }

  /**
   * The event of `/flow-plan revise <remarks>`.
   * @param {number} session
   * @param {string} remarks
   * @param {Array<Found<FlowFacts>>} stored
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  revise(session, remarks, stored) {
    return call("flow.revise", json(session), remarks, json(stored));
  }

  /**
   * The event of `/flow-plan select <ids>`.
   * @param {number} session
   * @param {Array<string>} features
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  select(session, features) {
    return call("flow.select", json(session), json(features));
  }

  /**
   * The event of `/flow-reset feature <id>`.
   * @param {number} session
   * @param {string} feature
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  reset(session, feature) {
    return call("flow.reset", json(session), feature);
  }

  /**
   * The event of `/flow-reset session`.
   * @param {number} session
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  archive(session) {
    return call("flow.archive", json(session));
  }

  /**
   * The event of `/flow-plan approve <hash>`. `shown`: the complete hashes that this process has shown.
   * @param {number} session
   * @param {string} hash
   * @param {Array<string>} shown
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  approve(session, hash, shown) {
    return call("flow.approve", json(session), hash, json(shown));
  }

  /**
   * The event of `/flow-run [feature]`.
   * @param {number} session
   * @param {string} text
   * @param {Array<Found<FlowFacts>>} stored
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  start(session, text, stored) {
    return call("flow.start", json(session), text, json(stored));
  }

  /**
   * The event of `/flow-take [hash]`. `text`: the hash; empty to be shown the changes. `shown`: the complete hashes that this
   * process has shown.
   * @param {number} session
   * @param {string} text
   * @param {Array<string>} shown
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  take(session, text, shown) {
    return call("flow.take", json(session), text, json(shown));
  }

  /**
   * Parses the arguments of `/flow-race`.
   * @param {string} text
   * @returns {FlowRaceCommand}
   */
  raceCommand(text) {
    return call("flow.race_command", text);
  }

  /**
   * The first event's content for a race. `workers`: the models that race; `designs`: what races instead.
   * @param {FlowOpeningInput} input
   * @param {Array<string>} workers
   * @param {Array<Handover>} designs
   * @param {Array<Found<FlowFacts>>} stored
   * @returns {FlowOpening}
   */
  beginRace(input, workers, designs, stored) {
    return call("flow.begin_race", json(input), json(workers), json(designs), json(stored));
  }

  /**
   * How many lanes a race may have.
   * @returns {number}
   */
  mostLanes() {
    return call("flow.most_lanes");
  }

  /**
   * The designs of a run that race, by their ids. `contenders`: those that may be the best.
   * @param {string} run
   * @param {Array<string>} named
   * @param {Array<string>} contenders
   * @returns {Array<string>}
   */
  racing(run, named, contenders) {
    return call("flow.racing", run, json(named), json(contenders));
  }

  /**
   * The event of `/flow-race approve <hash>`. `shown`: the complete hashes that this process has shown.
   * @param {number} session
   * @param {string} hash
   * @param {Array<string>} shown
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  race(session, hash, shown) {
    return call("flow.race", json(session), hash, json(shown));
  }

  /**
   * The lane of the race that the user wants to take.
   * @param {number} session
   * @param {string} lane
   * @returns {FlowLaneToTake}
   */
  laneToTake(session, lane) {
    return call("flow.lane_to_take", json(session), lane);
  }

  /**
   * The event of `/flow-race take <lane> [hash]` in the lane's session. `frozen`: the only tree that may be taken.
   * @param {number} session
   * @param {string} text
   * @param {Array<string>} shown
   * @param {string} frozen
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  takeFrozen(session, text, shown, frozen) {
    return call("flow.take_frozen", json(session), text, json(shown), json(frozen));
  }

  /**
   * The event that records in the race's session that the user took the result of a lane.
   * @param {string} lane
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  laneTaken(lane) {
    return call("flow.lane_taken", json(lane));
  }

  /**
   * The name of the session that builds this lane of this race from this tree; null if there is none yet.
   * @param {string} race
   * @param {string} lane
   * @param {string} base
   * @param {Array<Found<FlowFacts>>} stored
   * @returns {string | null}
   */
  sessionOfLane(race, lane, base, stored) {
    return call("flow.session_of_lane", json(race), json(lane), json(base), json(stored));
  }

  /**
   * The name of the session that is the race of this session, or this session itself; null if it has to do with none.
   * @param {number} session
   * @returns {string | null}
   */
  raceName(session) {
    return call("flow.race_name", json(session));
  }

  /**
   * What a session has done so far that builds a lane of a race; null if it builds none.
   * @param {number} session
   * @returns {FlowLaneTold | null}
   */
  laneTold(session) {
    return call("flow.lane_told", json(session));
  }

  /**
   * How such a session has ended, as the answer to the effect with this number.
   * @param {number} session
   * @param {number} effect
   * @returns {FlowLaneBuilt | null}
   */
  laneBuilt(session, effect) {
    return call("flow.lane_built", json(session), json(effect));
  }

  /**
   * Whether there is anything in such a session to continue.
   * @param {number} session
   * @returns {boolean}
   */
  laneGoesOn(session) {
    return call("flow.lane_goes_on", json(session));
  }

  /**
   * Whether the result of such a session, as it is now, is in the project.
   * @param {number} session
   * @returns {boolean}
   */
  laneIsTaken(session) {
    return call("flow.lane_is_taken", json(session));
  }

  /**
   * Whether the session's workers work in a lane that was made.
   * @param {number} session
   * @returns {boolean}
   */
  hasLane(session) {
    return call("flow.has_lane", json(session));
  }

  /**
   * The model of the session's workers: `provider/model`.
   * @param {number} session
   * @returns {string}
   */
  worker(session) {
    return call("flow.worker", json(session));
  }

  /**
   * The problem with a lane that no longer exists.
   * @param {string} directory
   * @returns {Problem}
   */
  laneGone(directory) {
    return call("flow.lane_gone", directory);
  }

  /**
   * The problem with a lane under a host that works only in the project.
   * @returns {Problem}
   */
  laneClosed() {
    return call("flow.lane_closed");
  }

  /**
   * The problem with a race under a host that works only in the project.
   * @returns {Problem}
   */
  raceClosed() {
    return call("flow.race_closed");
  }

  /**
   * Why a host that works only in the project can't have lanes, in words.
   * @returns {string}
   */
  noLanesHere() {
    return call("flow.no_lanes_here");
  }

  /**
   * The event of `/flow-resume`.
   * @param {number} session
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  resume(session) {
    return call("flow.resume", json(session));
  }

  /**
   * The event of `/flow-auto` without a goal.
   * @param {number} session
   * @param {Array<Found<FlowFacts>>} stored
   * @returns {EventKind<FlowOpening, FlowDecision>}
   */
  automate(session, stored) {
    return call("flow.automate", json(session), json(stored));
  }

  /**
   * Flow's part of a configuration.
   * @param {Array<Source>} sources
   * @returns {FlowSettings}
   */
  settings(sources) {
    return call("flow.settings", json(sources));
  }

  /**
   * The user's rules for a worker's shell commands. `agents`: as the host reports them.
   * @param {Array<HostAgent> | null} [agents]
   * @returns {ShellRules}
   */
  shellRules(agents = null) {
    return call("flow.shell_rules", json(agents));
  }

  /**
   * Applies these rules to a session from now on.
   * @param {number} session
   * @param {ShellRules} rules
   */
  knowRules(session, rules) {
    call("flow.know_rules", json(session), json(rules));
  }

  /**
   * The events to feed for a user's command, in order. `settings`: of the current configuration; `rules`: the project's now;
   * `event`: the command's own.
   * @param {number} session
   * @param {FlowSettings} settings
   * @param {Array<FlowProjectRule>} rules
   * @param {EventKind<FlowOpening, FlowDecision>} event
   * @returns {Array<EventKind<FlowOpening, FlowDecision>>}
   */
  under(session, settings, rules, event) {
    return call("flow.under", json(session), json(settings), json(rules), json(event));
  }

  /**
   * Parses the arguments of `/flow-feedback`.
   * @param {string} text
   * @returns {FlowFeedbackCommand}
   */
  feedbackCommand(text) {
    return call("flow.feedback_command", text);
  }

  /**
   * Logs a piece of feedback. `log`: the log's text; null if there is none.
   * @param {string | null} log
   * @param {string} said
   * @param {number} at
   * @returns {FlowLogged}
   */
  feedbackLogged(log, said, at) {
    return call("flow.feedback_logged", json(log), said, json(at));
  }

  /**
   * What occurs in a file. `path`: from the root of the tree.
   * @param {Array<FlowWanted>} wanted
   * @param {string} path
   * @param {string} text
   * @returns {Array<FlowSearched>}
   */
  feedbackSearched(wanted, path, text) {
    return call("flow.feedback_searched", json(wanted), path, text);
  }

  /**
   * Shows a piece of feedback that was logged.
   * @param {string} log
   * @param {string} id
   * @param {Array<FlowSearchedPlace>} places
   * @returns {FlowFeedbackDone}
   */
  feedbackShown(log, id, places) {
    return call("flow.feedback_shown", log, id, json(places));
  }

  /**
   * Makes a rule of a piece of feedback. `rules`: the text of the file of rules; null if there is none; `hash`: as typed; `shown`:
   * the complete hashes that this process has shown.
   * @param {string | null} log
   * @param {string | null} rules
   * @param {string} hash
   * @param {Array<string>} shown
   * @returns {FlowFeedbackDone}
   */
  feedbackConfirmed(log, rules, hash, shown) {
    return call("flow.feedback_confirmed", json(log), json(rules), hash, json(shown));
  }

  /**
   * What a list searches for.
   * @param {string | null} [log]
   * @param {string | null} [rules]
   * @returns {Array<FlowWanted>}
   */
  feedbackToList(log = null, rules = null) {
    return call("flow.feedback_to_list", json(log), json(rules));
  }

  /**
   * Lists rules and feedback. `places`: what was found, by id.
   * @param {string | null} log
   * @param {string | null} rules
   * @param {{ [key in string]: FlowSearchedPlace }} places
   * @returns {FlowFeedbackDone}
   */
  feedbackListed(log, rules, places) {
    return call("flow.feedback_listed", json(log), json(rules), json(places));
  }

  /**
   * Removes a rule or a piece of feedback.
   * @param {string | null} log
   * @param {string | null} rules
   * @param {string} id
   * @returns {FlowFeedbackDone}
   */
  feedbackRemoved(log, rules, id) {
    return call("flow.feedback_removed", json(log), json(rules), id);
  }

  /**
   * The log with what became of the rules in a session; null if that is no news.
   * @param {number} session
   * @param {string | null} [log]
   * @returns {string | null}
   */
  feedbackNoted(session, log = null) {
    return call("flow.feedback_noted", json(session), json(log));
  }

  /**
   * The project's rules. `text`: of the file of rules; null if there is none.
   * @param {string | null} [text]
   * @returns {Array<FlowProjectRule>}
   */
  projectRules(text = null) {
    return call("flow.project_rules", json(text));
  }

  /**
   * Whether the file of rules holds others than these.
   * @param {Array<FlowProjectRule>} rules
   * @param {string | null} [text]
   * @returns {boolean}
   */
  rulesDiffer(rules, text = null) {
    return call("flow.rules_differ", json(rules), json(text));
  }

  /**
   * Those of these files that the rules check. `paths`: from the root of the tree.
   * @param {Array<FlowProjectRule>} rules
   * @param {Array<string>} paths
   * @returns {Array<string>}
   */
  ruledFiles(rules, paths) {
    return call("flow.ruled_files", json(rules), json(paths));
  }

  /**
   * What a change adds of that which the rules forbid.
   * @param {Array<FlowProjectRule>} rules
   * @param {Array<FlowChangedText>} changed
   * @returns {FlowAdded}
   */
  added(rules, changed) {
    return call("flow.added", json(rules), json(changed));
  }

  /**
   * The event for a session at work whose project has these rules now; null if it isn't at work or has them.
   * @param {number} session
   * @param {Array<FlowProjectRule>} rules
   * @returns {EventKind<FlowOpening, FlowDecision> | null}
   */
  ruled(session, rules) {
    return call("flow.ruled", json(session), json(rules));
  }

  /**
   * The texts for build servers. `ran`: the answer to the effect that runs the checks again; null if it was not performed.
   * @param {number} session
   * @param {CiGiven} given
   * @param {EventKind<FlowOpening, FlowDecision> | null} [ran]
   * @returns {CiTexts}
   */
  ci(session, given, ran = null) {
    return call("flow.ci", json(session), json(given), json(ran));
  }

  /**
   * Parses the arguments of `/flow-pr`.
   * @param {string} text
   * @returns {FlowPullRequestCommand}
   */
  pullRequestCommand(text) {
    return call("flow.pull_request_command", text);
  }

  /**
   * The pull request of a session. `by_model`: whether a model calls it, and the user has permitted that.
   * @param {number} session
   * @param {FlowPullRequestCommand} command
   * @param {FlowPullRequestFacts} facts
   * @param {boolean} byModel
   * @returns {FlowPullRequest}
   */
  pullRequest(session, command, facts, byModel) {
    return call("flow.pull_request", json(session), json(command), json(facts), json(byModel));
  }

  /**
   * What the end of the client shows. `program`: its name; `printed`: the end of its output.
   * @param {string} program
   * @param {CommandEnd} end
   * @param {string} printed
   * @returns {string}
   */
  pullRequestCreated(program, end, printed) {
    return call("flow.pull_request_created", program, json(end), printed);
  }

  /**
   * Those of these files whose tests are to be counted.
   * @param {Array<string>} paths
   * @returns {Array<string>}
   */
  testFiles(paths) {
    return call("flow.test_files", json(paths));
  }

  /**
   * The tests in the text of a file.
   * @param {string} text
   * @returns {FlowTestCounts}
   */
  countTests(text) {
    return call("flow.count_tests", text);
  }

  /**
   * Those of these files that configure, among many other things, how tests run.
   * @param {Array<string>} paths
   * @returns {Array<string>}
   */
  comparedFiles(paths) {
    return call("flow.compared_files", json(paths));
  }

  /**
   * The changes in such a file. `texts`: before and now, each null if there is no such file; null if that is unknown.
   * @param {string} path
   * @param {[string | null, string | null] | null} [texts]
   * @returns {Array<FlowTestSetting>}
   */
  testSettings(path, texts = null) {
    return call("flow.test_settings", path, json(texts));
  }

  /**
   * Small faults in files that a feature changed, at most this many.
   * @param {Array<FlowChangedFile>} files
   * @param {number} most
   * @returns {FlowFaults}
   */
  faults(files, most) {
    return call("flow.faults", json(files), json(most));
  }

  /**
   * The result of a mutation testing tool for a feature. `left`: how it ended, and what it left.
   * @param {FlowMutatorLeft} left
   * @returns {FlowMutatorSeen}
   */
  mutatorSeen(left) {
    return call("flow.mutator_seen", json(left));
  }

  /**
   * Those of these files untracked by git that stay out of copies.
   * @param {Array<string>} paths
   * @returns {Array<string>}
   */
  keptBack(paths) {
    return call("flow.kept_back", json(paths));
  }

  /**
   * Names of files and directories that aren't compared in the linked parts of copies.
   * @returns {Array<string>}
   */
  leftOutOfLinks() {
    return call("flow.left_out_of_links");
  }

  /**
   * Names of files and directories that make a copy unclean if they are above it.
   * @returns {Array<string>}
   */
  foundAbove() {
    return call("flow.found_above");
  }

  /**
   * The environment for commands in a copy, and the directories made for it.
   * @param {FlowSurroundings} surroundings
   * @returns {FlowCleanRoom}
   */
  cleanRoom(surroundings) {
    return call("flow.clean_room", json(surroundings));
  }

  /**
   * The message when a copy could not be prepared. `output`: the path of the command's output.
   * @param {Array<string>} argv
   * @param {CommandEnd} end
   * @param {string} output
   * @returns {string}
   */
  setupFailed(argv, end, output) {
    return call("flow.setup_failed", json(argv), json(end), output);
  }

  /**
   * The live message at this moment. `place`: of the session's directory, as a `file:` URL.
   * @param {number} session
   * @param {number} now
   * @param {string} place
   * @param {Activity | null} [activity]
   * @returns {string}
   */
  liveMessage(session, now, place, activity = null) {
    return call("flow.live_message", json(session), json(now), place, json(activity));
  }

  /**
   * The message for a model that called a command: what the user sees, without file paths.
   * @param {number} session
   * @param {number} now
   * @returns {string}
   */
  account(session, now) {
    return call("flow.account", json(session), json(now));
  }

  /**
   * The session, for a reader that doesn't run it.
   * @param {number} session
   * @param {Found<FlowFacts>} found
   * @param {number} _now
   * @param {boolean} byModel
   * @returns {string}
   */
  status(session, found, _now, byModel) {
    return call("flow.status", json(session), json(found), json(_now), json(byModel));
  }

  /**
   * What happened in the session.
   * @param {number} session
   * @param {boolean} byModel
   * @returns {string}
   */
  history(session, byModel) {
    return call("flow.history", json(session), json(byModel));
  }

  /**
   * The last live message of a process whose session another process now continues.
   * @param {number} session
   * @returns {string}
   */
  continued(session) {
    return call("flow.continued", json(session));
  }

  /**
   * The session for a panel next to the chat, at this moment; null unless a command is running.
   * @param {number} session
   * @param {number} now
   * @param {Activity | null} [activity]
   * @returns {Panel | null}
   */
  panel(session, now, activity = null) {
    return call("flow.panel", json(session), json(now), json(activity));
  }

  /**
   * Every file that should be on disk by now, except the outputs of checks: path and text.
   * @param {number} session
   * @returns {Array<[string, string]>}
   */
  files(session) {
    return call("flow.files", json(session));
  }

  /**
   * What has to be examined before a session can be trusted.
   * @param {number} session
   * @returns {FlowToVerify}
   */
  toVerify(session) {
    return call("flow.to_verify", json(session));
  }

  /**
   * The account if the observations match the journal.
   * @param {number} session
   * @param {FlowSeen} seen
   * @returns {string}
   */
  verify(session, seen) {
    return call("flow.verify", json(session), json(seen));
  }

  /**
   * The effect that runs the checks of a completed session again.
   * @param {number} session
   * @returns {FlowEffect}
   */
  toRunAgain(session) {
    return call("flow.to_run_again", json(session));
  }

  /**
   * What the repeated checks show. `seen`: the answer to that effect.
   * @param {number} session
   * @param {EventKind<FlowOpening, FlowDecision>} seen
   * @returns {FlowRanAgain}
   */
  ranAgain(session, seen) {
    return call("flow.ran_again", json(session), json(seen));
  }

  /**
   * The name of the session that `/validate` is about; null if it is about none. `active`: the active session.
   * @param {string} text
   * @param {string | null} active
   * @param {Array<Found<FlowFacts>>} found
   * @returns {string | null}
   */
  sessionToValidate(text, active, found) {
    return call("flow.session_to_validate", text, json(active), json(found));
  }

  /**
   * What a validation of the session has to prove.
   * @param {number} session
   * @returns {ValidationSubject}
   */
  toValidate(session) {
    return call("flow.to_validate", json(session));
  }

  /**
   * A session in a few facts; null before its first event.
   * @param {number} session
   * @returns {Summary<FlowFacts> | null}
   */
  summary(session) {
    return call("flow.summary", json(session));
  }

  /**
   * The sessions among the directories found.
   * @param {Array<Found<FlowFacts>>} found
   * @returns {Array<Found<FlowFacts>>}
   */
  begun(found) {
    return call("flow.begun", json(found));
  }

  /**
   * What a failed file operation means for the user. `code`: the system's.
   * @param {string} file
   * @param {string} code
   * @param {DiskDeed} deed
   * @returns {Problem}
   */
  diskProblem(file, code, deed) {
    return call("flow.disk_problem", file, code, json(deed));
  }

  /**
   * The problem when the session is running in another process.
   * @param {string} session
   * @param {string} process
   * @returns {Problem}
   */
  locked(session, process) {
    return call("flow.locked", session, process);
  }

  /**
   * The problem when a process doesn't stop a session when asked.
   * @param {string} session
   * @param {string} process
   * @returns {Problem}
   */
  notStopped(session, process) {
    return call("flow.not_stopped", session, process);
  }

  /**
   * The reply of a stop command when nothing is running.
   * @returns {string}
   */
  nothingRuns() {
    return call("flow.nothing_runs");
  }

  /**
   * The system text for a session of Flow. `own`: the role's text; `host`: what the host would send; `before`: for a reviewer, all
   * of the project's instruction files that `host` names.
   * @param {FlowRole} role
   * @param {string} own
   * @param {string} host
   * @param {Array<InstructionFile>} before
   * @returns {string}
   */
  systemText(role, own, host, before) {
    return call("flow.system_text", json(role), own, host, json(before));
  }

  /**
   * The instruction files that the host's text names.
   * @param {string} host
   * @returns {Array<string>}
   */
  instructionFiles(host) {
    return call("flow.instruction_files", host);
  }

  /**
   * The result of a reviewer's `read` without the instructions that the host adds to it.
   * @param {string} output
   * @returns {string}
   */
  withoutNearInstructions(output) {
    return call("flow.without_near_instructions", output);
  }

  /**
   * Whether the copy that a reviewer reads is still needed.
   * @param {number} session
   * @returns {boolean}
   */
  needsReviewedCopy(session) {
    return call("flow.needs_reviewed_copy", json(session));
  }

  /**
   * Whether the tools of a role read the copy of the files that were checked.
   * @param {FlowRole} role
   * @returns {boolean}
   */
  readsCopy(role) {
    return call("flow.reads_copy", json(role));
  }

  /**
   * The tree before the change that is being reviewed; null if nothing is.
   * @param {number} session
   * @returns {string | null}
   */
  reviewBase(session) {
    return call("flow.review_base", json(session));
  }

  /**
   * The facts needed to judge a call of one of Flow's sessions. `args`: as JSON.
   * @param {FlowRole} role
   * @param {string} tool
   * @param {string} args
   * @returns {FlowInquiry}
   */
  inquire(role, tool, args) {
    return call("flow.inquire", json(role), tool, args);
  }

  /**
   * Why a call is refused, by where its paths lead; null if it isn't. `paths`: as the inquiry names them.
   * @param {Array<string>} paths
   * @param {FlowGuardFacts} facts
   * @returns {string | null}
   */
  verdict(paths, facts) {
    return call("flow.verdict", json(paths), json(facts));
  }
}
