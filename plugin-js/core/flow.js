/**
 * Flow's calls into the core: every decision is made there. The functions that the machinery of runs calls have the same names
 * as in Design Lab.
 */
import { guarded, json, outcome, packageVersion } from "./load.js";

/**
 * @typedef {import("./types.js").Problem} Problem
 * @typedef {import("./types.js").EventKind<import("./types.js").FlowOpening, import("./types.js").FlowDecision>} FlowEventKind
 * @typedef {import("./types.js").Summary<import("./types.js").FlowFacts>} FlowSummary
 * @typedef {import("./types.js").Found<import("./types.js").FlowFacts>} FlowFound
 * @typedef {import("./types.js").Command<import("./types.js").FlowRole, import("./types.js").FlowOpening, import("./types.js").FlowDecision, import("./types.js").FlowEffect>} FlowCommand
 */

/** The core's functions for Flow, typed. */
export class FlowCore {
  /** The package's version. */
  version = packageVersion();

  /**
   * @param {string} text the arguments of `/flow-plan`
   * @returns {import("./types.js").FlowPlanCommand}
   */
  planCommand(text) {
    return outcome((wasm) => wasm.flowPlanCommand(text));
  }

  /**
   * @param {string} text the arguments of `/flow-auto`
   * @returns {import("./types.js").FlowAutoCommand}
   */
  autoCommand(text) {
    return outcome((wasm) => wasm.flowAutoCommand(text));
  }

  /**
   * @param {string} text the arguments of `/flow-reset`
   * @returns {import("./types.js").FlowResetCommand}
   */
  resetCommand(text) {
    return outcome((wasm) => wasm.flowResetCommand(text));
  }

  /**
   * @param {string} text the arguments of `/flow-feedback`
   * @returns {import("./types.js").FlowFeedbackCommand}
   */
  feedbackCommand(text) {
    return outcome((wasm) => wasm.flowFeedbackCommand(text));
  }

  /**
   * @param {string | null} log the text of the log; null if there is none
   * @param {string} said
   * @param {number} at in ms
   * @returns {import("./types.js").FlowLogged}
   */
  feedbackLogged(log, said, at) {
    return outcome((wasm) => wasm.flowFeedbackLogged(json(log), said, at));
  }

  /**
   * @param {import("./types.js").FlowWanted[]} wanted
   * @param {string} file from the root of the tree
   * @param {string} text of the file
   * @returns {import("./types.js").FlowSearched[]} what occurs
   */
  feedbackSearched(wanted, file, text) {
    return outcome((wasm) => wasm.flowFeedbackSearched(json(wanted), file, text));
  }

  /**
   * @param {string} log
   * @param {string} id
   * @param {import("./types.js").FlowSearchedPlace[]} places
   * @returns {import("./types.js").FlowFeedbackDone}
   */
  feedbackShown(log, id, places) {
    return outcome((wasm) => wasm.flowFeedbackShown(log, id, json(places)));
  }

  /**
   * @param {string | null} log
   * @param {string | null} rules the text of the file of rules; null if there is none
   * @param {string} hash that the user typed
   * @param {string[]} shown the hashes that this process has shown
   * @returns {import("./types.js").FlowFeedbackDone}
   */
  feedbackConfirmed(log, rules, hash, shown) {
    return outcome((wasm) => wasm.flowFeedbackConfirmed(json(log), json(rules), hash, json(shown)));
  }

  /**
   * @param {string | null} log
   * @param {string | null} rules
   * @returns {import("./types.js").FlowWanted[]} what a list searches for
   */
  feedbackToList(log, rules) {
    return outcome((wasm) => wasm.flowFeedbackToList(json(log), json(rules)));
  }

  /**
   * @param {string | null} log
   * @param {string | null} rules
   * @param {Record<string, import("./types.js").FlowSearchedPlace>} places
   * @returns {import("./types.js").FlowFeedbackDone}
   */
  feedbackListed(log, rules, places) {
    return outcome((wasm) => wasm.flowFeedbackListed(json(log), json(rules), json(places)));
  }

