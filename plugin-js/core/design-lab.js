// Generated from src/boundary/design_lab.rs by `cargo xtask update`.

import { call, json, outcome, packageVersion } from "./load.js";

/**
 * @import { Activity, Attached, AvailableModels, CiGiven, CiTexts, Command, ConfigurationTexts, Decision, DecisionRequest, DesignOutcome, DiskDeed, DoctorInput, EventKind, Facts, Folder, FollowUp, Found, Handover, HiddenOutputs, HistoryOfRuns, HumanReviewForm, HumanReviewRequest, Inquiry, Isolation, IsolationRules, JobId, Kind, Listed, Listing, LookedUp, Lookups, Manifest, NamedFile, NamedText, NewVendors, NoEffect, NotedOutputs, Opening, OpeningInput, OutcomeRequest, OutputPlace, Panel, Permission, Places, Problem, Purpose, RankInput, RankedTable, Reference, Registration, Replayed, Reply, RerankInput, ResumeRequest, Resumption, Role, RunFacts, SeenImage, SessionModelFacts, Source, Spending, StarterFile, StarterInput, Summary, Taker, ToBuild, ToolCall, TrialCall, TrialProgress, VendorsInput, VendorsOutput, Verdict, Wanted } from "./types.js"
 */

/** Design Lab's calls into the core: every decision is made there. */
export class Core {
  /** The package's version. */
  get version() {
    return packageVersion();
  }

  /**
   * Text from outside, made safe for a terminal.
   * @param {string} text
   * @returns {string}
   */
  visible(text) {
    return call("design_lab.visible", text);
  }

  /**
   * The prompt files that these configuration texts refer to.
   * @param {Array<Source>} sources
   * @returns {Array<Reference>}
   */
  references(sources) {
    return call("design_lab.references", json(sources));
  }

  /**
   * Commands and agents to register. With a broken configuration, these are the ones that don't need one; the command will report
   * what is wrong.
   * @param {ConfigurationTexts} setup
   * @returns {Registration}
   */
  register(setup) {
    return call("design_lab.register", json(setup));
  }

  /**
   * What a call of the tool results in. `action`: empty if the tool has none.
   * @param {string} tool
   * @param {string} action
   * @param {string} text
   * @returns {ToolCall}
   */
  toolCall(tool, action, text) {
    return call("design_lab.tool_call", tool, action, text);
  }

  /**
   * The pattern of a question to the user, with the expected cost of the run that it is about.
   * @param {string} pattern
   * @param {Opening} opening
   * @param {Array<Found<RunFacts>>} found
   * @returns {string}
   */
  priced(pattern, opening, found) {
    return call("design_lab.priced", pattern, json(opening), json(found));
  }

  /**
   * The first event's content.
   * @param {OpeningInput} input
   * @returns {Opening}
   */
  begin(input) {
    return call("design_lab.begin", json(input));
  }

  /**
   * Whether a run needs a digest of the project and the user allows it.
   * @param {OpeningInput} input
   * @returns {boolean}
   */
  wantsBrief(input) {
    return call("design_lab.wants_brief", json(input));
  }

  /**
   * The files that are read for that digest. `listed`: the project.
   * @param {OpeningInput} input
   * @param {Attached} listed
   * @returns {Array<string>}
   */
  filesForBrief(input, listed) {
    return call("design_lab.files_for_brief", json(input), json(listed));
  }

  /**
   * The files after `--with` in the arguments of `/design-lab`.
   * @param {string} text
   * @returns {Array<NamedFile>}
   */
  ownDesigns(text) {
    return call("design_lab.own_designs", text);
  }

  /**
   * The relevant files of an attached folder.
   * @param {Folder} folder
   * @returns {Listing}
   */
  listing(folder) {
    return call("design_lab.listing", json(folder));
  }

  /**
   * The files to read for each attachment. `roots`: the project and its worktree, as named and with links resolved; `outputs`: what
   * runs keep there, likewise.
   * @param {Array<Attached>} attached
   * @param {Array<string>} roots
   * @param {Array<string>} outputs
   * @returns {Array<Array<string>>}
   */
  screen(attached, roots, outputs) {
    return call("design_lab.screen", json(attached), json(roots), json(outputs));
  }

