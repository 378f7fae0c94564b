// Generated from the Rust types by `cargo xtask update`.

/**
 * What the models of a run are seen to do at a moment: it is shown, and never kept.
 */
export type Activity = {
  /**
   * The tool that one of them called last, and what for; `None` before the first.
   */
  tool: string | null,
  /**
   * The files that they have written to, each once.
   */
  files: Array<string>,
  /**
   * What one waits for the user's permission for; `None` when none waits.
   */
  asks: string | null,
  /**
   * What has come in of each call that is under way.
   */
  calls: Array<Incoming>,
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
   * What the session is for: decides the agent.
   */
  role: R,
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * The temperature to ask for.
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
   * What is sent beside it.
   */
  files?: Array<KeptFile>,
  /**
   * Whether the model is offered no tools, since it can't call any.
   */
  no_tools?: boolean,
  /**
   * Milliseconds after which the session is aborted and the call has failed as `Timeout`.
   */
  deadline_ms: number,
  /**
   * Milliseconds without a sign of the model's while it is asked, after which the session is aborted and the call has failed as
   * `Silent`. Time in which tools are at work doesn't count.
   */
  idle_ms: number,
  /**
   * How often the host may repeat the request by itself: these are tries of ours, and once they are used up the
   * call has failed.
   */
  host_retries: number,
};

/**
 * Something that the user attached, as the shell found it. Nothing of it has been read.
 */
export type Attached = {
  /**
   * As the user named it.
   */
  name: string,
  /**
   * What the host takes it for.
   */
  mime: string,
  /**
   * The lines that are meant; none for all.
   */
  lines: Lines | null,
  /**
   * Whether it is a design of the user's own, which is no part of the task.
   */
  own: boolean,
  /**
   * What it is.
   */
  content: Content,
};

/**
 * What was read of an attachment.
 */
export type Attachment = {
  /**
   * What it is.
   */
  attached: Attached,
  /**
   * The files that [`screen`] asked for.
   */
  read: Array<Read>,
};

/**
 * The word for a port that is free.
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
   * The model's id at that provider; may hold slashes.
   */
  model: string,
  /**
   * For people.
   */
  name: string,
  /**
   * Tokens that fit into one call; 0 where unknown.
   */
  context: number,
  /**
   * Tokens of one answer; 0 where unknown.
   */
  output: number,
  /**
   * US dollars for a million tokens read.
   */
  cost_input: number,
  /**
   * US dollars for a million tokens written.
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
   * Whether it takes a temperature.
   */
  temperature: boolean,
  /**
   * Whether it takes images.
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
   * Whether the host brought its provider along, and the user has not set it up.
   */
  brought_along: boolean,
  /**
   * The host name or address of its provider, where the catalogue or the configuration gives one.
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
   * `provider/model` of the session that asks, if it is known.
   */
  current: string | null,
  /**
   * The providers that the user lets have this project's files; `None` when the user doesn't want to be asked.
   */
  agreed: Array<string> | null,
};

/**
 * A directory that nothing is read from.
 */
export type BlockedRoot = {
  /**
   * Absolute.
   */
  path: string,
  /**
   * Whether searches have to be kept out of it before anything around it is searched.
   */
  guarded: boolean,
  /**
   * Whether it holds runs, and so files that may have further names elsewhere.
   */
  designs: boolean,
};

/**
 * What a run may cost; checked before every call.
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
   * Calls, repairs and further tries included; null means no limit.
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
   * The host's name of the error (`APIError`, `ProviderAuthError`, …), `Timeout` or `Silent` for a deadline; where [`Command::Recover`] found
   * no answer `Lost`, or `Unsent` if the model was never asked.
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
   * Whether the host thinks that trying again may help; none when it doesn't say.
   */
  retryable: boolean | null,
  /**
   * Milliseconds that the provider asked to wait.
   */
  retry_after_ms: number | null,
  /**
   * What the failed call cost all the same.
   */
  cost: number,
  /**
   * Tokens of the failed call.
   */
  tokens: Tokens,
  /**
   * How often the host had repeated the request by itself: these tries count.
   */
  host_retries: number,
  /**
   * How many of its requests broke off after the model had begun to answer: nobody reports what these used.
   */
  cut_off: number,
  /**
   * How many requests its provider was sent for it.
   */
  requests: number,
  /**
   * Tokens of the prompt, if the provider says that they were too many.
   */
  prompt_tokens?: number,
  /**
   * Tokens that the model's context holds, if the provider says so.
   */
  context_tokens?: number,
};

/**
 * A design that the user brings along.
 */
export type Candidate = {
  /**
   * Its id within the run, made of the file's name.
   */
  id: DesignId,
  /**
   * Where it came from.
   */
  from: OwnFile,
  /**
   * The design; parts that the file doesn't have are empty.
   */
  design: Design,
  /**
   * What of the file is no part of the design.
   */
  left_out?: Array<string>,
};

/**
 * A command that has to pass.
 */
export type CheckSettings = {
  /**
   * What it is called: lower-case letters, digits and hyphens.
   */
  id: string,
  /**
   * Program and arguments. It passes by exit code 0; where its output is that of tests, some have to have run.
   */
  command: Array<string>,
  /**
   * Where it is run, from the project's root.
   */
  cwd: string,
  /**
   * Milliseconds that it may take.
   */
  timeout_ms: number,
  /**
   * The ids of criteria that it decides, as tests do. It then runs as often as they.
   */
  criteria: Array<string>,
  /**
   * Whether its command may run without your being asked.
   */
  allow: boolean,
};

/**
 * Something in a folder.
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
 * Something that the shell has to do. `R`: what a session is for; `O` and `D` as in [`EventKind`]; `E`: effects of the
 * workflow's own.
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
   * What it is for: decides the agent.
   */
  role: R,
  /**
   * Its title in the host's list.
   */
  title: string, } | { "command": "ask" } & Ask<R> | { "command": "recover",
  /**
   * The prompt, as it was sent.
   */
  ask: Ask<R>,
  /**
   * When it was sent: an older message of the same text is not it. Milliseconds since 1970-01-01 UTC.
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
   * How it ends up coloured.
   */
  tone: Tone,
  /**
   * A short sentence.
   */
  message: string,
  /**
   * Whether it is worth a toast: the turns of phase are, single steps are not.
   */
  toast: boolean, } | { "command": "finish",
  /**
   * How it ended.
   */
  outcome: Outcome,
  /**
   * Whether it came to what was asked for, or as far as it can by itself.
   */
  done: boolean,
  /**
   * Whether it can be continued, also if it has no directory yet.
   */
  resumable: boolean,
  /**
   * What the one model turn at the end is to be told; the user doesn't see it. Empty where there is to be none.
   */
  brief: string, } | E;

/**
 * How a command ended.
 */
export type CommandEnd = { "how": "exited",
  /**
   * 0 where all is well.
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
   * How long it is.
   */
  bytes: number,
  /**
   * SHA-256 of it, in lower-case hex.
   */
  sha256: string,
  /**
   * Its end, about [`TAIL`] characters.
   */
  tail: string,
};

/**
 * How a command went.
 */
export type CommandRan = {
  /**
   * How it ended.
   */
  end: CommandEnd,
  /**
   * Milliseconds that it took, whole.
   */
  duration_ms: number,
  /**
   * Its output, both streams as they came, in the file that the effect named.
   */
  output: CommandOutput,
  /**
   * What its output shows about tests, as `testsTold` reads it; `None` when it shows nothing.
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
   * What it answers for.
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
 * The effective configuration of a run, as stored in `config.json`. It holds no secrets.
 */
export type Config = {
  /**
   * At least two, with distinct ids.
   */
  design_models: Array<ModelEntry>,
  /**
   * At least one where no person reviews, with distinct ids.
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
   * How often to try again.
   */
  retries: Retries,
  /**
   * What a run may cost.
   */
  budget: RunBudget,
  /**
   * What models cost by the user's own table, by `provider/model`.
   */
  prices: { [key in string]: Price },
  /**
   * How reviews are made and counted.
   */
  review: Review,
  /**
   * Where only the comparisons are asked that matter, until the first place is clear: no setting, but asked for by a command.
   */
  until_clear?: UntilClear,
  /**
   * The configured seed; none means that it is derived from the task.
   */
  seed: number | null,
};

/**
 * What an attachment is.
 */
export type Content = { "kind": "file",
  /**
   * Absolute, as it was named.
   */
  path: string,
  /**
   * Absolute, with links resolved.
   */
  real: string,
  /**
   * In bytes.
   */
  size: number, } | { "kind": "folder",
  /**
   * Absolute, as it was named.
   */
  path: string,
  /**
   * Absolute, with links resolved.
   */
  real: string,
  /**
   * The files in it and below.
   */
  files: Array<Entry>,
  /**
   * Whether there are more.
   */
  more: boolean,
  /**
   * What was left out of it.
   */
  left_out: LeftOut, } | { "kind": "pasted",
  /**
   * In bytes.
   */
  size: number, } | { "kind": "other",
  /**
   * What it is, in words that follow "It is".
   */
  what: string,
};

/**
 * What takes the application's place in the negative control.
 */
export type Counterfeit = "nothing" | "blank" | "frozen" | "live";

/**
 * What a reviewer is asked for; at least one of the two is true.
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
 * What happens in a run beside what happens in any.
 */
export type Decision = { "event": "presented" } & Presented | { "event": "recounted" } & Rerank | { "event": "reconfigured" } & Reconfiguration | { "event": "mended" } & Amendment | { "event": "sufficed",
  /**
   * Why, as a sentence.
   */
  why: string,
};

/**
 * The arguments of `/design-lab-status` where they ask for a decision.
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
   * Which rule refused; for logs and tests, never for the model.
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
   * What the design takes for granted.
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
   * The decisions, with what was weighed against what.
   */
  tradeoffs: Array<Tradeoff>,
  /**
   * What may go wrong, and what is done about it.
   */
  risks: Array<Risk>,
  /**
   * What stakeholders have to answer.
   */
  open_questions: Array<string>,
};

/**
 * What a design is called, in a run by the entry of `design_models` that wrote it: who knows it knows the author.
 */
export type DesignId = string;

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
   * Its share in the overall, above 0; only ratios matter.
   */
  weight: number,
  /**
   * What certain scores mean, by score; at most 101.
   */
  anchors: { [key in string]: string },
};

/**
 * What was tried when a file operation failed.
 */
export type DiskDeed = "read" | "write";

/**
 * A file operation that failed.
 */
export type DiskFailure = {
  /**
   * As the user would recognise it.
   */
  file: string,
  /**
   * The system's code: `EACCES`, `ENOSPC`.
   */
  code: string,
};

/**
 * What the shell found out.
 */
export type DoctorInput = {
  /**
   * What runs here.
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
   * Configuration files that are there and can't be read.
   */
  unreadable: Array<DiskFailure>,
  /**
   * The connected models; `None` if the host didn't say.
   */
  available: AvailableModels | null,
  /**
   * The host's agents, each with the rules that apply to it in the end; `None` if the host didn't report them.
   */
  agents: Array<HostAgent> | null,
  /**
   * The plugins that the terminal's part of OpenCode loads.
   */
  sidebar: Sidebar,
  /**
   * What OpenCode searches with.
   */
  search: Search,
  /**
   * Where runs are kept.
   */
  output: OutputDirectory,
  /**
   * The runs there.
   */
  runs: Array<Found<RunFacts>>,
  /**
   * The models that the user gave Flow's agents.
   */
  flow: FlowConfiguredModels,
  /**
   * The settings of Validation; `None` where the project has none.
   */
  validation: ValidationSetup | null,
  /**
   * A call of each model, where the user asked for that.
   */
  trials: Array<Trial> | null,
  /**
   * Whether a model asks. It may have a shell: providers' texts about failed calls are for people alone.
   */
  by_model: boolean,
};

/**
 * What a model is asked for. One question makes a job, which may take several calls.
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
   * From 1.
   */
  version: number,
  /**
   * The design.
   */
  design: Design,
  /**
   * Where it came from, and what it cost then.
   */
  metadata: Provenance,
  /**
   * The file that it was read from, where no model wrote it.
   */
  from?: OwnFile,
  /**
   * What its reviewers said, without names and labels; empty where nobody will read it.
   */
  feedback: Feedback,
};

/**
 * What earlier work of the same models took: the least and the most.
 */