  /**
   * @param {string | null} log
   * @param {string | null} rules
   * @param {string} id
   * @returns {import("./types.js").FlowFeedbackDone}
   */
  feedbackRemoved(log, rules, id) {
    return outcome((wasm) => wasm.flowFeedbackRemoved(json(log), json(rules), id));
  }

  /**
   * @param {number} session
   * @param {string | null} log
   * @returns {string | null} the log with what became of the rules in the session; null if that is no news
   */
  feedbackNoted(session, log) {
    return outcome((wasm) => wasm.flowFeedbackNoted(session, json(log)));
  }

  /**
   * Throws a `DesignLabError` if the file is broken.
   * @param {string | null} text of the file of rules; null if there is none
   * @returns {import("./types.js").FlowProjectRule[]}
   */
  projectRules(text) {
    return outcome((wasm) => wasm.flowProjectRules(json(text)));
  }

  /**
   * @param {import("./types.js").FlowProjectRule[]} rules
   * @param {string | null} text of the file of rules
   * @returns {boolean} whether it holds other rules
   */
  rulesDiffer(rules, text) {
    return outcome((wasm) => wasm.flowRulesDiffer(json(rules), json(text)));
  }

  /**
   * @param {import("./types.js").FlowProjectRule[]} rules
   * @param {string[]} paths from the root of the tree
   * @returns {string[]} those that the rules check
   */
  ruledFiles(rules, paths) {
    return outcome((wasm) => wasm.flowRuledFiles(json(rules), json(paths)));
  }

  /**
   * @param {import("./types.js").FlowProjectRule[]} rules
   * @param {import("./types.js").FlowChangedText[]} changed
   * @returns {import("./types.js").FlowAdded} what the change adds of that which the rules forbid
   */
  added(rules, changed) {
    return outcome((wasm) => wasm.flowAdded(json(rules), json(changed)));
  }

  /**
   * @param {number} session
   * @param {import("./types.js").FlowProjectRule[]} rules of the project now
   * @returns {FlowEventKind | null} null if the session isn't at work or has these rules
   */
  ruled(session, rules) {
    return outcome((wasm) => wasm.flowRuled(session, json(rules)));
  }

  /**
   * @param {string} text the arguments of `/flow-session`
   * @param {boolean} byModel whether a model calls it
   * @returns {import("./types.js").FlowSessionCommand}
   */
  sessionCommand(text, byModel) {
    return outcome((wasm) => wasm.flowSessionCommand(text, byModel));
  }

  /**
   * @param {number} session
   * @returns {boolean} whether this machine wrote all of its journal
   */
  isOurs(session) {
    return outcome((wasm) => wasm.flowIsOurs(session));
  }

  /**
   * @param {string} text the arguments of `/flow-session`
   * @param {FlowFound[]} found
   * @param {string | null} active the active session
   * @param {boolean} byModel whether a model calls it
   * @returns {string | null} the list of all sessions; null if the arguments request something else
   */
  list(text, found, active, byModel) {
    return outcome((wasm) => wasm.flowList(text, json(found), json(active), byModel));
  }

  /**
   * @param {string} text the arguments of `/flow-session`
   * @param {FlowFound[]} found
   * @returns {string} the name of the session that becomes the active one
   */
  toActivate(text, found) {
    return outcome((wasm) => wasm.flowToActivate(text, json(found)));
  }

  /**
   * @param {string} text the arguments of `/flow-history`
   * @param {FlowFound[]} found
   * @returns {string} the name of the session whose history is shown
   */
  toShow(text, found) {
    return outcome((wasm) => wasm.flowToShow(text, json(found)));
  }

  /**
   * @param {import("./types.js").FlowOpeningInput} input
   * @param {FlowFound[]} stored the sessions of the project, which show what similar work cost
   * @returns {import("./types.js").FlowOpening}
   */
  begin(input, stored) {
    return outcome((wasm) => wasm.flowBegin(json(input), json(stored)));
  }

  /**
   * @param {number} session
   * @param {string} remarks
   * @param {FlowFound[]} stored
   * @returns {FlowEventKind}
   */
  revise(session, remarks, stored) {
    return outcome((wasm) => wasm.flowRevise(session, remarks, json(stored)));
  }

