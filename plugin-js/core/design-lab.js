/**
 * Design Lab's calls into the core: every decision is made there.
 */
import { guarded, json, outcome, packageVersion, surroundings } from "./load.js";

/**
 * @typedef {import("./types.js").Problem} Problem
 * @typedef {import("./types.js").EventKind<import("./types.js").Opening, import("./types.js").Decision>} EventKind
 */

/** The core's functions, typed. */
export class Core {
  /** The package's version. */
  version = packageVersion();

  /**
   * Tells the core what else may contain secrets, in addition to the environment: the secrets never leave it.
   * @param {[string, string][]} settings by name
   */
  know(settings) {
    outcome((wasm) => wasm.know(json(surroundings(settings))));
  }

  /**
   * @param {string} text
   * @returns {string} safe to show in a terminal
   */
  visible(text) {
    return guarded((wasm) => wasm.visible(text));
  }

  /**
   * @param {import("./types.js").Source[]} sources
   * @returns {import("./types.js").Reference[]}
   */
  references(sources) {
    return outcome((wasm) => wasm.references(json(sources)));
  }

  /**
   * @param {{sources: import("./types.js").Source[], files: import("./types.js").ReferencedFile[]}} setup
   * @returns {import("./types.js").Registration}
   */
  register(setup) {
    return outcome((wasm) => wasm.register(json(setup)));
  }

  /**
   * @param {string} tool
   * @param {string} action empty if the tool has none
   * @param {string} text
   * @returns {import("./types.js").ToolCall} the result of a call of the tool
   */
  toolCall(tool, action, text) {
    return outcome((wasm) => wasm.toolCall(tool, action, text));
  }

  /**
   * @param {string} pattern the subject of a question
   * @param {import("./types.js").Opening} opening of the run that the question is about
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @returns {string} the same, with the expected cost of the run
   */
  priced(pattern, opening, found) {
    return outcome((wasm) => wasm.priced(pattern, json(opening), json(found)));
  }

  /**
   * @param {string} text the arguments of the command
   * @returns {import("./types.js").NamedFile[]} the user's own designs, named after `--with`
   */
  ownDesigns(text) {
    return outcome((wasm) => wasm.ownDesigns(text));
  }