  /**
   * The opening of a new run with its forecast. Throws if the run would only repeat an existing one.
   * @param {Opening} opening
   * @param {Array<Found<RunFacts>>} found
   * @returns {Opening}
   */
  admit(opening, found) {
    return call("design_lab.admit", json(opening), json(found));
  }

  /**
   * Whether the arguments of `/design-lab` only ask for the cost of a run.
   * @param {string} text
   * @returns {boolean}
   */
  asksForForecast(text) {
    return call("design_lab.asks_for_forecast", text);
  }

  /**
   * The expected cost of a new run.
   * @param {Opening} opening
   * @param {Array<Found<RunFacts>>} found
   * @returns {string}
   */
  forecast(opening, found) {
    return call("design_lab.forecast", json(opening), json(found));
  }

  /**
   * Parses the arguments of a command that follows up on a run.
   * @param {FollowUp} kind
   * @param {string} text
   * @returns {Wanted}
   */
  wanted(kind, text) {
    return call("design_lab.wanted", json(kind), text);
  }

  /**
   * The texts for build servers if no run could be looked at. `workflow`: `Flow` or `Validation`.
   * @param {string} workflow
   * @param {CiGiven} given
   * @returns {CiTexts}
   */
  ciOfProblems(workflow, given) {
    return call("design_lab.ci_of_problems", workflow, json(given));
  }

  /**
   * The first event's content for a run that builds on this one.
   * @param {number} run
   * @param {FollowUp} kind
   * @param {Wanted} wanted
   * @param {OpeningInput} input
   * @returns {Opening}
   */
  followUp(run, kind, wanted, input) {
    return call("design_lab.follow_up", json(run), json(kind), json(wanted), json(input));
  }

  /**
   * The names that an answer relies on.
   * @param {number} run
   * @param {JobId} job
   * @param {Reply} reply
   * @returns {Array<string>}
   */
  cited(run, job, reply) {
    return call("design_lab.cited", json(run), json(job), json(reply));
  }

  /**
   * What to read to look up names. `listed`: the project.
   * @param {number} run
   * @param {Array<string>} names
   * @param {Attached} listed
   * @returns {Lookups}
   */
  lookups(run, names, listed) {
    return call("design_lab.lookups", json(run), json(names), json(listed));
  }

  /**
   * What the project declares under names. `partial`: whether the project has other manifests, too.
   * @param {Array<string>} names
   * @param {Array<Manifest>} manifests
   * @param {boolean} partial
   * @returns {Array<LookedUp>}
   */
  declared(names, manifests, partial) {
    return call("design_lab.declared", json(names), json(manifests), json(partial));
  }

  /**
   * The event that stops a call between two steps of its answer; null if the budget isn't reached. `used`: by all calls in flight.
   * @param {number} run
   * @param {JobId} job
   * @param {Array<Spending>} used
   * @returns {EventKind<Opening, Decision> | null}
   */
  overspending(run, job, used) {
    return call("design_lab.overspending", json(run), json(job), json(used));
  }

  /**
   * The arguments of the next round of a finished refinement; null if none is due.
   * @param {number} run
   * @returns {Wanted | null}
   */
  nextRound(run) {
    return call("design_lab.next_round", json(run));
  }

  /**
   * The configured directory for runs.
   * @param {ConfigurationTexts} setup
   * @param {AvailableModels} available
   * @returns {string}
   */
  outputDirectory(setup, available) {
    return call("design_lab.output_directory", json(setup), json(available));
  }

  /**
   * Throws if the configured output directory is unusable, given what is on disk.
   * @param {Array<Source>} sources
   * @param {OutputPlace} place
   */
  checkOutput(sources, place) {
    call("design_lab.check_output", json(sources), json(place));
  }

  /**
   * A first configuration file.
   * @param {StarterInput} input
   * @returns {StarterFile}
   */
  starter(input) {
    return call("design_lab.starter", json(input));
  }

  /**
   * Problems as text. `brand`: of the workflow that owns the command, usually Design Lab; `by_model`: whether a model called it and
   * reads this.
   * @param {Array<Problem>} problems
   * @param {string | null} [brand]
   * @param {boolean | null} [byModel]
   * @returns {string}
   */
  describe(problems, brand = null, byModel = null) {
    return call("design_lab.describe", json(problems), json(brand), json(byModel));
  }

