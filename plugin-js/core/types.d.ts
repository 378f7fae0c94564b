// Generated from the Rust types by `cargo xtask update`.

/**
 * What the models of a run are doing at a moment: it is displayed and never stored.
 */
export type Activity = {
  /**
   * The tool that one of them called last, and its purpose; `None` before the first call.
   */
  tool: string | null,
  /**
   * The files that they have written to, without duplicates.
   */
  files: Array<string>,
  /**
   * The permission that one of them is waiting for; `None` when none waits.
   */
  asks: string | null,
  /**
   * The output received so far of each call in progress.
   */
  calls: Array<Incoming>,
};

/**
 * The models that are to join the reviewers of a run.
 */
export type Add = {
  /**
   * The models as the user names them: an id of the current `review_models`, or `provider/model`.
   */
  models: Array<string>,
  /**
   * Whether the user has said yes to the possible cost.
   */
  permitted: boolean,
  /**
   * Whether the user only wants to know what it would cost.
   */
  dry_run: boolean,
};

/**
 * A decision that all designs make in the same way.
 */
export type Agreement = {
  /**
   * The decision, in the model's words.
   */
  statement: string,
  /**
   * The passages that show it.
   */
  quotes: Array<MapQuote>,
  /**
   * Whether a passage was found in every design.
   */
  checked: boolean,
};

/**
 * A change by the user to a set of designs that is not reviewed yet.
 */
export type Amendment = {
  /**
   * The design to change.
   */
  design: DesignId,
  /**
   * The user's remark to the designer, who rewrites the design; may be empty. `None` when the design is removed from the set.
   */
  again?: string,
};

/**
 * A prompt.
 */
export type Ask<R> = {
  /**
   * The job it belongs to.
   */
  job: JobId,
  /**
   * The session to prompt.
   */
  session: string,
  /**
   * The session's purpose: decides the agent.
   */
  role: R,
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * The temperature to request.
   */
  temperature: number,
  /**
   * The provider's variant.
   */
  variant: string | null,
  /**
   * The system text.
   */
  system: string,
  /**
   * The prompt.
   */
  text: string,
  /**
   * The files sent with it.
   */
  files?: Array<KeptFile>,
  /**
   * Whether the model is offered no tools, because it can't call any.
   */
  no_tools?: boolean,
  /**
   * Milliseconds after which the session is aborted and the call fails as `Timeout`.
   */
  deadline_ms: number,
  /**
   * Milliseconds without any sign from the model during the call, after which the session is aborted and the call fails as
   * `Silent`. Time in which tools are running doesn't count.
   */
  idle_ms: number,
  /**
   * How often the host may repeat the request on its own: these count as tries of the run, and once they are used up the call
   * has failed.
   */
  host_retries: number,
};

/**
 * Something that the user attached, as the shell found it. None of it has been read.
 */
export type Attached = {
  /**
   * The name, as the user wrote it.
   */
  name: string,
  /**
   * The MIME type that the host gives it.
   */
  mime: string,
  /**
   * The requested lines; `None` for all of them.
   */
  lines: Lines | null,
  /**
   * Whether it is the user's own design, which is not part of the task.
   */
  own: boolean,
  /**
   * What it is.
   */
  content: Content,
};

/**
 * An attachment and what was read of it.
 */
export type Attachment = {
  /**
   * The attachment.
   */
  attached: Attached,
  /**
   * The files that [`screen`] selected.
   */
  read: Array<Read>,
};

/**
 * The word for a free port.
 */
export type Auto = "auto";

/**
 * A model of a connected provider, with the catalogue's facts about it.
 */
export type AvailableModel = {
  /**
   * The provider's id.
   */
  provider: string,
  /**
   * The model's id at that provider; may contain slashes.
   */
  model: string,
  /**
   * The name that people see.
   */
  name: string,
  /**
   * Tokens that fit into one call; 0 if unknown.
   */
  context: number,
  /**
   * The most tokens of one answer; 0 if unknown.
   */
  output: number,
  /**
   * US dollars per million tokens read.
   */
  cost_input: number,
  /**
   * US dollars per million tokens written.
   */
  cost_output: number,
  /**
   * Whether it reasons before it answers.
   */
  reasoning: boolean,
  /**
   * Whether it can call tools.
   */
  tool_call: boolean,
  /**
   * Whether it accepts a temperature.
   */
  temperature: boolean,
  /**
   * Whether it accepts images.
   */
  images: boolean,
  /**
   * `YYYY-MM-DD`, or empty.
   */
  release_date: string,
  /**
   * `active`, `alpha`, `beta`, `deprecated`, or empty.
   */
  status: string,
  /**
   * Whether its provider comes with the host, and the user has not set it up.
   */
  brought_along: boolean,
  /**
   * The host name or address of its provider, if the catalogue or the configuration gives one.
   */
  host: string,
};

/**
 * The models of the connected providers.
 */
export type AvailableModels = {
  /**
   * In any order: the choice doesn't depend on it.
   */
  models: Array<AvailableModel>,
  /**
   * The model of the session that runs the command, as `provider/model`, if it is known.
   */
  current: string | null,
  /**
   * The providers that the user allows to get this project's files; `None` when the user doesn't want to be asked.
   */
  agreed: Array<string> | null,
};

/**
 * A directory from which nothing may be read.
 */
export type BlockedRoot = {
  /**
   * The absolute path.
   */
  path: string,
  /**
   * Whether searches must be kept out of it before anything around it is searched.
   */
  guarded: boolean,
  /**
   * Whether it contains runs, and so files that may have other names elsewhere.
   */
  designs: boolean,
};

/**
 * A digest of the project.
 */
export type Brief = {
  /**
   * The digest.
   */
  text: string,
  /**
   * A description of its content.
   */
  holds: string,
};

/**
 * The limits on a run's cost; checked before every call.
 */
export type Budget = {
  /**
   * US dollars over all calls; null means no limit.
   */
  max_cost_usd: number | null,
  /**
   * Tokens of every kind over all calls; null means no limit.
   */
  max_tokens: number | null,
  /**
   * Calls, including repairs and retries; null means no limit.
   */
  max_calls: number | null,
  /**
   * Requests to providers over all calls; null means no limit. A model that reads and searches makes several for one answer.
   */
  max_requests: number | null,
};

/**
 * Why a call failed, as far as the host knows. The core decides what follows.
 */
export type CallFailure = {
  /**
   * The host's name of the error (`APIError`, `ProviderAuthError`, …), `Timeout` or `Silent` for a deadline; if
   * [`Command::Recover`] found no answer, `Lost`, or `Unsent` when the model was never asked.
   */
  name: Redacted,
  /**
   * The host's message. A provider may quote the request in it, key and all.
   */
  message: Redacted,
  /**
   * The provider's HTTP status.
   */
  status: number | null,
  /**
   * Whether the host thinks that trying again may help; `None` when it doesn't say.
   */
  retryable: boolean | null,
  /**
   * Milliseconds that the provider asked the client to wait.
   */
  retry_after_ms: number | null,
  /**
   * What the failed call cost nevertheless.
   */
  cost: number,
  /**
   * Tokens of the failed call.
   */
  tokens: Tokens,
  /**
   * How often the host had already repeated the request on its own: these tries count.
   */
  host_retries: number,
  /**
   * How many of its requests broke off after the model had begun to answer: their usage is not reported.
   */
  cut_off: number,
  /**
   * How many requests were sent to the provider for it.
   */
  requests: number,
  /**
   * The prompt's tokens, if the provider reports that they were too many.
   */
  prompt_tokens?: number,
  /**
   * The size of the model's context in tokens, if the provider reports it.
   */
  context_tokens?: number,
};

/**
 * A design of the user's own.
 */
export type Candidate = {
  /**
   * The design's id within the run, made from the file's name.
   */
  id: DesignId,
  /**
   * The file that the design was read from.
   */
  from: OwnFile,
  /**
   * The design; parts that the file doesn't have are empty.
   */
  design: Design,
  /**
   * The parts of the file that don't belong to the design.
   */
  left_out?: Array<string>,
};

/**
 * A command that has to pass.
 */
export type CheckSettings = {
  /**
   * Its name: lower-case letters, digits and hyphens.
   */
  id: string,
  /**
   * The program and its arguments. It passes if it exits with code 0; if its output is that of a test runner, tests must have run.
   */
  command: Array<string>,
  /**
   * The directory in which it runs, relative to the project's root.
   */
  cwd: string,
  /**
   * Its time limit, in milliseconds.
   */
  timeout_ms: number,
  /**
   * The ids of criteria that it decides, as tests do. It then runs as often as the tests.
   */
  criteria: Array<string>,
  /**
   * Whether its command may run without asking you.
   */
  allow: boolean,
};

/**
 * A file or folder in a folder.
 */
export type Child = {
  /**
   * Its name.
   */
  name: string,
  /**
   * Whether it is a folder.
   */
  folder: boolean,
  /**
   * Whether git ignores it.
   */
  ignored: boolean,
};

/**
 * What the shell adds to what a run knows of itself.
 */
export type CiGiven = {
  /**
   * The problems with which the verification ended; empty if nothing differs.
   */
  problems: Array<Problem>,
  /**
   * The files that differ, from the repository's root.
   */
  changed: Array<string>,
  /**
   * The project's directory below the repository's root, with `/`; empty for the root itself.
   */
  prefix: string,
  /**
   * The version of this package.
   */
  package: string,
};

/**
 * The three texts.
 */
export type CiTexts = {
  /**
   * `JUnit` XML.
   */
  junit: string,
  /**
   * SARIF 2.1.0.
   */
  sarif: string,
  /**
   * GitHub's Markdown.
   */
  summary: string,
};

/**
 * A statement about the project.
 */
export type Claim = {
  /**
   * The statement.
   */
  text: string,
  /**
   * What it is about.
   */
  kind: ClaimKind,
  /**
   * The path, symbol, package or script; anything for other statements.
   */
  name: string,
  /**
   * Whether it exists, or is part of the design.
   */
  state: ClaimState,
  /**
   * What Design Lab found when it looked the name up; never part of a reply.
   */
  finding?: ClaimFinding,
};

/**
 * What was found about a statement.
 */
export type ClaimFinding = {
  /**
   * The verdict.
   */
  verdict: ClaimVerdict,
  /**
   * Why, in words that follow a colon; where the name was found, or why it wasn't.
   */
  why: string,
};

/**
 * What a statement is about.
 */
export type ClaimKind = "file" | "symbol" | "dependency" | "script" | "other";

/**
 * Whether the subject of a statement exists.
 */
export type ClaimState = "exists" | "to_be_made";

/**
 * The verdict on whether the name of a statement exists. It says nothing about the rest of the statement.
 */
export type ClaimVerdict = "as_stated" | "wrong" | "not_found" | "not_checked";

/**
 * What comparing the first two designs takes at most.
 */
export type CloseCalls = {
  /**
   * Calls, if nothing fails.
   */
  calls: number,
  /**
   * Tokens of every kind, estimated like those of the run.
   */
  tokens: number,
  /**
   * The cost of these tokens in US dollars.
   */
  cost: number,
};

/**
 * The arguments of a request for comparisons of the first two designs.
 */
export type CloseRequest = {
  /**
   * Whether the user has said yes to the possible cost.
   */
  permitted: boolean,
  /**
   * Whether the user only wants to know what it would cost.
   */
  dry_run: boolean,
};

/**
 * Something that the shell has to do. `R`: the purpose of a session; `O` and `D` as in [`EventKind`]; `E`: the workflow's own
 * effects.
 */
export type Command<R, O, D, E> = { "command": "claim_directory",
  /**
   * Below the output directory.
   */
  name: string, } | { "command": "record",
  /**
   * The event.
   */
  event: EventKind<O, D>, } | { "command": "open_session",
  /**
   * The job it is for.
   */
  job: JobId,
  /**
   * Its purpose: decides the agent.
   */
  role: R,
  /**
   * Its title in the host's list.
   */
  title: string, } | { "command": "ask" } & Ask<R> | { "command": "recover",
  /**
   * The prompt as it was sent.
   */
  ask: Ask<R>,
  /**
   * When it was sent: an older message with the same text is a different one. Milliseconds since 1970-01-01 UTC.
   */
  since: number, } | { "command": "abort",
  /**
   * The job.
   */
  job: JobId,
  /**
   * The session.
   */
  session: string, } | { "command": "write",
  /**
   * Below the run directory, `/` between segments.
   */
  path: string,
  /**
   * The whole content.
   */
  text: string, } | { "command": "create",
  /**
   * Below the run directory, `/` between segments.
   */
  path: string,
  /**
   * The whole content.
   */
  text: string, } | { "command": "discard",
  /**
   * Below the run directory, `/` between segments.
   */
  path: string, } | { "command": "wake_at",
  /**
   * Milliseconds since 1970-01-01 UTC.
   */
  at: number, } | { "command": "notify",
  /**
   * Its tone, which decides the colour.
   */
  tone: Tone,
  /**
   * A short sentence.
   */
  message: string,
  /**
   * Whether it deserves a toast: phase changes do, single steps don't.
   */
  toast: boolean, } | { "command": "finish",
  /**
   * How it ended.
   */
  outcome: Outcome,
  /**
   * Whether it reached what the user asked for, or got as far as it can without the user.
   */
  done: boolean,
  /**
   * Whether it can be continued, even if it has no directory yet.
   */
  resumable: boolean,
  /**
   * The instructions for the one model turn at the end; the user doesn't see them. Empty if there is none.
   */
  brief: string, } | E;

/**
 * How a command ended.
 */
export type CommandEnd = { "how": "exited",
  /**
   * 0 if it succeeded.
   */
  code: number, } | { "how": "signalled",
  /**
   * `SIGSEGV`, for example.
   */
  signal: string, } | { "how": "timed_out" } | { "how": "not_started",
  /**
   * Why, in the system's words.
   */
  message: string,
};

/**
 * The output of a command.
 */
export type CommandOutput = {
  /**
   * Its length.
   */
  bytes: number,
  /**
   * Its SHA-256, in lower-case hex.
   */
  sha256: string,
  /**
   * The last part of it, about [`TAIL`] characters.
   */
  tail: string,
};

/**
 * The result of a command.
 */
export type CommandRan = {
  /**
   * How it ended.
   */
  end: CommandEnd,
  /**
   * The time that it took, in whole milliseconds.
   */
  duration_ms: number,
  /**
   * Its output, both streams in the order of arrival, in the file that the effect named.
   */
  output: CommandOutput,
  /**
   * What its output shows about tests, as read by `testsTold`; `None` when it shows nothing.
   */
  tests: TestsTold | null,
};

/**
 * One part of the system.
 */
export type Component = {
  /**
   * Its name.
   */
  name: string,
  /**
   * What it is.
   */
  description: string,
  /**
   * What it is responsible for.
   */
  responsibilities: Array<string>,
  /**
   * The components or services it needs.
   */
  dependencies?: Array<string> | null,
  /**
   * The designs that it was taken from, or `new`; in a merged design only.
   */
  sources?: Array<string> | null,
};

/**
 * The effective configuration of a run, as stored in `config.json`. It contains no secrets.
 */
export type Config = {
  /**
   * At least two, with distinct ids.
   */
  design_models: Array<ModelEntry>,
  /**
   * At least one if no person reviews, with distinct ids.
   */
  review_models: Array<ReviewerEntry>,
  /**
   * The people who review, in the order of the file.
   */
  people?: Array<Person>,
  /**
   * `provider/model` that names the run.
   */
  topic_generator_model: string,
  /**
   * Relative to the project, or absolute.
   */
  output_directory: string,
  /**
   * The rubric.
   */
  scoring_criteria: ScoringCriteria,
  /**
   * What designers and reviewers may reach.
   */
  isolation: Isolation,
  /**
   * Calls in flight at once, at least 1.
   */
  concurrency: number,
  /**
   * Calls in flight at once to a server on the user's machine, at least 1.
   */
  local_concurrency: number,
  /**
   * Deadlines.
   */
  timeouts: Timeouts,
  /**
   * How often to retry.
   */
  retries: Retries,
  /**
   * What a run may cost.
   */
  budget: RunBudget,
  /**
   * The user's own prices of models, by `provider/model`.
   */
  prices: { [key in string]: Price },
  /**
   * How reviews are made and counted.
   */
  review: Review,
  /**
   * Whether a model maps where the designs agree and differ. Runs from before that have no map.
   */
  decision_map?: boolean,
  /**
   * If set, only the comparisons that matter are requested, until the first place is clear. It is not a setting; a command
   * requests it.
   */
  until_clear?: UntilClear,
  /**
   * The configured seed; `None` means that it is derived from the task.
   */
  seed: number | null,
};

/**
 * The texts of a configuration.
 */
export type ConfigurationTexts = {
  /**
   * The configuration files.
   */
  sources: Array<Source>,
  /**
   * The prompt files that they refer to.
   */
  files: Array<ReferencedFile>,
};

/**
 * What an attachment is.
 */
export type Content = { "kind": "file",
  /**
   * The absolute path, as the user named it.
   */
  path: string,
  /**
   * The absolute path, with links resolved.
   */
  real: string,
  /**
   * The size in bytes.
   */
  size: number, } | { "kind": "folder",
  /**
   * The absolute path, as the user named it.
   */
  path: string,
  /**
   * The absolute path, with links resolved.
   */
  real: string,
  /**
   * The files in it and in its subfolders.
   */
  files: Array<Entry>,
  /**
   * Whether there are more files.
   */
  more: boolean,
  /**
   * What was left out of it.
   */
  left_out: LeftOut, } | { "kind": "pasted",
  /**
   * The size in bytes.
   */
  size: number, } | { "kind": "other",
  /**
   * What it is, in words that follow "It is".
   */
  what: string,
};

/**
 * A question to which designs give answers that exclude each other.
 */
export type Contradiction = {
  /**
   * The question, in the model's words.
   */
  question: string,
  /**
   * What each answer gains and gives up, in the model's words; may be empty.
   */
  tradeoff: string,
  /**
   * The answers.
   */
  positions: Array<Position>,
  /**
   * Whether two answers are each shown by a passage that only designs with that answer have.
   */
  checked: boolean,
};

/**
 * What replaces the application in the negative control.
 */
export type Counterfeit = "nothing" | "blank" | "frozen" | "live";

/**
 * What a reviewer has to return; at least one of the two is true.
 */
export type Criteria = {
  /**
   * A written review in Markdown.
   */
  qualitative: boolean,
  /**
   * Scores as JSON.
   */
  quantitative: boolean,
};

/**
 * An event that only runs of this workflow have.
 */
export type Decision = { "event": "presented" } & Presented | { "event": "recounted" } & Rerank | { "event": "reconfigured" } & Reconfiguration | { "event": "mended" } & Amendment | { "event": "mapped" } & Reconfiguration | { "event": "map_dropped" } | { "event": "rubric_approved" } & TaskRubric | { "event": "turned_out" } & DesignOutcome | { "event": "sufficed",
  /**
   * Why, as a sentence.
   */
  why: string,
};

/**
 * What all designs agree on, where they contradict each other, and what only one of them has.
 */
export type DecisionMap = {
  /**
   * What all designs agree on.
   */
  agreements: Array<Agreement>,
  /**
   * Where designs contradict each other.
   */
  contradictions: Array<Contradiction>,
  /**
   * What only one design has.
   */
  only_one: Array<OnlyOne>,
  /**
   * How many points could not be read: they repeat another, say nothing, or name no design that exists, or there are too many.
   */
  unread: number,
};

/**
 * The arguments of `/design-lab-status` if they ask for a decision.
 */
export type DecisionRequest = {
  /**
   * The run, as the user wrote it; may be empty.
   */
  run: string,
  /**
   * The form's name.
   */
  form: string,
};

/**
 * A refusal.
 */
export type Denial = {
  /**
   * The rule that refused; for logs and tests, never for the model.
   */
  rule: Rule,
  /**
   * What the model reads instead of a result.
   */
  message: string,
};

/**
 * What a design model returns: one JSON object.
 */
export type Design = {
  /**
   * A short, descriptive title.
   */
  title: string,
  /**
   * The design in a few paragraphs.
   */
  summary: string,
  /**
   * What the design assumes.
   */
  assumptions: Array<string>,
  /**
   * The approach at the highest level.
   */
  architecture_overview: string,
  /**
   * The parts the system is made of.
   */
  components: Array<Component>,
  /**
   * How data moves through the components.
   */
  data_flow: string,
  /**
   * The decisions, with the options that were weighed.
   */
  tradeoffs: Array<Tradeoff>,
  /**
   * What may go wrong, and what is done about it.
   */
  risks: Array<Risk>,
  /**
   * The questions that stakeholders have to answer.
   */
  open_questions: Array<string>,
  /**
   * What other code calls or is sent: names with signatures or messages. This and the next five parts may be missing.
   */
  interfaces?: Array<string>,
  /**
   * What is stored, with fields, types and keys.
   */
  data_model?: Array<string>,
  /**
   * What fails, how that shows, and what the system then does.
   */
  failure_modes?: Array<string>,
  /**
   * How a requirement or constraint is proved.
   */
  verification?: Array<string>,
  /**
   * The steps to production, and back.
   */
  rollout?: Array<string>,
  /**
   * The files of the project that change or are added.
   */
  touches?: Array<string>,
  /**
   * What the design states about the project. Designs of earlier versions have none.
   */
  claims?: Array<Claim>,
};

/**
 * The id of a design. In a run it is the id of the entry of `design_models` that wrote the design, so it reveals the author.
 */
export type DesignId = string;

/**
 * What a person reports about how a design turned out.
 */
export type DesignOutcome = {
  /**
   * The design.
   */
  design: DesignId,
  /**
   * How it turned out.
   */
  turned_out: TurnedOut,
  /**
   * The person's remark in one line; may be empty.
   */
  remark: string,
};

/**
 * One thing that reviewers score.
 */
export type Dimension = {
  /**
   * The key in a reviewer's reply: lower-case letters, digits, `_` and `-`, beginning with a letter.
   */
  name: string,
  /**
   * What the reviewer should look at.
   */
  description: string,
  /**
   * The lowest score; below `max`.
   */
  min: number,
  /**
   * The highest score.
   */
  max: number,
  /**
   * Its share in the overall score, above 0; only ratios matter.
   */
  weight: number,
  /**
   * What certain scores mean, by score; at most 101.
   */
  anchors: { [key in string]: string },
};