  /**
   * @param {import("./types.js").Folder} folder
   * @returns {import("./types.js").Listing}
   */
  listing(folder) {
    return outcome((wasm) => wasm.listing(json(folder)));
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {import("./types.js").SeenImage | null} the image in these bytes; null if there is none
   */
  image(bytes) {
    return outcome((wasm) => wasm.image(bytes));
  }

  /**
   * @param {import("./types.js").Attached[]} attached
   * @param {string[]} roots the project and its worktree, as named and with links resolved
   * @param {string[]} outputs what runs keep there, likewise
   * @returns {string[][]} the files to read, for each attachment
   */
  screen(attached, roots, outputs) {
    return outcome((wasm) => wasm.screen(json(attached), json(roots), json(outputs)));
  }

  /**
   * Throws if a new run would only repeat an existing one.
   * @param {import("./types.js").Opening} opening
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @returns {import("./types.js").Opening} with its forecast
   */
  admit(opening, found) {
    return outcome((wasm) => wasm.admit(json(opening), json(found)));
  }

  /**
   * @param {string} text the arguments of the command
   * @returns {boolean}
   */
  asksForForecast(text) {
    return outcome((wasm) => wasm.asksForForecast(text));
  }

  /**
   * @param {import("./types.js").Opening} opening
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @returns {string} the cost of a new run
   */
  forecast(opening, found) {
    return outcome((wasm) => wasm.forecast(json(opening), json(found)));
  }

  /**
   * @param {import("./types.js").OpeningInput} beginning
   * @returns {boolean} whether the run needs a digest of the project, which the user permits
   */
  wantsBrief(beginning) {
    return outcome((wasm) => wasm.wantsBrief(json(beginning)));
  }

  /**
   * @param {import("./types.js").OpeningInput} beginning
   * @param {import("./types.js").Attached} listed the project
   * @returns {string[]} the files to read for that digest
   */
  filesForBrief(beginning, listed) {
    return outcome((wasm) => wasm.filesForBrief(json(beginning), json(listed)));
  }

  /**
   * @param {import("./types.js").OpeningInput} beginning
   * @returns {import("./types.js").Opening}
   */
  begin(beginning) {
    return outcome((wasm) => wasm.begin(json(beginning)));
  }

  /**
   * @param {{sources: import("./types.js").Source[], files: import("./types.js").ReferencedFile[]}} setup
   * @param {import("./types.js").AvailableModels} available
   * @returns {string}
   */
  outputDirectory(setup, available) {
    return outcome((wasm) => wasm.outputDirectory(json(setup), json(available)));
  }

  /**
   * Throws if the configured output directory is unsuitable, judging by what is on disk.
   * @param {import("./types.js").Source[]} sources
   * @param {import("./types.js").OutputPlace} place
   */
  checkOutput(sources, place) {
    outcome((wasm) => wasm.checkOutput(json(sources), json(place)));
  }

  /**
   * @param {import("./types.js").StarterInput} groundwork
   * @returns {{file: string, text: string, wording: string}} a first configuration file, and the message for the user
   */
  starter(groundwork) {
    return outcome((wasm) => wasm.starter(json(groundwork)));
  }

  /**
   * @param {string} text the arguments of the command
   * @returns {boolean}
   */
  asksForCalls(text) {
    return outcome((wasm) => wasm.asksForCalls(text));
  }

  /**
   * @param {{sources: import("./types.js").Source[], files: import("./types.js").ReferencedFile[]}} setup
   * @param {import("./types.js").AvailableModels} available
   * @returns {import("./types.js").TrialCall[]}
   */
  trialCalls(setup, available) {
    return outcome((wasm) => wasm.trialCalls(json(setup), json(available)));
  }

  /**
   * @param {import("./types.js").TrialProgress[]} calls
   * @returns {string} what the chat shows while they are running
   */
  trialsUnderWay(calls) {
    return outcome((wasm) => wasm.trialsUnderWay(json(calls)));
  }

  /**
   * @param {import("./types.js").DoctorInput} examination
   * @returns {string}
   */
  examine(examination) {
    return outcome((wasm) => wasm.examine(json(examination)));
  }

  /**
   * @param {Problem[]} problems
   * @param {string} [brand] of the workflow that owns the command
   * @param {boolean} [byModel] whether a model called it and reads this
   */
  describe(problems, brand = "Design Lab", byModel = false) {
    return guarded((wasm) => wasm.describe(brand, json(problems), byModel));
  }

  /**
   * @param {Problem[]} problems
   * @returns {string} in the format of compiler messages, location first
   */
  diagnose(problems) {
    return guarded((wasm) => wasm.diagnose(json(problems)));
  }

  /**
   * @param {import("./types.js").RankInput} given
   * @returns {{json: string, text: string, notes: string}}
   */
  rank(given) {
    return outcome((wasm) => wasm.rank(json(given)));
  }

  /**
   * @param {import("./types.js").NamedText} journal
   * @returns {string} the page about the run
   */
  report(journal) {
    return outcome((wasm) => wasm.report(json(journal)));
  }

  /**
   * @param {import("./types.js").NamedText} file
   * @param {string} [name] if absent, the content decides
   * @returns {import("./types.js").Kind}
   */
  recognise(file, name) {
    return outcome((wasm) => wasm.recognise(json(file), name));
  }

  /**
   * @param {import("./types.js").NamedText} file
   * @param {import("./types.js").Kind} kind
   * @param {string} beside the text of the kind's schema; for a form, the journal of its run; empty if there is none
   * @returns {Problem[]}
   */
  validate(file, kind, beside) {
    return outcome((wasm) => wasm.validate(json(file), json(kind), beside));
  }

  /**
   * The texts for build servers if no run could be looked at.
   * @param {"Flow" | "Validation"} workflow
   * @param {import("./types.js").CiGiven} given
   * @returns {import("./types.js").CiTexts}
   */
  ciOfProblems(workflow, given) {
    return outcome((wasm) => wasm.ciOfProblems(workflow, json(given)));
  }

  /**
   * @param {string} file
   * @param {string} code
   * @param {import("./types.js").DiskDeed} deed
   * @returns {Problem}
   */
  diskProblem(file, code, deed) {
    return outcome((wasm) => wasm.diskProblem(file, code, json(deed), json("design-lab")));
  }

  /**
   * @param {import("./types.js").Role} role
   * @param {string} own
   * @param {string} host
   */
  systemText(role, own, host) {
    return guarded((wasm) => wasm.systemText(json(role), own, host));
  }

  /**
   * @param {import("./types.js").Role} role
   * @param {(string | null)[]} steps how the model's answers to the last prompt ended
   * @returns {boolean}
   */
  mayCompact(role, steps) {
    return outcome((wasm) => wasm.mayCompact(json(role), json(steps)));
  }

  /**
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  locked(run, process) {
    return outcome((wasm) => wasm.locked(run, process));
  }

  /**
   * @param {string} run
   * @param {string} process
   * @returns {Problem}
   */
  notStopped(run, process) {
    return outcome((wasm) => wasm.notStopped(run, process));
  }

  /**
   * @param {import("./types.js").FollowUp} kind
   * @param {string} text the arguments of the command
   * @returns {import("./types.js").Wanted}
   */
  wanted(kind, text) {
    return outcome((wasm) => wasm.wanted(json(kind), text));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").FollowUp} kind
   * @param {import("./types.js").Wanted} wanted
   * @param {import("./types.js").OpeningInput} beginning
   * @returns {import("./types.js").Opening}
   */
  followUp(run, kind, wanted, beginning) {
    return outcome((wasm) => wasm.follow_up(run, json(kind), json(wanted), json(beginning)));
  }

  /**
   * @param {number} run
   * @param {string} job
   * @param {import("./types.js").Reply} reply
   * @returns {string[]} the names that the answer relies on
   */
  cited(run, job, reply) {
    return outcome((wasm) => wasm.cited(run, job, json(reply)));
  }

  /**
   * @param {number} run
   * @param {string[]} names
   * @param {import("./types.js").Attached} listed the project
   * @returns {import("./types.js").Lookups} what to read to look them up
   */
  lookups(run, names, listed) {
    return outcome((wasm) => wasm.lookups(run, json(names), json(listed)));
  }

  /**
   * @param {string[]} names
   * @param {import("./types.js").Manifest[]} manifests
   * @param {boolean} partial whether the project has others, too
   * @returns {import("./types.js").LookedUp[]} what the project declares under these names
   */
  declared(names, manifests, partial) {
    return outcome((wasm) => wasm.declared(json(names), json(manifests), partial));
  }

  /**
   * @param {number} run
   * @param {string} job whose call is about to take a further step
   * @param {import("./types.js").Spending[]} used by all calls in flight
   * @returns {EventKind | null} the event that stops it if the budget is reached
   */
  overspending(run, job, used) {
    return outcome((wasm) => wasm.overspending(run, job, json(used)));
  }

  /**
   * @param {number} run
   * @returns {import("./types.js").Wanted | null} what the next round of a refinement needs, if one is due
   */
  nextRound(run) {
    return outcome((wasm) => wasm.nextRound(run));
  }

  /**
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @returns {import("./types.js").Found<import("./types.js").RunFacts>[]} those that have begun
   */
  begun(found) {
    return outcome((wasm) => wasm.begun(json(found)));
  }

  /**
   * @param {import("./types.js").Purpose} purpose
   * @param {string} name
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @returns {import("./types.js").Found<import("./types.js").RunFacts>}
   */
  choose(purpose, name, found) {
    return outcome((wasm) => wasm.choose(json(purpose), name, json(found)));
  }

  /**
   * @param {string} text a run, and a design if one is named
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @param {import("./types.js").Taker} taker
   * @returns {import("./types.js").ToBuild}
   */
  toBuild(text, found, taker) {
    return outcome((wasm) => wasm.toBuild(text, json(found), json(taker)));
  }

  /**
   * @param {number} run
   * @param {string | null} design null for the one ranked first
   * @param {import("./types.js").Taker} taker
   * @returns {import("./types.js").Handover}
   */
  handover(run, design, taker) {
    return outcome((wasm) => wasm.handover(run, json(design), json(taker)));
  }

  /**
   * @param {string} text the arguments of `/design-lab-status`
   * @returns {import("./types.js").Listed | null} how many runs to list; null if the arguments request something else
   */
  listed(text) {
    return outcome((wasm) => wasm.listed(text));
  }

  /**
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @param {string} outputDirectory as configured
   * @param {number} now milliseconds since 1970
   * @param {import("./types.js").Listed} listed
   * @param {boolean} byModel whether a model reads it
   * @returns {string}
   */
  listRuns(found, outputDirectory, now, listed, byModel) {
    return outcome((wasm) => wasm.listRuns(json(found), outputDirectory, now, json(listed), byModel));
  }

  /**
   * @param {string} text the arguments of `/design-lab-status`
   * @returns {boolean}
   */
  asksForHistory(text) {
    return outcome((wasm) => wasm.asksForHistory(text));
  }

  /**
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @param {string} outputDirectory as configured
   * @returns {{json: string, text: string}} a summary of all of them
   */
  history(found, outputDirectory) {
    return outcome((wasm) => wasm.history(json(found), outputDirectory));
  }

  /**
   * @param {string[]} names
   * @returns {string}
   */
  stoppedRuns(names) {
    return outcome((wasm) => wasm.stoppedRuns(json(names)));
  }

  /**
   * @param {string} journal
   * @returns {{handle: number, whole: number}} the run, and the number of bytes of the journal that are whole
   */
  replayRun(journal) {
    return outcome((wasm) => wasm.replayRun(journal));
  }

  /**
   * @param {number} run
   * @param {{sources: import("./types.js").Source[], files: import("./types.js").ReferencedFile[]}} setup
   * @param {import("./types.js").AvailableModels} available
   * @param {import("./types.js").ResumeRequest} request
   * @returns {import("./types.js").Resumption} how a new process continues under this configuration
   */
  resumption(run, setup, available, request) {
    return outcome((wasm) => wasm.resumption(run, json(setup), json(available), json(request)));
  }

  /**
   * @param {string} text the arguments of the command
   * @returns {import("./types.js").ResumeRequest}
   */
  resumeRequest(text) {
    return outcome((wasm) => wasm.resumeRequest(text));
  }

  /**
   * @param {string} text the arguments of `/design-lab-review`
   * @param {import("./types.js").Found<import("./types.js").RunFacts>[]} found
   * @param {boolean} permitted whether the user has already agreed
   * @returns {import("./types.js").ResumeRequest | null} how it continues an existing run; null if it begins a new one
   */
  reviewWithin(text, found, permitted) {
    return outcome((wasm) => wasm.reviewWithin(text, json(found), permitted));
  }

  /**
   * @param {number} run
   * @param {{sources: import("./types.js").Source[], files: import("./types.js").ReferencedFile[]}} setup
   * @param {import("./types.js").AvailableModels} available
   * @param {import("./types.js").ResumeRequest} request
   * @param {string} pattern of the question to the user that it is for; empty if the user asked for it
   * @returns {string} the expected cost of adding reviewers, or of the decision map
   */
  costOfAddition(run, setup, available, request, pattern) {
    return outcome((wasm) => wasm.costOfAddition(run, json(setup), json(available), json(request), pattern));
  }

  /**
   * @param {number} run
   * @param {string} name
   * @returns {string} the text for the live message that an earlier process left in the chat
   */
  continued(run, name) {
    return outcome((wasm) => wasm.continued(run, name));
  }

  /**
   * @param {number} run
   * @returns {import("./types.js").Summary<import("./types.js").RunFacts>}
   */
  summary(run) {
    return outcome((wasm) => wasm.summary(run));
  }

  /**
   * @param {number} run
   * @returns {[string, string][]} every file that should now be on disk
   */
  files(run) {
    return outcome((wasm) => wasm.files(run));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").Found<import("./types.js").RunFacts>} found
   * @param {number} now milliseconds since 1970
   * @param {boolean} byModel whether a model asks
   * @returns {string}
   */
  status(run, found, now, byModel) {
    return outcome((wasm) => wasm.status(run, json(found), now, byModel));
  }

  /**
   * @param {string} text the arguments of `/design-lab-status`
   * @returns {import("./types.js").DecisionRequest | null} null if the arguments request no decision
   */
  decisionRequest(text) {
    return outcome((wasm) => wasm.decisionRequest(text));
  }

  /**
   * @param {number} run a ranked run
   * @param {string} form the name of the form
   * @returns {[string, string]} the path of the decision's file below the run directory, and its text
   */
  decision(run, form) {
    return outcome((wasm) => wasm.decision(run, form));
  }

  /**
   * @param {string} file the file that the decision was written to
   * @returns {string}
   */
  exported(file) {
    return outcome((wasm) => wasm.exported(file));
  }

  /**
   * @param {string} text the arguments of `/design-lab-review`
   * @returns {import("./types.js").HumanReviewRequest | null} null if it names no person
   */
  formRequest(text) {
    return outcome((wasm) => wasm.formRequest(text));
  }

  /**
   * @param {number} run
   * @param {string} human the person's name as the user wrote it
   * @returns {import("./types.js").HumanReviewForm}
   */
  form(run, human) {
    return outcome((wasm) => wasm.form(run, human));
  }

  /**
   * @param {string} reviewer
   * @param {string} directory the run's, as the user would write it
   * @param {string[]} written the files just written
   * @returns {string}
   */
  formText(reviewer, directory, written) {
    return outcome((wasm) => wasm.formText(reviewer, directory, json(written)));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").RerankInput} given
   * @returns {EventKind}
   */
  rerank(run, given) {
    return outcome((wasm) => wasm.rerank(run, json(given)));
  }

  /**
   * @param {string} text the arguments of `/design-lab-rank`
   * @returns {import("./types.js").OutcomeRequest | null} null if they record no outcome
   */
  outcomeRequest(text) {
    return outcome((wasm) => wasm.outcomeRequest(text));
  }

  /**
   * @param {number} run
   * @param {import("./types.js").DesignOutcome} given
   * @returns {EventKind}
   */
  reportOutcome(run, given) {
    return outcome((wasm) => wasm.reportOutcome(run, json(given)));
  }

  /** A run before its first event. */
  openRun() {
    return guarded((wasm) => wasm.openRun());
  }

  /** @param {number} run */
  closeRun(run) {
    guarded((wasm) => wasm.closeRun(run));
  }

  /**
   * @param {number} run
   * @param {{at: number} & EventKind} event
   * @returns {string} the journal line
   */
  seal(run, event) {
    return outcome((wasm) => wasm.seal(run, json(event)));
  }

  /**
   * @param {number} run
   * @param {string} line
   * @returns {import("./types.js").Command<import("./types.js").Role, import("./types.js").Opening, import("./types.js").Decision, import("./types.js").NoEffect>[]}
   */
  apply(run, line) {
    return outcome((wasm) => wasm.apply(run, line));
  }

  /**
   * @param {number} run
   * @param {number} now milliseconds since 1970
   * @param {string} place of the run's directory, as a `file:` URL
   * @param {import("./types.js").Activity | null} [activity] what its models are doing
   * @returns {string}
   */
  liveMessage(run, now, place, activity) {
    return outcome((wasm) => wasm.live_message(run, now, place, json(activity?.calls ?? [])));
  }

  /**
   * @param {number} run
   * @param {number} now milliseconds since 1970
   * @returns {string} the message for a model that called a command
   */
  account(run, now) {
    return outcome((wasm) => wasm.account(run, now));
  }

  /**
   * @param {number} run
   * @param {number} now milliseconds since 1970
   * @param {import("./types.js").Activity | null} [activity] what its models are doing
   * @returns {import("./types.js").Panel | null} null unless the run is running
   */
  panel(run, now, activity) {
    return outcome((wasm) => wasm.panel(run, now, json(activity?.calls ?? [])));
  }

  /**
   * @param {import("./types.js").NotedOutputs} seen
   * @returns {import("./types.js").HiddenOutputs}
   */
  hiddenOutputs(seen) {
    return outcome((wasm) => wasm.hiddenOutputs(json(seen)));
  }

  /**
   * @param {import("./types.js").Isolation} isolation
   * @param {import("./types.js").Places} places
   * @returns {import("./types.js").IsolationRules}
   */
  rules(isolation, places) {
    return outcome((wasm) => wasm.rules(json(isolation), json(places)));
  }

  /**
   * @param {import("./types.js").IsolationRules} rules
   * @returns {number}
   */
  openRules(rules) {
    return outcome((wasm) => wasm.openRules(json(rules)));
  }

  /** @param {number} rules */
  closeRules(rules) {
    guarded((wasm) => wasm.closeRules(rules));
  }

  /**
   * @param {number} rules
   * @param {string} tool
   * @param {string} args JSON text
   * @returns {import("./types.js").Inquiry}
   */
  inquire(rules, tool, args) {
    return outcome((wasm) => wasm.inquire(rules, tool, args));
  }

  /**
   * @param {number} rules
   * @param {string} tool
   * @param {string} args JSON text
   * @param {import("./types.js").Facts} facts
   * @returns {import("./types.js").Verdict}
   */
  verdict(rules, tool, args, facts) {
    return outcome((wasm) => wasm.verdict(rules, tool, args, json(facts)));
  }

  /**
   * Whether the user wants to be asked before a project's files are sent to a new vendor.
   * @param {import("./types.js").Source[]} sources
   * @returns {boolean}
   */
  confirmsVendors(sources) {
    return outcome((wasm) => wasm.confirmsVendors(json(sources)));
  }

  /**
   * The result of `/design-lab-vendors`.
   * @param {import("./types.js").VendorsInput} input
   * @returns {import("./types.js").VendorsOutput}
   */
  vendors(input) {
    return outcome((wasm) => wasm.vendors(json(input)));
  }

  /**
   * The question to the user before a project's files are sent to new vendors.
   * @param {import("./types.js").NewVendors} vendors
   * @returns {import("./types.js").Permission}
   */
  vendorsQuestion(vendors) {
    return outcome((wasm) => wasm.vendorsQuestion(json(vendors)));
  }

  /**
   * The model that the user's session uses.
   * @param {import("./types.js").SessionModelFacts} facts
   * @returns {string | null} `provider/model`
   */
  sessionModel(facts) {
    return outcome((wasm) => wasm.sessionModel(json(facts)));
  }

  /**
   * @param {import("./types.js").AvailableModels} available
   * @returns {string | null} why the session's model isn't asked to comment on a result; null if it is
   */
  noClosingTurn(available) {
    return outcome((wasm) => wasm.noClosingTurn(json(available)));
  }

  /**
   * @param {string} command
   * @param {string} text
   * @returns {Problem | null} why it is refused in an OpenCode that a model's shell started; null if it is allowed
   */
  inPerson(command, text) {
    return outcome((wasm) => wasm.inPerson(command, text));
  }

  /**
   * @param {string} agent
   * @returns {import("./types.js").Verdict}
   */
  taskVerdict(agent) {
    return outcome((wasm) => wasm.taskVerdict(agent));
  }

  /**
   * @param {number} rules
   * @param {string} tool
   * @param {import("./types.js").Facts} facts
   * @param {string} output
   * @param {string} metadata JSON text
   * @returns {string | null}
   */
  withhold(rules, tool, facts, output, metadata) {
    return outcome((wasm) => wasm.withhold(rules, tool, json(facts), output, metadata));
  }
}