  /**
   * Problems in the format of compilers, place first.
   * @param {Array<Problem>} problems
   * @returns {string}
   */
  diagnose(problems) {
    return call("design_lab.diagnose", json(problems));
  }

  /**
   * What a failed file operation means for the user. `code`: the system's.
   * @param {string} file
   * @param {string} code
   * @param {DiskDeed} deed
   * @returns {Problem}
   */
  diskProblem(file, code, deed) {
    return call("design_lab.disk_problem", file, code, json(deed));
  }

  /**
   * The system text for the model of a session. `own`: the role's text; `host`: what the host would send.
   * @param {Role} role
   * @param {string} own
   * @param {string} host
   * @returns {string}
   */
  systemText(role, own, host) {
    return call("design_lab.system_text", json(role), own, host);
  }

  /**
   * Whether OpenCode may replace a session's conversation with a summary. `steps`: how the model's answers to the last prompt ended.
   * @param {Role} role
   * @param {Array<string | null>} steps
   * @returns {boolean}
   */
  mayCompact(role, steps) {
    return call("design_lab.may_compact", json(role), json(steps));
  }

  /**
   * Whether the arguments of `/design-lab-doctor` ask for paid calls.
   * @param {string} text
   * @returns {boolean}
   */
  asksForCalls(text) {
    return call("design_lab.asks_for_calls", text);
  }

  /**
   * The calls that show whether the configured models answer; empty if the configuration is broken.
   * @param {ConfigurationTexts} setup
   * @param {AvailableModels} available
   * @returns {Array<TrialCall>}
   */
  trialCalls(setup, available) {
    return call("design_lab.trial_calls", json(setup), json(available));
  }

  /**
   * What the chat shows while these calls are in progress.
   * @param {Array<TrialProgress>} calls
   * @returns {string}
   */
  trialsUnderWay(calls) {
    return call("design_lab.trials_under_way", json(calls));
  }

  /**
   * What is wrong with this installation, and what to do.
   * @param {DoctorInput} input
   * @returns {string}
   */
  examine(input) {
    return call("design_lab.examine", json(input));
  }

  /**
   * A run before its first event; returns its handle.
   * @returns {number}
   */
  openRun() {
    return call("design_lab.open_run");
  }

  /**
   * The run that results from a journal.
   * @param {string} journal
   * @returns {Replayed}
   */
  replayRun(journal) {
    return call("design_lab.replay_run", journal);
  }

  /**
   * Closes a run's handle.
   * @param {number} run
   */
  closeRun(run) {
    call("design_lab.close_run", json(run));
  }

  /**
   * How a new process continues a run under this configuration.
   * @param {number} run
   * @param {ConfigurationTexts} setup
   * @param {AvailableModels} available
   * @param {ResumeRequest} request
   * @returns {Resumption}
   */
  resumption(run, setup, available, request) {
    return call("design_lab.resumption", json(run), json(setup), json(available), json(request));
  }

  /**
   * Parses the arguments of `/design-lab-resume`.
   * @param {string} text
   * @returns {ResumeRequest}
   */
  resumeRequest(text) {
    return call("design_lab.resume_request", text);
  }

  /**
   * How `/design-lab-review` continues an existing run; null if it starts a separate run. `permitted`: whether the user has already
   * approved it.
   * @param {string} text
   * @param {Array<Found<RunFacts>>} found
   * @param {boolean} permitted
   * @returns {ResumeRequest | null}
   */
  reviewWithin(text, found, permitted) {
    return call("design_lab.review_within", text, json(found), json(permitted));
  }

  /**
   * The expected cost of reviewers that are to join a run, or of its decision map. `pattern`: of the question to the user that it is
   * for; empty if the user asked for it.
   * @param {number} run
   * @param {ConfigurationTexts} setup
   * @param {AvailableModels} available
   * @param {ResumeRequest} request
   * @param {string} pattern
   * @returns {string}
   */
  costOfAddition(run, setup, available, request, pattern) {
    return call(
      "design_lab.cost_of_addition",
      json(run),
      json(setup),
      json(available),
      json(request),
      pattern,
    );
  }