  /**
   * @param {number} session
   * @param {string[]} features
   * @returns {FlowEventKind}
   */
  select(session, features) {
    return outcome((wasm) => wasm.flowSelect(session, json(features)));
  }

  /**
   * @param {number} session
   * @param {string} feature
   * @returns {FlowEventKind}
   */
  reset(session, feature) {
    return outcome((wasm) => wasm.flowReset(session, feature));
  }

  /**
   * @param {number} session
   * @returns {FlowEventKind}
   */
  archive(session) {
    return outcome((wasm) => wasm.flowArchive(session));
  }

  /**
   * @param {number} session
   * @param {string} text the hash that the user typed
   * @param {string[]} shown the hashes that this process has shown
   * @returns {FlowEventKind}
   */
  approve(session, text, shown) {
    return outcome((wasm) => wasm.flowApprove(session, text, json(shown)));
  }

  /**
   * @param {number} session
   * @param {string} text the arguments of `/flow-run`
   * @param {FlowFound[]} stored
   * @returns {FlowEventKind}
   */
  start(session, text, stored) {
    return outcome((wasm) => wasm.flowStart(session, text, json(stored)));
  }

  /**
   * @param {number} session
   * @param {string} text the hash that the user typed; empty to be shown the changes
   * @param {string[]} shown the hashes that this process has shown
   * @returns {FlowEventKind}
   */
  take(session, text, shown) {
    return outcome((wasm) => wasm.flowTake(session, text, json(shown)));
  }

  /**
   * Returns whether the session's workers work in a lane that was made.
   * @param {number} session
   * @returns {boolean}
   */
  hasLane(session) {
    return outcome((wasm) => wasm.flowHasLane(session));
  }

  /**
   * Returns the model of the session's workers: `provider/model`.
   * @param {number} session
   * @returns {string}
   */
  worker(session) {
    return outcome((wasm) => wasm.flowWorker(session));
  }

  /**
   * Returns the problem with a lane that no longer exists.
   * @param {string} directory absolute
   * @returns {import("./types.js").Problem}
   */
  laneGone(directory) {
    return outcome((wasm) => wasm.flowLaneGone(directory));
  }

  /**
   * Returns why a host that works only in the project can't have lanes, in words.
   * @returns {string}
   */
  noLanesHere() {
    return outcome((wasm) => wasm.flowNoLanesHere());
  }

  /**
   * @param {number} session
   * @returns {FlowEventKind}
   */
  resume(session) {
    return outcome((wasm) => wasm.flowResume(session));
  }

  /**
   * `/flow-auto` without a goal.
   * @param {number} session
   * @param {FlowFound[]} stored
   * @returns {FlowEventKind}
   */
  automate(session, stored) {
    return outcome((wasm) => wasm.flowAutomate(session, json(stored)));
  }

  /**
   * Returns Flow's settings from the configuration. Throws a `DesignLabError` if it is broken.
   * @param {import("./types.js").Source[]} sources
   * @returns {import("./types.js").FlowSettings}
   */
  settings(sources) {
    return outcome((wasm) => wasm.flowSettings(json(sources)));
  }

  /**
   * The user's rules for a worker's shell commands. Throws a `DesignLabError` if the host doesn't provide them.
   * @param {import("./types.js").HostAgent[] | null} agents as the host reports them
   * @returns {import("./types.js").ShellRules}
   */
  shellRules(agents) {
    return outcome((wasm) => wasm.flowShellRules(json(agents)));
  }

  /**
   * Applies these rules to the session from here on.
   * @param {number} session
   * @param {import("./types.js").ShellRules} rules
   */
  knowRules(session, rules) {
    outcome((wasm) => wasm.flowKnowRules(session, json(rules)));
  }

  /**
   * The events of a command, if the configuration or the project's rules may have changed since the last one.
   * @param {number} session
   * @param {import("./types.js").FlowSettings} settings
   * @param {import("./types.js").FlowProjectRule[]} rules
   * @param {FlowEventKind} event the event of the command
   * @returns {FlowEventKind[]}
   */
  under(session, settings, rules, event) {
    return outcome((wasm) => wasm.flowUnder(session, json(settings), json(rules), json(event)));
  }