export type EarlierRuns = {
  /**
   * How many there are.
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
   * Below that folder, `/` between segments.
   */
  path: string,
  /**
   * In bytes.
   */
  size: number,
};

/**
 * What happened. `O`: how the workflow opens a run; `D`: what it decides itself.
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
   * The host's account of it.
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
  reason: string, } | { "event": "retried" } | { "event": "resumed" } | { "event": "closed" } | { "event": "journal_restored" } | { "event": "adopted" } | D;

/**
 * What a command is expected to take.
 */
export type Expected = {
  /**
   * Calls where nothing fails.
   */
  calls: number,
  /**
   * Tokens of every kind, by length.
   */
  tokens: number,
  /**
   * US dollars for these.
   */
  cost: number,
  /**
   * What the same work took before.
   */
  earlier?: EarlierRuns,
  /**
   * The limit in US dollars above which the user is asked first, where it may come to more than that.
   */
  above?: number,
};

/**
 * How long a run is expected to take, by what its models took before.
 */
export type ExpectedTime = {
  /**
   * Milliseconds.
   */
  ms: number,
  /**
   * How many earlier jobs of its models that goes by.
   */
  jobs: number,
  /**
   * How many calls these took.
   */
  calls: number,
  /**
   * How many of them brought nothing that could be used.
   */
  again: number,
  /**
   * Models of the run without any record: the others' mean stands in.
   */
  unknown: number,
};

/**
 * What the shell found out about a call.
 */
export type Facts = {
  /**
   * One for each path asked for.
   */
  paths: Array<PathFact>,
  /**
   * One for each address asked for.
   */
  urls: Array<UrlFact>,
  /**
   * The blocked directories, spelled as in [`Rules::blocked`], that searches are kept out of.
   */
  guarded: Array<string>,
  /**
   * The directories of the runs in those, each absolute: a search is refused whose glob leads into one of them.
   */
  runs: Array<string>,
  /**
   * Of a result: the files that it names and that have further names, by link or hard link.
   */
  linked: Array<PathFact>,
};

/**
 * Reviewers' comments on one design: nothing in them names their writer, or another design by its label.
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
   * What was not thought of.
   */
  missing_considerations: Array<string>,
  /**
   * What may go wrong.
   */
  risks?: Array<string>,
  /**
   * Why the scores, or the verdicts, are as they are.
   */
  justifications: Array<string>,
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
 * What `/flow-auto` is asked for.
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
   * Model calls each time a feature is built.
   */
  calls: number,
  /**
   * Milliseconds that a session may work; the time in which it waits for the user doesn't count.
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
   * Calls of a session, repairs and further tries included; null means no limit.
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
   * From the root of the tree.
   */
  path: string,
  /**
   * What it held before the feature; `None` where it wasn't there.
   */
  before: string | null,
  /**
   * What it holds now.
   */
  now: string,
};

/**
 * What was seen of a check.
 */
export type FlowCheckFinished = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The tree just before the command was started.
   */
  tree_before: string,
  /**
   * The tree once it had ended, and everything that it started.
   */
  tree_after: string,
  /**
   * The paths that differ between the two, from the project's root, sorted.
   */
  changed: Array<string>,
  /**
   * The files of the tree that were touched meanwhile, also those that hold the same again, sorted.
   */
  touched?: Array<string>,
  /**
   * How it went.
   */
  ran: CommandRan,
};

/**
 * A design of a ranked run, as a session took it over.
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
   * The ranking's verdict in a sentence, where it isn't clear.
   */
  doubt: string | null,
  /**
   * The design.
   */
  design: Design,
  /**
   * The constraints of the task, and the qualities that it asks for.
   */
  requirements: Array<FlowRequirement>,
  /**
   * The design's components, in its order.
   */
  components: Array<FlowComponent>,
  /**
   * The design's open questions, and what reviewers found weak in it.
   */
  concerns: Array<FlowConcern>,
};

/**
 * What is made before anything runs in a copy, and the environment that it runs in.
 */
export type FlowCleanRoom = {
  /**
   * The environment.
   */
  environment: { [key in string]: string },
  /**
   * Directories to make, absolute; one before what lies in it.
   */
  folders: Array<string>,
  /**
   * Empty files to make, absolute.
   */
  files: Array<string>,
  /**
   * Links to make where their target is there: where the link is, and its target, absolute.
   */
  links: Array<[string, string]>,
  /**
   * Variables to set where the place that they name is there.
   */
  places: { [key in string]: string },
};

/**
 * A component of a design.
 */
export type FlowComponent = {
  /**
   * Its id, made of its name.
   */
  id: string,
  /**
   * Its name.
   */
  name: string,
};

/**
 * Something that is open about a design.
 */
export type FlowConcern = {
  /**
   * `question-1` and so on of its author, `weakness-1` and so on of its reviewers.
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
   * The examiner's; `None` where it isn't set.
   */
  examiner: string | null,
};

/**
 * What happens in a session beside what happens in any run.
 */
export type FlowDecision = { "event": "revised",
  /**
   * What should change, in the user's words.
   */
  remarks: string,
  /**
   * What that is expected to take; `None` when there was no forecast.
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
   * What that is expected to take; `None` when there was no forecast.
   */
  expected?: Expected, } | { "event": "started",
  /**
   * Its id.
   */
  feature: string,
  /**
   * What that is expected to take; `None` when there was no forecast.
   */
  expected?: Expected, } | { "event": "configured",
  /**
   * What it says now.
   */
  settings: FlowSettings,
  /**
   * Whether the session continues with it in a new process, as by [`kernel::protocol::EventKind::Resumed`].
   */
  resumes: boolean,
  /**
   * The rules now; `None` where they are as before.
   */
  shell_rules?: ShellRules, } | { "event": "tree_taken",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * The tree.
   */
  tree: string,
  /**
   * The paths that differ from the tree that the effect named in `since`, from the root of the tree, sorted; empty if
   * it named none.
   */
  changed: Array<string>,
  /**
   * What happened to the tests in those of them that may hold any, by path; empty if no earlier state is kept.
   */
  tests: Array<FlowTestFile>,
  /**
   * What of them decides how tests are run, in files that hold much else.
   */
  test_settings?: Array<FlowTestSetting>,
  /**
   * What the worker had left running, and was ended.
   */
  ended?: Array<FlowEndedProcess>,
  /**
   * Whether the copy that the reviewer read is no longer as it was laid: somebody touched it, or it is gone.
   */
  unsealed?: boolean,
  /**
   * What git has on record; `None` when there is no repository.
   */
  recorded?: FlowGitRecord,
  /**
   * What copies would get as links; empty if the effect names none.
   */
  links?: Array<FlowLink>,
  /**
   * Where that patch is, from the root of the tree; `None` when nothing differs, the effect didn't ask for it, or there is no git.
   */
  undo?: string, } | { "event": "check_finished" } & FlowCheckFinished | { "event": "ran_apart" } & FlowRanApart | { "event": "mutated" } & FlowMutated | { "event": "examined" } & FlowExamined | { "event": "effect_failed",
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
 * What is done in a session beside asking models.
 */
export type FlowEffect = { "command": "take_tree",
  /**
   * Its number.
   */
  effect: number,
  /**
   * An earlier tree of this session, to be compared with.
   */
  since: string | null,
  /**
   * Whether a worker's turn is over: what its shells left running is ended before.
   */
  ends_work?: boolean,
  /**
   * The seal of the copy that a reviewer has read and that is no longer needed.
   */
  seal?: string,
  /**
   * What git ignores and copies get by a link, by name or path, where a feature is begun: how it is now has to be told.
   */
  link?: Array<string>,
  /**
   * Where to keep the patch that leads from this tree back to `since`, below the session's directory; `None` when it isn't needed.
   */
  undo?: string, } | { "command": "run_check",
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
   * What is laid over the copy.
   */
  over: FlowOverlay,
  /**
   * What git ignores and the copy gets as a link, by name or path. Empty if `setup` makes a copy ready.
   */
  link: Array<string>,
  /**
   * The command that makes the copy ready: program and arguments; empty if there is none.
   */
  setup: Array<string>,
  /**
   * The commands.
   */
  runs: Array<FlowApartRun>,
  /**
   * Whether they run in a clean room ([`super::clean_room`]), and not in the user's environment.
   */
  clean?: boolean,
  /**
   * What copies had as links when the feature started, to report what changed since. Empty if no feature is being built.
   */
  began_with?: { [key in string]: string },
  /**
   * Whether a reviewer is asked next: a copy for its tools is laid beside it, and its seal told.
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
   * The files of the change that are no tests, from the root of the tree.
   */
  paths: Array<string>,
  /**
   * How many mutants there may be.
   */
  most: number,
  /**
   * Milliseconds that all of it may take.
   */
  budget_ms: number,
  /**
   * As in [`Effect::RunApart`].
   */
  link: Array<string>,
  /**
   * As in [`Effect::RunApart`].
   */
  setup: Array<string>,
  /**
   * The commands. The output of each goes into a file of its own for each mutant: the name with the mutant's number, from 1
   * on, before its end.
   */
  runs: Array<FlowApartRun>,
  /**
   * As in [`Effect::RunApart`].
   */
  clean?: boolean,
  /**
   * The user's tool, which is run first, in a copy of its own: mutants are tried only where it shows nothing.
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
   * The tree from before what is examined.
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
 * What the project has where a test of an exam goes.
 */
export type FlowExamPlace = "free" | "same" | "replaced" | "other";

/**
 * A test of an exam, and the command that runs it.
 */
export type FlowExamRun = {
  /**
   * Its file, from the root of the tree.
   */
  path: string,
  /**
   * What it holds.
   */
  text: string,
  /**
   * Whether the file was free before the worker saw the test: what is there now must make way for it.
   */
  replaces?: boolean,
  /**
   * The command. The output of each run goes into a file of its own: the name with `-1`, `-2` or `-before` before its end.
   */
  run: FlowApartRun,
};

/**
 * What was seen of a test of an exam.
 */
export type FlowExamSeen = {
  /**
   * What the project has under the test's path.
   */
  place: FlowExamPlace,
  /**
   * How its command went with it, twice; empty where it was not run.
   */
  runs: Array<CommandRan>,
  /**
   * How its command went with it on the files from before; `None` where it was not run there.
   */
  before: CommandRan | null,
  /**
   * Whether a command touched a file of the copy: then it shows nothing.
   */
  touched?: boolean,
};

/**
 * What was seen of an exam.
 */
export type FlowExamined = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there was no copy in which anything could run, in a sentence for people; `None` where there was one.
   */
  unprepared: string | null,
  /**
   * How each command of `before` went.
   */
  before: Array<CommandRan>,
  /**
   * What was seen of each test, in the order of the effect's; empty without a copy.
   */
  tests: Array<FlowExamSeen>,
};

/**
 * What a session records beside what any run does.
 */
export type FlowFacts = {
  /**
   * Where it stands.
   */
  status: FlowStatus,
  /**
   * The whole hash of the plan that is waiting for approval.
   */
  plan_hash: string | null,
  /**
   * The session whose criteria were validated, where this one fixes what the validation found.
   */
  fixes: string | null,
  /**
   * How many features its plan has; none before it has one.
   */
  features: number,
  /**
   * How many of them are complete.
   */
  complete: number,
  /**
   * What its work has taken so far.
   */
  past: FlowPast,
};

/**
 * What a validation found that a session fixes.
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
   * Where that came from.
   */
  source: ValidationSubjectSource,
  /**
   * What is wrong.
   */
  faults: Array<FlowRequirement>,
};

/**
 * What git has on record at a moment. Whatever isn't text for people is a digest.
 */
export type FlowGitRecord = {
  /**
   * The branch of `HEAD`, such as `refs/heads/main`; `HEAD` where it is on none.
   */
  branch: string,
  /**
   * The commit of `HEAD`; none before the first one.
   */
  commit: string | null,
  /**
   * Of all branches, tags and stashes.
   */
  refs: string,
  /**
   * Of what is staged.
   */
  staged: string,
  /**
   * Of settings, hooks, ignore rules and attributes that lie in git's own directory.
   */
  settings: string,
};

/**
 * What has to be known of the paths of a call.
 */
export type FlowGuardFacts = {
  /**
   * The directories that no session may change.
   */
  kept: Array<FlowPlace>,
  /**
   * The paths that were asked for.
   */
  paths: Array<FlowPlace>,
};

/**
 * What has to be known to judge a call.
 */