  /**
   * The live message that an earlier process left in the chat, now that another continues the run.
   * @param {number} run
   * @param {string} name
   * @returns {string}
   */
  continued(run, name) {
    return call("design_lab.continued", json(run), name);
  }

  /**
   * The journal line for an event.
   * @param {number} run
   * @param {{at: number} & EventKind<Opening, Decision>} event
   * @returns {string}
   */
  seal(run, event) {
    return call("design_lab.seal", json(run), json(event));
  }

  /**
   * Applies a sealed line that is on disk.
   * @param {number} run
   * @param {string} line
   * @returns {Array<Command<Role, Opening, Decision, NoEffect>>}
   */
  apply(run, line) {
    return call("design_lab.apply", json(run), line);
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
    return call("design_lab.live_message", json(run), json(now), place, json(activity));
  }

  /**
   * A report on the run at this moment for a model that called a command.
   * @param {number} run
   * @param {number} now
   * @returns {string}
   */
  account(run, now) {
    return call("design_lab.account", json(run), json(now));
  }

  /**
   * The run for a panel next to the chat, at this moment; null unless the run is running.
   * @param {number} run
   * @param {number} now
   * @param {Activity | null} [activity]
   * @returns {Panel | null}
   */
  panel(run, now, activity = null) {
    return call("design_lab.panel", json(run), json(now), json(activity));
  }

  /**
   * Every file that should be on disk by now: path and text.
   * @param {number} run
   * @returns {Array<[string, string]>}
   */
  files(run) {
    return call("design_lab.files", json(run));
  }

  /**
   * A run in a few facts; null before its first event.
   * @param {number} run
   * @returns {Summary<RunFacts> | null}
   */
  summary(run) {
    return call("design_lab.summary", json(run));
  }

  /**
   * Parses the arguments of `/design-lab-review`; null if no person is asked.
   * @param {string} text
   * @returns {HumanReviewRequest | null}
   */
  formRequest(text) {
    return call("design_lab.form_request", text);
  }

  /**
   * The form for a person, whom the user names.
   * @param {number} run
   * @param {string} human
   * @returns {HumanReviewForm}
   */
  form(run, human) {
    return call("design_lab.form", json(run), human);
  }

  /**
   * The message about a form. `directory`: the run's, as the user would write it; `written`: the files that were just written.
   * @param {string} reviewer
   * @param {string} directory
   * @param {Array<string>} written
   * @returns {string}
   */
  formText(reviewer, directory, written) {
    return call("design_lab.form_text", reviewer, directory, json(written));
  }

  /**
   * The event that ranks a run again.
   * @param {number} run
   * @param {RerankInput} given
   * @returns {EventKind<Opening, Decision>}
   */
  rerank(run, given) {
    return call("design_lab.rerank", json(run), json(given));
  }

  /**
   * Parses the arguments of `/design-lab-rank`; null if they record no outcome.
   * @param {string} text
   * @returns {OutcomeRequest | null}
   */
  outcomeRequest(text) {
    return call("design_lab.outcome_request", text);
  }

  /**
   * The event that records how a design turned out.
   * @param {number} run
   * @param {DesignOutcome} given
   * @returns {EventKind<Opening, Decision>}
   */
  reportOutcome(run, given) {
    return call("design_lab.report_outcome", json(run), json(given));
  }

  /**
   * The runs among the directories found: those that have started.
   * @param {Array<Found<RunFacts>>} found
   * @returns {Array<Found<RunFacts>>}
   */
  begun(found) {
    return call("design_lab.begun", json(found));
  }

  /**
   * The run that the user refers to.
   * @param {Purpose} purpose
   * @param {string} name
   * @param {Array<Found<RunFacts>>} found
   * @returns {Found<RunFacts>}
   */
  choose(purpose, name, found) {
    return call("design_lab.choose", json(purpose), name, json(found));
  }

  /**
   * The run and the design that the user wants built or validated.
   * @param {string} text
   * @param {Array<Found<RunFacts>>} found
   * @param {Taker} taker
   * @returns {ToBuild}
   */
  toBuild(text, found, taker) {
    return call("design_lab.to_build", text, json(found), json(taker));
  }