/**
 * The attempted file operation.
 */
export type DiskDeed = "read" | "write";

/**
 * A file operation that failed.
 */
export type DiskFailure = {
  /**
   * The file, as the user would recognise it.
   */
  file: string,
  /**
   * The system's error code: `EACCES`, `ENOSPC`.
   */
  code: string,
};

/**
 * What the shell found out.
 */
export type DoctorInput = {
  /**
   * The versions of Design Lab and of what it runs on.
   */
  versions: Versions,
  /**
   * The configuration.
   */
  sources: Array<Source>,
  /**
   * The prompt files that it refers to.
   */
  files: Array<ReferencedFile>,
  /**
   * Configuration files that exist but can't be read.
   */
  unreadable: Array<DiskFailure>,
  /**
   * The connected models; `None` if the host didn't report them.
   */
  available: AvailableModels | null,
  /**
   * The host's agents, each with the rules that finally apply to it; `None` if the host didn't report them.
   */
  agents: Array<HostAgent> | null,
  /**
   * The plugins that OpenCode's terminal interface loads.
   */
  sidebar: Sidebar,
  /**
   * The tool that OpenCode searches with.
   */
  search: Search,
  /**
   * Where runs are kept.
   */
  output: OutputDirectory,
  /**
   * The runs that are kept there.
   */
  runs: Array<Found<RunFacts>>,
  /**
   * The models that the user configured for Flow's agents.
   */
  flow: FlowConfiguredModels,
  /**
   * The settings of Validation; `None` if the project has none.
   */
  validation: ValidationSetup | null,
  /**
   * A trial call to each model, if the user asked for that.
   */
  trials: Array<Trial> | null,
  /**
   * Whether a model runs the command. It may have a shell, so only people see providers' messages about failed calls.
   */
  by_model: boolean,
};

/**
 * What a model is asked for: each request is a job, which may take several calls.
 */
export type Duty = "compare" | "design" | "review";

/**
 * A design of an earlier run.
 */
export type EarlierDesign = {
  /**
   * Its id, the same in both runs.
   */
  id: DesignId,
  /**
   * The id of its first version.
   */
  line: DesignId,
  /**
   * The version, from 1.
   */
  version: number,
  /**
   * The design.
   */
  design: Design,
  /**
   * The design's origin and original cost.
   */
  metadata: Provenance,
  /**
   * The file that it was read from, if no model wrote it.
   */
  from?: OwnFile,
  /**
   * The reviewers' comments, without names and labels; empty if nothing will read them.
   */
  feedback: Feedback,
};

/**
 * What earlier work of the same models took: the lowest and the highest figures.
 */
export type EarlierRuns = {
  /**
   * How many earlier runs there are.
   */
  runs: number,
  /**
   * Tokens of every kind.
   */
  tokens: [number, number],
  /**
   * US dollars.
   */
  cost: [number, number],
};

/**
 * A file in a folder that was attached.
 */
export type Entry = {
  /**
   * The path relative to that folder, with `/` between segments.
   */
  path: string,
  /**
   * The size in bytes.
   */
  size: number,
};

/**
 * What happened. `O`: how the workflow opens a run; `D`: the workflow's own decisions.
 */
export type EventKind<O, D> = { "event": "opened" } & O | { "event": "directory_claimed",
  /**
   * Below the output directory.
   */
  name: string, } | { "event": "directory_taken",
  /**
   * Below the output directory.
   */
  name: string, } | { "event": "session_opened",
  /**
   * The job it was opened for.
   */
  job: JobId,
  /**
   * The host's id of the session.
   */
  session: string, } | { "event": "answered",
  /**
   * The job whose prompt was answered.
   */
  job: JobId,
  /**
   * The answer.
   */
  reply: Reply, } | { "event": "call_failed",
  /**
   * The job whose call failed.
   */
  job: JobId,
  /**
   * The host's description of it.
   */
  failure: CallFailure, } | { "event": "overspent",
  /**
   * What that call has used so far.
   */
  call: Spending,
  /**
   * US dollars that the run has used, calls in flight included.
   */
  cost: number,
  /**
   * Tokens that the run has used, calls in flight included.
   */
  tokens: number,
  /**
   * Requests that the run has made, calls in flight included.
   */
  requests: number, } | { "event": "woken" } | { "event": "cancelled",
  /**
   * In words, for the summary.
   */
  reason: string, } | { "event": "retried" } | { "event": "resumed" } | { "event": "closed" } | { "event": "journal_restored" } | { "event": "adopted",
  /**
   * Whether what the run has shown before counts for nothing. Older journals don't have it.
   */
  voids: boolean, } | D;

/**
 * When a model that did not build the change writes tests for it, which the worker could not target while building.
 */
export type ExamPolicy = "auto" | "session" | "feature" | "off";

/**
 * The expected calls, tokens and cost of a command.
 */
export type Expected = {
  /**
   * Calls, if nothing fails.
   */
  calls: number,
  /**
   * Tokens of every kind, by length.
   */
  tokens: number,
  /**
   * The cost of these tokens in US dollars.
   */
  cost: number,
  /**
   * What the same work took before.
   */
  earlier?: EarlierRuns,
  /**
   * The limit in US dollars above which the user is asked first, if the work may exceed it.
   */
  above?: number,
};

/**
 * How long a run is expected to take, judging by how long its models took before.
 */
export type ExpectedTime = {
  /**
   * Milliseconds.
   */
  ms: number,
  /**
   * The number of earlier jobs of its models that this is based on.
   */
  jobs: number,
  /**
   * The number of calls that these jobs took.
   */
  calls: number,
  /**
   * How many of these calls returned nothing that could be used.
   */
  again: number,
  /**
   * Models of the run without any record, for which the mean of the others is used.
   */
  unknown: number,
};

/**
 * What the shell found out about a call.
 */
export type Facts = {
  /**
   * One fact for each requested path.
   */
  paths: Array<PathFact>,
  /**
   * One fact for each requested address.
   */
  urls: Array<UrlFact>,
  /**
   * The blocked directories, spelled as in [`Rules::blocked`], that searches are kept out of.
   */
  guarded: Array<string>,
  /**
   * The directories of the runs in `guarded`, each absolute: a search whose glob enters one of them is refused.
   */
  runs: Array<string>,
  /**
   * For a result: the files that it names and that have other names, by symbolic or hard link.
   */
  linked: Array<PathFact>,
};

/**
 * Reviewers' comments on one design: nothing in them names the reviewer, or another design by its label.
 */
export type Feedback = {
  /**
   * What is good.
   */
  strengths: Array<string>,
  /**
   * What is weak.
   */
  weaknesses: Array<string>,
  /**
   * What the design doesn't consider.
   */
  missing_considerations: Array<string>,
  /**
   * What may go wrong.
   */
  risks?: Array<string>,
  /**
   * Why the scores or verdicts are as they are.
   */
  justifications: Array<string>,
};

/**
 * What a change adds of that which the rules forbid.
 */
export type FlowAdded = {
  /**
   * The new occurrences, by rule, file and line.
   */
  uses: Array<FlowAddedUse>,
  /**
   * How many more there are.
   */
  more: number,
  /**
   * Files that could not be compared.
   */
  unread: Array<string>,
};

/**
 * A new occurrence.
 */
export type FlowAddedUse = {
  /**
   * The id of the rule.
   */
  rule: string,
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * The line, counted from 1.
   */
  line: number,
};

/**
 * A command that is run in a copy.
 */
export type FlowApartRun = {
  /**
   * The check's id.
   */
  check: string,
  /**
   * The command: program and arguments.
   */
  argv: Array<string>,
  /**
   * Milliseconds that it may take.
   */
  timeout_ms: number,
  /**
   * Where its output goes, below the session's directory.
   */
  output: string,
};

/**
 * Who approved a plan.
 */
export type FlowApprover = "user" | "autonomous";

/**
 * A request to `/flow-auto`.
 */
export type FlowAutoCommand = { "kind": "draft",
  /**
   * What the user wants built.
   */
  goal: string, } | { "kind": "from",
  /**
   * The run and the design, as the user names them; empty for the latest run.
   */
  named: string, } | { "kind": "continue" };

/**
 * What building may cost.
 */
export type FlowBudget = {
  /**
   * Model calls for each build of a feature.
   */
  calls: number,
  /**
   * Milliseconds that a session may work; time spent waiting for the user doesn't count.
   */
  session_ms: number,
  /**
   * US dollars over all calls of a session; null means no limit.
   */
  max_cost_usd: number | null,
  /**
   * Tokens of every kind over all calls of a session; null means no limit.
   */
  max_tokens: number | null,
  /**
   * Calls of a session, including repairs and retries; null means no limit.
   */
  max_calls: number | null,
  /**
   * Requests to providers over all calls of a session; null means no limit. A worker makes many for one call.
   */
  max_requests: number | null,
};

/**
 * A file that a feature changed.
 */
export type FlowChangedFile = {
  /**
   * The path from the root of the tree.
   */
  path: string,
  /**
   * The contents before the feature; `None` when the file didn't exist.
   */
  before: string | null,
  /**
   * The contents now.
   */
  now: string,
};

/**
 * A changed file.
 */
export type FlowChangedText = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * Its text before and now, each `None` when there is no such file; `None` when they are unknown.
   */
  texts: [string | null, string | null] | null,
};

/**
 * The observed result of a check.
 */
export type FlowCheckFinished = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The tree just before the command started.
   */
  tree_before: string,
  /**
   * The tree after the command, and everything that it started, had ended.
   */
  tree_after: string,
  /**
   * The paths that differ between the two, from the project's root, sorted.
   */
  changed: Array<string>,
  /**
   * The files of the tree that were touched meanwhile, including those whose contents are the same again, sorted.
   */
  touched?: Array<string>,
  /**
   * The command's result.
   */
  ran: CommandRan,
};

/**
 * A design of a ranked run, as a session adopted it.
 */
export type FlowChosen = {
  /**
   * The run's directory, below the output directory.
   */
  run: string,
  /**
   * The design's id within the run.
   */
  design_id: DesignId,
  /**
   * Its place in the ranking; `None` when none of its scores count.
   */
  rank: number | null,
  /**
   * The ranking's verdict in a sentence, if it isn't clear.
   */
  doubt: string | null,
  /**
   * The design.
   */
  design: Design,
  /**
   * The constraints of the task, and the required qualities.
   */
  requirements: Array<FlowRequirement>,
  /**
   * The design's components, in its order.
   */
  components: Array<FlowComponent>,
  /**
   * The design's open questions, and the weaknesses that reviewers found.
   */
  concerns: Array<FlowConcern>,
};

/**
 * What is created before anything runs in a copy, and the environment for what runs there.
 */
export type FlowCleanRoom = {
  /**
   * The environment.
   */
  environment: { [key in string]: string },
  /**
   * Directories to create, absolute; each comes before those inside it.
   */
  folders: Array<string>,
  /**
   * Empty files to create, absolute.
   */
  files: Array<string>,
  /**
   * Links to create if their target exists: the place of the link, and its target, absolute.
   */
  links: Array<[string, string]>,
  /**
   * Variables to set if the place that they name exists.
   */
  places: { [key in string]: string },
};

/**
 * A client program.
 */
export type FlowClient = "gh" | "glab";

/**
 * A component of a design.
 */
export type FlowComponent = {
  /**
   * The component's id, derived from its name.
   */
  id: string,
  /**
   * Its name.
   */
  name: string,
};

/**
 * An open question or weakness of a design.
 */
export type FlowConcern = {
  /**
   * `question-1` and so on for its author's, `weakness-1` and so on for its reviewers'.
   */
  id: string,
  /**
   * In the author's or the reviewer's own words.
   */
  text: string,
};

/**
 * The `model` of the agents `flow-planner`, `flow-worker`, `flow-reviewer` and `flow-examiner` in the host's settings, as
 * `provider/model`.
 */
export type FlowConfiguredModels = {
  /**
   * The planner's; `None` when it isn't set.
   */
  planner: string | null,
  /**
   * The worker's; `None` when it isn't set.
   */
  worker: string | null,
  /**
   * The reviewer's; `None` when it isn't set.
   */
  reviewer: string | null,
  /**
   * The examiner's; `None` when it isn't set.
   */
  examiner: string | null,
};

/**
 * What happens in a session in addition to the events of any run.
 */
export type FlowDecision = { "event": "revised",
  /**
   * What should change, in the user's words.
   */
  remarks: string,
  /**
   * The expected cost of the draft; `None` when there was no forecast.
   */
  expected?: Expected, } | { "event": "approved",
  /**
   * The whole hash of the plan that was approved.
   */
  hash: string,
  /**
   * Who approved it.
   */
  by: FlowApprover, } | { "event": "selected",
  /**
   * Their ids.
   */
  features: Array<string>, } | { "event": "reset",
  /**
   * Its id.
   */
  feature: string, } | { "event": "archived" } | { "event": "automatic",
  /**
   * The expected cost of that; `None` when there was no forecast.
   */
  expected?: Expected, } | { "event": "started",
  /**
   * Its id.
   */
  feature: string,
  /**
   * The expected cost of that; `None` when there was no forecast.
   */
  expected?: Expected, } | { "event": "configured",
  /**
   * The configuration now.
   */
  settings: FlowSettings,
  /**
   * Whether the session continues with it in a new process, as with [`kernel::protocol::EventKind::Resumed`].
   */
  resumes: boolean,
  /**
   * The rules now; `None` when they are unchanged.
   */
  shell_rules?: ShellRules,
  /**
   * The rules of the project now; `None` when they are unchanged.
   */
  project_rules?: Array<FlowProjectRule>, } | { "event": "ruled",
  /**
   * The rules now.
   */
  project_rules: Array<FlowProjectRule>, } | { "event": "raced",
  /**
   * The whole hash of the plan that was approved.
   */
  hash: string,
  /**
   * The expected cost of all lanes; `None` when there was no forecast.
   */
  expected?: Expected, } | { "event": "lane_told" } & FlowLaneTold | { "event": "lane_built" } & FlowLaneBuilt | { "event": "lane_taken",
  /**
   * The lane.
   */
  lane: string, } | { "event": "tree_taken" } & FlowTreeTaken | { "event": "lane_made" } & FlowLaneMade | { "event": "take_wanted",
  /**
   * The typed part of the hash of what was shown; `None` to be shown it.
   */
  hash: string | null,
  /**
   * The tree that the lane had when its race compared it, which is the only one that may be taken; `None` outside a race.
   */
  frozen?: string, } | { "event": "take_weighed" } & FlowWeighed | { "event": "taken" } & FlowTaken | { "event": "check_finished" } & FlowCheckFinished | { "event": "ran_apart" } & FlowRanApart | { "event": "mutated" } & FlowMutated | { "event": "examined" } & FlowExamined | { "event": "effect_failed",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why, in a sentence for people.
   */
  message: string,
};

/**
 * What is done in a session in addition to asking models.
 */
export type FlowEffect = { "command": "take_tree",
  /**
   * Its number.
   */
  effect: number,
  /**
   * An earlier tree of this session to compare with.
   */
  since: string | null,
  /**
   * Whether a worker's turn is over, so that what its shells left running is ended first.
   */
  ends_work?: boolean,
  /**
   * The seal of a copy that a reviewer has read and that is no longer needed.
   */
  seal?: string,
  /**
   * The ignored paths, by name or path, that copies get through a link, if a feature is starting; their state has to be
   * reported.
   */
  link?: Array<string>,
  /**
   * Where to keep the patch from this tree back to `since`, below the session's directory; `None` when it isn't needed.
   */
  undo?: string,
  /**
   * In a lane, the project's tree at the last look, to report what differs from it now.
   */
  outside_since?: string,
  /**
   * The rules that the session holds its models to; `None` when there are none.
   */
  hold?: FlowHold, } | { "command": "make_lane",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The tree from which it is made instead, which the session of the race has; `None` outside a race.
   */
  from?: string,
  /**
   * The ignored paths, by name or path, that it gets as links. Empty if `setup` prepares it.
   */
  link: Array<string>,
  /**
   * The command that prepares it: program and arguments; empty if there is none.
   */
  setup: Array<string>, } | { "command": "build_lane",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The lane.
   */
  lane: string,
  /**
   * How its session opens.
   */
  opening: FlowOpening, } | { "command": "weigh_take",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The tree that the lane and the project had in common last.
   */
  base: string,
  /**
   * The lane's tree that was checked last; `None` when none was.
   */
  checked: string | null, } | { "command": "take",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The project's tree before.
   */
  from: string,
  /**
   * The project's tree afterwards.
   */
  to: string,
  /**
   * Where to keep the patch, below the session's directory.
   */
  undo: string, } | { "command": "run_check",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The check's id.
   */
  check: string,
  /**
   * The command: program and arguments.
   */
  argv: Array<string>,
  /**
   * Milliseconds that it may take.
   */
  timeout_ms: number,
  /**
   * Where its output goes, below the session's directory.
   */
  output: string, } | { "command": "run_apart",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The tree.
   */
  tree: string,
  /**
   * What is put over the copy.
   */
  over: FlowOverlay,
  /**
   * The ignored paths, by name or path, that the copy gets as links. Empty if `setup` prepares a copy.
   */
  link: Array<string>,
  /**
   * The command that prepares the copy: program and arguments; empty if there is none.
   */
  setup: Array<string>,
  /**
   * The commands.
   */
  runs: Array<FlowApartRun>,
  /**
   * Whether they run in a clean room ([`super::clean_room`]) instead of the user's environment.
   */
  clean?: boolean,
  /**
   * Whether they are cut off from the network; they have a loopback of their own.
   */
  offline?: boolean,
  /**
   * What copies had as links when the feature started, to report what changed since. `None` when no feature is being built.
   */
  began_with?: { [key in string]: string },
  /**
   * Whether a reviewer is asked next: a copy for its tools is made as well, and its seal reported.
   */
  review?: boolean, } | { "command": "mutate",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The tree.
   */
  tree: string,
  /**
   * The tree before the feature.
   */
  base: string,
  /**
   * The changed files that aren't tests, from the root of the tree.
   */
  paths: Array<string>,
  /**
   * How many mutants there may be.
   */
  most: number,
  /**
   * The time limit for all of it, in milliseconds, once the first `least` of them were tried.
   */
  budget_ms: number,
  /**
   * How many are tried, however long they take.
   */
  least: number,
  /**
   * As in [`Effect::RunApart`].
   */
  link: Array<string>,
  /**
   * As in [`Effect::RunApart`].
   */
  setup: Array<string>,
  /**
   * The commands. For each mutant, the output of each goes into a separate file, with the mutant's number, counted from 1,
   * before the end of the name.
   */
  runs: Array<FlowApartRun>,
  /**
   * As in [`Effect::RunApart`].
   */
  clean?: boolean,
  /**
   * As in [`Effect::RunApart`].
   */
  offline?: boolean,
  /**
   * The user's tool, which runs first, in a separate copy: mutants are tried only if it gives no usable result.
   */
  mutator?: FlowMutatorRun, } | { "command": "examine",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The tree.
   */
  tree: string,
  /**
   * The tree before the change that is examined.
   */
  base: string,
  /**
   * As in [`Effect::RunApart`].
   */
  link: Array<string>,
  /**
   * As in [`Effect::RunApart`].
   */
  setup: Array<string>,
  /**
   * Each command of the tests, once.
   */
  before: Array<FlowApartRun>,
  /**
   * The tests.
   */
  tests: Array<FlowExamRun>,
  /**
   * As in [`Effect::RunApart`].
   */
  offline?: boolean,
};

/**
 * A process that was ended.
 */
export type FlowEndedProcess = {
  /**
   * Its number.
   */
  pid: number,
  /**
   * Its program and arguments.
   */
  command: Array<string>,
};

/**
 * A lane of a race, before it begins.
 */
export type FlowEntrant = {
  /**
   * Its name: a letter.
   */
  lane: string,
  /**
   * The model that builds it: `provider/model`.
   */
  worker: string,
  /**
   * The design that its worker follows; `None` when there is only the plan.
   */
  design?: FlowChosen,
};

/**
 * What the project has at the path of an exam's test.
 */
export type FlowExamPlace = "free" | "same" | "replaced" | "other";

/**
 * A test of an exam, and the command that runs it.
 */
export type FlowExamRun = {
  /**
   * The test's file, from the root of the tree.
   */
  path: string,
  /**
   * The file's contents.
   */
  text: string,
  /**
   * Whether the path was free before the worker saw the test, so that a file there now must make way for it.
   */
  replaces?: boolean,
  /**
   * The command. The output of each run goes into a separate file, with `-1`, `-2` or `-before` before the end of the name.
   */
  run: FlowApartRun,
};

/**
 * What was observed of a test of an exam.
 */
export type FlowExamSeen = {
  /**
   * What the project has at the test's path.
   */
  place: FlowExamPlace,
  /**
   * The results of its command with the test, run twice; empty if it was not run.
   */
  runs: Array<CommandRan>,
  /**
   * The result of its command with the test on the files from before; `None` when it was not run there.
   */
  before: CommandRan | null,
  /**
   * Whether a command touched a file of the copy, in which case the result shows nothing.
   */
  touched?: boolean,
};

/**
 * What was observed of an exam.
 */
export type FlowExamined = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there was no copy in which anything could run, in a sentence for people; `None` when there was one.
   */
  unprepared: string | null,
  /**
   * The result of each command of `before`.
   */
  before: Array<CommandRan>,
  /**
   * The result of each test, in the effect's order; empty without a copy.
   */
  tests: Array<FlowExamSeen>,
};

/**
 * What a session records in addition to what every run records.
 */
export type FlowFacts = {
  /**
   * The session's status.
   */
  status: FlowStatus,
  /**
   * The whole hash of the plan that is waiting for approval.
   */
  plan_hash: string | null,
  /**
   * The whole hash of what `/flow-take` shows.
   */
  take_hash: string | null,
  /**
   * The session whose criteria were validated, if this one fixes the validation's findings.
   */
  fixes: string | null,
  /**
   * How many features its plan has; 0 before it has one.
   */
  features: number,
  /**
   * How many of them are complete.
   */
  complete: number,
  /**
   * What its work has used so far.
   */
  past: FlowPast,
  /**
   * The lane of a race that it builds.
   */
  lane_of: FlowLaneFacts | null,
};