export type FlowInquiry = { "kind": "allow" } | { "kind": "deny",
  /**
   * What the model is told.
   */
  message: string, } | { "kind": "ask",
  /**
   * As the call names them.
   */
  paths: Array<string>,
};

/**
 * A directory or file that copies have by a link, as it was at a moment.
 */
export type FlowLink = {
  /**
   * Where it is, from the root of the tree.
   */
  path: string,
  /**
   * Of all that is in it but [`left_out`]; keyed, since it may hold secrets.
   */
  digest: string,
  /**
   * The files in it that have changed since the feature was begun, if this process saw it then, sorted.
   */
  changed?: Array<string>,
};

/**
 * Who is asked for what, each as `provider/model`.
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
   * Reviews what the worker did.
   */
  reviewer: string,
  /**
   * Writes the exam; `None` where the reviewer's model does.
   */
  examiner?: string,
};

/**
 * A file with a small fault.
 */
export type FlowMutant = {
  /**
   * Which file, from the root of the tree.
   */
  path: string,
  /**
   * The first line that differs, from 1 on.
   */
  line: number,
  /**
   * What differs, in words.
   */
  change: string,
  /**
   * What the file holds with the fault.
   */
  text: string,
};

/**
 * What was seen of mutants.
 */
export type FlowMutated = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there was no copy in which anything could run, in a sentence for people; `None` where there was one.
   */
  unprepared: string | null,
  /**
   * What was tried, in order.
   */
  tried: Array<FlowTriedMutant>,
  /**
   * How many were not, since the time was up.
   */
  left: number,
  /**
   * What the user's tool showed; `None` where the effect names none. Where it showed something, nothing else was tried.
   */
  mutator?: FlowMutatorSeen,
  /**
   * Milliseconds that it took, whole.
   */
  duration_ms: number,
};

/**
 * How a tool ended, and what it left in the copy.
 */
export type FlowMutatorLeft = {
  /**
   * Its command.
   */
  argv: Array<string>,
  /**
   * How that ended.
   */
  end: CommandEnd,
  /**
   * Where its output is, below the session's directory.
   */
  output: string,
  /**
   * Where its report should be, from the project's directory on.
   */
  report: string,
  /**
   * The project's directory, from the root of the tree; empty where they are the same.
   */
  directory: string,
  /**
   * The root of the copy, absolute, by each of its names.
   */
  roots: Array<string>,
  /**
   * The files of the copy that were touched meanwhile.
   */
  touched: Array<string>,
  /**
   * What was found of the report; `None` where nothing is there.
   */
  files: Array<FlowReportFile> | null,
  /**
   * Why the report was not looked for or not read; `None` where it was.
   */
  refused: FlowReportRefused | null,
  /**
   * The files of the change that are no tests.
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
   * Where it writes its report, from the project's directory on.
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
 * What a tool showed.
 */
export type FlowMutatorSeen = {
  /**
   * Its name and version, as its report has them.
   */
  tool: string,
  /**
   * Why it showed nothing, as a clause; `None` where it did.
   */
  unusable: string | null,
  /**
   * The mutants in lines that the feature changed: the first ones, those that went unnoticed before others.
   */
  mutants: Array<FlowReportedMutant>,
  /**
   * How many of all of them were noticed.
   */
  noticed: number,
  /**
   * How many were not.
   */
  unnoticed: number,
  /**
   * How many decide nothing.
   */
  undecided: number,
};

/**
 * How a session begins: everything that it depends on but the models.
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
  acceptance?: Rules,
  /**
   * The package's version.
   */
  package: string,
  /**
   * The user's local date, `YYYY-MM-DD`: begins the session's name.
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
   * What a validation found that it fixes; `None` when it fixes nothing.
   */
  fix?: FlowFix,
  /**
   * Who is asked.
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
   * Whether the goal is built to its end without asking the user.
   */
  automatic: boolean,
  /**
   * Which rules decide: 0 in sessions of before they were numbered, whose journals keep their meaning; else [`RULES`] of
   * the day on which the session began.
   */
  rules: number,
  /**
   * What the plan is expected to take; `None` when there was no forecast.
   */
  expected?: Expected,
  /**
   * The user's rules for a worker's shell commands; `None` in sessions of before checks went through them.
   */
  shell_rules?: ShellRules,
  /**
   * The seed of the jitter of pauses, below 2^53.
   */
  seed: number,
};

/**
 * What a session begins with, as the shell gathered it.
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
   * What the user wants built; empty where that is a ranked design.
   */
  goal: string,
  /**
   * The ranked design that is to be built.
   */
  from: Handover | null,
  /**
   * What a validation found that is to be fixed.
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
   * Whether the goal is to be built to its end without asking.
   */
  automatic: boolean,
  /**
   * The user's rules for a worker's shell commands.
   */
  shell_rules?: ShellRules,
};

/**
 * What is laid over a copy of the project's files.
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
   * What it holds.
   */
  text: string,
};

/**
 * What a session has taken so far, for the forecasts of others.
 */
export type FlowPast = {
  /**
   * A number that sessions share whose models are the same.
   */
  models: number,
  /**
   * What each draft of a plan took.
   */
  plans: Array<FlowTook>,
  /**
   * What each complete feature took.
   */
  features: Array<FlowTook>,
};

/**
 * Where a path leads.
 */
export type FlowPlace = {
  /**
   * As it was given.
   */
  given: string,
  /**
   * By its letters: absolute, without `..`.
   */
  absolute: string,
  /**
   * By its links.
   */
  real: string,
};

/**
 * What `/flow-plan` is asked for.
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
   * The ids of the features that are to stay.
   */
  features: Array<string>, } | { "kind": "approve",
  /**
   * What was typed of its hash.
   */
  hash: string,
};

/**
 * What checks show that were run again.
 */
export type FlowRanAgain = {
  /**
   * Each check with what it showed then and what it shows now; empty where none could be run.
   */
  account: string,
  /**
   * What differs.
   */
  problems: Array<Problem>,
};

/**
 * What was seen in a copy of the project's files.
 */
export type FlowRanApart = {
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Why there was no copy in which anything could run, in a sentence for people; `None` where there was one.
   */
  unprepared: string | null,
  /**
   * What git ignores and the copy had by a link, from the root of the tree, sorted.
   */
  linked: Array<string>,
  /**
   * The same, as it was just before the commands; empty if the effect doesn't ask for it.
   */
  links?: Array<FlowLink>,
  /**
   * How each command went, in the order of the effect's; empty if there was no copy.
   */
  runs: Array<CommandRan>,
  /**
   * The files of the copy that were touched by the end of each command, sorted; empty if no file was.
   */
  touched?: Array<Array<string>>,
  /**
   * The links of the tree that lead out of it, from its root: the copy lacks them.
   */
  outside?: Array<string>,
  /**
   * The seal of the copy that the reviewer reads: another one as soon as anything in it was touched.
   */
  seal?: string,
};

/**
 * A file of a report.
 */
export type FlowReportFile = {
  /**
   * From the root of the tree.
   */
  path: string,
  /**
   * What it holds.
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
   * Which file, from the root of the tree.
   */
  path: string,
  /**
   * Its first line, from 1 on.
   */
  line: number,
  /**
   * What differs, in words.
   */
  change: string,
  /**
   * Whether a test noticed it; `None` where it decides nothing.
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
 * What `/flow-reset` is asked for.
 */
export type FlowResetCommand = { "kind": "feature",
  /**
   * Its id.
   */
  feature: string, } | { "kind": "session" };

/**
 * What a child session is for: decides the agent, `flow-planner`, `flow-worker`, `flow-reviewer` or `flow-examiner`.
 */
export type FlowRole = "planner" | "worker" | "reviewer" | "examiner";

/**
 * What was seen.
 */
export type FlowSeen = {
  /**
   * The text of the journal.
   */
  journal: string,
  /**
   * A head that somebody has noted, or its beginning.
   */
  head: string | null,
  /**
   * The tree of the files as they are now, where one was asked for.
   */
  tree: string | null,
  /**
   * The paths that differ from the tree that was asked for.
   */
  changed: Array<string>,
  /**
   * By output: its SHA-256 digest in hex; `None` when the file is missing.
   */
  outputs: { [key in string]: string | null },
};

/**
 * What `/flow-session` is asked for.
 */
export type FlowSessionCommand = {
  /**
   * The session, as the user names it.
   */
  named: string,
  /**
   * Whether the user takes it over, whoever wrote its journal.
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
   * What building may cost.
   */
  budget: FlowBudget,
  /**
   * How copies of the project's files are made ready, in which checks run again.
   */
  worktree: Worktree,
  /**
   * How many small faults are tried in a feature, to see whether its checks notice them; 0 tries none.
   */
  mutation: number,
  /**
   * When a model that did not build the change writes new tests of it.
   */
  exam: ExamPolicy,
  /**
   * The mutation testing tool that is used in the place of these faults.
   */
  mutator: Mutator,
  /**
   * What models cost by the user's own table, by `provider/model`. In a configuration it stands beside these settings.
   */
  prices?: { [key in string]: Price },
  /**
   * US dollars above which the user is asked first: `budget.confirm_usd`, which stands beside these settings.
   */
  confirm_usd?: number,
  /**
   * Milliseconds that a model may be asked without writing anything: `timeouts.idle_ms`, which stands beside these settings.
   */
  idle_ms?: number,
};

/**
 * Where a session stands.
 */
export type FlowStatus = "draft" | "approved" | "running" | "awaiting_user" | "blocked" | "completed" | "archived";

/**
 * What the shell found.
 */
export type FlowSurroundings = {
  /**
   * The system, as Node names it.
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
   * An empty directory for this copy alone, absolute, outside of the project.
   */
  room: string,
};

/**
 * What a file holds of tests.
 */
export type FlowTestCounts = {
  /**
   * Tests.
   */
  tests: number,
  /**
   * Assertions.
   */
  assertions: number,
  /**
   * Tests or groups of them that are marked to be skipped.
   */
  skipped: number,
};

/**
 * What became of the tests in a file.
 */
export type FlowTestFile = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * What it held before; `None` where it wasn't there.
   */
  before: FlowTestCounts | null,
  /**
   * What it holds now; `None` where it is gone.
   */
  after: FlowTestCounts | null,
};

/**
 * A change of what decides how tests are run, in a file that holds much else.
 */
export type FlowTestSetting = {
  /**
   * The file, from the root of the tree.
   */
  path: string,
  /**
   * What of it; `None` where that can't be told, and the file as a whole is meant.
   */
  part?: FlowTestSettingPart,
};

/**
 * What of such a file has changed.
 */
export type FlowTestSettingPart = { "part": "script",
  /**
   * Its name.
   */
  name: string,
  /**
   * What it was; `None` where it wasn't there.
   */
  before: string | null,
  /**
   * What it is; `None` where it is gone.
   */
  after: string | null, } | { "part": "tool",
  /**
   * The tool.
   */
  name: string,
};

/**
 * What there is to look at.
 */
export type FlowToVerify = {
  /**
   * The tree that the session was complete with; none before it is.
   */
  tree: string | null,
  /**
   * Outputs of checks, below the session's directory.
   */
  outputs: Array<string>,
};

/**
 * What something took.
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
 * A mutant that was tried.
 */
export type FlowTriedMutant = {
  /**
   * Which file, from the root of the tree.
   */
  path: string,
  /**
   * The first line that differs, from 1 on.
   */
  line: number,
  /**
   * What differs, in words.
   */
  change: string,
  /**
   * How each command went, in the order of the effect's, without what it printed.
   */
  runs: Array<CommandRan>,
  /**
   * Whether a command touched a file of the copy: then it shows nothing.
   */
  touched?: boolean,
};

/**
 * A folder that the shell has looked into.
 */
export type Folder = {
  /**
   * Absolute, with links resolved.
   */
  path: string,
  /**
   * What is in it. Links are left out: they may lead anywhere.
   */
  children: Array<Child>,
  /**
   * How many files and folders of the attachment are known already.
   */
  known: number,
  /**
   * The output directories of runs, absolute.
   */
  outputs: Array<string>,
};

/**
 * What is made of a run.
 */
export type FollowUp = "review" | "refine" | "merge";

/**
 * What a run will ask and is expected to cost.
 */
