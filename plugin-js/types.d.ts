// Generated from the Rust types by `UPDATE=1 cargo test codegen`.

/**
 * A model of a connected provider, with what the catalogue says of it.
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
   * `YYYY-MM-DD`, or empty.
   */
  release_date: string,
  /**
   * `active`, `alpha`, `beta`, `deprecated`, or empty.
   */
  status: string,
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
};

/**
 * Models chosen in place of a configuration.
 */
export type Choice = {
  /**
   * One to three models; a single one under three briefs.
   */
  design_models: Array<ModelEntry>,
  /**
   * The same models, each once.
   */
  review_models: Array<ReviewerEntry>,
  /**
   * Which were chosen and why, for the user.
   */
  sentence: string,
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
   * At least one, with distinct ids.
   */
  review_models: Array<ReviewerEntry>,
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
  budget: Budget,
  /**
   * How reviews are made and counted.
   */
  review: Review,
  /**
   * The configured seed; none means that it is derived from the task.
   */
  seed: number | null,
};

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
   * What certain scores mean, by score.
   */
  anchors: { [key in string]: string },
};

/**
 * What one reviewer says of one design.
 */
export type Evaluation = {
  /**
   * In a reply the label shown to the reviewer; in a stored document the design's id.
   */
  design_id: string,
  /**
   * In words.
   */
  qualitative: Qualitative,
  /**
   * In numbers.
   */
  quantitative: Quantitative,
};

/**
 * What a review model returns when asked for scores: one JSON object.
 */
export type Evaluations = {
  /**
   * One evaluation per design shown.
   */
  evaluations: Array<Evaluation>,
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
   * Globs, relative to the project, beside the output directory, which is always blocked.
   */
  blocked_patterns: Array<string>,
  /**
   * Tools that designers and reviewers may call.
   */
  allowed_tools: Array<string>,
};

/**
 * The ranks of sources, lowest first.
 */
export type Layer = "default" | "global" | "project" | "options";

/**
 * A coarse level of risk or impact.
 */
export type Level = "low" | "medium" | "high";

/**
 * The outcome of loading.
 */
export type Loaded = {
  /**
   * The effective configuration.
   */
  config: Config,
  /**
   * Where each setting comes from, by JSON pointer into `config`; a list is one setting.
   */
  origins: { [key in string]: Origin },
  /**
   * What the user should know and need not change, in sentences: which models were chosen, what looks unintended.
   */
  notes: Array<string>,
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
   * The angle from which it designs, added to its prompt: set when one model has to write several designs.
   */
  brief: string | null,
  /**
   * The provider's variant (reasoning effort and the like), passed through.
   */
  variant: string | null,
};

/**
 * Where an effective value comes from.
 */
export type Origin = {
  /**
   * The rank of the source.
   */
  layer: Layer,
  /**
   * Its file; none for defaults.
   */
  file: string | null,
  /**
   * The line, where the source has lines.
   */
  line: number | null,
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
   * When the accepted answer arrived, ISO 8601 in UTC.
   */
  generated_at: string,
  /**
   * The model as the provider named it in its answer.
   */
  model_version: string,
  /**
   * The temperature that was asked for; null where the model decides.
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
 * The part in words.
 */
export type Qualitative = {
  /**
   * What is good.
   */
  strengths: Array<string>,
  /**
   * What is not.
   */
  weaknesses: Array<string>,
  /**
   * What the design doesn't speak of and should.
   */
  missing_considerations: Array<string>,
  /**
   * How risky building it would be.
   */
  risk_assessment: Level,
};

/**
 * The part in numbers.
 */
export type Quantitative = { overall?: number, justification: string } & { [dimension: string]: number | string };

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
   * The file's text; none if it could not be read.
   */
  text?: string,
  /**
   * Why it could not be read.
   */
  error?: string,
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
 * How often to try again.
 */
export type Retries = {
  /**
   * Further tries of a call that failed for a passing reason: rate limit, server error, network, time-out.
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
   * The angle from which it designs, added to its prompt: set when one model has to write several designs.
   */
  brief: string | null,
  /**
   * The provider's variant (reasoning effort and the like), passed through.
   */
  variant: string | null,
};

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
 * The rubric.
 */
export type ScoringCriteria = {
  /**
   * What reviewers score: at least one dimension, with distinct names.
   */
  dimensions: Array<Dimension>,
  /**
   * Whether every evaluation needs a justification.
   */
  require_justification: boolean,
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
 * A design as stored in `designs/<design>.json`.
 */
export type StoredDesign = {
  /**
   * The schema of this document.
   */
  $schema: string,
  /**
   * The design's id within the run.
   */
  design_id: string,
  /**
   * The model that wrote it: `provider/model`.
   */
  model: string,
  /**
   * Where it came from.
   */
  metadata: Provenance,
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
 * A reviewer's whole review as stored in `reviews/review-<reviewer>.json`.
 */
export type StoredReview = {
  /**
   * The schema of this document.
   */
  $schema: string,
  /**
   * The reviewer's id within the run.
   */
  review_id: string,
  /**
   * The model that reviewed: `provider/model`.
   */
  reviewer_model: string,
  /**
   * Design ids in the order in which this reviewer saw them, one list per repeat.
   */
  orders: Array<Array<string>>,
  /**
   * One evaluation per design and repeat, by real design id, in the run's order of designs.
   */
  evaluations: Array<Evaluation>,
  /**
   * Where it came from.
   */
  metadata: Provenance,
};

/**
 * One reviewer's scores of one design as stored in `scores/<design>-reviewed-by-<reviewer>.json`.
 */
export type StoredScore = {
  /**
   * The schema of this document.
   */
  $schema: string,
  /**
   * The design scored.
   */
  design_id: string,
  /**
   * The reviewer's id within the run.
   */
  reviewer: string,
  /**
   * The reviewer's model: `provider/model`.
   */
  reviewer_model: string,
  /**
   * Whether the reviewer's model wrote the design.
   */
  self_review: boolean,
  /**
   * One entry per repeat, in order.
   */
  repeats: Array<Evaluation>,
};

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
 * Deadlines.
 */
export type Timeouts = {
  /**
   * Milliseconds that one model call may take: a second to a day.
   */
  call_ms: number,
  /**
   * Milliseconds that the run may take, a second to a week; null means no limit.
   */
  run_ms: number | null,
};

/**
 * Tokens as the provider counted them; `input` excludes cache, `output` excludes reasoning (OpenCode 1.18).
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
};