  /**
   * The designs that may be the best, by their ids, the first-ranked first; at most so many.
   * @param {number} run
   * @param {number} most
   * @returns {Array<string>}
   */
  contenders(run, most) {
    return call("design_lab.contenders", json(run), json(most));
  }

  /**
   * A design of a ranked run, for the workflow that takes it over. `design`: its id; null for the one ranked first.
   * @param {number} run
   * @param {string | null} design
   * @param {Taker} taker
   * @returns {Handover}
   */
  handover(run, design, taker) {
    return call("design_lab.handover", json(run), json(design), json(taker));
  }

  /**
   * Parses the arguments of `/design-lab-status`; null if they don't ask for a decision.
   * @param {string} text
   * @returns {DecisionRequest | null}
   */
  decisionRequest(text) {
    return call("design_lab.decision_request", text);
  }

  /**
   * The decision of a ranked run in the named form: its file below the run directory, and its text.
   * @param {number} run
   * @param {string} form
   * @returns {[string, string]}
   */
  decision(run, form) {
    return call("design_lab.decision", json(run), form);
  }

  /**
   * The message about a written decision.
   * @param {string} file
   * @returns {string}
   */
  exported(file) {
    return call("design_lab.exported", file);
  }

  /**
   * The problem when the run is running in another process.
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  locked(run, process) {
    return call("design_lab.locked", run, process);
  }

  /**
   * The problem when a process doesn't stop a run when asked.
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  notStopped(run, process) {
    return call("design_lab.not_stopped", run, process);
  }

  /**
   * A run as seen by a reader that doesn't run it. `by_model`: whether a model asked.
   * @param {number} run
   * @param {Found<RunFacts>} found
   * @param {number} now
   * @param {boolean} byModel
   * @returns {string}
   */
  status(run, found, now, byModel) {
    return call("design_lab.status", json(run), json(found), json(now), json(byModel));
  }

  /**
   * How many runs the arguments of `/design-lab-status` ask to list; null if they ask for something else.
   * @param {string} text
   * @returns {Listed | null}
   */
  listed(text) {
    return call("design_lab.listed", text);
  }

  /**
   * The runs of an output directory, which is named as configured.
   * @param {Array<Found<RunFacts>>} found
   * @param {string} outputDirectory
   * @param {number} now
   * @param {Listed} listed
   * @param {boolean} byModel
   * @returns {string}
   */
  listRuns(found, outputDirectory, now, listed, byModel) {
    return call("design_lab.list_runs", json(found), outputDirectory, json(now), json(listed), json(byModel));
  }

  /**
   * Whether the arguments of `/design-lab-status` ask for the history of all runs.
   * @param {string} text
   * @returns {boolean}
   */
  asksForHistory(text) {
    return call("design_lab.asks_for_history", text);
  }

  /**
   * What all runs of an output directory show together.
   * @param {Array<Found<RunFacts>>} found
   * @param {string} outputDirectory
   * @returns {HistoryOfRuns}
   */
  history(found, outputDirectory) {
    return call("design_lab.history", json(found), outputDirectory);
  }

  /**
   * The message about stopped runs.
   * @param {Array<string>} names
   * @returns {string}
   */
  stoppedRuns(names) {
    return call("design_lab.stopped_runs", json(names));
  }

  /**
   * The rules of a run.
   * @param {Isolation} isolation
   * @param {Places} places
   * @returns {IsolationRules}
   */
  rules(isolation, places) {
    return call("design_lab.rules", json(isolation), json(places));
  }

  /**
   * The parts of other runs' output directories that are hidden.
   * @param {NotedOutputs} seen
   * @returns {HiddenOutputs}
   */
  hiddenOutputs(seen) {
    return call("design_lab.hidden_outputs", json(seen));
  }

  /**
   * Keeps rules for later calls; returns their handle.
   * @param {IsolationRules} rules
   * @returns {number}
   */
  openRules(rules) {
    return call("design_lab.open_rules", json(rules));
  }

  /**
   * Closes the handle of rules.
   * @param {number} rules
   */
  closeRules(rules) {
    call("design_lab.close_rules", json(rules));
  }