export type Forecast = {
  /**
   * Calls that name the run, where nothing fails.
   */
  naming: number,
  /**
   * Calls that bring designs, where nothing fails.
   */
  designing: number,
  /**
   * Calls that bring reviews, where nothing fails.
   */
  reviewing: number,
  /**
   * Tokens of every kind, by the length of what will be sent and what such answers usually are.
   */
  tokens: number,
  /**
   * US dollars for these.
   */
  cost: number,
  /**
   * What runs of the same models took.
   */
  earlier: EarlierRuns | null,
  /**
   * How long it takes, by how long these models took in any earlier run.
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
   * What its journal says; `None` when that can't be read.
   */
  summary: Summary<S> | null,
  /**
   * Why its journal can't be read.
   */
  problem: Problem | null,
  /**
   * Who carries it on at this moment.
   */
  owner: Owner,
};

/**
 * A design of a ranked run, with what its builder has to know of it.
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
   * The verdict in a sentence, where it isn't clear that the first design is the best.
   */
  doubt: string | null,
  /**
   * What the design is for.
   */
  task: Task,
  /**
   * The design.
   */
  design: Design,
  /**
   * What reviewers found weak in it, without names and labels.
   */
  weaknesses: Array<string>,
};

/**
 * What comes of them.
 */
export type HiddenOutputs = {
  /**
   * What no designer reaches, absolute: the usual directories of the project, output directories of other runs, or single
   * runs.
   */
  hidden: Array<string>,
  /**
   * Directories that hold no run any more: their notes are to be taken away.
   */
  lapsed: Array<string>,
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
   * The rules that apply to it, from whatever source: the last that fits decides.
   */
  rules: Array<HostRule>,
};

/**
 * A rule of OpenCode's permissions. `*` and `?` are wildcards in both fields.
 */
export type HostRule = {
  /**
   * The tool, or what else is permitted.
   */
  permission: string,
  /**
   * What the tool is called with.
   */
  pattern: string,
  /**
   * `allow`, `ask` or `deny`.
   */
  action: string,
};

/**
 * What one person scored, or in pairwise mode compared.
 */
export type HumanReview = {
  /**
   * The person's id among the reviewers.
   */
  reviewer: ReviewerId,
  /**
   * Every dimension of each design that counts.
   */
  scores: Array<HumanScore>,
  /**
   * Which of two designs is better, each pair once.
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
   * To be journaled before anything is written; `None` when the journal has it already.
   */
  event: EventKind<Opening, Decision> | null,
  /**
   * Paths below the run directory, and contents. A file that is there may have been filled in: it must stay as it is.
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
   * What the person wrote beside it; may be empty.
   */
  comment: string,
};

/**
 * One verdict by a person.
 */
export type HumanVerdict = {
  /**
   * The design that stood first.
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
   * What the person wrote beside it; may be empty.
   */
  comment: string,
};

/**
 * An image that is part of a task.
 */
export type Image = {
  /**
   * As the user named it.
   */
  name: string,
  /**
   * Where the run keeps it, and by what it is known again.
   */
  file: KeptFile,
};

/**
 * What has come in of a call that is under way.
 */
export type Incoming = {
  /**
   * The session that was prompted.
   */
  session: string,
  /**
   * Whether nothing has come since the prompt.
   */
  waiting: boolean,
  /**
   * Characters of text and reasoning since the prompt.
   */
  characters: number,
  /**
   * Milliseconds in which they came.
   */
  writing_ms: number,
};

/**
 * What has to be known to judge a call.
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
   * Whether it has to be known which blocked directories searches are kept out of.
   */
  guards: boolean,
  /**
   * Arguments to leave out of the call. Without them it says the same, but ripgrep lets a glob for all files
   * override `.ignore`.
   */
  drop: Array<string>,
};

/**
 * A file of instructions in the project.
 */
export type InstructionFile = {
  /**
   * Its path, as the host's text names it.
   */
  path: string,
  /**
   * What it holds; `None` when it is gone.
   */
  now: string | null,
  /**
   * What it held before the change; `None` when it didn't exist.
   */
  before: string | null,
};

/**
 * What designers and reviewers may reach.
 */
export type Isolation = {
  /**
   * Whether isolation is on; the results say so when it isn't.
   */
  enforce_design_isolation: boolean,
  /**
   * Globs, relative to the project, beside the output directory, which is always blocked; at most 256.
   */
  blocked_patterns: Array<string>,
  /**
   * Tools that designers and reviewers may call, at most 64.
   */
  allowed_tools: Array<string>,
};

/**
 * Which job of its run: one conversation with one model, in one session at a time. The workflow says what ids its jobs have and
 * what they mean; the kernel only tells them apart.
 */
export type JobId = string;

/**
 * A file that the run keeps and models are sent. The shell sends no other bytes than these.
 */
export type KeptFile = {
  /**
   * Below the run directory, `/` between segments.
   */
  path: string,
  /**
   * What it is.
   */
  mime: string,
  /**
   * How many bytes it has.
   */
  bytes: number,
  /**
   * SHA-256 of these, in lower-case hex.
   */
  sha256: string,
};

/**
 * What a file may be.
 */
export type Kind = "config" | "design" | "form" | "journal" | "ranking" | "review" | "score" | "table" | "task";

/**
 * The name by which a reviewer knows a design: a word that reveals neither order nor author.
 *
 * Which design it stands for only the run's journal says.
 */
export type Label = string;

/**
 * The ranks of sources, lowest first.
 */
export type Layer = "default" | "global" | "project" | "options";

/**
 * How much of a folder is left out because of what it is.
 */
export type LeftOut = {
  /**
   * Files that hold keys by their names.
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
 * Lines of a file, from 1.
 */
export type Lines = {
  /**
   * The first.
   */
  first: number,
  /**
   * The last; none for all that follow.
   */
  last: number | null,
};

/**
 * How many runs the user wants listed.
 */
export type Listed = "latest" | "all";

/**
 * What of a folder is worth a look.
 */
export type Listing = {
  /**
   * In the order in which they are to be looked at.
   */
  children: Array<Child>,
  /**
   * Whether something was left out for want of room.
   */
  more: boolean,
  /**
   * What else was left out.
   */
  left_out: LeftOut,
};

/**
 * What a row is, for its colours.
 */
export type Look = "done" | "failed" | "heading" | "pausing" | "plain" | "ranked" | "remark" | "title" | "waiting" | "working";

/**
 * What is at a path that an answer cites.
 */
export type LookedUp = {
  /**
   * As the answer writes it.
   */
  path: string,
  /**
   * What is there.
   */
  found: PathFound,
  /**
   * How many lines the file has; `None` for anything but a file, and for a file that is too large to count.
   */
  lines: number | null,
};

/**
 * Tests that decide criteria: those of a file, those with a title, or those of a file with a title.
 */
export type MappedTests = {
  /**
   * Their file, from the directory of the tests.
   */
  file: string | null,
  /**
   * What their title holds, together with the titles of their groups: `group › title`.
   */
  title: string | null,
  /**
   * The ids of the criteria that they decide.
   */
  criteria: Array<string>,
};

/**
 * A design model.
 */
export type ModelEntry = {
  /**
   * Slug, unique among its kind: names files and agents.
   */
  id: string,
  /**
   * For people.
   */
  name: string,
  /**
   * `provider/model`; the model part may hold further slashes.
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
   * The angle from which it designs, added to its prompt: so one model can write several designs that differ.
   */
  brief: string | null,
  /**
   * The provider's variant (reasoning effort and the like), passed through.
   */
  variant: string | null,
};

/**
 * The facts of the host's catalogue about a model.
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
   * Whether it takes images.
   */
  images?: boolean,
  /**
   * Whether it runs on the user's own machine: then it is free, and takes one call at a time.
   */
  local?: boolean,
  /**
   * Whether it can't call tools: a request that offers some is refused by many servers.
   */
  no_tools?: boolean,
  /**
   * What the user says that it costs: counts before what the host knows and reports.
   */
  own?: Price,
};

/**
 * A mutation testing tool that is run for each feature, in a copy of the project's files.
 */
export type Mutator = {
  /**
   * The command that runs the tool, program and arguments: `["npx", "stryker", "run"]`. Left out, Flow makes its own faults.
   */
  command: Array<string>,
  /**
   * Where the tool writes its report, from the project's directory on: a JSON file in Stryker's format, `mutants.out` of cargo-mutants,
   * or `mutants` of mutmut.
   */
  report: string,
  /**
   * Milliseconds that the command may take.
   */
  timeout_ms: number,
};

/**
 * A file that is named behind `--with`.
 */
export type NamedFile = {
  /**
   * The path as written.
   */
  path: string,
  /**
   * Whether it was named by `@`, as attachments are: from the root of the repository.
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
   * What it holds.
   */
  text: string,
};

/**
 * Models of vendors that are new to a project.
 */
export type NewVendors = {
  /**
   * Which models would do what: `reviewers will be a/b and c/d`.
   */
  who: string,
  /**
   * Their providers, by id, each once.
   */
  providers: Array<string>,
};

/**
 * The effects of a workflow that has none.
 */
export type NoEffect = never;

/**
 * One such directory, which is there.
 */
export type NotedOutput = {
  /**
   * Absolute.
   */
  directory: string,
  /**
   * The names of the directories in it that hold a run, or one that is about to begin.
   */
  runs: Array<string>,
  /**
   * Whether it holds anything that is neither a run nor a file of ours.
   */
  others: boolean,
};

/**
 * What the shell sees of the output directories that runs have noted.
 */
export type NotedOutputs = {
  /**
   * Where sessions work: absolute.
   */
  project: string,
  /**
   * The root of the repository around it, absolute; none without one.
   */
  worktree: string | null,
  /**
   * The directories, the usual one of the project among them, whether it was noted or not.
   */
  noted: Array<NotedOutput>,
};

/**
 * How a run begins: everything that its outcome depends on but the models.
 */
export type Opening = {
  /**
   * [`kernel::protocol::JOURNAL_VERSION`].
   */
  version: number,
  /**
   * The workflow. Journals from before there were others don't say it.
   */
  workflow: string,
  /**
   * The rules by which answers are accepted.
   */
  acceptance?: Rules,
  /**
   * The package's version.
   */
  package: string,
  /**
   * The user's local date, `YYYY-MM-DD`: begins the run directory's name.
   */
  date: string,
  /**
   * What the user asked for.
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
   * Whether the user asked for another run beside one of the very same task.
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
   * Whether it ends once its designs are there, for the user to read them before they are reviewed.
   */
  review_later?: boolean,
  /**
   * Whether the user has said yes to it already: it doesn't wait.
   */
  permitted?: boolean,
  /**
   * Vendors that would get the project's files for the first time: the run waits until the user lets them.
   */
  vendors?: NewVendors,
  /**
   * What it is expected to cost. Journals from before there were forecasts have none.
   */
  forecast?: Forecast,
  /**
   * The earlier run that this one is built upon.
   */
  basis?: Parent,
  /**
   * The designs that the user brings along.
   */
  candidates?: Array<Candidate>,
  /**
   * The images of the task, in the order in which it names them; their bytes are in the run's directory.
   */
  images?: Array<Image>,
  /**
   * A digest of the project, for models that can't call tools.
   */
  brief?: Brief,
};

/**
 * What a run begins with, as the shell gathered it.
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
   * What came with the command: part of the task.
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
   * Whether a model called the command: the user was asked then whether it may.
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
   * The repository around it, likewise; empty where there is none.
   */
  worktree: Array<string>,
  /**
   * What the shell has listed and read of the project for a digest.
   */
  brief?: Attachment,
};

/**
 * Where a run comes from, as far as its journal and the key of this machine tell.
 */
export type Origin = "here" | "elsewhere" | "unmarked";

/**
 * How a run ended in this process.
 */
export type Outcome = "cancelled" | "complete" | "partial" | "paused" | "pending" | "stopped" | "waiting";

/**
 * Where runs are kept.
 */
export type OutputDirectory = {
  /**
   * As configured.
   */
  name: string,
  /**
   * Why nothing can be written there.
   */
  failure: DiskFailure | null,
  /**
   * Those of our ignore files that lie there though no run is running: `.ignore`, `.rgignore`.
   */
  ignore_files_left: Array<string>,
  /**
   * Runs whose directory has the lock of a process that is gone.
   */
  stale_locks: Array<string>,
  /**
   * Where it is.
   */
  place: OutputPlace,
};

/**
 * What the shell sees of the configured output directory. All paths are absolute.
 */