/**
 * A changed file of code without a mutant.
 */
export type FlowFaultless = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * Why it has none, as a clause.
   */
  why: string,
};

/**
 * The faults of some files.
 */
export type FlowFaults = {
  /**
   * The mutants, by path and line.
   */
  mutants: Array<FlowMutant>,
  /**
   * The files of code that have none.
   */
  without: Array<FlowFaultless>,
};

/**
 * A request to `/flow-feedback`.
 */
export type FlowFeedbackCommand = { "kind": "say",
  /**
   * The user's words.
   */
  said: string, } | { "kind": "confirm",
  /**
   * The part of its hash that was typed.
   */
  hash: string, } | { "kind": "list" } | { "kind": "remove",
  /**
   * Its id.
   */
  id: string,
};

/**
 * The results of a command: texts for the files, and what is shown.
 */
export type FlowFeedbackDone = {
  /**
   * The log's text; `None` when it stays as it is.
   */
  log: string | null,
  /**
   * The rules' text; `None` when it stays as it is.
   */
  rules: string | null,
  /**
   * What is shown.
   */
  text: string,
  /**
   * The hashes that this shows.
   */
  hashes: Array<string>,
};

/**
 * The findings of a validation that a session fixes.
 */
export type FlowFix = {
  /**
   * The validation's directory.
   */
  validation: string,
  /**
   * What it validated, in a few words.
   */
  title: string,
  /**
   * Where the validated text came from.
   */
  source: ValidationSubjectSource,
  /**
   * What is wrong.
   */
  faults: Array<FlowRequirement>,
};

/**
 * What git reports.
 */
export type FlowGit = {
  /**
   * The current branch; `None` when no branch is checked out.
   */
  branch: string | null,
  /**
   * The current commit; `None` before the first.
   */
  commit: string | null,
  /**
   * The paths at which the files differ from that commit, without this package's directories.
   */
  uncommitted: Array<string>,
  /**
   * The remote to which the branch is pushed.
   */
  remote: string | null,
  /**
   * Its address; never shown, because it may contain a password.
   */
  address: string | null,
  /**
   * The branch's commit on the remote, as the remote reports it now; `None` when it has no such branch or wasn't asked.
   */
  pushed: string | null,
};

/**
 * What git has on record at a moment. Anything that isn't text for people is a digest.
 */
export type FlowGitRecord = {
  /**
   * The branch of `HEAD`, such as `refs/heads/main`; `HEAD` when it is on none.
   */
  branch: string,
  /**
   * The commit of `HEAD`; `None` before the first one.
   */
  commit: string | null,
  /**
   * The digest of all branches, tags and stashes.
   */
  refs: string,
  /**
   * The digest of what is staged.
   */
  staged: string,
  /**
   * The digest of settings, hooks, ignore rules and attributes in git's own directory.
   */
  settings: string,
};

/**
 * The facts about the paths of a call.
 */
export type FlowGuardFacts = {
  /**
   * The directories that no session may change.
   */
  kept: Array<FlowPlace>,
  /**
   * The paths that were looked up.
   */
  paths: Array<FlowPlace>,
  /**
   * The directory outside which the session may change nothing; `None` when it works in the project.
   */
  within?: FlowPlace,
};

/**
 * The rules that a session holds its models to.
 */
export type FlowHold = {
  /**
   * The tree before the feature; `None` when it isn't known yet, so that nothing is compared.
   */
  base: string | null,
  /**
   * The rules.
   */
  rules: Array<FlowProjectRule>,
};

/**
 * What has to be known to judge a call.
 */
export type FlowInquiry = { "kind": "allow" } | { "kind": "deny",
  /**
   * The message for the model.
   */
  message: string, } | { "kind": "ask",
  /**
   * As the call names them.
   */
  paths: Array<string>,
};

/**
 * How a lane of a race ended.
 */
export type FlowLaneBuilt = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The session that built it.
   */
  session: string,
  /**
   * The tree with which every feature was completed; `None` when the lane isn't complete.
   */
  tree: string | null,
  /**
   * Why the lane isn't complete, in a sentence; `None` when it is.
   */
  unbuilt: string | null,
  /**
   * The paths that differ from the tree from which it was made, sorted.
   */
  changed: Array<string>,
  /**
   * The paths of the project that changed while its workers worked, sorted.
   */
  moved: Array<string>,
  /**
   * The lane.
   */
  lane: string,
  /**
   * How many of its features are complete.
   */
  complete: number,
  /**
   * What its models have cost so far, in US dollars.
   */
  cost: number,
  /**
   * The tokens that they have used so far.
   */
  tokens: number,
};

/**
 * A lane in a few facts.
 */
export type FlowLaneFacts = {
  /**
   * The name of the session that is its race.
   */
  race: string,
  /**
   * The lane.
   */
  lane: string,
  /**
   * The tree from which every lane of the race is made.
   */
  base: string | null,
};

/**
 * A lane that was made, or why it could not be made.
 */
export type FlowLaneMade = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there is no lane, in a sentence for people; `None` when there is one.
   */
  unprepared: string | null,
  /**
   * Its absolute path: the root of its tree.
   */
  directory: string,
  /**
   * The tree from which it was made; empty when there is no lane.
   */
  tree: string,
  /**
   * How many files it has.
   */
  files: number,
  /**
   * Their size in bytes.
   */
  bytes: number,
  /**
   * The ignored paths that it has as links to the project's, from the root of the tree, sorted.
   */
  linked: Array<string>,
  /**
   * The ignored paths from which OpenCode loads its settings and that it has as copies, in the same form.
   */
  copied: Array<string>,
};

/**
 * The race for which a session builds a lane.
 */
export type FlowLaneOf = {
  /**
   * The name of the session that is the race.
   */
  race: string,
  /**
   * The lane.
   */
  entrant: FlowEntrant,
  /**
   * The tree from which every lane of the race is made; `None` when only the cost of the lane is foreseen.
   */
  base: string | null,
  /**
   * The plan that every lane builds.
   */
  plan: unknown,
  /**
   * The commands that the user's rules ask about and that the approval of the race permits: program and arguments.
   */
  leave?: Array<Array<string>>,
};

/**
 * A lane that may be taken.
 */
export type FlowLaneToTake = {
  /**
   * The lane.
   */
  lane: string,
  /**
   * The name of its session.
   */
  session: string,
  /**
   * The tree with which it was compared.
   */
  frozen: string,
};

/**
 * What a lane of a race has done so far.
 */
export type FlowLaneTold = {
  /**
   * The lane.
   */
  lane: string,
  /**
   * How many of its features are complete.
   */
  complete: number,
  /**
   * What its models have cost so far, in US dollars.
   */
  cost: number,
  /**
   * The tokens that they have used so far.
   */
  tokens: number,
};

/**
 * A directory or file that copies get through a link, as it was at a moment.
 */
export type FlowLink = {
  /**
   * Where it is, from the root of the tree.
   */
  path: string,
  /**
   * The digest of everything in it except [`left_out`]; keyed, because it may contain secrets.
   */
  digest: string,
  /**
   * The files in it that have changed since the feature was started, if this process saw it then, sorted.
   */
  changed?: Array<string>,
};

/**
 * A piece of feedback that was logged.
 */
export type FlowLogged = {
  /**
   * The log's text.
   */
  log: string,
  /**
   * Its id.
   */
  id: string,
  /**
   * What to search for; empty without a pattern.
   */
  wanted: Array<FlowWanted>,
};

/**
 * The model for each role, as `provider/model`.
 */
export type FlowModels = {
  /**
   * Drafts plans.
   */
  planner: string,
  /**
   * Changes files.
   */
  worker: string,
  /**
   * Reviews the worker's changes.
   */
  reviewer: string,
  /**
   * Writes the exam; `None` when the reviewer's model does.
   */
  examiner?: string,
};

/**
 * A file with a small fault.
 */
export type FlowMutant = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * The first line that differs, counted from 1.
   */
  line: number,
  /**
   * What differs, in words.
   */
  change: string,
  /**
   * The file's contents with the fault.
   */
  text: string,
};

/**
 * What was observed of mutants.
 */
export type FlowMutated = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there was no copy in which anything could run, in a sentence for people; `None` when there was one.
   */
  unprepared: string | null,
  /**
   * What was tried, in order.
   */
  tried: Array<FlowTriedMutant>,
  /**
   * How many were not tried because the time was up.
   */
  left: number,
  /**
   * The result of each command with unreadable text in the files that get faults. Older journals don't have it.
   */
  broken?: Array<CommandRan>,
  /**
   * The result of each command at the end, with the files as they are. Older journals don't have it.
   */
  after?: Array<CommandRan>,
  /**
   * The changed files without a fault. Older journals don't have it.
   */
  without?: Array<FlowFaultless>,
  /**
   * The result of the user's tool; `None` when the effect names none. If it has a usable result, nothing else was tried.
   */
  mutator?: FlowMutatorSeen,
  /**
   * How long all of it took, in whole milliseconds.
   */
  duration_ms: number,
};

/**
 * How a tool ended, and what it left in the copy.
 */
export type FlowMutatorLeft = {
  /**
   * The tool's command.
   */
  argv: Array<string>,
  /**
   * How the command ended.
   */
  end: CommandEnd,
  /**
   * Where its output is, below the session's directory.
   */
  output: string,
  /**
   * Where the tool's report should be, relative to the project's directory.
   */
  report: string,
  /**
   * The project's directory, from the root of the tree; empty if they are the same.
   */
  directory: string,
  /**
   * The root of the copy, absolute, under each of its names.
   */
  roots: Array<string>,
  /**
   * The files of the copy that were touched meanwhile.
   */
  touched: Array<string>,
  /**
   * The files found of the report; `None` when there are none.
   */
  files: Array<FlowReportFile> | null,
  /**
   * Why the report was not looked for or not read; `None` when it was.
   */
  refused: FlowReportRefused | null,
  /**
   * The changed files that aren't tests.
   */
  changed: Array<FlowChangedFile>,
};

/**
 * A mutation testing tool that is run in a copy.
 */
export type FlowMutatorRun = {
  /**
   * The command: program and arguments.
   */
  argv: Array<string>,
  /**
   * Where it writes its report, relative to the project's directory.
   */
  report: string,
  /**
   * Milliseconds that it may take.
   */
  timeout_ms: number,
  /**
   * Where its output goes, below the session's directory.
   */
  output: string,
};

/**
 * The result of a tool.
 */
export type FlowMutatorSeen = {
  /**
   * The tool's name and version, as its report gives them.
   */
  tool: string,
  /**
   * Why the result is unusable, as a clause; `None` when it is usable.
   */
  unusable: string | null,
  /**
   * The mutants in lines that the feature changed: only the first ones, with priority for unnoticed ones.
   */
  mutants: Array<FlowReportedMutant>,
  /**
   * How many of all mutants were noticed.
   */
  noticed: number,
  /**
   * How many were not.
   */
  unnoticed: number,
  /**
   * How many decided nothing.
   */
  undecided: number,
};

/**
 * How a session begins: everything that it depends on except the models.
 */
export type FlowOpening = {
  /**
   * [`kernel::protocol::JOURNAL_VERSION`].
   */
  version: number,
  /**
   * The workflow.
   */
  workflow: string,
  /**
   * The rules by which answers are accepted.
   */
  acceptance?: ReplyRules,
  /**
   * The package's version.
   */
  package: string,
  /**
   * The user's local date, `YYYY-MM-DD`, with which the session's name begins.
   */
  date: string,
  /**
   * What the user wants built.
   */
  goal: string,
  /**
   * The ranked design that it is built from; `None` when there is only a goal.
   */
  from?: FlowChosen | null,
  /**
   * The findings of a validation that it fixes; `None` when it fixes none.
   */
  fix?: FlowFix,
  /**
   * The lanes that build this plan side by side; empty when it isn't raced.
   */
  race?: Array<FlowEntrant>,
  /**
   * The race for which this session builds a lane; `None` when it is none of its lanes.
   */
  lane_of?: FlowLaneOf,
  /**
   * The models that are asked.
   */
  models: FlowModels,
  /**
   * Sentences that the user should read, such as which models were picked and why.
   */
  notes: Array<string>,
  /**
   * The prices that the host's catalogue has for the models in use.
   */
  prices: Array<ModelFacts>,
  /**
   * Flow's part of the user's configuration.
   */
  settings: FlowSettings,
  /**
   * Whether the whole goal is built without asking the user.
   */
  automatic: boolean,
  /**
   * The rules that decide: [`RULES`] of the day on which the session began, or 0 in sessions from before the rules were
   * numbered, whose journals keep their meaning.
   */
  rules: number,
  /**
   * The expected cost of the plan; `None` when there was no forecast.
   */
  expected?: Expected,
  /**
   * The user's rules for a worker's shell commands; `None` in sessions from before these rules applied to checks.
   */
  shell_rules?: ShellRules,
  /**
   * The rules of the project when the session began.
   */
  project_rules?: Array<FlowProjectRule>,
  /**
   * The seed of the jitter of pauses, below 2^53.
   */
  seed: number,
};

/**
 * The input of a new session, as the shell gathered it.
 */
export type FlowOpeningInput = {
  /**
   * The package's version.
   */
  package: string,
  /**
   * The user's local date, `YYYY-MM-DD`.
   */
  date: string,
  /**
   * What the user wants built; empty if that is a ranked design.
   */
  goal: string,
  /**
   * The ranked design to build.
   */
  from: Handover | null,
  /**
   * The findings of a validation to fix.
   */
  fix?: ValidationToFix,
  /**
   * The models of the connected providers.
   */
  available: AvailableModels,
  /**
   * The models that the user gave Flow's agents.
   */
  configured: FlowConfiguredModels,
  /**
   * Flow's part of the user's configuration.
   */
  settings: FlowSettings,
  /**
   * Whether to build the whole goal without asking.
   */
  automatic: boolean,
  /**
   * The user's rules for a worker's shell commands.
   */
  shell_rules?: ShellRules,
  /**
   * The rules of the project.
   */
  project_rules?: Array<FlowProjectRule>,
};

/**
 * What was observed of the user's project while a worker worked in a lane.
 */
export type FlowOutside = {
  /**
   * Its tree.
   */
  tree: string,
  /**
   * The paths that differ from the effect's `outside_since` tree, from the root of the tree, sorted; empty without one.
   */
  changed: Array<string>,
  /**
   * What git has on record there.
   */
  recorded: FlowGitRecord | null,
};

/**
 * What is put over a copy of the project's files.
 */
export type FlowOverlay = { "overlay": "nothing" } | { "overlay": "paths",
  /**
   * The tree.
   */
  tree: string,
  /**
   * The files, from the root of the tree.
   */
  paths: Array<string>, } | { "overlay": "file",
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * The file's contents.
   */
  text: string,
};

/**
 * What a session has used so far, for the forecasts of others.
 */
export type FlowPast = {
  /**
   * A number that is the same for sessions with the same models.
   */
  models: number,
  /**
   * What each draft of a plan used.
   */
  plans: Array<FlowTook>,
  /**
   * What each completed feature used.
   */
  features: Array<FlowTook>,
};

/**
 * The place that a path leads to.
 */
export type FlowPlace = {
  /**
   * As it was given.
   */
  given: string,
  /**
   * The path as written, made absolute and without `..`.
   */
  absolute: string,
  /**
   * The path with its links resolved.
   */
  real: string,
};

/**
 * A request to `/flow-plan`.
 */
export type FlowPlanCommand = { "kind": "draft",
  /**
   * What the user wants built.
   */
  goal: string, } | { "kind": "from",
  /**
   * The run and the design, as the user names them; empty for the latest run.
   */
  named: string, } | { "kind": "fix",
  /**
   * The validation, as the user names it; empty for the latest.
   */
  named: string, } | { "kind": "revise",
  /**
   * What should change.
   */
  remarks: string, } | { "kind": "select",
  /**
   * The ids of the features to keep.
   */
  features: Array<string>, } | { "kind": "approve",
  /**
   * The part of its hash that was typed.
   */
  hash: string,
};

/**
 * A rule of the project.
 */
export type FlowProjectRule = {
  /**
   * Its id: lower-case letters, digits and hyphens.
   */
  id: string,
  /**
   * What it says, as you would say it to a colleague.
   */
  say: string,
  /**
   * The text that no change may add. If left out, models read the rule and no machine checks it.
   */
  pattern?: string,
  /**
   * What to use instead.
   */
  instead?: string,
  /**
   * The files that it is about, as globs such as `*.ts` or `src/`; `@tests` stands for test files. If left out: every file except
   * documentation and lock files.
   */
  files?: Array<string>,
};

/**
 * What `/flow-pr` leads to.
 */
export type FlowPullRequest = {
  /**
   * The file of the text, below the session's directory, and the text itself.
   */
  file: [string, string],
  /**
   * What is shown.
   */
  text: string,
  /**
   * The client's program and arguments, if it is to run now, and how long it may take, in ms.
   */
  run: [Array<string>, number] | null,
};

/**
 * A request to `/flow-pr`.
 */
export type FlowPullRequestCommand = {
  /**
   * Whether it is created, not only shown.
   */
  create: boolean,
  /**
   * The part of the hash that was typed; empty without one.
   */
  hash: string,
};

/**
 * What the shell observed.
 */
export type FlowPullRequestFacts = {
  /**
   * The tree of the current files; `None` if it wasn't taken.
   */
  tree: string | null,
  /**
   * The paths that differ from the tree with which the session was completed.
   */
  changed: Array<string>,
  /**
   * The repository; `None` without one.
   */
  git: FlowGit | null,
  /**
   * The clients on `PATH`, outside the project.
   */
  clients: Array<FlowClient>,
};

/**
 * A request to `/flow-race`.
 */
export type FlowRaceCommand = { "kind": "show" } | { "kind": "draft",
  /**
   * What the user wants built.
   */
  goal: string,
  /**
   * The models that build it, one for each lane.
   */
  workers: Array<string>, } | { "kind": "from",
  /**
   * The run, as the user names it; empty for the latest.
   */
  run: string,
  /**
   * The ids of the designs; empty for those that may be the best.
   */
  designs: Array<string>, } | { "kind": "approve",
  /**
   * The hash, as it was typed.
   */
  hash: string, } | { "kind": "take",
  /**
   * The lane.
   */
  lane: string,
  /**
   * The hash, as it was typed; empty to be shown the changes.
   */
  hash: string,
};

/**
 * The results of checks that were run again.
 */
export type FlowRanAgain = {
  /**
   * Each check with its results then and now; empty if none could run.
   */
  account: string,
  /**
   * The differences.
   */
  problems: Array<Problem>,
};

/**
 * What was observed in a copy of the project's files.
 */
export type FlowRanApart = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there was no copy in which anything could run, in a sentence for people; `None` when there was one.
   */
  unprepared: string | null,
  /**
   * The ignored paths that the copy had through a link, from the root of the tree, sorted.
   */
  linked: Array<string>,
  /**
   * The same, in their state just before the commands; empty if the effect doesn't ask for it.
   */
  links?: Array<FlowLink>,
  /**
   * The result of each command, in the effect's order; empty if there was no copy.
   */
  runs: Array<CommandRan>,
  /**
   * The files of the copy that had been touched by the end of each command, sorted; empty if no file was.
   */
  touched?: Array<Array<string>>,
  /**
   * What was [above](super::above) the copy, as absolute paths, sorted; empty if nothing was.
   */
  above?: Array<string>,
  /**
   * Whether the commands had the network, although they should have been cut off from it: this system can't do that.
   */
  online?: boolean,
  /**
   * The tree's links to places outside it, from its root: the copy lacks them.
   */
  outside?: Array<string>,
  /**
   * The seal of the copy that the reviewer reads, which changes as soon as anything in the copy is touched.
   */
  seal?: string,
};

/**
 * A file of a report.
 */
export type FlowReportFile = {
  /**
   * The path from the root of the tree.
   */
  path: string,
  /**
   * The file's contents.
   */
  text: string,
};

/**
 * Why a report is not read.
 */
export type FlowReportRefused = "outside" | "too_large";

/**
 * A mutant in a report.
 */
export type FlowReportedMutant = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * The mutant's first line, counted from 1.
   */
  line: number,
  /**
   * What differs, in words.
   */
  change: string,
  /**
   * Whether a test noticed it; `None` when it decided nothing.
   */
  noticed: boolean | null,
};

/**
 * Something that the goal asks for.
 */
export type FlowRequirement = {
  /**
   * Its id: lower-case letters, digits and single hyphens.
   */
  id: string,
  /**
   * What it is.
   */
  text: string,
};

/**
 * A request to `/flow-reset`.
 */
export type FlowResetCommand = { "kind": "feature",
  /**
   * Its id.
   */
  feature: string, } | { "kind": "session" };

/**
 * The purpose of a child session, which decides its agent: `flow-planner`, `flow-worker`, `flow-reviewer` or `flow-examiner`.
 */
export type FlowRole = "planner" | "worker" | "reviewer" | "examiner";

/**
 * Occurrences in a file.
 */
export type FlowSearched = {
  /**
   * The id of what was searched for.
   */
  id: string,
  /**
   * The exact ones, as many as are shown.
   */
  exact: Array<FlowUse>,
  /**
   * The similar ones, as many as are shown.
   */
  similar: Array<FlowUse>,
  /**
   * How many exact ones there are.
   */
  exact_count: number,
  /**
   * How many similar ones there are.
   */
  similar_count: number,
};

/**
 * What the search of a place found of one pattern. The project is a place; a lane can be another one.
 */
export type FlowSearchedPlace = {
  /**
   * The place: `project`.
   */
  place: string,
  /**
   * The files with occurrences.
   */
  found: Array<[string, FlowSearched]>,
  /**
   * How many files could not be searched: they are too large, or time ran out.
   */
  unsearched: number,
};

/**
 * What was observed.
 */