  /**
   * Whether the user wants to be asked before a project's files go to a new vendor.
   * @param {Array<Source>} sources
   * @returns {boolean}
   */
  confirmsVendors(sources) {
    return call("design_lab.confirms_vendors", json(sources));
  }

  /**
   * The result of `/design-lab-vendors`.
   * @param {VendorsInput} input
   * @returns {VendorsOutput}
   */
  vendors(input) {
    return call("design_lab.vendors", json(input));
  }

  /**
   * The question to the user before a project's files go to new vendors.
   * @param {NewVendors} vendors
   * @returns {Permission}
   */
  vendorsQuestion(vendors) {
    return call("design_lab.vendors_question", json(vendors));
  }

  /**
   * The model that the user's session uses, as `provider/model`; null when it is unknown.
   * @param {SessionModelFacts} facts
   * @returns {string | null}
   */
  sessionModel(facts) {
    return call("design_lab.session_model", json(facts));
  }

  /**
   * Why the session's model isn't asked to comment on a result; null if it is.
   * @param {AvailableModels} available
   * @returns {string | null}
   */
  noClosingTurn(available) {
    return call("design_lab.no_closing_turn", json(available));
  }

  /**
   * Why this command isn't run in an OpenCode that a model's shell started; null if it may run.
   * @param {string} command
   * @param {string} text
   * @returns {Problem | null}
   */
  inPerson(command, text) {
    return call("design_lab.in_person", command, text);
  }

  /**
   * Judges a call of `task` by a session that isn't a lab's.
   * @param {string} agent
   * @returns {Verdict}
   */
  taskVerdict(agent) {
    return call("design_lab.task_verdict", agent);
  }

  /**
   * Ranks a table or a run's directory.
   * @param {RankInput} input
   * @returns {RankedTable}
   */
  rank(input) {
    return call("design_lab.rank", json(input));
  }

  /**
   * The page on a run, from its journal.
   * @param {NamedText} journal
   * @returns {string}
   */
  report(journal) {
    return call("design_lab.report", json(journal));
  }

  /**
   * The kind of a file. `name`: a word for it; without one, the content decides.
   * @param {NamedText} file
   * @param {string | null} [name]
   * @returns {Kind}
   */
  recognise(file, name = null) {
    return call("design_lab.recognise", json(file), json(name));
  }

  /**
   * The faults of a file. `beside`: the text of the kind's schema; for a form, the journal of its run; empty if there is none.
   * @param {NamedText} file
   * @param {Kind} kind
   * @param {string} beside
   * @returns {Array<Problem>}
   */
  validate(file, kind, beside) {
    return call("design_lab.validate", json(file), json(kind), beside);
  }

  /**
   * The reply of a stop command when nothing is running.
   * @returns {string}
   */
  nothingRuns() {
    return call("design_lab.nothing_runs");
  }

  /**
   * The image in these bytes; null if there is none.
   * @param {Uint8Array} bytes
   * @returns {SeenImage | null}
   */
  image(bytes) {
    return outcome((core) => core.image(bytes));
  }

  /**
   * The facts needed to judge a call. `args`: its arguments as JSON.
   * @param {number} rules
   * @param {string} tool
   * @param {string} args
   * @returns {Inquiry}
   */
  inquire(rules, tool, args) {
    return outcome((core) => core.inquire(rules, tool, args));
  }

  /**
   * Judges a call by the facts. `args`: its arguments as JSON.
   * @param {number} rules
   * @param {string} tool
   * @param {string} args
   * @param {Facts} facts
   * @returns {Verdict}
   */
  verdict(rules, tool, args, facts) {
    return outcome((core) => core.verdict(rules, tool, args, json(facts)));
  }

  /**
   * What the model may read instead of a result; null if it may read the result unchanged. `metadata`: as JSON.
   * @param {number} rules
   * @param {string} tool
   * @param {Facts} facts
   * @param {string} output
   * @param {string} metadata
   * @returns {string | null}
   */
  withhold(rules, tool, facts, output, metadata) {
    return outcome((core) => core.withhold(rules, tool, json(facts), output, metadata));
  }
}