export type OutputPlace = {
  /**
   * As configured, from the project on.
   */
  directory: string,
  /**
   * The real path of the longest part of it that is there, links followed, with the rest appended.
   */
  real: string,
  /**
   * Where the configuration's relative paths start.
   */
  project: string,
  /**
   * The real path of that.
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
 * A file of the user's with a design in it.
 */
export type OwnFile = {
  /**
   * As the user named it.
   */
  file: string,
  /**
   * The patterns by which designers and reviewers are kept from reading it; empty if it is out of their reach.
   */
  hidden: Array<string>,
};

/**
 * Who carries a run on.
 */
export type Owner = { "kind": "nobody" } | { "kind": "process",
  /**
   * In words: `process 4711`, `process 4711 on build-2`.
   */
  name: string,
  /**
   * Whether it is the one that asks.
   */
  here: boolean,
};

/**
 * What is at work. Words and figures are final: a terminal chooses colours and cuts what is too long.
 */
export type Panel = {
  /**
   * What it is of.
   */
  name: string,
  /**
   * The command that stops it.
   */
  cancel: string,
  /**
   * One line, for where there is no room for more.
   */
  summary: string,
  /**
   * From top to bottom. Made for some 38 columns.
   */
  rows: Array<Row>,
};

/**
 * What a run is built upon.
 */
export type Parent = {
  /**
   * The earlier run's directory, below the output directory.
   */
  run: string,
  /**
   * What is made of its designs.
   */
  step: Step,
  /**
   * Its designs that take part, best first as far as they were ranked.
   */
  designs: Array<EarlierDesign>,
};

/**
 * What one model was asked for in one duty, and what came of it.
 */
export type PastCalls = {
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * For what.
   */
  duty: Duty,
  /**
   * Jobs that it was asked for and that are settled.
   */
  jobs: number,
  /**
   * Of these, how many failed for good.
   */
  failed: number,
  /**
   * Calls that these took.
   */
  calls: number,
  /**
   * Answers that could not be used as they came.
   */
  unusable: number,
  /**
   * Calls that brought no answer.
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
   * Milliseconds in which it was at work.
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
   * Whether its author wrote it from the task alone: it is no second version, and not merged of others.
   */
  first: boolean,
};

/**
 * A reviewer of a past run.
 */
export type PastReviewer = {
  /**
   * `provider/model`, or what the person is called.
   */
  name: string,
  /**
   * Whether it is a person.
   */
  person: boolean,
};

/**
 * What one run tells.
 */
export type PastRun = {
  /**
   * The same for runs of the same task.
   */
  task: number,
  /**
   * Whether it has a ranking.
   */
  ranked: boolean,
  /**
   * Whether designs were compared in pairs: then there are no scores.
   */
  pairwise: boolean,
  /**
   * Those of the ranking.
   */
  designs: Array<PastDesign>,
  /**
   * Those who scored any of them.
   */
  reviewers: Array<PastReviewer>,
  /**
   * A score of 0–10: index of the design, index of the reviewer, and the score.
   */
  scores: Array<[number, number, number]>,
  /**
   * What its models were asked.
   */
  calls: Array<PastCalls>,
};

/**
 * Where a path leads.
 */
export type PathFact = {
  /**
   * As asked for.
   */
  given: string,
  /**
   * With the session's directory and a slash before it where relative; otherwise as given: no link followed, no
   * `..` resolved.
   */
  absolute: string,
  /**
   * The real path of the longest part of `absolute` that exists, links followed and in the file system's own
   * spelling (`fs.realpathSync.native`), with the rest appended.
   */
  real: string,
  /**
   * What is there: nothing if the part before a `..` is no directory.
   */
  kind: PathKind,
  /**
   * Whether it is a file with further hard links, one of which lies in a blocked directory.
   */
  same_file_as_blocked: boolean,
};

/**
 * What was found at a path.
 */
export type PathFound = "file" | "nothing" | "other" | "outside";

/**
 * What is at a path, links followed.
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
   * What it is called with: the action, then the text.
   */
  pattern: string,
  /**
   * What is permitted from now on where the user says "always".
   */
  always: string,
};

/**
 * A person who reviews, by a form.
 */
export type Person = {
  /**
   * Slug, which no design and no other reviewer has: names the form.
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
   * OpenCode's worktree. `/`, which OpenCode gives outside a repository, counts as none.
   */
  worktree: string | null,
  /**
   * The real paths of these two.
   */
  real: RealPlaces,
  /**
   * The output directories of all runs that are on, each both as configured and real where they differ.
   */
  outputs: Array<string>,
  /**
   * Those of them that searches would find designs in: a `.rgignore` that isn't ours is in the way.
   */
  unguarded: Array<string>,
  /**
   * What else this package keeps ([`super::hidden_outputs`]): output directories of other runs, single runs, sessions of
   * Flow. An `.ignore` may be missing there. One that holds the project blocks nothing.
   */
  former: Array<string>,
  /**
   * OpenCode's own data and state directories, which hold every session's messages and cut-off tool results; this
   * package's own state; and the configuration files, which name every designer. One that holds the project blocks nothing:
   * what else lies there is outside of it.
   */
  host: Array<string>,
};

/**
 * Where Playwright and the browser are.
 */
export type PlaywrightSettings = {
  /**
   * The browser's program; null means that it is looked for.
   */
  browser: string | null,
  /**
   * The directory in which `@playwright/test` is installed; null means the project's own.
   */
  directory: string | null,
};

/**
 * A port.
 */
export type Port = Auto | number;

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
 * What a model's tokens cost by the user's own table, in US dollars per million.
 */
export type Price = {
  /**
   * What is sent; 0 where a subscription covers it.
   */
  input: number,
  /**
   * What comes back, reasoning included.
   */
  output: number,
  /**
   * What is read from the provider's cache; null means like `input`.
   */
  cache_read: number | null,
  /**
   * What is written to the provider's cache; null means like `input`.
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
   * The file, as the user wrote or would recognise it; never a home path.
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
   * When the accepted answer arrived, ISO 8601 in UTC; of a user's own file the day on which it was read.
   */
  generated_at: string,
  /**
   * The model as the provider named it in its answer.
   */
  model_version: string,
  /**
   * The temperature that was asked for; null if the model decides.
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
 * What a run is looked for.
 */
export type Purpose = "cancel" | "file" | "form" | "rank" | "follow_up" | "review" | "amend" | "resume" | "retry" | "status";

/**
 * What there is to rank by.
 */
export type RankInput = {
  /**
   * A run's journal; where there is one, nothing else counts.
   */
  journal?: NamedText,
  /**
   * A run's `config.json`, for its rubric and its way of counting.
   */
  config?: NamedText,
  /**
   * Scores or verdicts as CSV, or the same rows as a JSON array of objects.
   */
  table?: NamedText,
  /**
   * What the table's scores go from and to, as the user wrote it: `1-5`. A run knows its own.
   */
  scale?: string,
  /**
   * A configuration by whose rubric the table was scored. A run knows its own.
   */
  rubric?: NamedText,
};

/**
 * What a ranking says, in a line.
 */
export type RankingInShort = {
  /**
   * How sure the first place is.
   */
  verdict: VerdictKind,
  /**
   * The designs that share the first place; empty if none is ranked.
   */
  first: Array<DesignId>,
  /**
   * What its author calls the one design that came first; empty when there are several, or nobody knows.
   */
  title: string,
};

/**
 * A file that was read.
 */
export type Read = {
  /**
   * Below the attachment; empty for the attachment itself.
   */
  path: string,
  /**
   * Its text; `None` when the bytes are no UTF-8.
   */
  text: string | null,
  /**
   * The image that its bytes are.
   */
  image: SeenImage | null,
};

/**
 * How it is known that a server is ready: by one of these.
 */
export type Ready = {
  /**
   * A path that is answered, or a whole address: `https://localhost:${port}/` where HTTPS is spoken.
   */
  url: string | null,
  /**
   * The status of that answer; left out, 200.
   */
  status: number | null,
  /**
   * That somebody listens on its port.
   */
  port: boolean,
  /**
   * A text in its log.
   */
  log: string | null,
};

/**
 * The real paths of the project and its repository, where the host spells them by way of a link.
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
 * The configuration with which a run continues once it has changed.
 */
export type Reconfiguration = {
  /**
   * The effective configuration from now on.
   */
  config: Config,
  /**
   * Sentences that the user should read, in place of those of the [`Opening`].
   */
  notes: Array<string>,
  /**
   * The facts of the host's catalogue about the models in use.
   */
  models: Array<ModelFacts>,
  /**
   * Who joins the reviewers of a run that is ranked; nothing else is asked then.
   */
  added?: Array<ReviewerId>,
};

/**
 * Text that holds nothing with the shape of a secret, and no home directory.
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
   * The path as written: relative, and never out of the project or the global configuration directory.
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
   * Where it really lies, links followed: relative to the real directory that the path starts from. `None` when that
   * could not be found out.
   */
  leads?: string,
  /**
   * [`Source::file`] of the configuration that refers to it: the path is relative to that file's directory
   * (for plugin options, to the project).
   */
  source: string,
  /**
   * The path as written: relative, and never out of the project or the global configuration directory.
   */
  path: string,
};

/**
 * Commands, agents and permissions by name, in the form of OpenCode 1.x's settings `command`, `agent` and `permission`;
 * and the tools that models get.
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
   * What is asked before a tool is used, unless the user's own settings say otherwise.
   */
  permission: { [key in string]: JsonValue },
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
   * Why the model stopped, as the host says it: `stop`, `length`, `content-filter`, ….
   */
  finish: string,
  /**
   * The model as the provider named it; empty when unknown.
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
   * How often the host had to repeat the request before it was answered.
   */
  host_retries: number,
  /**
   * How many requests for it broke off after the model had begun to answer: nobody reports what these used.
   */
  cut_off: number,
  /**
   * How often the model has read a file of the project, or searched in them, in this session so far; `None` when the host
   * doesn't say. Older journals don't have it.
   */
  reads: number | null,
  /**
   * What is at the paths that the text cites, as the shell found it when the answer came. Older journals don't have it.
   */
  looked_up?: Array<LookedUp>,
  /**
   * How many requests its provider was sent for it; 0 when nobody counted them.
   */
  requests: number,
  /**
   * Tokens of the prompt in the first of these requests, cached ones included, as the provider reported. Older journals don't
   * have it.
   */
  prompt_tokens?: number,
  /**
   * Tokens that the host takes the conversation for, by the provider's last report, whether or not that can be true. Older journals
   * don't have it.
   */
  held?: number,
};

/**
 * Everything that a new ranking depends on and that was not in the journal before it.
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
   * What people have scored: replaces what they had before.
   */
  humans: Array<HumanReview>,
  /**
   * Sentences that the user should read, such as what a form still lacks.
   */
  notes: Array<string>,
};

/**
 * What a new ranking is to be made from, as the shell gathered it.
 */
export type RerankInput = {
  /**
   * The configuration texts of today.
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
   * What it is looked for.
   */
  purpose: Purpose,
  /**
   * Who is to join its reviewers.
   */
  add?: Add,
  /**
   * Whether it is to be reviewed until its first place is clear, and what that may cost from here on.
   */
  until?: UntilClear,
  /**
   * What is to be changed in its set of designs.
   */
  amendment?: Amendment,
  /**
   * Whether the user trusts it although it wasn't begun on this machine.
   */
  trust?: boolean,
  /**
   * Whether a model called the command: it can't let vendors have the project's files.
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
   * What its designers and reviewers may reach from now on.
   */
  isolation: Isolation,
  /**
   * The providers that the user lets have the project's files by continuing: the run has waited for that.
   */
  agreed: Array<string>,
  /**
   * The events that begin it in this process.
   */
  events: Array<EventKind<Opening, Decision>>,
};

/**
 * How often to try again.
 */
export type Retries = {
  /**
   * Further tries of a call that failed for a passing reason: rate limit, server error, network.
   */
  call: number,
  /**
   * Further prompts to a model whose answer can't be used.
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
   * In how many turns a reviewer scores: 2, first the written review and then the scores, or 1, both in one answer.
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
   * What it is asked for.
   */
  evaluation_criteria: Criteria,
  /**
   * Slug, unique among its kind: names files and agents.
   */
  id: string,
  /**
   * For people.
   */
  name: string,
  /**
   * `provider/model`; the model part may hold further slashes.
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
   * The angle from which it designs, added to its prompt: so one model can write several designs that differ.
   */
  brief: string | null,
  /**
   * The provider's variant (reasoning effort and the like), passed through.
   */
  variant: string | null,
};