export type FlowSeen = {
  /**
   * The text of the journal.
   */
  journal: string,
  /**
   * A head that was noted, or its beginning.
   */
  head: string | null,
  /**
   * The tree of the current files, if one was requested.
   */
  tree: string | null,
  /**
   * The paths that differ from the requested tree.
   */
  changed: Array<string>,
  /**
   * The SHA-256 digest of each output in hex; `None` when the file is missing.
   */
  outputs: { [key in string]: string | null },
};

/**
 * A request to `/flow-session`.
 */
export type FlowSessionCommand = {
  /**
   * The session, as the user names it.
   */
  named: string,
  /**
   * Whether the user takes it over, even if this machine didn't write its journal.
   */
  trust: boolean,
};

/**
 * How Flow builds.
 */
export type FlowSettings = {
  /**
   * Rounds of a feature: from a worker's report to the results of checks and review.
   */
  rounds: number,
  /**
   * How many criteria a reviewer judges in one answer. If left out: one, as long as that takes at most twelve calls.
   */
  criteria_per_call?: number,
  /**
   * What building may cost.
   */
  budget: FlowBudget,
  /**
   * Where the workers of new sessions work.
   */
  place?: Workplace,
  /**
   * How the copies of the project's files in which checks run again are prepared.
   */
  worktree: Worktree,
  /**
   * How many small faults are tried in a feature, to see whether its checks notice them; 0 tries none.
   */
  mutation: number,
  /**
   * When a model that did not build the change writes new tests for it.
   */
  exam: ExamPolicy,
  /**
   * The mutation testing tool that is used instead of these faults.
   */
  mutator: Mutator,
  /**
   * The user's own prices of models, by `provider/model`. In a configuration, `prices` is next to these settings.
   */
  prices?: { [key in string]: Price },
  /**
   * US dollars above which the user is asked first: `budget.confirm_usd`, which is next to these settings.
   */
  confirm_usd?: number,
  /**
   * Milliseconds that a call may wait without any output from the model: `timeouts.idle_ms`, which is next to these settings.
   */
  idle_ms?: number,
};

/**
 * The status of a session.
 */
export type FlowStatus = "draft" | "approved" | "running" | "awaiting_user" | "blocked" | "completed" | "archived";

/**
 * What the shell found out about the system.
 */
export type FlowSurroundings = {
  /**
   * The platform, as Node names it.
   */
  platform: string,
  /**
   * The environment of checks in the project itself.
   */
  environment: { [key in string]: string },
  /**
   * The user's home, absolute.
   */
  home: string,
  /**
   * The temp directory of the system, absolute.
   */
  temp: string,
  /**
   * The root of the project's tree, absolute.
   */
  top: string,
  /**
   * The root of the copy, absolute.
   */
  copy: string,
  /**
   * An empty directory for this copy alone, absolute, outside the project.
   */
  room: string,
};

/**
 * The lane's result in the project, or why it isn't there.
 */
export type FlowTaken = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The project's tree afterwards.
   */
  tree: string,
  /**
   * The paths that something else has changed meanwhile, from the root of the tree, sorted. If there is one, nothing was
   * written.
   */
  refused: Array<string>,
  /**
   * The patch that restores the earlier files, as a path from the root of the tree; `None` when nothing differs.
   */
  undo: string | null,
};

/**
 * The tests in a file.
 */
export type FlowTestCounts = {
  /**
   * The number of tests.
   */
  tests: number,
  /**
   * The number of assertions.
   */
  assertions: number,
  /**
   * The number of tests, or groups of tests, that are marked to be skipped.
   */
  skipped: number,
};

/**
 * The change of the tests in a file.
 */
export type FlowTestFile = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * Its contents before; `None` when it didn't exist.
   */
  before: FlowTestCounts | null,
  /**
   * Its contents now; `None` when it no longer exists.
   */
  after: FlowTestCounts | null,
};

/**
 * A changed setting that decides how tests run, in a file that also holds much else.
 */
export type FlowTestSetting = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * The part of the file; `None` when it is unknown, which means the whole file.
   */
  part?: FlowTestSettingPart,
};

/**
 * The part of such a file that changed.
 */
export type FlowTestSettingPart = { "part": "script",
  /**
   * Its name.
   */
  name: string,
  /**
   * The script before; `None` when it didn't exist.
   */
  before: string | null,
  /**
   * The script now; `None` when it no longer exists.
   */
  after: string | null, } | { "part": "tool",
  /**
   * The tool.
   */
  name: string,
};

/**
 * What has to be looked at.
 */
export type FlowToVerify = {
  /**
   * The tree with which the session was completed; `None` before it is.
   */
  tree: string | null,
  /**
   * Outputs of checks, below the session's directory.
   */
  outputs: Array<string>,
};

/**
 * The tokens and cost of something.
 */
export type FlowTook = {
  /**
   * Tokens of every kind.
   */
  tokens: number,
  /**
   * US dollars.
   */
  cost: number,
};

/**
 * The observed state of the files.
 */
export type FlowTreeTaken = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The tree.
   */
  tree: string,
  /**
   * The paths that differ from the effect's `since` tree, from the root of the tree, sorted; empty if the effect has no
   * `since`.
   */
  changed: Array<string>,
  /**
   * What happened to the tests in those paths that may hold any, by path; empty if no earlier state is kept.
   */
  tests: Array<FlowTestFile>,
  /**
   * The changed settings in them that decide how tests run, in files that also hold much else.
   */
  test_settings?: Array<FlowTestSetting>,
  /**
   * The processes that the worker had left running and that were ended.
   */
  ended?: Array<FlowEndedProcess>,
  /**
   * Whether the copy that the reviewer read has changed since it was made: something touched it, or it is gone.
   */
  unsealed?: boolean,
  /**
   * What git has on record; `None` when there is no repository.
   */
  recorded?: FlowGitRecord,
  /**
   * What copies would get as links; empty if the effect asks for none.
   */
  links?: Array<FlowLink>,
  /**
   * What OpenCode loads when it starts, in the project and in the user's own directories: its settings, agents, commands and
   * plugins. `changed` is what differs from the last look of the same process. `None` in journals of earlier versions.
   */
  loaded?: Array<FlowLink>,
  /**
   * The patch's path, from the root of the tree; `None` when nothing differs, the effect didn't ask for it, or there is no
   * git.
   */
  undo?: string,
  /**
   * The user's project, in a session that works in a lane.
   */
  outside?: FlowOutside,
  /**
   * What the files add, compared with the effect's base, of that which its rules forbid; `None` when the effect has no base.
   */
  added?: FlowAdded,
  /**
   * Whether the project's file of rules holds other rules than the session: then something other than the user's own
   * `/flow-feedback` in this process changed it.
   */
  rules_differ?: boolean,
};

/**
 * A mutant that was tried.
 */
export type FlowTriedMutant = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * The first line that differs, counted from 1.
   */
  line: number,
  /**
   * What differs, in words.
   */
  change: string,
  /**
   * The result of each command, in the effect's order, without its output.
   */
  runs: Array<CommandRan>,
  /**
   * Whether a command touched a file of the copy, in which case the result shows nothing.
   */
  touched?: boolean,
};

/**
 * An occurrence.
 */
export type FlowUse = {
  /**
   * Its line, counted from 1.
   */
  line: number,
  /**
   * Its line without margins, or the part of it around the occurrence.
   */
  text: string,
};

/**
 * What is searched for.
 */
export type FlowWanted = {
  /**
   * The id of the rule or the piece of feedback.
   */
  id: string,
  /**
   * The pattern.
   */
  pattern: string,
  /**
   * The files, as globs.
   */
  files: Array<string>,
};

/**
 * What taking the result of a lane would change in the project.
 */
export type FlowWeighed = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The project's tree now.
   */
  project: string,
  /**
   * The lane's tree now.
   */
  lane: string,
  /**
   * The tree with both sets of changes; `None` when they conflict.
   */
  merged: string | null,
  /**
   * The paths with conflicts, from the root of the tree, sorted.
   */
  conflicts: Array<string>,
  /**
   * The paths in which the merged tree differs from the project's, in the same form.
   */
  changed: Array<string>,
  /**
   * The paths in which the project differs from the tree that the effect names, in the same form.
   */
  moved: Array<string>,
  /**
   * The paths in which the lane differs from what was checked last, in the same form.
   */
  unchecked: Array<string>,
};

/**
 * A folder that the shell has looked into.
 */
export type Folder = {
  /**
   * The absolute path, with links resolved.
   */
  path: string,
  /**
   * What is in it. Links are left out because they may point anywhere.
   */
  children: Array<Child>,
  /**
   * How many files and folders of the attachment were listed so far.
   */
  known: number,
  /**
   * The most files and folders to list, if not as many as for an attachment.
   */
  most?: number,
  /**
   * The absolute paths of the output directories of runs.
   */
  outputs: Array<string>,
};

/**
 * What is done with a run.
 */
export type FollowUp = "review" | "refine" | "merge";

/**
 * A run's calls and expected cost.
 */
export type Forecast = {
  /**
   * Calls that name the run, if nothing fails.
   */
  naming: number,
  /**
   * Calls that draft the rubric for the task, if nothing fails.
   */
  drafting?: number,
  /**
   * Calls for designs, if nothing fails.
   */
  designing: number,
  /**
   * Calls for reviews, if nothing fails.
   */
  reviewing: number,
  /**
   * Calls for the decision map, if nothing fails.
   */
  mapping?: number,
  /**
   * Tokens of every kind, by the length of the prompts and the usual length of the answers.
   */
  tokens: number,
  /**
   * The cost of these tokens in US dollars.
   */
  cost: number,
  /**
   * What comparing the first two designs takes in addition if their scores are close; `None` if that isn't wanted.
   */
  close_pair?: CloseCalls,
  /**
   * What earlier runs of the same models took.
   */
  earlier: EarlierRuns | null,
  /**
   * How long the run takes, judged by how long these models took in earlier runs.
   */
  time?: ExpectedTime,
};

/**
 * A directory with a journal, as the shell found it.
 */
export type Found<S> = {
  /**
   * Below the output directory.
   */
  name: string,
  /**
   * The summary from its journal; `None` when that can't be read.
   */
  summary: Summary<S> | null,
  /**
   * Why its journal can't be read.
   */
  problem: Problem | null,
  /**
   * The process that it is running in at this moment.
   */
  owner: Owner,
};

/**
 * The user's approval of a rubric.
 */
export type GivenRubric = {
  /**
   * The hash that the user typed.
   */
  hash: string,
  /**
   * The file as it is now; `None` if there is none.
   */
  text?: string | null,
};

/**
 * A design of a ranked run, with everything that its builder needs to know.
 */
export type Handover = {
  /**
   * The run's directory, below the output directory.
   */
  run: string,
  /**
   * The design's id within the run.
   */
  design_id: DesignId,
  /**
   * Its place in the ranking; `None` when none of its scores count.
   */
  rank: number | null,
  /**
   * The verdict in a sentence, if it isn't clear that the first design is the best.
   */
  doubt: string | null,
  /**
   * The task of the design.
   */
  task: Task,
  /**
   * The design.
   */
  design: Design,
  /**
   * The weaknesses that reviewers found in it, without names and labels.
   */
  weaknesses: Array<string>,
};

/**
 * The result for the noted directories.
 */
export type HiddenOutputs = {
  /**
   * The paths that no designer can access, absolute: the usual directories of the project, output directories of
   * other runs, or single runs.
   */
  hidden: Array<string>,
  /**
   * Directories that no longer contain a run: their notes are to be removed.
   */
  lapsed: Array<string>,
};

/**
 * What all runs of an output directory show together.
 */
export type HistoryOfRuns = {
  /**
   * For programs.
   */
  json: string,
  /**
   * For people.
   */
  text: string,
};

/**
 * An agent of the host.
 */
export type HostAgent = {
  /**
   * Its name.
   */
  name: string,
  /**
   * The rules that apply to it, from any source: the last one that matches decides.
   */
  rules: Array<HostRule>,
};

/**
 * A program that loads the package.
 */
export type HostProgram = "opencode" | "kilo";

/**
 * A rule of OpenCode's permissions. `*` and `?` are wildcards in both fields.
 */
export type HostRule = {
  /**
   * The tool, or another permission.
   */
  permission: string,
  /**
   * The arguments of the tool.
   */
  pattern: string,
  /**
   * `allow`, `ask` or `deny`.
   */
  action: string,
};

/**
 * One person's scores or, in pairwise mode, verdicts.
 */
export type HumanReview = {
  /**
   * The person's id among the reviewers.
   */
  reviewer: ReviewerId,
  /**
   * A score on every dimension for each design that counts.
   */
  scores: Array<HumanScore>,
  /**
   * Which of two designs is better, with each pair once.
   */
  verdicts?: Array<HumanVerdict>,
};

/**
 * A form for one person.
 */
export type HumanReviewForm = {
  /**
   * The person's id among the reviewers.
   */
  reviewer: ReviewerId,
  /**
   * Goes into the journal before any file is written; `None` when the journal has it already.
   */
  event: EventKind<Opening, Decision> | null,
  /**
   * Paths below the run directory, and contents. An existing file may have been filled in, so it must not be overwritten.
   */
  files: Array<[string, string]>,
};

/**
 * The arguments of `/design-lab-review`.
 */
export type HumanReviewRequest = {
  /**
   * The person, as the user wrote the name.
   */
  human: string,
  /**
   * The run, as the user wrote it; may be empty.
   */
  run: string,
};

/**
 * One score by a person.
 */
export type HumanScore = {
  /**
   * The design's id.
   */
  design: DesignId,
  /**
   * The dimension's name.
   */
  dimension: string,
  /**
   * Within the dimension's bounds.
   */
  score: number,
  /**
   * The person's comment; may be empty.
   */
  comment: string,
};

/**
 * One verdict by a person.
 */
export type HumanVerdict = {
  /**
   * The design that was shown first.
   */
  first: DesignId,
  /**
   * The other.
   */
  second: DesignId,
  /**
   * Which is better.
   */
  verdict: Preferred,
  /**
   * The person's comment; may be empty.
   */
  comment: string,
};

/**
 * An image that is part of a task.
 */
export type Image = {
  /**
   * The name, as the user wrote it.
   */
  name: string,
  /**
   * Where the run keeps it, and how it is recognised.
   */
  file: KeptFile,
};

/**
 * The output received so far of a call in progress.
 */
export type Incoming = {
  /**
   * The session that was prompted.
   */
  session: string,
  /**
   * Whether nothing has arrived since the prompt.
   */
  waiting: boolean,
  /**
   * Characters of text and reasoning since the prompt.
   */
  characters: number,
  /**
   * Milliseconds in which they arrived.
   */
  writing_ms: number,
};

/**
 * What must be known to judge a call.
 */
export type Inquiry = { "kind": "allow" } | { "kind": "deny" } & Denial | { "kind": "ask",
  /**
   * Strings to resolve from the session's directory, each to become a [`super::PathFact`].
   */
  paths: Array<string>,
  /**
   * Addresses to parse and look up, each to become a [`super::UrlFact`].
   */
  urls: Array<string>,
  /**
   * Whether the shell must find out which blocked directories searches are kept out of.
   */
  guards: boolean,
  /**
   * Arguments to remove from the call. The call means the same without them, but ripgrep lets a glob for all
   * files override `.ignore`.
   */
  drop: Array<string>,
};

/**
 * An instruction file in the project.
 */
export type InstructionFile = {
  /**
   * Its path, as the host's text names it.
   */
  path: string,
  /**
   * Its content; `None` when it is gone.
   */
  now: string | null,
  /**
   * Its content before the change; `None` when it didn't exist.
   */
  before: string | null,
};

/**
 * What designers and reviewers may access.
 */
export type Isolation = {
  /**
   * Whether isolation is on; the results say so if it isn't.
   */
  enforce_design_isolation: boolean,
  /**
   * Globs, relative to the project, that are blocked in addition to the output directory, which is always blocked;
   * at most 256.
   */
  blocked_patterns: Array<string>,
  /**
   * Tools that designers and reviewers may call, at most 64.
   */
  allowed_tools: Array<string>,
};

/**
 * The rules for every lab session while a run is running. Built once per run by [`Rules::new`]; if several runs are
 * running, each has the directories of all of them among its [`Places`].
 */
export type IsolationRules = {
  /**
   * `isolation.enforce_design_isolation`. If false, nothing is hidden from a session; the list of tools and
   * OpenCode's own safeguards still apply.
   */
  enforce: boolean,
  /**
   * The sessions' working directory, absolute; relative paths start here.
   */
  project: string,
  /**
   * The root of the repository around the project, absolute; `None` if there is no repository.
   */
  worktree: string | null,
  /**
   * The real paths of these two.
   */
  real: RealPlaces,
  /**
   * The directories that sessions can't access, including everything below them.
   */
  blocked: Array<BlockedRoot>,
  /**
   * Globs relative to the project.
   */
  patterns: Array<string>,
  /**
   * The tools that may be called.
   */
  allowed_tools: Array<string>,
};

/**
 * Identifies a job within its run: one conversation with one model, in one session at a time. The workflow chooses the ids of
 * its jobs and their meaning; the kernel only tells them apart.
 */
export type JobId = string;

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/**
 * A file that the run keeps and sends to models. The shell sends exactly these bytes.
 */
export type KeptFile = {
  /**
   * Below the run directory, `/` between segments.
   */
  path: string,
  /**
   * Its media type.
   */
  mime: string,
  /**
   * Its size in bytes.
   */
  bytes: number,
  /**
   * SHA-256 of its bytes, in lower-case hex.
   */
  sha256: string,
};

/**
 * The kind of a file.
 */
export type Kind = "config" | "design" | "form" | "journal" | "map" | "ranking" | "review" | "score" | "table" | "task";

/**
 * The name by which a reviewer knows a design: a word that reveals neither order nor author.
 *
 * Only the run's journal records which design it stands for.
 */
export type Label = string;

/**
 * The ranks of sources, lowest first.
 */
export type Layer = "default" | "global" | "project" | "options";

/**
 * How many entries of a folder are left out because of what they are.
 */
export type LeftOut = {
  /**
   * Files whose names suggest that they hold keys.
   */
  keys: number,
  /**
   * Files and folders that git ignores.
   */
  ignored: number,
};

/**
 * A coarse level of risk or impact.
 */
export type Level = "low" | "medium" | "high";

/**
 * Lines of a file, counted from 1.
 */
export type Lines = {
  /**
   * The first line.
   */
  first: number,
  /**
   * The last line; `None` for all that follow.
   */
  last: number | null,
};

/**
 * Which runs the user wants listed.
 */
export type Listed = "latest" | "all";

/**
 * The entries of a folder to look at.
 */
export type Listing = {
  /**
   * The entries, in the order in which to look at them.
   */
  children: Array<Child>,
  /**
   * Whether entries were left out because the limit was reached.
   */
  more: boolean,
  /**
   * What else was left out.
   */
  left_out: LeftOut,
};

/**
 * The kind of a row, for its colours.
 */
export type Look = "done" | "failed" | "heading" | "pausing" | "plain" | "ranked" | "remark" | "title" | "waiting" | "working";

/**
 * What was found at a path that an answer cites.
 */
export type LookedUp = {
  /**
   * The path as the answer writes it.
   */
  path: string,
  /**
   * What was found there.
   */
  found: PathFound,
  /**
   * How many lines the file has; `None` for anything but a file, and for a file that is too large to count.
   */
  lines: number | null,
  /**
   * Where a name was found, or what was found instead. Only for names that are no paths.
   */
  place?: string,
};

/**
 * What the shell has to read to look up names.
 */
export type Lookups = {
  /**
   * The searches: a name is found where a file contains all its words.
   */
  searches: Array<NameSearch>,
  /**
   * The files to search.
   */
  sources: Array<string>,
  /**
   * Whether the project has code that is not searched, so that a name that isn't found may still exist.
   */
  partial: boolean,
  /**
   * The names that [`declared`] looks up.
   */
  declared: Array<string>,
  /**
   * The files to read for it.
   */
  manifests: Array<string>,
  /**
   * Whether the project has manifests that are not read.
   */
  partly_declared: boolean,
  /**
   * The paths that the shell looks up by itself.
   */
  paths: Array<string>,
  /**
   * What the list of files has already answered.
   */
  known: Array<LookedUp>,
};

/**
 * A manifest or lock file that the shell has read.
 */
export type Manifest = {
  /**
   * Its path, relative to the project.
   */
  path: string,
  /**
   * Its text.
   */
  text: string,
};

/**
 * A passage of a design.
 */
export type MapQuote = {
  /**
   * The design's id.
   */
  design_id: DesignId,
  /**
   * The passage as the model copied it.
   */
  quote: string,
  /**
   * Why it shows nothing; missing if it was found.
   */
  fault?: QuoteFault,
};

/**
 * The arguments of a request for a map.
 */
export type MapRequest = {
  /**
   * Whether the user has said yes to the possible cost.
   */
  permitted: boolean,
  /**
   * Whether the user only wants to know what it would cost.
   */
  dry_run: boolean,
};

/**
 * Tests that decide criteria: those of a file, those with a title, or those of a file with a title.
 */
export type MappedTests = {
  /**
   * Their file, relative to the directory of the tests.
   */
  file: string | null,
  /**
   * Text that their title contains, including the titles of their groups: `group › title`.
   */
  title: string | null,
  /**
   * The ids of the criteria that they decide.
   */
  criteria: Array<string>,
};

/**
 * A map as its author wrote it: its sentences contain the labels under which the author saw the designs.
 */
export type Mapping = {
  /**
   * The map, with the designs' real ids where it refers to them.
   */
  map: DecisionMap,
  /**
   * How its author saw the designs.
   */
  presented: Presented,
};

/**
 * A design model.
 */
export type ModelEntry = {
  /**
   * The slug that names files and agents, unique within its kind.
   */
  id: string,
  /**
   * The name that people see.
   */
  name: string,
  /**
   * `provider/model`; the model part may contain further slashes.
   */
  model_id: string,
  /**
   * 0–2.
   */
  temperature: number,
  /**
   * Replaces the built-in prompt of its kind; already read from its file.
   */
  prompt_template: string | null,
  /**
   * The angle from which it designs, added to its prompt, so that one model can write several different designs.
   */
  brief: string | null,
  /**
   * The provider's variant (reasoning effort and the like), passed through.
   */
  variant: string | null,
};