  /**
   * @param {string[]} paths
   * @returns {string[]} those whose tests are counted
   */
  testFiles(paths) {
    return outcome((wasm) => wasm.flowTestFiles(json(paths)));
  }

  /**
   * @param {string} text of a file
   * @returns {import("./types.js").FlowTestCounts}
   */
  countTests(text) {
    return outcome((wasm) => wasm.flowCountTests(text));
  }

  /**
   * @param {string[]} paths
   * @returns {string[]} those whose content determines, among much else, how tests are run
   */
  comparedFiles(paths) {
    return outcome((wasm) => wasm.flowComparedFiles(json(paths)));
  }

  /**
   * @param {string} file
   * @param {[string | null, string | null] | null} texts before and now; null if unknown
   * @returns {import("./types.js").FlowTestSetting[]} the settings that have changed
   */
  testSettings(file, texts) {
    return outcome((wasm) => wasm.flowTestSettings(file, json(texts)));
  }

  /**
   * @param {import("./types.js").FlowChangedFile[]} files that a feature changed
   * @param {number} most
   * @returns {import("./types.js").FlowFaults} the files with one small fault each, and those without any
   */
  faults(files, most) {
    return outcome((wasm) => wasm.flowFaults(json(files), most));
  }

  /**
   * @param {import("./types.js").FlowMutatorLeft} left how a mutation testing tool ended, and what it left
   * @returns {import("./types.js").FlowMutatorSeen} its results
   */
  mutatorSeen(left) {
    return outcome((wasm) => wasm.flowMutatorSeen(json(left)));
  }

  /**
   * @param {string[]} untracked files that git doesn't track
   * @returns {string[]} those that are left out of copies
   */
  keptBack(untracked) {
    return outcome((wasm) => wasm.flowKeptBack(json(untracked)));
  }

  /** @returns {string[]} names of what isn't compared in the links of copies */
  leftOutOfLinks() {
    return outcome((wasm) => wasm.flowLeftOutOfLinks());
  }

  /** @returns {string[]} names of what makes a copy unclean if it is above it */
  foundAbove() {
    return outcome((wasm) => wasm.flowFoundAbove());
  }

  /**
   * @param {import("./types.js").FlowSurroundings} surroundings
   * @returns {import("./types.js").FlowCleanRoom} the environment of commands in a copy, and what is created for it
   */
  cleanRoom(surroundings) {
    return outcome((wasm) => wasm.flowCleanRoom(json(surroundings)));
  }

  /**
   * @param {string[]} argv the command that sets up a copy
   * @param {import("./types.js").CommandEnd} end how it ended
   * @param {string} output the path of its output
   * @returns {string} the message about it
   */
  setupFailed(argv, end, output) {
    return outcome((wasm) => wasm.flowSetupFailed(json(argv), json(end), output));
  }

  /**
   * @param {number} session
   * @returns {import("./types.js").FlowToVerify} what to check
   */
  toVerify(session) {
    return outcome((wasm) => wasm.flowToVerify(session));
  }

  /**
   * @param {number} session
   * @param {import("./types.js").FlowSeen} seen
   * @returns {string} the account if nothing differs
   */
  verify(session, seen) {
    return outcome((wasm) => wasm.flowVerify(session, json(seen)));
  }

  /**
   * @param {number} session
   * @returns {import("./types.js").FlowEffect} the effect that runs its checks again; throws a `DesignLabError` if the session
   *   isn't complete
   */
  toRunAgain(session) {
    return outcome((wasm) => wasm.flowToRunAgain(session));
  }

  /**
   * @param {number} session
   * @param {FlowEventKind} seen the answer to that effect
   * @returns {import("./types.js").FlowRanAgain}
   */
  ranAgain(session, seen) {
    return outcome((wasm) => wasm.flowRanAgain(session, json(seen)));
  }

  /**
   * @param {number} session
   * @param {import("./types.js").CiGiven} given
   * @param {FlowEventKind | null} ran the answer to the effect that runs its checks again, if it was performed
   * @returns {import("./types.js").CiTexts} the texts for build servers
   */
  ci(session, given, ran) {
    return outcome((wasm) => wasm.flowCi(session, json(given), json(ran)));
  }