/**
 * What a reviewer is called, in a run by the entry of `review_models` or a person's name.
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
 * What a lab session is for.
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
   * A sign of one column in front of the text; empty where there is none.
   */
  mark: string,
  /**
   * On the left, cut where there is no room.
   */
  text: string,
  /**
   * On the right, never cut.
   */
  figures: string,
};

/**
 * The rules by which calls are refused.
 */
export type Rule = "arguments" | "blocked-directory" | "blocked-pattern" | "environment-file" | "key-file" | "lab-agent" | "outside" | "private-address" | "search" | "shared-file" | "spelling" | "tool";

/**
 * The rules for every lab session while a run is running. Built once per run by [`Rules::new`]; if several runs are
 * on, each has the directories of all of them among its [`Places`].
 */
export type Rules = {
  /**
   * `isolation.enforce_design_isolation`. Where false, nothing is hidden from a session; the list of tools and
   * what OpenCode itself guards hold all the same.
   */
  enforce: boolean,
  /**
   * Where sessions work and relative paths start: absolute.
   */
  project: string,
  /**
   * The root of the repository around the project, absolute; none without one.
   */
  worktree: string | null,
  /**
   * The real paths of these two.
   */
  real: RealPlaces,
  /**
   * Nothing at or below these is reached.
   */
  blocked: Array<BlockedRoot>,
  /**
   * Globs relative to the project.
   */
  patterns: Array<string>,
  /**
   * Tools that may be called.
   */
  allowed_tools: Array<string>,
};

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
   * Calls, repairs and further tries included; null means no limit.
   */
  max_calls: number | null,
  /**
   * Requests to providers over all calls; null means no limit. A model that reads and searches makes several for one answer.
   */
  max_requests: number | null,
  /**
   * US dollars above which a run waits for the user before its first call, as it does where nobody knows what a model costs;
   * null means that no run waits. Left out beside a limit, null.
   */
  confirm_usd: number | null,
};

/**
 * What a run of this workflow records beside what any does.
 */
export type RunFacts = {
  /**
   * Whether people were given forms.
   */
  forms: boolean,
  /**
   * What its designers and reviewers may reach.
   */
  isolation: Isolation,
  /**
   * The same for runs in which the same models are asked the same number of times.
   */
  panel: number,
  /**
   * What it tells the history of all runs.
   */
  past: PastRun,
  /**
   * US dollars of what is no longer part of it, such as a design that was rewritten.
   */
  retired_cost: number,
  /**
   * Tokens of the same.
   */
  retired_tokens: number,
  /**
   * Whether it is reviewed until its first place is clear.
   */
  until_clear: boolean,
  /**
   * What its ranking says; `None` before there is one.
   */
  ranked?: RankingInShort,
};

/**
 * A runner of tests.
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
 * What OpenCode's `grep` and `glob` search with.
 */
export type Search = { "kind": "found",
  /**
   * Whether it passes over what an `.ignore` file names.
   */
  honours_ignore: boolean, } | { "kind": "missing" };

/**
 * What the bytes of an image tell.
 */
export type SeenImage = {
  /**
   * In pixels; 0 where the bytes don't tell.
   */
  width: number,
  /**
   * In pixels; 0 where the bytes don't tell.
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
   * What it is called: lower-case letters, digits and hyphens.
   */
  name: string,
  /**
   * Program and arguments. `${port}` in them becomes the port.
   */
  command: Array<string>,
  /**
   * Where it is started, from the project's root.
   */
  cwd: string,
  /**
   * The port that it listens on, or `auto` for a free one. It gets it in the variable `PORT`.
   */
  port: Port,
  /**
   * Further variables of its environment. `${port}` in them becomes the port.
   */
  env: { [key in string]: string },
  /**
   * How it is known that it is ready; left out, by its port.
   */
  ready: Ready,
  /**
   * Milliseconds until it has to be ready.
   */
  ready_ms: number,
  /**
   * Milliseconds that it has to end by itself once it was asked to.
   */
  grace_ms: number,
  /**
   * Whether its command may run without your being asked.
   */
  allow: boolean,
};

/**
 * What tells which model the user's session uses, each as `provider/model`. Where a message names a model, it is the one that OpenCode
 * itself uses next: what the user picked, else the session's, else the configured one, else OpenCode's default.
 */
export type SessionModelFacts = {
  /**
   * The model that the last user message names: the message that the command becomes, or the one that is being answered.
   */
  message: string | null,
  /**
   * The session's own.
   */
  session: string | null,
  /**
   * `model` of OpenCode's configuration.
   */
  configured: string | null,
};

/**
 * What happens with a command, the strictest last.
 */
export type ShellAction = "allow" | "ask" | "deny";

/**
 * A rule for shell commands.
 */
export type ShellRule = {
  /**
   * Which commands it is for, with `*` and `?` as wildcards.
   */
  pattern: string,
  /**
   * What happens with them.
   */
  action: ShellAction,
};

/**
 * The rules that apply to a worker's shell commands, in the host's order: the last that fits decides, and where none does the user is
 * asked.
 */
export type ShellRules = Array<ShellRule>;

/**
 * The plugins that the terminal's part of OpenCode loads.
 */