/**
 * The facts about a model from the host's catalogue.
 */
export type ModelFacts = {
  /**
   * `provider/model`.
   */
  model_id: string,
  /**
   * US dollars per million input tokens; 0 when unknown.
   */
  input_cost: number,
  /**
   * US dollars per million output tokens; 0 when unknown.
   */
  output_cost: number,
  /**
   * Whether it accepts images.
   */
  images?: boolean,
  /**
   * Whether it runs on the user's own machine: then it is free, and handles one call at a time.
   */
  local?: boolean,
  /**
   * Whether it can't call tools: many servers refuse a request that offers some.
   */
  no_tools?: boolean,
  /**
   * The user's own price for it: takes precedence over the host's catalogue and reports.
   */
  own?: Price,
};

/**
 * A mutation testing tool that is run for each feature, in a copy of the project's files.
 */
export type Mutator = {
  /**
   * The command that runs the tool, program and arguments: `["npx", "stryker", "run"]`. If left out, Flow makes its own faults.
   */
  command: Array<string>,
  /**
   * Where the tool writes its report, relative to the project's directory: a JSON file in Stryker's format, `mutants.out` of
   * cargo-mutants, or `mutants` of mutmut.
   */
  report: string,
  /**
   * Milliseconds that the command may take.
   */
  timeout_ms: number,
};

/**
 * A name to search for.
 */
export type NameSearch = {
  /**
   * The name, as [`LookedUp::path`] repeats it.
   */
  name: string,
  /**
   * Its words; the line of the last one is where the name was found.
   */
  words: Array<string>,
};

/**
 * A file named after `--with`.
 */
export type NamedFile = {
  /**
   * The path as written.
   */
  path: string,
  /**
   * Whether it was named with `@`, as attachments are: relative to the root of the repository.
   */
  mentioned: boolean,
};

/**
 * A text and the name of the file that it comes from, as the user wrote it.
 */
export type NamedText = {
  /**
   * The file.
   */
  name: string,
  /**
   * Its content.
   */
  text: string,
};

/**
 * Models of vendors that are new to a project.
 */
export type NewVendors = {
  /**
   * Which models would have which role: `reviewers will be a/b and c/d`.
   */
  who: string,
  /**
   * Their providers, by id, each once.
   */
  providers: Array<string>,
};

/**
 * The newest version of Design Lab that npm knows.
 */
export type Newest = { "kind": "not_asked" } | { "kind": "unknown" } | { "kind": "known", "version": string };

/**
 * The effects of a workflow that has none.
 */
export type NoEffect = never;

/**
 * A noted directory that exists.
 */
export type NotedOutput = {
  /**
   * The absolute path.
   */
  directory: string,
  /**
   * The names of the directories in it that contain a run, or one that is about to start.
   */
  runs: Array<string>,
  /**
   * Whether it contains anything that is neither a run nor a file of this package.
   */
  others: boolean,
};

/**
 * The output directories that runs have noted, as the shell sees them.
 */
export type NotedOutputs = {
  /**
   * The sessions' working directory, absolute.
   */
  project: string,
  /**
   * The root of the repository around it, absolute; `None` if there is no repository.
   */
  worktree: string | null,
  /**
   * The directories, including the project's usual one, whether it was noted or not.
   */
  noted: Array<NotedOutput>,
};

/**
 * Something that only one design has.
 */
export type OnlyOne = {
  /**
   * What it is, in the model's words.
   */
  statement: string,
  /**
   * The passage that shows it.
   */
  quote: MapQuote,
  /**
   * Whether the passage was found in this design and in no other.
   */
  checked: boolean,
};

/**
 * The start of a run: everything that its outcome depends on, except the models.
 */
export type Opening = {
  /**
   * [`kernel::protocol::JOURNAL_VERSION`].
   */
  version: number,
  /**
   * The workflow. Missing in journals from before there were other workflows.
   */
  workflow: string,
  /**
   * The rules for accepting answers.
   */
  acceptance?: ReplyRules,
  /**
   * The package's version.
   */
  package: string,
  /**
   * The user's local date, `YYYY-MM-DD`: the start of the run directory's name.
   */
  date: string,
  /**
   * The user's task.
   */
  task: Task,
  /**
   * The effective configuration.
   */
  config: Config,
  /**
   * The seed of every shuffle and jitter, below 2^53: configured, or derived from the task.
   */
  seed: number,
  /**
   * Whether the user asked for another run of exactly the same task.
   */
  new_directory: boolean,
  /**
   * Sentences that the user should read, such as which models were picked and why.
   */
  notes: Array<string>,
  /**
   * The facts of the host's catalogue about the models in use.
   */
  models: Array<ModelFacts>,
  /**
   * Whether the run ends once its designs are written, so that the user can read them before they are reviewed.
   */
  review_later?: boolean,
  /**
   * Whether the user has already said yes, so that the run doesn't wait.
   */
  permitted?: boolean,
  /**
   * Vendors that would get the project's files for the first time: the run waits until the user allows it.
   */
  vendors?: NewVendors,
  /**
   * The expected cost. `None` in journals from before there were forecasts.
   */
  forecast?: Forecast,
  /**
   * The earlier run that this one is built upon.
   */
  basis?: Parent,
  /**
   * The user's own designs.
   */
  candidates?: Array<Candidate>,
  /**
   * The images of the task, in the order in which the task names them; their bytes are in the run's directory.
   */
  images?: Array<Image>,
  /**
   * Whether a model first drafts a rubric for the task, which the user decides on before any design is written.
   */
  drafts_rubric?: boolean,
  /**
   * The rubric for the task that the user approved in the run that this one is built upon.
   */
  rubric?: TaskRubric,
  /**
   * A digest of the project, for models that can't call tools.
   */
  brief?: Brief,
};

/**
 * The start of a run, as the shell gathered it.
 */
export type OpeningInput = {
  /**
   * The package's version.
   */
  package: string,
  /**
   * The user's local date, `YYYY-MM-DD`.
   */
  date: string,
  /**
   * The arguments of the command: flags, then the task.
   */
  text: string,
  /**
   * The attachments of the command: part of the task.
   */
  attachments: Array<Attachment>,
  /**
   * The configuration texts.
   */
  sources: Array<Source>,
  /**
   * The files that these refer to.
   */
  files: Array<ReferencedFile>,
  /**
   * The models of the connected providers.
   */
  available: AvailableModels,
  /**
   * Whether a model called the command: the user was then asked for permission.
   */
  permitted: boolean,
  /**
   * The output directories of other runs, which are hidden from this one.
   */
  outputs: NotedOutputs,
  /**
   * The project, by each of its absolute paths.
   */
  project: Array<string>,
  /**
   * The paths of the repository around it, likewise; empty if there is none.
   */
  worktree: Array<string>,
  /**
   * The project's files that the shell has listed and read for a digest.
   */
  brief?: Attachment,
};

/**
 * The origin of a run, judged by its journal and the key of this machine.
 */
export type Origin = "here" | "elsewhere" | "unmarked";

/**
 * How a run ended in this process.
 */
export type Outcome = "cancelled" | "complete" | "partial" | "paused" | "pending" | "stopped" | "waiting";

/**
 * The arguments of `/design-lab-rank` if they record an outcome.
 */
export type OutcomeRequest = {
  /**
   * The run, as the user wrote it; empty for the latest.
   */
  run: string,
  /**
   * The outcome of one of its designs.
   */
  outcome: DesignOutcome,
};

/**
 * Where runs are kept.
 */
export type OutputDirectory = {
  /**
   * The directory, as configured.
   */
  name: string,
  /**
   * Why nothing can be written there.
   */
  failure: DiskFailure | null,
  /**
   * Design Lab's ignore files that were left there although no run is running: `.ignore`, `.rgignore`.
   */
  ignore_files_left: Array<string>,
  /**
   * Runs whose directory holds the lock of a process that no longer exists.
   */
  stale_locks: Array<string>,
  /**
   * Where it is.
   */
  place: OutputPlace,
};

/**
 * What the shell found out about the configured output directory. All paths are absolute.
 */
export type OutputPlace = {
  /**
   * The configured directory, resolved from the project's directory.
   */
  directory: string,
  /**
   * The real path of the longest part of it that exists, with links resolved and the rest appended.
   */
  real: string,
  /**
   * Where the configuration's relative paths start.
   */
  project: string,
  /**
   * The real path of that directory.
   */
  project_real: string,
  /**
   * The user's home directory.
   */
  home: string,
  /**
   * The directories from which OpenCode loads settings, and where it keeps data.
   */
  host: Array<string>,
};

/**
 * A user's file with a design in it.
 */
export type OwnFile = {
  /**
   * As the user named it.
   */
  file: string,
  /**
   * The patterns that hide it from designers and reviewers; empty if it is out of their reach.
   */
  hidden: Array<string>,
};

/**
 * The process that a run is running in.
 */
export type Owner = { "kind": "nobody" } | { "kind": "process",
  /**
   * In words: `process 4711`, `process 4711 on build-2`.
   */
  name: string,
  /**
   * Whether it is the current process.
   */
  here: boolean,
};

/**
 * What is running. Words and figures are final: a terminal only chooses colours and cuts text that is too long.
 */
export type Panel = {
  /**
   * The name of what is running.
   */
  name: string,
  /**
   * The command that stops it.
   */
  cancel: string,
  /**
   * One line, for when there is no room for more.
   */
  summary: string,
  /**
   * From top to bottom, for about 38 columns.
   */
  rows: Array<Row>,
};

/**
 * The earlier run that a run builds upon.
 */
export type Parent = {
  /**
   * The earlier run's directory, below the output directory.
   */
  run: string,
  /**
   * What is done with its designs.
   */
  step: Step,
  /**
   * Its designs that take part, best first if they were ranked.
   */
  designs: Array<EarlierDesign>,
  /**
   * Where these designs agree and differ, for a model that merges them; `None` if nobody mapped that.
   */
  map?: Mapping,
};

/**
 * The jobs of one model in one duty, and their outcomes.
 */
export type PastCalls = {
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * The kind of job.
   */
  duty: Duty,
  /**
   * Jobs that were requested and are settled.
   */
  jobs: number,
  /**
   * How many of these failed for good.
   */
  failed: number,
  /**
   * Calls that these jobs took.
   */
  calls: number,
  /**
   * Answers that could not be used as they were.
   */
  unusable: number,
  /**
   * Calls that returned no answer.
   */
  broken: number,
  /**
   * US dollars.
   */
  cost: number,
  /**
   * Tokens of every kind.
   */
  tokens: number,
  /**
   * Milliseconds that it worked.
   */
  ms: number,
};

/**
 * A design of a past run.
 */
export type PastDesign = {
  /**
   * `provider/model`; `None` when no model wrote it.
   */
  author: string | null,
  /**
   * Whether its author wrote it from the task alone, not as a second version and not by merging others.
   */
  first: boolean,
  /**
   * How it turned out; `None` if nobody said so.
   */
  turned_out?: TurnedOut,
  /**
   * Whether somebody else may have said so, on another machine.
   */
  elsewhere?: boolean,
};

/**
 * A reviewer of a past run.
 */
export type PastReviewer = {
  /**
   * `provider/model`, or the person's name.
   */
  name: string,
  /**
   * Whether it is a person.
   */
  person: boolean,
};

/**
 * The rubric of a past run.
 */
export type PastRubric = {
  /**
   * Where it comes from.
   */
  origin: RubricOrigin,
  /**
   * The share of each dimension, from 0 to 1, in the variance between the designs' mean scores; empty if these don't differ.
   */
  spread: Array<[string, number]>,
};

/**
 * What the history needs to know about one run.
 */
export type PastRun = {
  /**
   * The task's number, which is the same for runs of the same task.
   */
  task: number,
  /**
   * Whether it has a ranking.
   */
  ranked: boolean,
  /**
   * Whether designs were compared in pairs, in which case there are no scores.
   */
  pairwise: boolean,
  /**
   * The designs in the ranking.
   */
  designs: Array<PastDesign>,
  /**
   * The reviewers who scored any of them.
   */
  reviewers: Array<PastReviewer>,
  /**
   * The scores, from 0 to 10: index of the design, index of the reviewer, and the score.
   */
  scores: Array<[number, number, number]>,
  /**
   * The calls of its models.
   */
  calls: Array<PastCalls>,
  /**
   * The rubric, if reviewers scored by one.
   */
  rubric: PastRubric | null,
};

/**
 * Where a path leads.
 */
export type PathFact = {
  /**
   * The path as requested.
   */
  given: string,
  /**
   * For a relative path, the session's directory, a slash and the path; otherwise the path as given. No link is
   * followed, no `..` resolved.
   */
  absolute: string,
  /**
   * The real path of the longest part of `absolute` that exists, links followed and in the file system's own
   * spelling (`fs.realpathSync.native`), with the rest appended.
   */
  real: string,
  /**
   * What exists at the path: nothing if the part before a `..` isn't a directory.
   */
  kind: PathKind,
  /**
   * Whether it is a file with other hard links, one of which is in a blocked directory.
   */
  same_file_as_blocked: boolean,
};

/**
 * What was found at a path.
 */
export type PathFound = "file" | "nothing" | "other" | "outside";

/**
 * What exists at a path, links followed.
 */
export type PathKind = "directory" | "file" | "missing" | "other";

/**
 * A question to the user, in the words of OpenCode's permissions.
 */
export type Permission = {
  /**
   * The tool.
   */
  permission: string,
  /**
   * The arguments: the action, then the text.
   */
  pattern: string,
  /**
   * The pattern that is permitted from now on if the user answers "always".
   */
  always: string,
};

/**
 * A person who reviews by filling in a form.
 */
export type Person = {
  /**
   * The slug that names the form; no design and no other reviewer has it.
   */
  id: ReviewerId,
  /**
   * The index in the file's `review_models`.
   */
  place: number,
};

/**
 * The directories that the rules of a run depend on, each absolute.
 */
export type Places = {
  /**
   * The sessions' working directory.
   */
  project: string,
  /**
   * OpenCode's worktree. `/`, which OpenCode reports outside a repository, counts as `None`.
   */
  worktree: string | null,
  /**
   * The real paths of these two.
   */
  real: RealPlaces,
  /**
   * The output directories of all running runs, each both as configured and as the real path if they differ.
   */
  outputs: Array<string>,
  /**
   * The output directories in which searches would find designs, because a `.rgignore` that isn't Design Lab's is in
   * the way.
   */
  unguarded: Array<string>,
  /**
   * The other directories that this package keeps ([`super::hidden_outputs`]): output directories of other runs,
   * single runs, sessions of Flow. They may lack an `.ignore`. A directory that contains the project blocks nothing.
   */
  former: Array<string>,
  /**
   * OpenCode's own data and state directories, which contain every session's messages and cut-off tool results; this
   * package's own state; and the configuration files, which name every designer. A directory that contains the
   * project blocks nothing: its other contents are outside the project.
   */
  host: Array<string>,
};

/**
 * Where Playwright and the browser are.
 */
export type PlaywrightSettings = {
  /**
   * The browser's executable; null to search for one.
   */
  browser: string | null,
  /**
   * The directory in which `@playwright/test` is installed; null for the project's own.
   */
  directory: string | null,
};

/**
 * A port.
 */
export type Port = Auto | number;

/**
 * An answer to a question.
 */
export type Position = {
  /**
   * The answer, in the model's words.
   */
  position: string,
  /**
   * The passages that show it.
   */
  quotes: Array<MapQuote>,
};

/**
 * Which of two designs a reviewer prefers.
 */
export type Preferred = "first" | "second" | "tie";

/**
 * The order and the labels in which one reviewer sees the designs, in one repeat.
 */
export type Presented = {
  /**
   * The review job, or a person's form.
   */
  job: JobId,
  /**
   * Design ids in the order shown.
   */
  order: Array<DesignId>,
  /**
   * The label of each, in the same order.
   */
  labels: Array<Label>,
};

/**
 * The price of a model's tokens from the user's own table, in US dollars per million.
 */
export type Price = {
  /**
   * Tokens sent; 0 if a subscription covers them.
   */
  input: number,
  /**
   * Tokens received, reasoning included.
   */
  output: number,
  /**
   * Tokens read from the provider's cache; null means the same as `input`.
   */
  cache_read: number | null,
  /**
   * Tokens written to the provider's cache; null means the same as `input`.
   */
  cache_write: number | null,
};

/**
 * An expected failure: a stable code, a sentence, the place, and what to do next.
 *
 * Expected failures are data, never panics: they cross the wasm boundary as this object.
 */
export type Problem = {
  /**
   * Stable and dotted, for programs and searches: `config.unknown-key`.
   */
  code: string,
  /**
   * One sentence that says what is wrong.
   */
  message: string,
  /**
   * The file, as the user wrote it or would recognise it; never a home path.
   */
  file?: string,
  /**
   * 1-based.
   */
  line?: number,
  /**
   * 1-based, in characters.
   */
  column?: number,
  /**
   * JSON pointer (RFC 6901) into the document.
   */
  pointer?: string,
  /**
   * What was found there, shortened.
   */
  found?: string,
  /**
   * What is allowed there.
   */
  allowed?: string,
  /**
   * What to do next, in a sentence or a command.
   */
  next?: string,
};

/**
 * Where an artefact came from and what it cost.
 */
export type Provenance = {
  /**
   * When the accepted answer arrived, ISO 8601 in UTC; for a user's own file, the day on which it was read.
   */
  generated_at: string,
  /**
   * The model as the provider named it in its answer.
   */
  model_version: string,
  /**
   * The requested temperature; null if the model decides.
   */
  temperature: number | null,
  /**
   * How many prompts it took, repairs and retries included.
   */
  attempts: number,
  /**
   * US dollars over all attempts.
   */
  cost: number,
  /**
   * Tokens over all attempts.
   */
  tokens: Tokens,
  /**
   * Milliseconds from the first prompt to the accepted answer.
   */
  duration_ms: number,
  /**
   * What extraction repaired in the accepted answer, in words; empty when nothing was.
   */
  repairs: Array<string>,
};

/**
 * The purpose for which a run is chosen.
 */
export type Purpose = "cancel" | "file" | "form" | "rank" | "follow_up" | "review" | "amend" | "resume" | "retry" | "status";

/**
 * Why a quote shows nothing.
 */
export type QuoteFault = "no_quote" | "not_found" | "in_others";

/**
 * The input of a ranking.
 */
export type RankInput = {
  /**
   * A run's journal; if there is one, nothing else is used.
   */
  journal?: NamedText,
  /**
   * A run's `config.json`, for its rubric and its ranking options.
   */
  config?: NamedText,
  /**
   * Scores or verdicts as CSV, or the same rows as a JSON array of objects.
   */
  table?: NamedText,
  /**
   * The bounds of the table's scores, as the user wrote them: `1-5`. A run knows its own.
   */
  scale?: string,
  /**
   * A configuration whose rubric was used to score the table. A run knows its own.
   */
  rubric?: NamedText,
};

/**
 * A ranking without a run.
 */
export type RankedTable = {
  /**
   * As in `ranking.json`.
   */
  json: string,
  /**
   * For people.
   */
  text: string,
  /**
   * How the table was read, for people; usually empty.
   */
  notes: string,
};

/**
 * The result of a ranking, in one line.
 */
export type RankingInShort = {
  /**
   * How certain the first place is.
   */
  verdict: VerdictKind,
  /**
   * The designs that share the first place; empty if none is ranked.
   */
  first: Array<DesignId>,
  /**
   * The designer's title of the single design in first place; empty if there are several, or the title is unknown.
   */
  title: string,
};

/**
 * A file that was read.
 */
export type Read = {
  /**
   * The path relative to the attachment; empty for the attachment itself.
   */
  path: string,
  /**
   * Its text; `None` when the bytes are not UTF-8.
   */
  text: string | null,
  /**
   * The image in its bytes, if there is one.
   */
  image: SeenImage | null,
};

/**
 * How to detect that a server is ready: by one of these.
 */
export type Ready = {
  /**
   * A path that answers, or a whole address: `https://localhost:${port}/` for HTTPS.
   */
  url: string | null,
  /**
   * The status of that answer; 200 if left out.
   */
  status: number | null,
  /**
   * Whether it is ready once something listens on its port.
   */
  port: boolean,
  /**
   * A text in its log.
   */
  log: string | null,
};

/**
 * The real paths of the project and its repository, if the host spells them through a link.
 */
export type RealPlaces = {
  /**
   * Of [`Places::project`]; `None` when it is the same.
   */
  project: string | null,
  /**
   * Of [`Places::worktree`]; `None` when it is the same.
   */
  worktree: string | null,
};

/**
 * The configuration with which a run continues after a change.
 */
export type Reconfiguration = {
  /**
   * The effective configuration from now on.
   */
  config: Config,
  /**
   * Sentences that the user should read; they replace those of the [`Opening`].
   */
  notes: Array<string>,
  /**
   * The facts of the host's catalogue about the models in use.
   */
  models: Array<ModelFacts>,
  /**
   * The reviewers who join a ranked run; if there are any, only they are asked.
   */
  added?: Array<ReviewerId>,
};

/**
 * Text that contains nothing with the shape of a secret, and no home directory.
 */
export type Redacted = string;

/**
 * A file that a configuration refers to as `{file:path}`.
 */
export type Reference = {
  /**
   * [`Source::file`] of the configuration that refers to it: the path is relative to that file's directory
   * (for plugin options, to the project).
   */
  source: string,
  /**
   * The path as written: relative, and never outside the project or the global configuration directory.
   */
  path: string,
};

/**
 * What the shell found at a [`Reference`].
 */
export type ReferencedFile = {
  /**
   * The file's text; `None` if it could not be read.
   */
  text?: string,
  /**
   * Why it could not be read.
   */
  error?: string,
  /**
   * Its real path with links resolved, relative to the real directory that the path starts from. `None` when it
   * could not be determined.
   */
  leads?: string,
  /**
   * [`Source::file`] of the configuration that refers to it: the path is relative to that file's directory
   * (for plugin options, to the project).
   */
  source: string,
  /**
   * The path as written: relative, and never outside the project or the global configuration directory.
   */
  path: string,
};