  /**
   * @param {string} text the arguments of `/flow-pr`
   * @returns {import("./types.js").FlowPullRequestCommand}
   */
  pullRequestCommand(text) {
    return outcome((wasm) => wasm.flowPullRequestCommand(text));
  }

  /**
   * @param {number} session
   * @param {import("./types.js").FlowPullRequestCommand} command
   * @param {import("./types.js").FlowPullRequestFacts} facts
   * @param {boolean} byModel whether a model calls it, and the user has permitted that
   * @returns {import("./types.js").FlowPullRequest} throws a `DesignLabError` if there is none
   */
  pullRequest(session, command, facts, byModel) {
    return outcome((wasm) => wasm.flowPullRequest(session, json(command), json(facts), byModel));
  }

  /**
   * @param {string} program the client's name
   * @param {import("./types.js").CommandEnd} end
   * @param {string} printed the end of its output
   * @returns {string} what is shown; throws a `DesignLabError` if the client failed
   */
  pullRequestCreated(program, end, printed) {
    return outcome((wasm) => wasm.flowPullRequestCreated(program, json(end), printed));
  }

  /** The problem when a command needs a session and there is none. @returns {Problem} */
  noSession() {
    return outcome((wasm) => wasm.flowNoSession());
  }

  /**
   * @param {number} session
   * @returns {boolean} whether the copy that a reviewer reads is still needed
   */
  needsReviewedCopy(session) {
    return outcome((wasm) => wasm.flowNeedsReviewedCopy(session));
  }

  /**
   * @param {import("./types.js").FlowRole} role
   * @returns {boolean} whether its tools read the copy of the checked files
   */
  readsCopy(role) {
    return outcome((wasm) => wasm.flowReadsCopy(json(role)));
  }

  /**
   * @param {import("./types.js").FlowRole} role
   * @param {string} own the role's text
   * @param {string} host what the host would send
   * @param {import("./types.js").InstructionFile[]} before for a reviewer: all of the project's instruction files that `host` names
   * @returns {string}
   */
  systemText(role, own, host, before) {
    return outcome((wasm) => wasm.flowSystemText(json(role), own, host, json(before)));
  }

  /**
   * @param {string} host what the host would send
   * @returns {string[]} the instruction files that it names
   */
  instructionFiles(host) {
    return outcome((wasm) => wasm.flowInstructionFiles(host));
  }

  /**
   * @param {string} output the output of a reviewer's `read`
   * @returns {string} the output without the instructions that the host adds
   */
  withoutNearInstructions(output) {
    return outcome((wasm) => wasm.flowWithoutNearInstructions(output));
  }

  /**
   * @param {number} session
   * @returns {string | null} the tree before the change under review
   */
  reviewBase(session) {
    return outcome((wasm) => wasm.flowReviewBase(session));
  }

  /**
   * @param {import("./types.js").FlowRole} role
   * @param {string} tool
   * @param {string} args as JSON
   * @returns {import("./types.js").FlowInquiry}
   */
  inquire(role, tool, args) {
    return outcome((wasm) => wasm.flowInquire(json(role), tool, args));
  }

  /**
   * @param {string[]} paths as the inquiry named them
   * @param {import("./types.js").FlowGuardFacts} facts
   * @returns {string | null} why the call is refused
   */
  verdict(paths, facts) {
    return outcome((wasm) => wasm.flowVerdict(json(paths), json(facts)));
  }

  /**
   * @param {string} text the text after `/validate flow`
   * @param {string | null} active the active session
   * @param {FlowFound[]} found
   * @returns {string | null} the session whose criteria are validated
   */
  sessionToValidate(text, active, found) {
    return outcome((wasm) => wasm.flowSessionToValidate(text, json(active), json(found)));
  }

  /**
   * @param {number} session
   * @returns {import("./types.js").ValidationSubject} what a validation of it must prove
   */
  toValidate(session) {
    return outcome((wasm) => wasm.flowToValidate(session));
  }

  /** A session before its first event. */
  openRun() {
    return guarded((wasm) => wasm.flowOpen());
  }

  /** @param {number} session */
  closeRun(session) {
    guarded((wasm) => wasm.flowClose(session));
  }