export type Sidebar = {
  /**
   * Each `tui.json` that OpenCode reads, in that order.
   */
  files: Array<TuiFile>,
  /**
   * The plugins of the server, as `opencode.json` names them.
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
 * What a call has used that isn't answered yet: a model that reads and searches first answers in several steps, each a
 * request of its own.
 */
export type Spending = {
  /**
   * The job whose prompt is on its way.
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
   * How many requests its provider was sent for it so far: one for each step.
   */
  requests: number,
};

/**
 * What a first configuration file is made from.
 */
export type StarterInput = {
  /**
   * The configuration that is there.
   */
  sources: Array<Source>,
  /**
   * The prompt files that it refers to.
   */
  files: Array<ReferencedFile>,
  /**
   * The connected models; `None` when no host is there to ask.
   */
  available: AvailableModels | null,
  /**
   * The design models that the user named: separated by commas or spaces, `--models` in front or not. Empty to have
   * them chosen.
   */
  wanted: string,
  /**
   * The version of the package.
   */
  package: string,
};

/**
 * What is made of designs that are there.
 */
export type Step = { "kind": "review" } | { "kind": "refine",
  /**
   * The id of each new version, and of the design that it is made from.
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
   * The name of its directory below the output directory; none before it is claimed.
   */
  directory: string | null,
  /**
   * The beginning of the task.
   */
  task: string,
  /**
   * How it ended; `None` when it was going on when its journal was written last.
   */
  outcome: Outcome | null,
  /**
   * Whether resuming would ask for anything.
   */
  unfinished: boolean,
  /**
   * Whether anything failed that can be asked for again.
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
   * The same for runs of the same day, task and configuration.
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
   * Settings by name: environment variables, and the options of the host's providers. Most are no secrets.
   */
  settings: Array<[string, string]>,
  /**
   * The user's home directory, absolute; also as it really is, where a link makes these differ.
   */
  homes: Array<string>,
};

/**
 * Who takes a design over: what can be typed next is a command of theirs.
 */
export type Taker = "flow" | "validation";

/**
 * The task of a run, as stored in `task.json`.
 */
export type Task = {
  /**
   * What is to be designed, in the user's own words.
   */
  problem_statement: string,
  /**
   * What every design has to respect.
   */
  constraints: Array<string>,
  /**
   * Qualities the design has to reach: performance, security, scale.
   */
  non_functional_requirements: Array<string>,
};

/**
 * The project's own Playwright tests.
 */
export type TestsSettings = {
  /**
   * Where they are, from the project's root.
   */
  directory: string,
  /**
   * Which of them decide criteria though they don't carry the tag.
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
   * Tests that ran; of runners that don't count them, the packages or files whose tests did.
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
   * Milliseconds that a model may be asked without writing anything: a second to a day.
   */
  idle_ms: number,
  /**
   * Milliseconds that the run may take, a second to a week; null means no limit.
   */
  run_ms: number | null,
};

/**
 * What is to be built, or was.
 */
export type ToBuild = {
  /**
   * The run's directory, below the output directory.
   */
  run: string,
  /**
   * The design, as the user names it; none for the one that was ranked first.
   */
  design: string | null,
};

/**
 * Tokens as the provider counted them; `input` excludes cache, `output` excludes reasoning (OpenCode 1.18).
 *
 * Where one count can't be true, none is believed: all are read as 0, which is as good as not said.
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
 * Commands as a tool: a model calls it in place of the user. Design Lab's is one for all of them, since a tool's description goes
 * into every request.
 */
export type Tool = {
  /**
   * Its description for models.
   */
  description: string,
  /**
   * JSON Schema of each argument. OpenCode demands every argument that a tool has: an empty text leaves it out.
   */
  arguments: { [key in string]: JsonValue },
};

/**
 * What a call of the tool leads to.
 */
export type ToolCall = {
  /**
   * The command that is carried out.
   */
  command: string,
  /**
   * Its arguments.
   */
  text: string,
  /**
   * What the user must allow first: it costs money, or writes into the project. `None` when nothing is asked.
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
 * What came of a [`TrialCall`].
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
   * Tokens that it wrote.
   */
  written: number,
  /**
   * Milliseconds in which they came.
   */
  writing_ms: number,
};

/**
 * A call that the shell is to make of a model, to see whether it answers.
 */
export type TrialCall = {
  /**
   * What the model is asked for in a run: decides the agent, and with it the tools that are offered.
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
   * Requests that the call may take.
   */
  steps: number,
  /**
   * The temperature to ask with.
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
   * Milliseconds in which nothing may come of it.
   */
  idle_ms: number,
};

/**
 * How far the call of a model is.
 */
export type TrialProgress = {
  /**
   * `provider/model`.
   */
  model: string,
  /**
   * Whether it answered; `None` while it is asked.
   */
  answered: boolean | null,
  /**
   * How long it took so far.
   */
  duration_ms: number,
  /**
   * What has come in, when that is known.
   */
  incoming: Incoming | null,
};

/**
 * One `tui.json`.
 */
export type TuiFile = {
  /**
   * As the user would recognise it.
   */
  file: string,
  /**
   * The directory that it is in, absolute: relative paths in it start there.
   */
  directory: string,
  /**
   * What it says.
   */
  text: string,
};

/**
 * Where an address leads, as the platform's own URL parser and resolver say.
 */
export type UrlFact = {
  /**
   * As asked for.
   */
  given: string,
  /**
   * With its colon: `https:`.
   */
  protocol: string,
  /**
   * The host name or address, as normalised by the parser.
   */
  host: string,
  /**
   * All addresses of the host; empty where it has none.
   */
  addresses: Array<string>,
};

/**
 * The arguments of `/validate`.
 */
export type ValidateCommand = { "kind": "latest" } | { "kind": "flow",
  /**
   * As the user names it.
   */
  session: string, } | { "kind": "run",
  /**
   * The run and the design, as the user names them; empty for the latest run.
   */
  named: string, } | { "kind": "file",
  /**
   * As the user names it.
   */
  path: string, } | { "kind": "text",
  /**
   * It.
   */
  text: string, } | { "kind": "tests",
  /**
   * The run, as the user names it; empty for the latest that has tests.
   */
  named: string,
  /**
   * Whether they run again.
   */
  again: boolean,
  /**
   * The directory in which they are kept as the project's own.
   */
  keep: string | null,
};

/**
 * What `/validate-init` is asked for.
 */
export type ValidateInitCommand = {
  /**
   * Whether the user lets Playwright Test be installed.
   */
  installs: boolean,
};

/**
 * What tests are run against.
 */
export type ValidationAgainst = "application" | "nothing" | "blank" | "frozen" | "live";

/**
 * Something that a test left behind.
 */
export type ValidationAttachment = {
  /**
   * `trace`, `screenshot`, `video`, ….
   */
  name: string,
  /**
   * The file, below the run's directory.
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
   * What the rule asks for.
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
 * The models to ask; null means the model of the session.
 */
export type ValidationConfiguredModels = {
  /**
   * Goes through the criteria.
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
 * Something that has to hold.
 */
export type ValidationCriterion = {
  /**
   * `C1`, `C2`, ….
   */
  id: string,
  /**
   * What has to hold.
   */
  text: string,
};

/**
 * What happens in a run beside what happens in any.
 */
export type ValidationDecision = { "event": "gate_decided",
  /**
   * What.
   */
  decision: ValidationGateChoice, } | { "event": "allowed",
  /**
   * The hash of these commands, as the run's facts had it.
   */
  commands: string, } | { "event": "configured",
  /**
   * What they say now.
   */
  settings: ValidationSettings,
  /**
   * Whether the run continues with it in a new process, as by [`kernel::protocol::EventKind::Resumed`].
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
   * In the order of the effect's.
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
   * Its name.
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
   * What was seen.
   */
  ran: ValidationRanTests,
  /**
   * Milliseconds that it took, whole.
   */
  duration_ms: number,
  /**
   * What else was noted of it. Older journals don't have it.
   */
  noted: ValidationNoted, } | { "event": "files_seen",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What was seen.
   */
  files: ValidationFilesSeen, } | { "event": "test_began",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * Which of its tests it is, from 1.
   */
  test: number,
  /**
   * How many there are.
   */
  of: number, } | { "event": "pages_seen",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What was seen.
   */
  seen: ValidationLookedAt, } | { "event": "torn_down",
  /**
   * The effect's number.
   */
  effect: number,
  /**
   * What became of each process that was there to be ended.
   */
  processes: Array<ValidationProcessEnd>,
  /**
   * Every file of evidence; none of [`Effect::StopServers`].
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
 * What is done in a run beside asking models. Each may be asked for again after a crash, under the same number.
 */
export type ValidationEffect = { "command": "list_tests",
  /**
   * Its number.
   */
  effect: number,
  /**
   * Below the run's directory.
   */
  files: Array<string>, } | { "command": "list_own_tests",
  /**
   * Its number.
   */
  effect: number,
  /**
   * From the project's root.
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
   * Which time it is, from 1.
   */
  pass: number,
  /**
   * The file of its output, below the run's directory.
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
   * What against.
   */
  against: ValidationAgainst,
  /**
   * Which pass it is, from 1.
   */
  pass: number,
  /**
   * Below the run's directory.
   */
  files: Array<string>,
  /**
   * Those of the project's own that count; `None` when none does.
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
   * The tree of the project's files by which the first pass ran; `None` in the first pass.
   */
  since?: string,
  /**
   * The address of the first server. A counterfeit takes its port.
   */
  base_url: string,
  /**
   * Milliseconds that each test may take.
   */
  test_ms: number,
  /**
   * Milliseconds that an action or an assertion may wait; `None` for as long as Playwright lets it.
   */
  wait_ms: number | null,
  /**
   * Milliseconds that all of it may take.
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
   * Whether axe-core looks at them.
   */
  a11y: boolean,
  /**
   * Milliseconds that each may take.
   */
  page_ms: number,
  /**
   * Milliseconds that all of it may take.
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
   * Below the run's directory.
   */
  path: string,
  /**
   * How long it is.
   */
  bytes: number,
  /**
   * SHA-256 of it, in lower-case hex.
   */
  sha256: string,
};

/**
 * What a run records beside what any run does.
 */
export type ValidationFacts = {
  /**
   * Where it stands.
   */
  status: ValidationStatus,
  /**
   * How much of a validation it is.
   */
  scope: ValidationScope,
  /**
   * The hash of the commands that wait for the user's leave.
   */
  commands_hash: string | null,
  /**
   * Whether it has tests that can be repeated.
   */
  has_tests: boolean,
  /**
   * Whether, by its journal, it may have started servers that it hasn't ended.
   */
  may_have_left: boolean,
  /**
   * What became of its criteria, once it has a report on what was tested.
   */
  counts?: ValidationCounts,
  /**
   * How many checks beside the criteria failed.
   */
  failed_checks: number,
};

/**
 * A request of a page that failed, or was answered by 400 or more.
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
   * Why there was none, in the browser's words; else empty.
   */
  reason: string,
};

/**
 * One thing that is wrong.
 */
export type ValidationFault = {
  /**
   * Lower-case letters, digits and hyphens, and no other fault's: `c2`, `check-lint`, `gap-g1`.
   */
  id: string,
  /**
   * What has to hold, and what was seen instead.
   */
  text: string,
};

/**
 * The project's files before the tests of a pass run.
 */
export type ValidationFilesSeen = { "files": "tree",
  /**
   * The id of a tree with them: equal where, and only where, they are.
   */
  tree: string,
  /**
   * Those that differ from the tree that the effect named. `None` if it named none, or nobody knows that tree any more.
   */
  changed: ValidationPaths | null, } | { "files": "untold",
  /**
   * Why.
   */
  message: string,
};

/**
 * What the user decides about gaps.
 */
export type ValidationGateChoice = "generate-fix-plan" | "stop" | "force-test";

/**
 * How a process ended.
 */
export type ValidationHow = "ended_by_itself" | "terminated" | "killed" | "already_gone" | "left_alone";

/**
 * What npm is to do, in a new directory beside [`DIRECTORY`], which becomes it once that is done.
 */
export type ValidationInstall = {
  /**
   * Where it is put, from the project's root.
   */
  directory: string,
  /**
   * What is written before: each file's name and text.
   */
  files: Array<[string, string]>,
  /**
   * The program and its arguments.
   */
  command: Array<string>,
  /**
   * How long that may take.
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
   * The `package.json` of [`DIRECTORY`], empty if it has none; `None` when there is no such directory.
   */
  stands: string | null,
};

/**
 * What was seen of npm.
 */
export type ValidationInstallRan = {
  /**
   * How it ended.
   */
  end: CommandEnd,
  /**
   * The end of what it said.
   */
  said: string,
  /**
   * The version that is complete in the new directory; `None` when there is none.
   */
  version: string | null,
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
 * A run that nobody works on, and what of it runs.
 */
export type ValidationLeft = {
  /**
   * The run's name.
   */
  run: string,
  /**
   * Those that are shown to be the run's own.
   */
  processes: Array<ValidationLeftProcess>,
  /**
   * Why nobody can say what runs.
   */
  problem: string | null,
};

/**
 * A process that was left running.
 */
export type ValidationLeftProcess = {
  /**
   * What it is for.
   */
  name: string,
  /**
   * Its number.
   */
  pid: number,
  /**
   * By what it was started.
   */
  command: Array<string>,
};

/**
 * What is changed.
 */
export type ValidationLie = "words" | "names" | "deaf" | "elsewhere";

/**
 * What became of a listing of tests.
 */
export type ValidationListed = { "listed": "tests",
  /**
   * The tests that they hold.
   */
  tests: Array<ValidationListedTest>, } | { "listed": "unreadable",
  /**
   * What Playwright says.
   */
  message: string, } | { "listed": "impossible",
  /**
   * What is missing.
   */
  obstacle: ValidationObstacle,
};

/**
 * A test, as it is listed.
 */
export type ValidationListedTest = {
  /**
   * The file, below the run's directory; of the project's own tests, below the project's root.
   */
  file: string,
  /**
   * Its title behind those of its groups.
   */
  title: string,
  /**
   * Its tags, each with its `@`.
   */
  tags: Array<string>,
};

/**
 * By what it is known that a listener is ours.
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
   * By what, below 2^53.
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
   * What it says, if that is text that is looked at.
   */
  text: string | null,
};

/**
 * What is changed of an answer.
 */
export type ValidationLiveChange = {
  /**
   * The answer.
   */
  answer: ValidationLiveAnswer,
  /**
   * Where in its text the script is put, in bytes; `None` when it isn't put anywhere.
   */
  script_at: number | null,
};

/**
 * A request, as far as it is looked at.
 */
export type ValidationLiveRequest = {
  /**
   * `GET`, …
   */
  method: string,
  /**
   * With its query.
   */
  path: string,
  /**
   * `document`, `empty`, …: what the browser wants it for; `None` when the request isn't a browser's.
   */
  dest: string | null,
  /**
   * The path of the page that asks, where it is of the application.
   */
  referer: string | null,
  /**
   * What is sent, as text.
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
 * What was seen of pages.
 */
export type ValidationLookedAt = { "looked": "pages",
  /**
   * Every page that was to be looked at.
   */
  pages: Array<ValidationPageSeen>,
  /**
   * The version of axe-core; `None` when it wasn't to be used, or isn't installed.
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
 * Who is asked for what, each as `provider/model`.
 */
export type ValidationModels = {
  /**
   * Goes through the criteria.
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
 * What was noted of a run of tests beside what its tests did.
 */
export type ValidationNoted = {
  /**
   * Playwright's version, as it says.
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
   * Where Playwright Test is, from the project's root; `None` when the root finds it. Older journals don't have it.
   */
  directory: string | null,
  /**
   * The files that changed since the servers were last started or the pass before ended, until the end of this pass: the
   * application ran all the while. `None` where that can't be told. Older journals don't have it.
   */
  written?: ValidationPaths,
};

/**
 * What this machine lacks.
 */
export type ValidationObstacle = { "obstacle": "no_playwright" } | { "obstacle": "no_browser",
  /**
   * Where Playwright Test is, from the project's root; `None` when the root finds it. Older journals don't have it.
   */
  directory: string | null, } | { "obstacle": "no_node" } | { "obstacle": "no_axe" };

/**
 * How a run begins: everything that it depends on but the models.
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
  acceptance?: Rules,
  /**
   * The package's version.
   */
  package: string,
  /**
   * When the run was asked for, in UTC, `YYYYMMDDTHHMMSSZ`: begins its name.
   */
  stamp: string,
  /**
   * Four hexadecimal digits by chance: end its name.
   */
  suffix: string,
  /**
   * What is validated.
   */
  subject: ValidationSubject,
  /**
   * How much of it is done. Older journals don't have it: they are of the whole.
   */
  scope: ValidationScope,
  /**
   * Who is asked.
   */
  models: ValidationModels,
  /**
   * The tests of an earlier run, when these are repeated and no model is asked.
   */
  repeat?: ValidationRepeat,
  /**
   * Sentences that the user should read.
   */
  notes: Array<string>,
  /**
   * The prices that the host's catalogue has for the models in use.
   */
  prices: Array<ModelFacts>,
  /**
   * What the run is expected to take; `None` when nobody foresaw it, or no model is asked.
   */
  expected?: Expected,
  /**
   * What `.opencode/validation.jsonc` says.
   */
  settings: ValidationSettings,
  /**
   * The seed of the jitter of pauses, below 2^53.
   */
  seed: number,
};

/**
 * What a run begins with, as the shell gathered it.
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
   * Four hexadecimal digits by chance.
   */
  suffix: string,
  /**
   * What is validated.
   */
  subject: ValidationSubjectInput,
  /**
   * How much of it is done.
   */
  scope: ValidationScope,
  /**
   * The models of the connected providers.
   */
  available: AvailableModels,
  /**
   * What the settings say.
   */
  settings: ValidationSettings,
  /**
   * What earlier runs have left running.
   */
  left: Array<ValidationLeft>,
  /**
   * What this machine lacks for tests to run.
   */
  obstacle: ValidationObstacle | null,
};

/**
 * Tests of the project's own.
 */
export type ValidationOwnTests = {
  /**
   * Where they are, from the project's root.
   */
  directory: string,
  /**
   * They.
   */
  tests: Array<ValidationTestName>,
};

/**
 * A page, as somebody sees it who has only its address.
 */
export type ValidationPageSeen = {
  /**
   * The address that was asked for.
   */
  url: string,
  /**
   * The one that was come to.
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
   * Its language, as it says.
   */
  language: string | null,
  /**
   * Its description.
   */
  description: string | null,
  /**
   * The address by which it wants to be known.
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
   * The first of them, from the project's root, at most 1,000.
   */
  paths: Array<string>,
  /**
   * How many there are in all.
   */
  count: number,
};

/**
 * A picture that the shell hands over.
 */
export type ValidationPicture = {
  /**
   * Below the run's directory.
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
 * What the script in the page goes by.
 */
export type ValidationPlan = {
  /**
   * What is changed.
   */
  lie: ValidationLie,
  /**
   * What stands for each letter from `a` to `z`.
   */
  letters: string,
  /**
   * What stands for each digit.
   */
  digits: string,
  /**
   * The elements that users act on: their names stay, as a selector.
   */
  controls: string,
  /**
   * Attributes that are changed, but for those of controls.
   */
  attributes: Array<string>,
  /**
   * Attributes that are changed everywhere.
   */
  everywhere: Array<string>,
  /**
   * Keys of the storage that are kept, as a regular expression: whoever has signed in stays so.
   */
  remembered: string,
};

/**
 * What became of a process.
 */
export type ValidationProcessEnd = {
  /**
   * The server's name, or what else it is for.
   */
  name: string,
  /**
   * Its number.
   */
  pid: number,
  /**
   * How it ended.
   */
  end: ValidationHow,
  /**
   * Why it was left alone; else empty.
   */
  why: string,
  /**
   * The command by which a person can look at it; empty where it is gone.
   */
  look: string,
  /**
   * Which facts were verified before anything was done.
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
   * The texts of those that were asked for, as far as they can be read.
   */
  texts: { [key in string]: string },
};

/**
 * What was seen of a run of tests.
 */
export type ValidationRanTests = { "ran": "report",
  /**
   * Every test of it.
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
   * The test that began last. `None` when none had begun.
   */
  test: ValidationTestUnderWay | null,
};

/**
 * What a run has that repeats the tests of an earlier one.
 */
export type ValidationRepeat = {
  /**
   * The earlier run.
   */
  run: string,
  /**
   * What it validated, with the criteria that it went by.
   */
  subject: ValidationSubject,
  /**
   * The tests that were written for it; `None` when the project's own decided everything.
   */
  suite: ValidationSuite | null,
  /**
   * Who was asked then. Nobody is asked now.
   */
  models: ValidationModels,
};

/**
 * What a child session is for: decides the agent, `validation-verifier`, `validation-analyst` or `validation-tester`. All of
 * them only read.
 */
export type ValidationRole = "verifier" | "analyst" | "tester";

/**
 * How much of a validation is done.
 */
export type ValidationScope = "full" | "work" | "flows";

/**
 * What was seen.
 */
export type ValidationSeen = {
  /**
   * The text of the journal.
   */
  journal: string,
  /**
   * A head that somebody has noted, or its beginning.
   */
  head: string | null,
  /**
   * Every file that is there now where evidence is kept.
   */
  evidence: Array<ValidationEvidenceFile>,
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
   * Who, where the system tells.
   */
  pid: number | null,
  /**
   * Its command, where the system tells.
   */
  command: string | null, } | { "fault": "not_started",
  /**
   * Why, in the system's words.
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
   * Who, where the system tells.
   */
  pid: number | null,
  /**
   * Its command, where the system tells.
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
   * Its address, without a slash at the end.
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
   * By what it is known that the listener is ours.
   */
  listener: ValidationListener,
  /**
   * Milliseconds from its start.
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
   * How often each test runs: a test that passes and fails is flaky.
   */
  repeat: number,
  /**
   * What takes the application's place in the negative control. A test that passes against any of it shows nothing.
   */
  control: Array<Counterfeit>,
  /**
   * The project's own Playwright tests, which count as well: those that carry a criterion's tag, such as `@C1`, or that `map` names.
   */
  tests: TestsSettings | null,
  /**
   * Commands that have to pass beside the criteria, run one after another before the servers are started.
   */
  checks: Array<CheckSettings>,
  /**
   * Whether the pages that tests came to are looked at by axe-core, the project's own, for what keeps people out.
   */
  a11y: boolean,
  /**
   * Whether these pages must have a title, a language, a description and a canonical address.
   */
  metadata: boolean,
  /**
   * Milliseconds that each test may take.
   */
  test_ms: number,
  /**
   * Where Playwright and the browser are.
   */
  playwright: PlaywrightSettings,
  /**
   * Who is asked, where it isn't the model of the session.
   */
  models: ValidationConfiguredModels,
  /**
   * Variables of the environment whose values are taken out of all evidence.
   */
  secrets: Array<string>,
  /**
   * What a run may cost; checked before every call.
   */
  budget: Budget,
  /**
   * What models cost by the user's own table, by `provider/model`. It stands in Design Lab's configuration.
   */
  prices?: { [key in string]: Price },
  /**
   * US dollars above which the user is asked first: `budget.confirm_usd` of Design Lab's configuration.
   */
  confirm_usd?: number,
  /**
   * Milliseconds that a model may be asked without writing anything: `timeouts.idle_ms` of Design Lab's configuration.
   */
  idle_ms?: number,
};

/**
 * What the shell has found out.
 */
export type ValidationSetup = {
  /**
   * The file.
   */
  source: Source,
  /**
   * What this machine lacks, by what the file sets for Playwright.
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
 * The project's files as they lay there when its servers were started.
 */
export type ValidationSources = { "sources": "git",
  /**
   * What is checked out; none before the first commit.
   */
  commit: string | null,
  /**
   * The id of a tree with the files as they were, committed or not.
   */
  tree: string,
  /**
   * Those that differ from what is checked out. Older journals don't have it.
   */
  uncommitted?: ValidationUncommitted, } | { "sources": "no_git" } | { "sources": "untold",
  /**
   * Why.
   */
  message: string,
};

/**
 * A first file, ready to be written; or what else is told.
 */
export type ValidationStarter = {
  /**
   * Where it is written, from the project's root.
   */
  file: string,
  /**
   * Its text; `None` when there is a file, which stays as it is.
   */
  text: string | null,
  /**
   * What the user is told.
   */
  wording: string,
};

/**
 * What a first file is made from.
 */
export type ValidationStarterInput = {
  /**
   * Whether there is such a file.
   */
  is_there: boolean,
  /**
   * What the project holds.
   */
  project: ValidationProject,
  /**
   * What this machine lacks.
   */
  obstacle: ValidationObstacle | null,
  /**
   * Where Playwright Test was before it was installed; `None` when the user didn't allow that.
   */
  install: ValidationInstallInput | null,
};

/**
 * Where a run stands.
 */
export type ValidationStatus = "running" | "awaiting_decision" | "awaiting_user" | "awaiting_yes" | "cancelled" | "validated" | "failed" | "incomplete";

/**
 * What a step is, by Playwright's own categories.
 */
export type ValidationStepKind = "expect" | "call";

/**
 * What is validated.
 */
export type ValidationSubject = {
  /**
   * In a line.
   */
  title: string,
  /**
   * What was asked for, in full.
   */
  text: string,
  /**
   * Where that comes from.
   */
  source: ValidationSubjectSource,
  /**
   * What must be true. Empty if the text doesn't list it: the verifier then does.
   */
  criteria: Array<ValidationCriterion>,
};

/**
 * What is validated, as the shell found it.
 */
export type ValidationSubjectInput = { "kind": "text",
  /**
   * It.
   */
  text: string, } | { "kind": "file",
  /**
   * As the user named it.
   */
  path: string,
  /**
   * What it holds.
   */
  text: string, } | { "kind": "flow",
  /**
   * It.
   */
  subject: ValidationSubject, } | { "kind": "run",
  /**
   * It.
   */
  handover: Handover, } | { "kind": "tests",
  /**
   * They.
   */
  repeat: ValidationRepeat,
};

/**
 * Where it comes from what is validated.
 */
export type ValidationSubjectSource = { "source": "text" } | { "source": "flow",
  /**
   * Its name.
   */
  session: string,
  /**
   * The tree that its last complete feature left; `None` when no feature is complete.
   */
  tree: string | null, } | { "source": "run",
  /**
   * Its name.
   */
  run: string,
  /**
   * The design that was to be built.
   */
  design: string, } | { "source": "file",
  /**
   * As the user named it.
   */
  path: string,
};

/**
 * What a tester returns: one JSON object.
 */
export type ValidationSuite = {
  /**
   * Files of Playwright Test.
   */
  files: Array<ValidationSuiteFile>,
  /**
   * The criteria that no test in a browser can decide.
   */
  untestable: Array<ValidationUntestable>,
};

/**
 * A file of tests.
 */
export type ValidationSuiteFile = {
  /**
   * Its name: ends in `.spec.ts`.
   */
  path: string,
  /**
   * All that it holds.
   */
  text: string,
};

/**
 * What a test is called.
 */
export type ValidationTestName = {
  /**
   * The file, below the project's root.
   */
  file: string,
  /**
   * Its title behind those of its groups.
   */
  title: string,
};

/**
 * What was seen of a test in one pass.
 */
export type ValidationTestSeen = {
  /**
   * Whose it is. Older journals don't have it: all were written for the run.
   */
  whose: ValidationWhose,
  /**
   * The file, below the run's directory; of the project's own tests, below the project's root.
   */
  file: string,
  /**
   * Its title behind those of its groups.
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
   * Its steps that are assertions.
   */
  expects: number,
  /**
   * Assertions that failed although the test passed.
   */
  caught: number,
  /**
   * Milliseconds that it took, whole.
   */
  duration_ms: number,
  /**
   * What it failed by, at most 2000 characters, without colours; empty where it passed.
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
   * What it left behind.
   */
  attachments: Array<ValidationAttachment>,
  /**
   * The titles of its steps, at most [`MOST_TOLD`].
   */
  steps: Array<string>,
  /**
   * The addresses that its pages came to, each once, at most [`MOST_TOLD`]. Older journals don't have it.
   */
  visited: Array<string>,
  /**
   * What its last page showed when it failed. Older journals don't have it.
   */
  shown?: ValidationShown,
  /**
   * What it did and asserted, in its order, at most [`LONGEST_TRAIL`]. Older journals don't have it.
   */
  trail?: Array<ValidationTrailStep>,
  /**
   * By what it answers for the application, at most [`MOST_TOLD`]. Older journals don't have it.
   */
  mocks?: Array<string>,
};

/**
 * How a test ended.
 */
export type ValidationTestStatus = "passed" | "failed" | "timed_out" | "interrupted" | "skipped";

/**
 * A test that was under way.
 */
export type ValidationTestUnderWay = {
  /**
   * Whose it is.
   */
  whose: ValidationWhose,
  /**
   * The file, below the run's directory; of the project's own tests, below the project's root.
   */
  file: string,
  /**
   * Its title behind those of its groups.
   */
  title: string,
  /**
   * Its tags, each with its `@`.
   */
  tags: Array<string>,
};

/**
 * What a run found that is to be fixed.
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
   * Where that came from: the same is validated again once it is fixed.
   */
  source: ValidationSubjectSource,
  /**
   * What is wrong, one by one; at least one.
   */
  faults: Array<ValidationFault>,
};

/**
 * A line on the console of a page.
 */
export type ValidationTold = {
  /**
   * `error`, `warning`, `info`, …; `pageerror` of an exception that nobody caught.
   */
  level: string,
  /**
   * What it says.
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
   * What it is.
   */
  kind: ValidationStepKind,
  /**
   * As Playwright calls it.
   */
  title: string,
  /**
   * Why it failed; empty where it didn't.
   */
  error?: string,
};

/**
 * Files that aren't committed.
 */
export type ValidationUncommitted = {
  /**
   * The first of them, from the root of the repository.
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
 * Whose a test is.
 */
export type ValidationWhose = "written" | "project";

/**
 * What `/design-lab-vendors` begins with.
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
 * What the command does.
 */
export type VendorsOutput = {
  /**
   * The providers that are allowed from now on.
   */
  agreed: Array<string>,
  /**
   * What the user is told.
   */
  wording: string,
};

/**
 * Whether a call may go on.
 */
export type Verdict = { "kind": "allow" } | { "kind": "deny" } & Denial;

/**
 * How sure the first place is.
 */
export type VerdictKind = "clear" | "leaning" | "too_close_to_call" | "insufficient";

/**
 * What runs here.
 */
export type Versions = {
  /**
   * Design Lab's own.
   */
  package: string,
  /**
   * OpenCode's; `None` if it didn't say.
   */
  opencode: string | null,
  /**
   * Node's, for the command line; `None` if there is none.
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
   * Whether the same may be done again, beside a run that did it.
   */
  new_directory: boolean,
  /**
   * Refine: how many rounds at most, from 1.
   */
  rounds: number,
  /**
   * Merge: who writes, by id or `provider/model`; none for the author of the best design.
   */
  by: string | null,
  /**
   * Whether the user has said yes to it already, as to a further round of what is under way.
   */
  permitted: boolean,
  /**
   * Review: who joins the reviewers of the run itself.
   */
  add?: Add,
  /**
   * Review: until the first place is clear.
   */
  until?: UntilClear,
};

/**
 * How copies of the project's files are made ready.
 */
export type Worktree = {
  /**
   * The command that makes a copy ready, program and arguments: `["npm", "ci", "--offline"]`. Left out, what `link` names is
   * linked.
   */
  setup: Array<string>,
  /**
   * Directories and files that git ignores and that a copy gets by a link: a name counts wherever it is, a path from the root of
   * the repository.
   */
  link: Array<string>,
};