/**
 * Commands, agents and permissions by name, in the form of OpenCode 1.x's settings `command`, `agent` and `permission`; and the
 * tools for models.
 */
export type Registration = {
  /**
   * Slash commands.
   */
  commands: { [key in string]: JsonValue },
  /**
   * Agents.
   */
  agents: { [key in string]: JsonValue },
  /**
   * The tools for the models of the user's own sessions.
   */
  tools: { [key in string]: Tool },
  /**
   * The permissions that apply before a tool is used, unless the user's own settings say otherwise.
   */
  permission: { [key in string]: JsonValue },
};

/**
 * A run that results from a journal.
 */
export type Replayed = {
  /**
   * The handle of the run.
   */
  handle: number,
  /**
   * How many bytes of the journal are whole: anything after them must be cut off.
   */
  whole: number,
};

/**
 * A model's answer to one prompt.
 */
export type Reply = {
  /**
   * The text of the last assistant message, without reasoning.
   */
  text: string,
  /**
   * Why the model stopped, as the host reports it: `stop`, `length`, `content-filter`, ….
   */
  finish: string,
  /**
   * The model's name as the provider reported it; empty when unknown.
   */
  model: string,
  /**
   * US dollars, over all assistant messages of this prompt.
   */
  cost: number,
  /**
   * Tokens, over all assistant messages of this prompt.
   */
  tokens: Tokens,
  /**
   * How often the host repeated the request before it was answered.
   */
  host_retries: number,
  /**
   * How many of its requests broke off after the model had begun to answer: their usage is not reported.
   */
  cut_off: number,
  /**
   * How often the model has read or searched files of the project in this session so far; `None` when the host doesn't report
   * it. Older journals don't have it.
   */
  reads: number | null,
  /**
   * What the shell found at the paths that the text cites when the answer arrived. Older journals don't have it.
   */
  looked_up?: Array<LookedUp>,
  /**
   * How many requests were sent to the provider for it; 0 when they were not counted.
   */
  requests: number,
  /**
   * Tokens of the prompt in the first of these requests, cached ones included, as the provider reported them. Older journals
   * don't have it.
   */
  prompt_tokens?: number,
  /**
   * The size in tokens that the host assumes for the conversation, from the provider's last report, plausible or not. Older
   * journals don't have it.
   */
  held?: number,
};

/**
 * The rules by which a run accepts answers.
 *
 * A run keeps the rules under which it was opened: replaying its journal judges every answer again, and must reach the same verdict.
 */
export type ReplyRules = "structure" | "own_words" | "filled_lists" | "fresh_start" | "single_criterion" | "checked_claims" | "quoted_reviews" | "separate_criteria";

/**
 * Everything that a new ranking depends on and that the journal didn't contain yet.
 */
export type Rerank = {
  /**
   * `review.exclude_self` from now on.
   */
  exclude_self: boolean,
  /**
   * `review.exclude_family` from now on.
   */
  exclude_family: boolean,
  /**
   * The dimensions' weights from now on, by name; empty in pairwise mode.
   */
  weights: { [key in string]: number },
  /**
   * People's scores; these replace all earlier ones.
   */
  humans: Array<HumanReview>,
  /**
   * Sentences that the user should read, such as what a form still lacks.
   */
  notes: Array<string>,
};

/**
 * The input of a new ranking, as the shell gathered it.
 */
export type RerankInput = {
  /**
   * The current configuration texts.
   */
  sources: Array<Source>,
  /**
   * The files that these refer to.
   */
  files: Array<ReferencedFile>,
  /**
   * The models of the connected providers.
   */
  available: AvailableModels,
  /**
   * Every `human/*.csv` of the run, by its path below the run directory.
   */
  forms: Array<NamedText>,
};

/**
 * The arguments of `/design-lab-resume`.
 */
export type ResumeRequest = {
  /**
   * The run, as the user names it; empty for the latest.
   */
  run: string,
  /**
   * The purpose for which the run is chosen.
   */
  purpose: Purpose,
  /**
   * The models that are to join its reviewers.
   */
  add?: Add,
  /**
   * Whether to map where its designs agree and differ.
   */
  map?: MapRequest,
  /**
   * Whether to compare its first two designs.
   */
  close?: CloseRequest,
  /**
   * Whether to review it until its first place is clear, and what that may cost from here on.
   */
  until?: UntilClear,
  /**
   * The change to its set of designs.
   */
  amendment?: Amendment,
  /**
   * The rubric for the task that the user approves.
   */
  rubric?: GivenRubric,
  /**
   * Whether the user trusts the run although it wasn't started on this machine.
   */
  trust?: boolean,
  /**
   * Whether a model called the command: it can't allow vendors to receive the project's files.
   */
  by_model?: boolean,
  /**
   * Whether the user has said yes to what its reviews may cost.
   */
  permitted?: boolean,
};

/**
 * How a new process continues a run.
 */
export type Resumption = {
  /**
   * What the run's designers and reviewers may reach from now on.
   */
  isolation: Isolation,
  /**
   * The providers that the user allows to receive the project's files by continuing a run that was waiting for that.
   */
  agreed: Array<string>,
  /**
   * The events that start the run in this process.
   */
  events: Array<EventKind<Opening, Decision>>,
};

/**
 * How often to retry.
 */
export type Retries = {
  /**
   * Retries of a call that failed for a temporary reason: rate limit, server error, network.
   */
  call: number,
  /**
   * Repair prompts to a model whose answer can't be used.
   */
  repair: number,
};

/**
 * How reviews are made and counted.
 */
export type Review = {
  /**
   * Scores or comparisons.
   */
  mode: ReviewMode,
  /**
   * How often each reviewer scores, each time in a fresh order.
   */
  repeats: number,
  /**
   * The number of turns in which a reviewer scores: 2 (first the written review, then the scores) or 1 (both in one answer).
   */
  turns: number,
  /**
   * Leave a model's scores of its own design out of the plain means.
   */
  exclude_self: boolean,
  /**
   * Likewise for designs of the same vendor.
   */
  exclude_family: boolean,
  /**
   * After scores, have the reviewers also compare the first two designs if these are less than a point apart.
   */
  close_pairs?: boolean,
};

/**
 * Scores or comparisons.
 */
export type ReviewMode = "scores" | "pairwise";

/**
 * A review model.
 */
export type ReviewerEntry = {
  /**
   * What it has to return.
   */
  evaluation_criteria: Criteria,
  /**
   * The slug that names files and agents, unique within its kind.
   */
  id: string,
  /**
   * The name that people see.
   */
  name: string,
  /**
   * `provider/model`; the model part may contain further slashes.
   */
  model_id: string,
  /**
   * 0–2.
   */
  temperature: number,
  /**
   * Replaces the built-in prompt of its kind; already read from its file.
   */
  prompt_template: string | null,
  /**
   * The angle from which it designs, added to its prompt, so that one model can write several different designs.
   */
  brief: string | null,
  /**
   * The provider's variant (reasoning effort and the like), passed through.
   */
  variant: string | null,
};

/**
 * The id of a reviewer. In a run it comes from the entry of `review_models` or from a person's name.
 */
export type ReviewerId = string;

/**
 * One risk.
 */
export type Risk = {
  /**
   * What may go wrong.
   */
  risk: string,
  /**
   * How bad that would be.
   */
  impact: Level,
  /**
   * What is done about it.
   */
  mitigation: string,
};

/**
 * The purpose of a lab session.
 */
export type Role = "topic" | "designer" | "reviewer";

/**
 * A row of a panel.
 */
export type Row = {
  /**
   * What kind of row it is.
   */
  look: Look,
  /**
   * A sign of one column before the text; empty if there is none.
   */
  mark: string,
  /**
   * On the left, cut if there is no room.
   */
  text: string,
  /**
   * On the right, never cut.
   */
  figures: string,
};

/**
 * Where a rubric comes from.
 */
export type RubricOrigin = "default" | "configured" | "task";

/**
 * The rules by which calls are refused.
 */
export type Rule = "arguments" | "blocked-directory" | "blocked-pattern" | "environment-file" | "key-file" | "lab-agent" | "outside" | "private-address" | "search" | "shared-file" | "spelling" | "tool";

/**
 * What a run may cost.
 */
export type RunBudget = {
  /**
   * US dollars over all calls; null means no limit.
   */
  max_cost_usd: number | null,
  /**
   * Tokens of every kind over all calls; null means no limit.
   */
  max_tokens: number | null,
  /**
   * Calls, including repairs and retries; null means no limit.
   */
  max_calls: number | null,
  /**
   * Requests to providers over all calls; null means no limit. A model that reads and searches makes several for one answer.
   */
  max_requests: number | null,
  /**
   * US dollars above which a run waits for the user before its first call. It also waits if the price of a model is unknown.
   * Null means that no run waits, and is the default if a limit is set.
   */
  confirm_usd: number | null,
};

/**
 * The facts that only runs of this workflow record.
 */
export type RunFacts = {
  /**
   * Whether people got forms.
   */
  forms: boolean,
  /**
   * What the run's designers and reviewers may reach.
   */
  isolation: Isolation,
  /**
   * The same number for runs in which the same models are asked the same number of times.
   */
  panel: number,
  /**
   * The run's part in the history of all runs.
   */
  past: PastRun,
  /**
   * The cost in US dollars of what is no longer part of the run, such as a design that was rewritten.
   */
  retired_cost: number,
  /**
   * The tokens of the same.
   */
  retired_tokens: number,
  /**
   * Whether the run is reviewed until its first place is clear.
   */
  until_clear: boolean,
  /**
   * The ranking in short; `None` before there is one.
   */
  ranked?: RankingInShort,
};

/**
 * A test runner.
 */
export type Runner = "cargo" | "nextest" | "node" | "vitest" | "jest" | "mocha" | "pytest" | "go" | "ava" | "tap" | "uvu" | "jasmine" | "playwright" | "unittest" | "bun" | "deno";

/**
 * The rubric.
 */
export type ScoringCriteria = {
  /**
   * What reviewers score: 1 to 32 dimensions, with distinct names.
   */
  dimensions: Array<Dimension>,
  /**
   * Whether every evaluation needs a justification.
   */
  require_justification: boolean,
};

/**
 * The tool that OpenCode's `grep` and `glob` search with.
 */
export type Search = { "kind": "found",
  /**
   * Whether it skips what an `.ignore` file names.
   */
  honours_ignore: boolean, } | { "kind": "missing" };

/**
 * What the bytes of an image show.
 */
export type SeenImage = {
  /**
   * The width in pixels; 0 if the bytes don't show it.
   */
  width: number,
  /**
   * The height in pixels; 0 if the bytes don't show it.
   */
  height: number,
  /**
   * Where a run keeps it.
   */
  file: KeptFile,
};

/**
 * A server of the application.
 */
export type ServerSettings = {
  /**
   * Its name: lower-case letters, digits and hyphens.
   */
  name: string,
  /**
   * The program and its arguments. `${port}` in them is replaced by the port.
   */
  command: Array<string>,
  /**
   * The directory in which it starts, relative to the project's root.
   */
  cwd: string,
  /**
   * The port that it listens on, or `auto` for a free one. The server receives it in the variable `PORT`.
   */
  port: Port,
  /**
   * Additional environment variables. `${port}` in them is replaced by the port.
   */
  env: { [key in string]: string },
  /**
   * How to detect that it is ready; by its port if left out.
   */
  ready: Ready,
  /**
   * Milliseconds within which it has to be ready.
   */
  ready_ms: number,
  /**
   * Milliseconds that it may take to end after it is asked to stop.
   */
  grace_ms: number,
  /**
   * Whether its command may run without asking you.
   */
  allow: boolean,
};

/**
 * The facts that determine which model the user's session uses, each as `provider/model`. If a message names a model, it is the
 * one that OpenCode itself uses next: the user's choice, otherwise the session's, the configured one, or OpenCode's default.
 */
export type SessionModelFacts = {
  /**
   * The model that the last user message names: the message that the command becomes, or the one that is being answered.
   */
  message: string | null,
  /**
   * The session's own model.
   */
  session: string | null,
  /**
   * `model` of OpenCode's configuration.
   */
  configured: string | null,
};

/**
 * What happens to a command, with the strictest action last.
 */
export type ShellAction = "allow" | "ask" | "deny";

/**
 * A rule for shell commands.
 */
export type ShellRule = {
  /**
   * The commands that it applies to, with `*` and `?` as wildcards.
   */
  pattern: string,
  /**
   * What happens to them.
   */
  action: ShellAction,
};

/**
 * The rules that apply to a worker's shell commands, in the host's order: the last one that matches decides, and if none matches,
 * the user is asked.
 */
export type ShellRules = Array<ShellRule>;

/**
 * The plugins that OpenCode's terminal interface loads.
 */
export type Sidebar = {
  /**
   * Each `tui.json` that OpenCode reads, in that order.
   */
  files: Array<TuiFile>,
  /**
   * The server's plugins, as `opencode.json` names them.
   */
  server: Array<string>,
  /**
   * Where this package is, absolute.
   */
  package: string,
};

/**
 * A configuration text and where it came from.
 */
export type Source = {
  /**
   * Its rank; sources of the same rank merge in the order given.
   */
  origin: Layer,
  /**
   * The file as a user would recognise it: `.opencode/design-lab.jsonc`, `opencode.json (plugin options)`.
   */
  file: string,
  /**
   * JSON with comments and trailing commas.
   */
  text: string,
};

/**
 * What a call that isn't answered yet has used: a model that first reads and searches answers in several steps, each a separate
 * request.
 */
export type Spending = {
  /**
   * The job whose prompt is in flight.
   */
  job: JobId,
  /**
   * US dollars, over the steps so far.
   */
  cost: number,
  /**
   * Tokens, over the steps so far.
   */
  tokens: Tokens,
  /**
   * How many requests were sent to the provider for it so far: one for each step.
   */
  requests: number,
};

/**
 * A first configuration file.
 */
export type StarterFile = {
  /**
   * Its path from the project.
   */
  file: string,
  /**
   * Its text.
   */
  text: string,
  /**
   * The message for the user.
   */
  wording: string,
};

/**
 * What a first configuration file is made from.
 */
export type StarterInput = {
  /**
   * The existing configuration.
   */
  sources: Array<Source>,
  /**
   * The prompt files that it refers to.
   */
  files: Array<ReferencedFile>,
  /**
   * The connected models; `None` when there is no host to ask.
   */
  available: AvailableModels | null,
  /**
   * The design models that the user named, separated by commas or spaces, with or without `--models` in front. If
   * empty, they are chosen.
   */
  wanted: string,
  /**
   * The version of the package.
   */
  package: string,
};

/**
 * What is done with existing designs.
 */
export type Step = { "kind": "review" } | { "kind": "refine",
  /**
   * The id of each new version, with the id of the design that it is made from.
   */
  versions: { [key in DesignId]: DesignId },
  /**
   * How many further rounds may follow this one.
   */
  rounds: number, } | { "kind": "merge",
  /**
   * The id of the new design.
   */
  id: DesignId,
};

/**
 * A run in a few facts.
 */
export type Summary<S> = {
  /**
   * The name of its directory below the output directory; `None` before it is claimed.
   */
  directory: string | null,
  /**
   * The beginning of the task.
   */
  task: string,
  /**
   * How it ended; `None` if it was in progress when its journal was last written.
   */
  outcome: Outcome | null,
  /**
   * Whether resuming would make any calls.
   */
  unfinished: boolean,
  /**
   * Whether anything failed that can be asked again.
   */
  failed: boolean,
  /**
   * The moment of the last event: milliseconds since 1970-01-01 UTC.
   */
  at: number,
  /**
   * US dollars so far.
   */
  cost: number,
  /**
   * Tokens so far.
   */
  tokens: Tokens,
  /**
   * The same for runs with the same day, task and configuration.
   */
  likeness: number,
  /**
   * Where it comes from.
   */
  origin: Origin, } & S;

/**
 * What a shell knows about this machine.
 */
export type Surroundings = {
  /**
   * Settings by name: environment variables, and the options of the host's providers. Most are not secret.
   */
  settings: Array<[string, string]>,
  /**
   * The user's home directory, absolute; also its real path if a link makes them differ.
   */
  homes: Array<string>,
};

/**
 * The feature that takes a design over; suggested commands are its own.
 */
export type Taker = "flow" | "validation";

/**
 * The task of a run, as stored in `task.json`.
 */
export type Task = {
  /**
   * What to design, in the user's own words.
   */
  problem_statement: string,
  /**
   * The constraints that every design has to respect.
   */
  constraints: Array<string>,
  /**
   * The qualities that a design has to reach: performance, security, scale.
   */
  non_functional_requirements: Array<string>,
};

/**
 * A rubric for the task that the user has approved.
 */
export type TaskRubric = {
  /**
   * The model that drafted it: `provider/model`.
   */
  drafted_by: string,
  /**
   * Whether the user changed the draft.
   */
  edited: boolean,
  /**
   * What reviewers score.
   */
  dimensions: Array<Dimension>,
  /**
   * Whether it was approved on another machine, perhaps by somebody else.
   */
  elsewhere?: boolean,
};

/**
 * The project's own Playwright tests.
 */
export type TestsSettings = {
  /**
   * Their directory, relative to the project's root.
   */
  directory: string,
  /**
   * Tests that decide criteria although they don't carry the tag.
   */
  map: Array<MappedTests>,
};

/**
 * What the output of a command shows about tests, over all runners in it.
 */
export type TestsTold = {
  /**
   * The runners that were recognised, each once.
   */
  runners: Array<Runner>,
  /**
   * Tests that ran; for runners that don't count them, the packages or files whose tests ran.
   */
  ran: number,
  /**
   * Tests that were skipped.
   */
  skipped: number,
};

/**
 * Deadlines.
 */
export type Timeouts = {
  /**
   * Milliseconds that one model call may take in all: a second to a day.
   */
  call_ms: number,
  /**
   * Milliseconds that a call may wait without any output from the model: a second to a day.
   */
  idle_ms: number,
  /**
   * Milliseconds that the run may take, a second to a week; null means no limit.
   */
  run_ms: number | null,
};

/**
 * The design to build, or that was built.
 */
export type ToBuild = {
  /**
   * The run's directory, below the output directory.
   */
  run: string,
  /**
   * The design, as the user names it; `None` for the one that was ranked first.
   */
  design: string | null,
};

/**
 * Tokens as the provider counted them; `input` excludes cache, `output` excludes reasoning (OpenCode 1.18).
 *
 * If one count is impossible, none is trusted: all are read as 0, which is equivalent to not reported.
 */
export type Tokens = {
  /**
   * Prompt tokens that were not read from the cache.
   */
  input: number,
  /**
   * Answer tokens.
   */
  output: number,
  /**
   * Reasoning tokens.
   */
  reasoning: number,
  /**
   * Tokens read from the provider's cache.
   */
  cache_read: number,
  /**
   * Tokens written to the provider's cache.
   */
  cache_write: number,
};

/**
 * The colour of a notice.
 */
export type Tone = "error" | "info" | "success" | "warning";

/**
 * Commands as a tool: a model calls it instead of the user. Design Lab has one tool for all commands, because a tool's
 * description is part of every request.
 */
export type Tool = {
  /**
   * Its description for models.
   */
  description: string,
  /**
   * JSON Schema of each argument. OpenCode requires every argument of a tool: an empty text means that it is omitted.
   */
  arguments: { [key in string]: JsonValue },
};

/**
 * What a call of the tool results in.
 */
export type ToolCall = {
  /**
   * The command to execute.
   */
  command: string,
  /**
   * Its arguments.
   */
  text: string,
  /**
   * What the user must allow first, because it costs money or writes into the project. `None` when nothing is asked.
   */
  ask: Permission | null,
};

/**
 * One decision.
 */
export type Tradeoff = {
  /**
   * What had to be decided.
   */
  aspect: string,
  /**
   * What could have been chosen.
   */
  options: Array<string>,
  /**
   * What was chosen.
   */
  chosen: string,
  /**
   * Why.
   */
  rationale: string,
  /**
   * The designs that it was taken from, or `new`; in a merged design only.
   */
  sources?: Array<string> | null,
};

/**
 * The outcome of a [`TrialCall`].
 */
export type Trial = {
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * The provider's variant.
   */
  variant: string | null,
  /**
   * Whether no tools were sent.
   */
  no_tools: boolean,
  /**
   * What it wrote; `None` when the call failed.
   */
  text: string | null,
  /**
   * Why the call failed.
   */
  failure: CallFailure | null,
  /**
   * US dollars.
   */
  cost: number,
  /**
   * How long it took.
   */
  duration_ms: number,
  /**
   * The number of tokens that it wrote.
   */
  written: number,
  /**
   * Milliseconds in which they arrived.
   */
  writing_ms: number,
};

/**
 * A call that the shell makes to a model, to see whether it answers.
 */
export type TrialCall = {
  /**
   * The model's role in a run, which decides the agent and with it the tools that are offered.
   */
  role: Role,
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * The provider's variant.
   */
  variant: string | null,
  /**
   * Whether no tools are sent, as in a run.
   */
  no_tools: boolean,
  /**
   * The number of requests that the call may make.
   */
  steps: number,
  /**
   * The temperature to use.
   */
  temperature: number,
  /**
   * The system text.
   */
  system: string,
  /**
   * The prompt.
   */
  text: string,
  /**
   * Milliseconds that the call may take in all.
   */
  deadline_ms: number,
  /**
   * Milliseconds that the call may wait without any output.
   */
  idle_ms: number,
};

/**
 * The progress of a call to a model.
 */
export type TrialProgress = {
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * Whether it answered; `None` while the call is running.
   */
  answered: boolean | null,
  /**
   * How long the call has taken so far.
   */
  duration_ms: number,
  /**
   * What has arrived, if that is known.
   */
  incoming: Incoming | null,
};

/**
 * One `tui.json`.
 */
export type TuiFile = {
  /**
   * The file, as the user would recognise it.
   */
  file: string,
  /**
   * The absolute path of its directory, to which paths in it are relative.
   */
  directory: string,
  /**
   * Its text.
   */
  text: string,
};