  /**
   * @param {string} journal
   * @returns {{handle: number, whole: number}}
   */
  replayRun(journal) {
    return outcome((wasm) => wasm.flowReplay(journal));
  }

  /**
   * @param {number} session
   * @param {{at: number} & FlowEventKind} event
   * @returns {string} the journal line
   */
  seal(session, event) {
    return outcome((wasm) => wasm.flowSeal(session, json(event)));
  }

  /**
   * @param {number} session
   * @param {string} line
   * @returns {FlowCommand[]}
   */
  apply(session, line) {
    return outcome((wasm) => wasm.flowApply(session, line));
  }

  /**
   * @param {number} session
   * @param {string} job
   * @param {import("./types.js").Spending[]} used
   * @returns {FlowEventKind | null}
   */
  overspending(session, job, used) {
    return outcome((wasm) => wasm.flowOverspending(session, job, json(used)));
  }

  /**
   * The paths that an answer cites.
   * @param {number} session
   * @param {string} job
   * @param {import("./types.js").Reply} reply
   * @returns {string[]}
   */
  cited(session, job, reply) {
    return outcome((wasm) => wasm.flowCited(session, job, json(reply)));
  }

  /**
   * @param {number} session
   * @returns {FlowSummary}
   */
  summary(session) {
    return outcome((wasm) => wasm.flowSummary(session));
  }

  /**
   * @param {number} session
   * @returns {[string, string][]}
   */
  files(session) {
    return outcome((wasm) => wasm.flowFiles(session));
  }

  /**
   * @param {number} session
   * @param {Pick<FlowFound, "owner">} found
   * @param {number} _now
   * @param {boolean} byModel whether a model reads it
   * @returns {string}
   */
  status(session, { owner }, _now, byModel) {
    return outcome((wasm) => wasm.flowStatus(session, json(owner), byModel));
  }

  /**
   * @param {number} session
   * @param {boolean} byModel whether a model reads it
   * @returns {string} what happened in it
   */
  history(session, byModel) {
    return outcome((wasm) => wasm.flowHistory(session, byModel));
  }

  /**
   * @param {number} session
   * @param {number} now
   * @param {string} place of its directory, as a `file:` URL
   * @param {import("./types.js").Activity | null} [activity] what its model is doing
   * @returns {string} the live message
   */
  liveMessage(session, now, place, activity = null) {
    return outcome((wasm) => wasm.flowLiveMessage(session, now, place, json(activity)));
  }

  /**
   * The message for a model that called a command: what the user sees, without file paths.
   * @param {number} session
   * @param {number} now
   */
  account(session, now) {
    return outcome((wasm) => wasm.flowLiveMessage(session, now, "", json(null)));
  }

  /**
   * @param {number} session
   * @param {number} now
   * @param {import("./types.js").Activity | null} [activity] what its models are doing
   * @returns {import("./types.js").Panel | null} null unless a command is running
   */
  panel(session, now, activity) {
    return outcome((wasm) => wasm.flowPanel(session, now, json(activity?.calls ?? [])));
  }

  /** @param {FlowFound[]} found */
  begun(found) {
    return found;
  }

  /**
   * @param {number} session
   * @returns {string} the text for the live message that an earlier process left
   */
  continued(session) {
    return outcome((wasm) => wasm.flowContinued(session));
  }

  /**
   * @param {string} file
   * @param {string} code
   * @param {import("./types.js").DiskDeed} deed
   * @returns {Problem}
   */
  diskProblem(file, code, deed) {
    return outcome((wasm) => wasm.diskProblem(file, code, json(deed), json("flow")));
  }

  /**
   * @param {string} session
   * @param {string} process
   * @returns {Problem}
   */
  locked(session, process) {
    return outcome((wasm) => wasm.flowLocked(session, process));
  }

  /**
   * @param {string} session
   * @param {string} process
   * @returns {Problem}
   */
  notStopped(session, process) {
    return outcome((wasm) => wasm.flowNotStopped(session, process));
  }

  /** The message when nothing is running that could be stopped. @returns {string} */
  nothingRuns() {
    return outcome((wasm) => wasm.nothingRuns());
  }
}