/**
 * How a design turned out.
 */
export type TurnedOut = "built" | "validated" | "failed";

/**
 * Reviewing until the first place is clear.
 */
export type UntilClear = {
  /**
   * US dollars that the whole run may cost; `None` when only the configured limit applies.
   */
  max_cost_usd: number | null,
};

/**
 * Where an address leads, according to the platform's own URL parser and resolver.
 */
export type UrlFact = {
  /**
   * The address as requested.
   */
  given: string,
  /**
   * The scheme with its colon: `https:`.
   */
  protocol: string,
  /**
   * The host name or address, as normalised by the parser.
   */
  host: string,
  /**
   * All addresses of the host; empty if it has none.
   */
  addresses: Array<string>,
};

/**
 * The arguments of `/validate`.
 */
export type ValidateCommand = { "kind": "latest" } | { "kind": "flow",
  /**
   * The session, as the user names it.
   */
  session: string, } | { "kind": "run",
  /**
   * The run and the design, as the user names them; empty for the latest run.
   */
  named: string, } | { "kind": "file",
  /**
   * The path as the user wrote it.
   */
  path: string, } | { "kind": "text",
  /**
   * The text.
   */
  text: string, } | { "kind": "tests",
  /**
   * The run, as the user names it; empty for the latest run that has tests.
   */
  named: string,
  /**
   * Whether they run again.
   */
  again: boolean,
  /**
   * The directory in which to keep them as the project's own.
   */
  keep: string | null,
  /**
   * The seed with which fast-check chooses other inputs; `None` for that of the earlier run.
   */
  seed: number | null,
};

/**
 * The options of `/validate-init`.
 */
export type ValidateInitCommand = {
  /**
   * Whether the user allows Playwright Test to be installed.
   */
  installs: boolean,
};

/**
 * What tests are run against.
 */
export type ValidationAgainst = "application" | "nothing" | "blank" | "frozen" | "live";

/**
 * A file that a test left behind.
 */
export type ValidationAttachment = {
  /**
   * `trace`, `screenshot`, `video`, ….
   */
  name: string,
  /**
   * The file, relative to the run's directory.
   */
  path: string,
};

/**
 * A rule of accessibility that a page breaks.
 */
export type ValidationBarrier = {
  /**
   * The rule's id.
   */
  rule: string,
  /**
   * `minor`, `moderate`, `serious` or `critical`.
   */
  impact: string,
  /**
   * The rule's requirement.
   */
  help: string,
  /**
   * How many elements break it.
   */
  elements: number,
  /**
   * The first of them, as a selector.
   */
  example: string,
};

/**
 * The run before, with the criteria that it found not to be met.
 */
export type ValidationBefore = {
  /**
   * Its directory.
   */
  run: string,
  /**
   * What identifies its subject across runs.
   */
  subject: string,
  /**
   * When its tests began, in ms.
   */
  at: number,
  /**
   * The criteria that were not met. Empty before the shell has opened the run.
   */
  failed: Array<ValidationFell>,
};

/**
 * The models to ask; null for the model of the session.
 */
export type ValidationConfiguredModels = {
  /**
   * Reviews the criteria.
   */
  verifier: string | null,
  /**
   * Lists journeys and gaps.
   */
  analyst: string | null,
  /**
   * Writes the tests.
   */
  tester: string | null,
};

/**
 * How many criteria have each verdict.
 */
export type ValidationCounts = {
  /**
   * Observed to be true.
   */
  met: number,
  /**
   * Observed to be false.
   */
  not_met: number,
  /**
   * What passed would have passed anyway.
   */
  hollow: number,
  /**
   * No assertion was ever seen to fail.
   */
  unproven: number,
  /**
   * Both passed and failed.
   */
  flaky: number,
  /**
   * Not observed.
   */
  untested: number,
};

/**
 * Something that must be true.
 */
export type ValidationCriterion = {
  /**
   * `C1`, `C2`, ….
   */
  id: string,
  /**
   * What must be true.
   */
  text: string,
};

/**
 * The events of a Validation run in addition to those of every run.
 */
export type ValidationDecision = { "event": "gate_decided",
  /**
   * The decision.
   */
  decision: ValidationGateChoice, } | { "event": "allowed",
  /**
   * The hash of these commands, as in the run's facts.
   */
  commands: string, } | { "event": "configured",
  /**
   * The new settings.
   */
  settings: ValidationSettings,
  /**
   * Whether the run continues with them in a new process, as with [`kernel::protocol::EventKind::Resumed`].
   */
  resumes: boolean, } | { "event": "tests_listed",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What was listed.
   */
  listed: ValidationListed, } | { "event": "check_ran",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * How it went.
   */
  ran: CommandRan, } | { "event": "servers_started",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The servers, in the same order as in the effect.
   */
  servers: Array<ValidationServerStarted>,
  /**
   * The project's files at that moment. Older journals don't have it.
   */
  sources: ValidationSources | null, } | { "event": "server_failed",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The server's name.
   */
  server: string,
  /**
   * Why.
   */
  fault: ValidationServerFault,
  /**
   * The last lines of its log, at most [`LOG_TAIL`] characters.
   */
  tail: string, } | { "event": "tests_ran",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What was observed.
   */
  ran: ValidationRanTests,
  /**
   * The duration in whole milliseconds.
   */
  duration_ms: number,
  /**
   * What else was recorded about it. Older journals don't have it.
   */
  noted: ValidationNoted, } | { "event": "files_seen",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What was found.
   */
  files: ValidationFilesSeen, } | { "event": "test_began",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The test's position among the effect's tests, from 1.
   */
  test: number,
  /**
   * How many tests there are.
   */
  of: number, } | { "event": "pages_seen",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What was found.
   */
  seen: ValidationLookedAt, } | { "event": "torn_down",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The outcome of each process that was to be ended.
   */
  processes: Array<ValidationProcessEnd>,
  /**
   * Every file of evidence; empty for [`Effect::StopServers`].
   */
  evidence: Array<ValidationEvidenceFile>, } | { "event": "effect_failed",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why, in a sentence for people.
   */
  message: string,
};

/**
 * What a run does besides asking models. Each effect may be requested again after a crash, under the same number.
 */
export type ValidationEffect = { "command": "list_tests",
  /**
   * Its number.
   */
  effect: number,
  /**
   * Their paths, relative to the run's directory.
   */
  files: Array<string>, } | { "command": "list_own_tests",
  /**
   * Its number.
   */
  effect: number,
  /**
   * Its path, relative to the project's root.
   */
  directory: string, } | { "command": "run_check",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The check.
   */
  check: CheckSettings,
  /**
   * Which run of the check this is, from 1.
   */
  pass: number,
  /**
   * The file for its output, relative to the run's directory.
   */
  output: string, } | { "command": "start_servers",
  /**
   * Its number.
   */
  effect: number,
  /**
   * The servers.
   */
  servers: Array<ServerSettings>, } | { "command": "run_tests",
  /**
   * Its number.
   */
  effect: number,
  /**
   * What they run against.
   */
  against: ValidationAgainst,
  /**
   * Which pass it is, from 1; 0 for the one in which each test meets the lie that fits it.
   */
  pass: number,
  /**
   * The paths of the files, relative to the run's directory.
   */
  files: Array<string>,
  /**
   * The project's own tests that count; `None` when none does.
   */
  own: ValidationOwnTests | null,
  /**
   * Which of the tests in `files` run; `None` for all of them.
   */
  only?: Array<ValidationTestName>,
  /**
   * What the live counterfeit does.
   */
  live?: ValidationLive,
  /**
   * The lie of each test with the same seed, if they meet different ones.
   */
  lies?: Array<ValidationTestLie>,
  /**
   * The seed of fast-check; `None` when the tests can't use it.
   */
  rule_seed?: number,
  /**
   * Whether a video of each test is kept, not only of those that fail.
   */
  video?: boolean,
  /**
   * The tree of the project's files on which the first pass ran; `None` in the first pass.
   */
  since?: string,
  /**
   * The address of the first server. A counterfeit takes over its port.
   */
  base_url: string,
  /**
   * The addresses of the other servers. A counterfeit takes over their ports as well.
   */
  others: Array<string>,
  /**
   * Milliseconds that each test may take.
   */
  test_ms: number,
  /**
   * Milliseconds that an action or an assertion may wait; `None` for Playwright's own limit.
   */
  wait_ms: number | null,
  /**
   * Milliseconds that an assertion may wait; `None` if it may wait as long as an action.
   */
  assert_ms?: number,
  /**
   * What single tests may wait at most, whatever limit applies or the test itself states.
   */
  waits?: Array<ValidationTestWaits>,
  /**
   * Milliseconds that the whole run may take.
   */
  timeout_ms: number, } | { "command": "look_at_pages",
  /**
   * Its number.
   */
  effect: number,
  /**
   * Their addresses.
   */
  pages: Array<string>,
  /**
   * Whether axe-core checks them.
   */
  a11y: boolean,
  /**
   * Milliseconds that each may take.
   */
  page_ms: number,
  /**
   * Milliseconds that all of them together may take.
   */
  timeout_ms: number, } | { "command": "stop_servers",
  /**
   * Its number.
   */
  effect: number, } | { "command": "tear_down",
  /**
   * Its number.
   */
  effect: number,
};

/**
 * A file of evidence.
 */
export type ValidationEvidenceFile = {
  /**
   * Its path, relative to the run's directory.
   */
  path: string,
  /**
   * Its size in bytes.
   */
  bytes: number,
  /**
   * Its SHA-256, in lower-case hex.
   */
  sha256: string,
};

/**
 * What a run records in addition to the facts of every run.
 */
export type ValidationFacts = {
  /**
   * Its status.
   */
  status: ValidationStatus,
  /**
   * What identifies its subject across runs.
   */
  subject?: string,
  /**
   * How much of a validation it does.
   */
  scope: ValidationScope,
  /**
   * The hash of the commands that wait for the user's approval.
   */
  commands_hash: string | null,
  /**
   * Whether it has tests that can be repeated.
   */
  has_tests: boolean,
  /**
   * Whether, according to its journal, it may have started servers that it hasn't ended.
   */
  may_have_left: boolean,
  /**
   * The counts of its verdicts, once it has a report on tests.
   */
  counts?: ValidationCounts,
  /**
   * How many checks failed, apart from the criteria.
   */
  failed_checks: number,
};

/**
 * A request of a page that failed, or whose answer had a status of 400 or more.
 */
export type ValidationFailedRequest = {
  /**
   * `GET`, …
   */
  method: string,
  /**
   * The address.
   */
  url: string,
  /**
   * The status of the answer; `None` when there was no answer.
   */
  status: number | null,
  /**
   * Why there was none, in the browser's words; empty otherwise.
   */
  reason: string,
};

/**
 * A single fault.
 */
export type ValidationFault = {
  /**
   * Lower-case letters, digits and hyphens, unique among the faults: `c2`, `check-lint`, `gap-g1`.
   */
  id: string,
  /**
   * What must be true, and what was observed instead.
   */
  text: string,
};

/**
 * A criterion that was not met.
 */
export type ValidationFell = {
  /**
   * The criterion.
   */
  criterion: ValidationCriterion,
  /**
   * The title of the test that failed.
   */
  test: string,
  /**
   * The last screenshot and the last video of that test, as they were recorded; those that exist.
   */
  files: Array<ValidationEvidenceFile>,
};

/**
 * The project's files before the tests of a pass run.
 */
export type ValidationFilesSeen = { "files": "tree",
  /**
   * The id of a tree that contains them: equal if and only if the files are.
   */
  tree: string,
  /**
   * The files that differ from the tree that the effect named. `None` if it named none, or that tree no longer exists.
   */
  changed: ValidationPaths | null, } | { "files": "untold",
  /**
   * Why.
   */
  message: string,
};

/**
 * The user's decision about gaps.
 */
export type ValidationGateChoice = "generate-fix-plan" | "stop" | "force-test";

/**
 * How a process ended.
 */
export type ValidationHow = "ended_by_itself" | "terminated" | "killed" | "already_gone" | "left_alone";

/**
 * npm's task, in a new directory next to [`DIRECTORY`], which replaces it once npm is done.
 */
export type ValidationInstall = {
  /**
   * The target directory, relative to the project's root.
   */
  directory: string,
  /**
   * The files to write first: each file's name and text.
   */
  files: Array<[string, string]>,
  /**
   * The program and its arguments.
   */
  command: Array<string>,
  /**
   * The time limit in milliseconds.
   */
  timeout_ms: number,
};

/**
 * Where the shell found Playwright Test.
 */
export type ValidationInstallInput = {
  /**
   * Whether the project has its own.
   */
  own: boolean,
  /**
   * The version that is in [`DIRECTORY`].
   */
  installed: string | null,
  /**
   * The version of fast-check in it.
   */
  fast_check: string | null,
  /**
   * The `package.json` of [`DIRECTORY`], empty if it has none; `None` when there is no such directory.
   */
  stands: string | null,
};

/**
 * The outcome of running npm.
 */
export type ValidationInstallRan = {
  /**
   * How it ended.
   */
  end: CommandEnd,
  /**
   * The end of its output.
   */
  said: string,
  /**
   * The version that is completely installed in the new directory; `None` when there is none.
   */
  version: string | null,
  /**
   * The version of fast-check in it.
   */
  fast_check: string | null,
};

/**
 * Tests of a run as files of the project.
 */
export type ValidationKept = {
  /**
   * Each file's path from the project's root, and its text.
   */
  files: Array<[string, string]>,
  /**
   * What the user reads once they are written.
   */
  wording: string,
};

/**
 * An abandoned run, and its processes that are still running.
 */
export type ValidationLeft = {
  /**
   * The run's name.
   */
  run: string,
  /**
   * The processes that are proven to be the run's own.
   */
  processes: Array<ValidationLeftProcess>,
  /**
   * Why it is unknown what is running.
   */
  problem: string | null,
};

/**
 * A process that was left running.
 */
export type ValidationLeftProcess = {
  /**
   * Its purpose.
   */
  name: string,
  /**
   * Its process ID.
   */
  pid: number,
  /**
   * The command that started it.
   */
  command: Array<string>,
};

/**
 * What is changed.
 */
export type ValidationLie = "words" | "names" | "deaf" | "elsewhere" | "both";

/**
 * The order in which tests meet the lies.
 */
export type ValidationLieOrder = "in_turn" | "fitting_first";

/**
 * The outcome of listing tests.
 */
export type ValidationListed = { "listed": "tests",
  /**
   * The tests in them.
   */
  tests: Array<ValidationListedTest>, } | { "listed": "unreadable",
  /**
   * Playwright's message.
   */
  message: string, } | { "listed": "impossible",
  /**
   * What is missing.
   */
  obstacle: ValidationObstacle,
};

/**
 * A test in a listing.
 */
export type ValidationListedTest = {
  /**
   * The file, relative to the run's directory; for the project's own tests, relative to the project's root.
   */
  file: string,
  /**
   * Its title, preceded by those of its groups.
   */
  title: string,
  /**
   * Its tags, each with its `@`.
   */
  tags: Array<string>,
};

/**
 * The proof that a listener belongs to this run.
 */
export type ValidationListener = "group" | "nonce" | "unknown";

/**
 * What a live counterfeit does.
 */
export type ValidationLive = {
  /**
   * What it changes.
   */
  lie: ValidationLie,
  /**
   * The seed of the changes, below 2^53.
   */
  seed: number,
};

/**
 * An answer.
 */
export type ValidationLiveAnswer = {
  /**
   * `200`, …
   */
  status: number,
  /**
   * Its headers, in their order.
   */
  headers: Array<[string, string]>,
  /**
   * Its body, if that is text to be examined.
   */
  text: string | null,
};

/**
 * A changed answer.
 */
export type ValidationLiveChange = {
  /**
   * The answer.
   */
  answer: ValidationLiveAnswer,
  /**
   * The byte offset in its text at which the script is inserted; `None` when it isn't inserted.
   */
  script_at: number | null,
};

/**
 * The parts of a request that matter here.
 */
export type ValidationLiveRequest = {
  /**
   * `GET`, …
   */
  method: string,
  /**
   * The path with its query.
   */
  path: string,
  /**
   * `document`, `empty`, …: what the browser requests it for; `None` when the request isn't a browser's.
   */
  dest: string | null,
  /**
   * The path of the requesting page, if it belongs to the application.
   */
  referer: string | null,
  /**
   * The body, as text.
   */
  body: string,
};

/**
 * The end of a log.
 */
export type ValidationLogEnd = {
  /**
   * The server.
   */
  server: string,
  /**
   * Its last lines, at most [`LOG_TAIL`] characters.
   */
  tail: string,
};

/**
 * The outcome of looking at pages.
 */
export type ValidationLookedAt = { "looked": "pages",
  /**
   * Every page that was to be looked at.
   */
  pages: Array<ValidationPageSeen>,
  /**
   * The version of axe-core; `None` when it was not requested, or isn't installed.
   */
  axe: string | null, } | { "looked": "unreadable",
  /**
   * Why.
   */
  message: string, } | { "looked": "impossible",
  /**
   * What is missing.
   */
  obstacle: ValidationObstacle,
};

/**
 * The model for each role, each as `provider/model`.
 */
export type ValidationModels = {
  /**
   * Reviews the criteria.
   */
  verifier: string,
  /**
   * Lists journeys and gaps.
   */
  analyst: string,
  /**
   * Writes the tests.
   */
  tester: string,
};

/**
 * What was recorded about a run of tests besides the results of its tests.
 */
export type ValidationNoted = {
  /**
   * Playwright's version, as it reports it.
   */
  playwright: string | null,
  /**
   * The browser and its version, as it reports them; `None` when no test reached one.
   */
  browser: string | null,
  /**
   * What the servers wrote to their logs meanwhile.
   */
  logs: Array<ValidationLogEnd>,
  /**
   * Where Playwright Test is, relative to the project's root; `None` when the root resolves it. Older journals don't have it.
   */
  directory: string | null,
  /**
   * The files that changed between the last start of the servers, or the end of the previous pass, and the end of this pass, while
   * the application was running. `None` when unknown. Older journals don't have it.
   */
  written?: ValidationPaths,
  /**
   * Further ports on which the servers listen. Older journals don't have it.
   */
  ports?: Array<number>,
  /**
   * The methods of the requests that the live counterfeit handed on to the application, each once; `UPGRADE` for a request that
   * became something other than HTTP. `None` for other counterfeits. Older journals don't have it.
   */
  methods?: Array<string>,
};

/**
 * What this machine lacks.
 */
export type ValidationObstacle = { "obstacle": "no_playwright" } | { "obstacle": "no_browser",
  /**
   * Where Playwright Test is, relative to the project's root; `None` when the root resolves it. Older journals don't have it.
   */
  directory: string | null, } | { "obstacle": "no_node" } | { "obstacle": "no_axe" };

/**
 * The opening of a run: everything that it depends on except the models.
 */
export type ValidationOpening = {
  /**
   * [`kernel::protocol::JOURNAL_VERSION`].
   */
  version: number,
  /**
   * The workflow.
   */
  workflow: string,
  /**
   * The rules by which answers are accepted.
   */
  acceptance?: ReplyRules,
  /**
   * The package's version.
   */
  package: string,
  /**
   * When the run was requested, in UTC, `YYYYMMDDTHHMMSSZ`: the start of its name.
   */
  stamp: string,
  /**
   * Four random hexadecimal digits: the end of its name.
   */
  suffix: string,
  /**
   * What is validated.
   */
  subject: ValidationSubject,
  /**
   * How much of a validation is done. Older journals don't have it: they validated everything.
   */
  scope: ValidationScope,
  /**
   * The models that are asked.
   */
  models: ValidationModels,
  /**
   * The tests of an earlier run, if this run repeats them and asks no model.
   */
  repeat?: ValidationRepeat,
  /**
   * The run before on the same subject, if it found a criterion not to be met.
   */
  before?: ValidationBefore,
  /**
   * Sentences that the user should read.
   */
  notes: Array<string>,
  /**
   * The prices that the host's catalogue has for the models in use.
   */
  prices: Array<ModelFacts>,
  /**
   * What the run is expected to cost; `None` when there is no forecast, or no model is asked.
   */
  expected?: Expected,
  /**
   * The settings in `.opencode/validation.jsonc`.
   */
  settings: ValidationSettings,
  /**
   * The seed of the jitter of pauses, below 2^53.
   */
  seed: number,
  /**
   * The seed of fast-check in the tests; `None` when they can't use it. Older journals don't have it.
   */
  rule_seed?: number,
  /**
   * The order in which tests meet the lies of the live counterfeit.
   */
  lies?: ValidationLieOrder,
};

/**
 * The basis of a run, as the shell gathered it.
 */
export type ValidationOpeningInput = {
  /**
   * The package's version.
   */
  package: string,
  /**
   * Now, in UTC, `YYYYMMDDTHHMMSSZ`.
   */
  stamp: string,
  /**
   * Four random hexadecimal digits.
   */
  suffix: string,
  /**
   * What is validated.
   */
  subject: ValidationSubjectInput,
  /**
   * How much of a validation is done.
   */
  scope: ValidationScope,
  /**
   * The models of the connected providers.
   */
  available: AvailableModels,
  /**
   * The settings.
   */
  settings: ValidationSettings,
  /**
   * What earlier runs have left running.
   */
  left: Array<ValidationLeft>,
  /**
   * What this machine lacks to run tests.
   */
  obstacle: ValidationObstacle | null,
  /**
   * The version of fast-check that tests would import; `None` when there is none.
   */
  fast_check: string | null,
};

/**
 * Some of the project's own tests.
 */
export type ValidationOwnTests = {
  /**
   * Their directory, relative to the project's root.
   */
  directory: string,
  /**
   * The tests.
   */
  tests: Array<ValidationTestName>,
};

/**
 * A page, as seen by a visitor who has only its address.
 */
export type ValidationPageSeen = {
  /**
   * The requested address.
   */
  url: string,
  /**
   * The final address.
   */
  at: string,
  /**
   * The status of the answer; `None` when there was no answer.
   */
  status: number | null,
  /**
   * Whether it is HTML.
   */
  is_html: boolean,
  /**
   * Its title.
   */
  title: string | null,
  /**
   * Its declared language.
   */
  language: string | null,
  /**
   * Its description.
   */
  description: string | null,
  /**
   * Its canonical address.
   */
  canonical: string | null,
  /**
   * What axe-core found, at most [`MOST_TOLD`]; empty if it wasn't used.
   */
  barriers: Array<ValidationBarrier>,
  /**
   * Why it could not be looked at.
   */
  problem: string | null,
};

/**
 * Files of the project.
 */
export type ValidationPaths = {
  /**
   * The first of them, relative to the project's root, at most 1,000.
   */
  paths: Array<string>,
  /**
   * How many there are in all.
   */
  count: number,
};

/**
 * A picture or a video that the shell provides.
 */
export type ValidationPicture = {
  /**
   * Its path, relative to the directory of its run.
   */
  path: string,
  /**
   * SHA-256 of the file, in lower-case hex.
   */
  sha256: string,
  /**
   * The file in Base64.
   */
  data: string,
};

/**
 * The instructions for the script in the page.
 */
export type ValidationPlan = {
  /**
   * What is changed.
   */
  lie: ValidationLie,
  /**
   * The replacement for each letter from `a` to `z`.
   */
  letters: string,
  /**
   * The replacement for each digit.
   */
  digits: string,
  /**
   * The elements that users act on, as a selector: their names stay.
   */
  controls: string,
  /**
   * Attributes that are changed except on controls.
   */
  attributes: Array<string>,
  /**
   * Attributes that are changed everywhere.
   */
  everywhere: Array<string>,
  /**
   * Keys of the storage that are kept, as a regular expression: a user who has signed in stays signed in.
   */
  remembered: string,
};

/**
 * The outcome of a process.
 */
export type ValidationProcessEnd = {
  /**
   * The server's name, or the process's purpose.
   */
  name: string,
  /**
   * Its process ID.
   */
  pid: number,
  /**
   * How it ended.
   */
  end: ValidationHow,
  /**
   * Why it was left alone; empty otherwise.
   */
  why: string,
  /**
   * The command with which a person can inspect it; empty if it is gone.
   */
  look: string,
  /**
   * The facts that were verified before anything was done.
   */
  checked: Array<string>,
};

/**
 * What the shell has found in a project.
 */
export type ValidationProject = {
  /**
   * Its files, from its root, with `/` between the parts.
   */
  files: Array<string>,
  /**
   * The texts of the requested files, if they can be read.
   */
  texts: { [key in string]: string },
};

/**
 * The outcome of a run of tests.
 */
export type ValidationRanTests = { "ran": "report",
  /**
   * Every test in it.
   */
  tests: Array<ValidationTestSeen>, } | { "ran": "absent" } | { "ran": "empty" } | { "ran": "unparsable",
  /**
   * Why.
   */
  message: string, } | { "ran": "timed_out",
  /**
   * Milliseconds.
   */
  after_ms: number, } | { "ran": "impossible",
  /**
   * What is missing.
   */
  obstacle: ValidationObstacle, } | { "ran": "server_ended",
  /**
   * Its name.
   */
  server: string,
  /**
   * Its exit code; `None` when a signal ended it.
   */
  code: number | null,
  /**
   * The signal.
   */
  signal: string | null,
  /**
   * The last lines of its log, at most [`LOG_TAIL`] characters.
   */
  tail: string,
  /**
   * The test that started last. `None` when none had started.
   */
  test: ValidationTestUnderWay | null,
};

/**
 * A file that a run renders from its journal.
 */
export type ValidationRenderedFile = {
  /**
   * Its path, relative to the run's directory.
   */
  path: string,
  /**
   * The SHA-256 digest in hex of the file on disk; `None` when it is missing.
   */
  found: string | null,
  /**
   * The same of what the journal gives; `None` when it gives no such file.
   */
  meant: string | null,
};

/**
 * The data with which a run repeats the tests of an earlier one.
 */
export type ValidationRepeat = {
  /**
   * The earlier run.
   */
  run: string,
  /**
   * What it validated, with its criteria.
   */
  subject: ValidationSubject,
  /**
   * The tests that were written for it; `None` when the project's own decided everything.
   */
  suite: ValidationSuite | null,
  /**
   * The models that the earlier run asked. None is asked now.
   */
  models: ValidationModels,
  /**
   * The seed of fast-check in it; `None` when its tests couldn't use it. Older journals don't have it.
   */
  rule_seed?: number,
};

/**
 * The purpose of a child session: decides the agent, `validation-verifier`, `validation-analyst` or `validation-tester`. All of
 * them are read-only.
 */
export type ValidationRole = "verifier" | "analyst" | "tester";

/**
 * The inputs with which a test tried a rule.
 */
export type ValidationRuleTried = {
  /**
   * How many were tried, apart from those that shrinking tried.
   */
  inputs: number,
  /**
   * Whether the test's time was up before all were.
   */
  interrupted: boolean,
};

/**
 * How much of a validation is done.
 */
export type ValidationScope = "full" | "work" | "flows";

/**
 * What the shell found.
 */
export type ValidationSeen = {
  /**
   * The text of the journal.
   */
  journal: string,
  /**
   * A head that someone wrote down, or its beginning.
   */
  head: string | null,
  /**
   * Every file that now exists where evidence is kept.
   */
  evidence: Array<ValidationEvidenceFile>,
  /**
   * The files that a run renders from its journal: its reports, and what the models said.
   */
  rendered: Array<ValidationRenderedFile>,
  /**
   * The version of this package.
   */
  package: string,
};

/**
 * Why a server isn't ready.
 */
export type ValidationServerFault = { "fault": "port_taken",
  /**
   * The port.
   */
  port: number,
  /**
   * The process, if the system reports it.
   */
  pid: number | null,
  /**
   * Its command, if the system reports it.
   */
  command: string | null, } | { "fault": "not_started",
  /**
   * The system's error message.
   */
  message: string, } | { "fault": "died",
  /**
   * Its exit code; `None` when a signal ended it.
   */
  code: number | null,
  /**
   * The signal.
   */
  signal: string | null, } | { "fault": "not_ready",
  /**
   * Milliseconds.
   */
  after_ms: number,
  /**
   * The other ports on which it listens; empty if the system doesn't report them.
   */
  listens_on: Array<number>, } | { "fault": "foreign_listener",
  /**
   * The port.
   */
  port: number,
  /**
   * The process, if the system reports it.
   */
  pid: number | null,
  /**
   * Its command, if the system reports it.
   */
  command: string | null,
};

/**
 * A server that is ready.
 */
export type ValidationServerStarted = {
  /**
   * Its name.
   */
  name: string,
  /**
   * Its address, without a trailing slash.
   */
  url: string,
  /**
   * The port.
   */
  port: number,
  /**
   * The process that was started.
   */
  pid: number,
  /**
   * The proof that the listener belongs to this run.
   */
  listener: ValidationListener,
  /**
   * Milliseconds from its start until it was ready.
   */
  ready_after_ms: number,
};

/**
 * How an application is validated.
 */
export type ValidationSettings = {
  /**
   * The servers of the application, in the order in which they are started. The first one is tested.
   */
  servers: Array<ServerSettings>,
  /**
   * How often each test runs: a test that both passes and fails is flaky.
   */
  repeat: number,
  /**
   * How many criteria a model judges in one answer. If left out: one, as long as that takes at most twelve calls.
   */
  criteria_per_call?: number,
  /**
   * What replaces the application in the negative control. A test that passes against any of these proves nothing.
   */
  control: Array<Counterfeit>,
  /**
   * The project's own Playwright tests, which count as well: those that carry a criterion's tag, such as `@C1`, or that `map` names.
   */
  tests: TestsSettings | null,
  /**
   * Commands that have to pass in addition to the criteria; they run one after another before the servers start.
   */
  checks: Array<CheckSettings>,
  /**
   * Whether a video of each test is kept, to compare runs. It needs the `ffmpeg` that Playwright installs.
   */
  video?: boolean,
  /**
   * Whether the project's own axe-core checks the pages that tests reach for accessibility barriers.
   */
  a11y: boolean,
  /**
   * Whether these pages must have a title, a language, a description and a canonical address.
   */
  metadata: boolean,
  /**
   * The time limit of each test, in milliseconds.
   */
  test_ms: number,
  /**
   * Where Playwright and the browser are.
   */
  playwright: PlaywrightSettings,
  /**
   * The models to ask, if not the model of the session.
   */
  models: ValidationConfiguredModels,
  /**
   * Environment variables whose values are removed from all evidence.
   */
  secrets: Array<string>,
  /**
   * What a run may cost; checked before every call.
   */
  budget: Budget,
  /**
   * The user's own prices of models, by `provider/model`. They come from Design Lab's configuration.
   */
  prices?: { [key in string]: Price },
  /**
   * The cost in US dollars above which the user is asked first: `budget.confirm_usd` of Design Lab's configuration.
   */
  confirm_usd?: number,
  /**
   * Milliseconds that a model may take without writing anything: `timeouts.idle_ms` of Design Lab's configuration.
   */
  idle_ms?: number,
};

/**
 * The shell's findings.
 */
export type ValidationSetup = {
  /**
   * The file.
   */
  source: Source,
  /**
   * What this machine lacks, given the file's settings for Playwright.
   */
  obstacle: ValidationObstacle | null,
  /**
   * Whether Playwright Test is the one of [`install::DIRECTORY`].
   */
  installed: boolean,
  /**
   * What runs have left running, or may have.
   */
  left: Array<ValidationLeft>,
};

/**
 * What a page showed.
 */
export type ValidationShown = {
  /**
   * Its address.
   */
  address: string,
  /**
   * Its title.
   */
  title: string,
  /**
   * The text on it, at most 2000 characters.
   */
  text: string,
};

/**
 * The project's files as they were when its servers were started.
 */
export type ValidationSources = { "sources": "git",
  /**
   * The checked-out commit; `None` before the first commit.
   */
  commit: string | null,
  /**
   * The id of a tree with the files as they were, committed or not.
   */
  tree: string,
  /**
   * The files that differ from the checked-out commit. Older journals don't have it.
   */
  uncommitted?: ValidationUncommitted, } | { "sources": "no_git" } | { "sources": "untold",
  /**
   * Why.
   */
  message: string,
};

/**
 * A first file, ready to be written, or only a message.
 */
export type ValidationStarter = {
  /**
   * Its path, relative to the project's root.
   */
  file: string,
  /**
   * Its text; `None` when the file already exists and stays as it is.
   */
  text: string | null,
  /**
   * The message for the user.
   */
  wording: string,
};

/**
 * The basis of a first file.
 */
export type ValidationStarterInput = {
  /**
   * Whether the file already exists.
   */
  is_there: boolean,
  /**
   * The contents of the project.
   */
  project: ValidationProject,
  /**
   * What this machine lacks.
   */
  obstacle: ValidationObstacle | null,
  /**
   * Where Playwright Test was before it was installed; `None` when the user didn't allow the installation.
   */
  install: ValidationInstallInput | null,
};

/**
 * The status of a run.
 */
export type ValidationStatus = "running" | "awaiting_decision" | "awaiting_user" | "awaiting_yes" | "cancelled" | "validated" | "failed" | "incomplete";

/**
 * The kind of a step, by Playwright's own categories.
 */
export type ValidationStepKind = "expect" | "call";

/**
 * What is validated.
 */
export type ValidationSubject = {
  /**
   * A one-line title.
   */
  title: string,
  /**
   * The full text of the request.
   */
  text: string,
  /**
   * The source of that text.
   */
  source: ValidationSubjectSource,
  /**
   * What must be true. Empty if the text doesn't list it: the verifier then lists it.
   */
  criteria: Array<ValidationCriterion>,
};

/**
 * What is validated, as the shell found it.
 */
export type ValidationSubjectInput = { "kind": "text",
  /**
   * The text.
   */
  text: string, } | { "kind": "file",
  /**
   * The path as the user wrote it.
   */
  path: string,
  /**
   * Its contents.
   */
  text: string, } | { "kind": "flow",
  /**
   * The subject.
   */
  subject: ValidationSubject, } | { "kind": "run",
  /**
   * The handover.
   */
  handover: Handover, } | { "kind": "tests",
  /**
   * The tests.
   */
  repeat: ValidationRepeat,
  /**
   * The seed that the user names for fast-check.
   */
  seed: number | null,
};

/**
 * The source of what is validated.
 */
export type ValidationSubjectSource = { "source": "text" } | { "source": "flow",
  /**
   * Its name.
   */
  session: string,
  /**
   * The tree that its last complete feature left; `None` when no feature is complete.
   */
  tree: string | null,
  /**
   * The model of its worker, `provider/model`; `None` when no feature is complete. Older journals don't have it.
   */
  worker?: string, } | { "source": "run",
  /**
   * Its name.
   */
  run: string,
  /**
   * The design that was to be built.
   */
  design: string, } | { "source": "file",
  /**
   * The path as the user wrote it.
   */
  path: string,
};

/**
 * A tester's answer: one JSON object.
 */
export type ValidationSuite = {
  /**
   * Test files for Playwright Test.
   */
  files: Array<ValidationSuiteFile>,
  /**
   * The criteria that no test in a browser can decide.
   */
  untestable: Array<ValidationUntestable>,
};

/**
 * A test file.
 */
export type ValidationSuiteFile = {
  /**
   * Its name, which ends in `.spec.ts`.
   */
  path: string,
  /**
   * Its full text.
   */
  text: string,
};

/**
 * The lie of the live counterfeit that a test meets.
 */
export type ValidationTestLie = {
  /**
   * The owner of the test.
   */
  whose: ValidationWhose,
  /**
   * The file, relative to the run's directory; for the project's own tests, relative to the project's root.
   */
  file: string,
  /**
   * Its title, preceded by those of its groups.
   */
  title: string,
  /**
   * The lie.
   */
  lie: ValidationLie,
};

/**
 * The name of a test.
 */
export type ValidationTestName = {
  /**
   * The file, relative to the project's root.
   */
  file: string,
  /**
   * Its title, preceded by those of its groups.
   */
  title: string,
};

/**
 * The result of a test in one pass.
 */
export type ValidationTestSeen = {
  /**
   * Its owner. Older journals don't have it: all tests were written for the run.
   */
  whose: ValidationWhose,
  /**
   * The file, relative to the run's directory; for the project's own tests, relative to the project's root.
   */
  file: string,
  /**
   * Its title, preceded by those of its groups.
   */
  title: string,
  /**
   * Its tags, each with its `@`.
   */
  tags: Array<string>,
  /**
   * How it ended.
   */
  status: ValidationTestStatus,
  /**
   * How many of its steps are assertions.
   */
  expects: number,
  /**
   * How many assertions failed although the test passed.
   */
  caught: number,
  /**
   * The duration in whole milliseconds.
   */
  duration_ms: number,
  /**
   * Its error message, at most 2000 characters, without colours; empty if it passed.
   */
  error: string,
  /**
   * What its pages wrote to the console, errors and warnings first, at most [`MOST_TOLD`].
   */
  console: Array<ValidationTold>,
  /**
   * Requests of its pages that failed, at most [`MOST_TOLD`].
   */
  failed_requests: Array<ValidationFailedRequest>,
  /**
   * The files that it left behind.
   */
  attachments: Array<ValidationAttachment>,
  /**
   * The titles of its steps, at most [`MOST_TOLD`].
   */
  steps: Array<string>,
  /**
   * The addresses that its pages reached, each once, at most [`MOST_TOLD`]. Older journals don't have it.
   */
  visited: Array<string>,
  /**
   * What its last page showed when it failed. Older journals don't have it.
   */
  shown?: ValidationShown,
  /**
   * Its actions and assertions in order, at most [`LONGEST_TRAIL`]. Older journals don't have it.
   */
  trail?: Array<ValidationTrailStep>,
  /**
   * The addresses outside the application's start address that it opened or requested itself, each once, at most [`MOST_TOLD`].
   * Older journals don't have it.
   */
  opened?: Array<string>,
  /**
   * The calls with which it answers for the application, at most [`MOST_TOLD`]. Older journals don't have it.
   */
  mocks?: Array<string>,
  /**
   * The code that it ran in pages, each once, at most [`MOST_TOLD`]; what is too long or too much ends in `…`. Older journals don't have
   * it.
   */
  evaluated?: Array<string>,
  /**
   * Milliseconds that its slowest assertion took; `None` if it asserted nothing. Older journals don't have it.
   */
  slowest_assertion_ms?: number,
  /**
   * Milliseconds that its slowest action took, apart from those of Playwright's fixtures; `None` if it did nothing. Older journals
   * don't have it.
   */
  slowest_action_ms?: number,
  /**
   * The rules that it tried with fast-check, in order, at most [`MOST_TOLD`]. Older journals don't have it.
   */
  rules?: Array<ValidationRuleTried>,
};

/**
 * How a test ended.
 */
export type ValidationTestStatus = "passed" | "failed" | "timed_out" | "interrupted" | "skipped";

/**
 * A test that was running.
 */
export type ValidationTestUnderWay = {
  /**
   * Its owner.
   */
  whose: ValidationWhose,
  /**
   * The file, relative to the run's directory; for the project's own tests, relative to the project's root.
   */
  file: string,
  /**
   * Its title, preceded by those of its groups.
   */
  title: string,
  /**
   * Its tags, each with its `@`.
   */
  tags: Array<string>,
};

/**
 * How long a test may wait at most when a counterfeit replaces the application.
 */
export type ValidationTestWaits = {
  /**
   * Its title, preceded by those of its groups. Tests of the same title share the limits.
   */
  title: string,
  /**
   * Milliseconds that each of its actions may wait.
   */
  wait_ms: number,
  /**
   * Milliseconds that each of its assertions may wait. The time begins again while the page receives answers.
   */
  assert_ms: number,
};

/**
 * A run's findings that need fixing.
 */
export type ValidationToFix = {
  /**
   * The run's directory.
   */
  run: string,
  /**
   * What was validated, in a few words.
   */
  title: string,
  /**
   * Where that came from: it is validated again once the faults are fixed.
   */
  source: ValidationSubjectSource,
  /**
   * The faults, one by one; at least one.
   */
  faults: Array<ValidationFault>,
};

/**
 * A line on the console of a page.
 */
export type ValidationTold = {
  /**
   * `error`, `warning`, `info`, …; `pageerror` for an uncaught exception.
   */
  level: string,
  /**
   * Its text.
   */
  text: string,
  /**
   * The page's address.
   */
  page: string,
};

/**
 * A step of a test.
 */
export type ValidationTrailStep = {
  /**
   * Its kind.
   */
  kind: ValidationStepKind,
  /**
   * Playwright's title for it.
   */
  title: string,
  /**
   * Why it failed; empty if it didn't.
   */
  error?: string,
};

/**
 * Files that aren't committed.
 */
export type ValidationUncommitted = {
  /**
   * The first of them, relative to the root of the repository.
   */
  files: Array<string>,
  /**
   * How many there are in all.
   */
  count: number,
};

/**
 * A criterion that no test in a browser can decide.
 */
export type ValidationUntestable = {
  /**
   * Its id.
   */
  criterion: string,
  /**
   * Why not.
   */
  why: string,
};

/**
 * The owner of a test.
 */
export type ValidationWhose = "written" | "project";

/**
 * The input of `/design-lab-vendors`.
 */
export type VendorsInput = {
  /**
   * The arguments: nothing, or `allow` or `forget` and providers.
   */
  text: string,
  /**
   * The providers that the user has allowed for this project.
   */
  agreed: Array<string>,
  /**
   * The connected providers.
   */
  connected: Array<string>,
};

/**
 * The result of the command.
 */
export type VendorsOutput = {
  /**
   * The providers that are allowed from now on.
   */
  agreed: Array<string>,
  /**
   * The message for the user.
   */
  wording: string,
};

/**
 * Whether a call may proceed.
 */
export type Verdict = { "kind": "allow" } | { "kind": "deny" } & Denial;

/**
 * How certain the first place is.
 */
export type VerdictKind = "clear" | "leaning" | "too_close_to_call" | "insufficient";

/**
 * The versions of Design Lab and of what it runs on.
 */
export type Versions = {
  /**
   * Design Lab's version.
   */
  package: string,
  /**
   * What npm says about newer ones.
   */
  newest: Newest,
  /**
   * The program that loaded the package.
   */
  host: HostProgram,
  /**
   * Its version; `None` if it didn't report it.
   */
  opencode: string | null,
  /**
   * Node's version, for the command line; `None` if Node is not installed.
   */
  node: string | null,
};

/**
 * The arguments of one of these commands.
 */
export type Wanted = {
  /**
   * The run, as the user names it; empty for the latest.
   */
  run: string,
  /**
   * Whether the same step may be repeated although another run already did it.
   */
  new_directory: boolean,
  /**
   * Refine: the maximum number of rounds, from 1.
   */
  rounds: number,
  /**
   * Merge: the model that writes, by id or `provider/model`; `None` for the author of the best design.
   */
  by: string | null,
  /**
   * Whether the user has already said yes, as with a further round of a refinement.
   */
  permitted: boolean,
  /**
   * Review: whether a rubric for the task is drafted first.
   */
  rubric?: boolean,
  /**
   * Review: the models that join the reviewers of the run itself.
   */
  add?: Add,
  /**
   * Review: map where the designs agree and differ.
   */
  map?: MapRequest,
  /**
   * Review: compare the first two designs.
   */
  close?: CloseRequest,
  /**
   * Review: continue until the first place is clear.
   */
  until?: UntilClear,
};

/**
 * Where the workers of a session work.
 */
export type Workplace = "project" | "lane";

/**
 * How copies of the project's files are prepared.
 */
export type Worktree = {
  /**
   * The command that prepares a copy, program and arguments: `["npm", "ci", "--offline"]`. If left out, the entries of `link` are
   * linked.
   */
  setup: Array<string>,
  /**
   * Directories and files that git ignores and that are linked into a copy: a name matches anywhere, a path is relative to the
   * root of the repository.
   */
  link: Array<string>,
  /**
   * Whether commands in a copy have the network, for example to reach a database. Otherwise they reach only what they start themselves.
   */
  network: boolean,
};
