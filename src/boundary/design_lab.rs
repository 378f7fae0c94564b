//! The calls on runs of Design Lab, and those of the command line.

use super::durable::{EventOf, Replayed};
use super::handles::Kept;
use super::list::calls;
use super::values::{Bytes, Held, Moment, Problems, Shown, Text, Verbatim};
use crate::cli::{self, Kind, RankInput};
use crate::design_lab::artefacts::DesignOutcome;
use crate::design_lab::attachments::{self, Attached, Folder, Listing};
use crate::design_lab::claims::{self, Lookups, Manifest};
use crate::design_lab::config::{
    self, AvailableModels, Isolation, NewVendors, OutputPlace, Reference, ReferencedFile, Source,
    StarterInput, VendorsInput, VendorsOutput,
};
use crate::design_lab::doctor::{self, DoctorInput, TrialCall, TrialProgress};
use crate::design_lab::images::{self, SeenImage};
use crate::design_lab::isolation::{
    self, Facts, HiddenOutputs, Inquiry, NotedOutputs, Places, Rules, Verdict,
};
use crate::design_lab::prompts::Role;
use crate::design_lab::report;
use crate::design_lab::workflow::{
    self, Command, DecisionRequest, EventKind, FollowUp, Found, Handover, HumanReviewForm,
    HumanReviewRequest, JobId, NamedFile, Opening, OpeningInput, OutcomeRequest, Purpose, Reply, RerankInput,
    ResumeRequest, Resumption, Run, RunFacts, Spending, Taker, ToBuild, Wanted,
};
use crate::opencode::registration::{self, Permission, Registration, ToolCall};
use crate::opencode::{self, SessionModelFacts};
use crate::shared::BoundaryCode;
use crate::shared::ci::{self, Given, Texts};
use crate::shared::disk::{self, DiskDeed, DiskUser};
use crate::shared::listed::Listed;
use crate::shared::named_text::NamedText;
use crate::shared::panel::Panel;
use crate::shared::reader::Reader;
use kernel::index::{NOTHING_RUNS, Summary};
use kernel::json::Deserialize;
use kernel::json::pretty;
use kernel::problem::Problem;
use kernel::progress::Activity;
use kernel::protocol::LookedUp;
use kernel::visible;
use serde::Serialize;

type DesignRun = Held<Run>;

impl Kept for Run {
    fn lost() -> Problem {
        Problem::new(BoundaryCode::LostRun, "The run is no longer in memory.")
            .next("Type /design-lab-resume to continue from its journal.")
    }
}

impl Kept for Rules {
    fn lost() -> Problem {
        Problem::new(BoundaryCode::LostRules, "The run's isolation is no longer in memory.")
    }
}

/// The texts of a configuration.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ConfigurationTexts {
    /// The configuration files.
    sources: Vec<Source>,
    /// The prompt files that they refer to.
    files: Vec<ReferencedFile>,
}

impl ConfigurationTexts {
    fn load(&self, available: &AvailableModels) -> Result<config::Loaded, Vec<Problem>> {
        config::load(&self.sources, &self.files, available)
    }
}

/// A first configuration file.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StarterFile {
    /// Its path from the project.
    file: &'static str,
    /// Its text.
    text: String,
    /// The message for the user.
    wording: String,
}

/// A ranking without a run.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RankedTable {
    /// As in `ranking.json`.
    json: String,
    /// For people.
    text: String,
    /// How the table was read, for people; usually empty.
    notes: String,
}

/// What all runs of an output directory show together.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct HistoryOfRuns {
    /// For programs.
    json: String,
    /// For people.
    text: String,
}

calls! {
    /// Design Lab's calls into the core: every decision is made there.
    design_lab Core |core|

    /// Text from outside, made safe for a terminal.
    fn visible(text: Text) -> Verbatim<String> { Verbatim(visible::text(&text).into_owned()) }

    /// The prompt files that these configuration texts refer to.
    fn references(sources: Vec<Source>) -> Verbatim<Vec<Reference>> { Verbatim(config::references(&sources)) }

    /// Commands and agents to register. With a broken configuration, these are the ones that don't need one; the command will report
    /// what is wrong.
    fn register(setup: ConfigurationTexts) -> Registration {
        let loaded = setup.load(&AvailableModels::default());
        let isolation = config::isolation(&setup.sources).unwrap_or_default();
        registration::registration(loaded.ok().as_ref().map(|loaded| &loaded.config), &isolation)
    }

    /// What a call of the tool results in. `action`: empty if the tool has none.
    fn tool_call(tool: Text, action: Text, text: Text) -> ToolCall { registration::tool_call(&tool, &action, &text)? }

    /// The pattern of a question to the user, with the expected cost of the run that it is about.
    fn priced(pattern: Text, opening: Opening, found: Vec<Found>) -> String {
        workflow::priced(&pattern, &workflow::expected(&opening, &found))
    }

    /// The first event's content.
    fn begin(input: OpeningInput) -> Opening { workflow::begin(&input)? }

    /// Whether a run needs a digest of the project and the user allows it.
    fn wants_brief(input: OpeningInput) -> Verbatim<bool> { Verbatim(workflow::wants_brief(&input)) }

    /// The files that are read for that digest. `listed`: the project.
    fn files_for_brief(input: OpeningInput, listed: Attached) -> Verbatim<Vec<String>> {
        Verbatim(workflow::files_for_brief(&input, &listed))
    }

    /// The files after `--with` in the arguments of `/design-lab`.
    fn own_designs(text: Text) -> Vec<NamedFile> { workflow::own_designs(&text) }

    /// The relevant files of an attached folder.
    fn listing(folder: Folder) -> Listing { attachments::listing(&folder) }

    /// The files to read for each attachment. `roots`: the project and its worktree, as named and with links resolved; `outputs`: what
    /// runs keep there, likewise.
    fn screen(attached: Vec<Attached>, roots: Vec<String>, outputs: Vec<String>) -> Vec<Vec<String>> {
        attachments::screen(&attached, &roots, &outputs)?
    }

    /// The opening of a new run with its forecast. Throws if the run would only repeat an existing one.
    fn admit(opening: Opening, found: Vec<Found>) -> Opening {
        workflow::refuse_twin(&opening, &found)?;
        workflow::foreseen(opening, &found)
    }

    /// Whether the arguments of `/design-lab` only ask for the cost of a run.
    fn asks_for_forecast(text: Text) -> bool { workflow::asks_for_forecast(&text) }

    /// The expected cost of a new run.
    fn forecast(opening: Opening, found: Vec<Found>) -> Shown { Shown(workflow::wording(&opening, &found)) }

    /// Parses the arguments of a command that follows up on a run.
    fn wanted(kind: FollowUp, text: Text) -> Wanted { workflow::wanted(kind, &text)? }

    /// The texts for build servers if no run could be looked at. `workflow`: `Flow` or `Validation`.
    fn ci_of_problems(workflow: Text, given: Given) -> Texts {
        ci::of_problems(if &*workflow == "Flow" { "Flow" } else { "Validation" }, &given)
    }

    /// The first event's content for a run that builds on this one.
    fn follow_up(run: DesignRun, kind: FollowUp, wanted: Wanted, input: OpeningInput) -> Opening {
        run.follow_up(kind, &wanted, &input, core.origin_of(&*run))?
    }

    /// The names that an answer relies on.
    fn cited(run: DesignRun, job: JobId, reply: Reply) -> Vec<String> { run.cited(&job, &reply) }

    /// What to read to look up names. `listed`: the project.
    fn lookups(run: DesignRun, names: Vec<String>, listed: Attached) -> Lookups { run.lookups(&names, &listed) }

    /// What the project declares under names. `partial`: whether the project has other manifests, too.
    fn declared(names: Vec<String>, manifests: Vec<Manifest>, partial: bool) -> Verbatim<Vec<LookedUp>> {
        Verbatim(claims::declared(&names, &manifests, partial))
    }

    /// The event that stops a call between two steps of its answer; null if the budget isn't reached. `used`: by all calls in flight.
    fn overspending(run: DesignRun, job: JobId, used: Vec<Spending>) -> Option<EventKind> {
        run.overspending(&job, &used)
    }

    /// The arguments of the next round of a finished refinement; null if none is due.
    fn next_round(run: DesignRun) -> Option<Wanted> { run.next_round() }

    /// The configured directory for runs.
    fn output_directory(setup: ConfigurationTexts, available: AvailableModels) -> Verbatim<String> {
        Verbatim(setup.load(&available)?.config.output_directory)
    }

    /// Throws if the configured output directory is unusable, given what is on disk.
    fn check_output(sources: Vec<Source>, place: OutputPlace) -> () {
        config::check_output(&sources, &place).map_or(Ok(()), Err)?;
    }

    /// A first configuration file.
    fn starter(input: StarterInput) -> StarterFile {
        let starter = config::starter(&input)?;
        let wording = report::configured(starter.loaded.as_ref());
        StarterFile { file: config::STARTER_FILE, text: starter.text, wording }
    }

    /// Problems as text. `brand`: of the workflow that owns the command, usually Design Lab; `by_model`: whether a model called it and
    /// reads this.
    fn describe(problems: Problems, brand: Option<String>, by_model: Option<bool>) -> Verbatim<String> {
        let reader = Reader::of(by_model.unwrap_or_default());
        Verbatim(report::problems(brand.as_deref().unwrap_or("Design Lab"), &problems, reader))
    }

    /// Problems in the format of compilers, place first.
    fn diagnose(problems: Problems) -> Verbatim<String> { Verbatim(report::diagnostics(&problems)) }

    /// What a failed file operation means for the user. `code`: the system's.
    fn disk_problem(file: Text, code: Text, deed: DiskDeed) -> Problem {
        disk::failure(&file, &code, deed, DiskUser::DesignLab)
    }

    /// The system text for the model of a session. `own`: the role's text; `host`: what the host would send.
    fn system_text(role: Role, own: Text, host: Text) -> Verbatim<String> {
        let known = core.known();
        Verbatim(known.hide(opencode::system_text(role, &own, &host, &known)))
    }

    /// Whether OpenCode may replace a session's conversation with a summary. `steps`: how the model's answers to the last prompt ended.
    fn may_compact(role: Role, steps: Vec<Option<String>>) -> bool { opencode::may_compact(role, &steps) }

    /// Whether the arguments of `/design-lab-doctor` ask for paid calls.
    fn asks_for_calls(text: Text) -> bool { registration::asks_for_calls(&text)? }

    /// The calls that show whether the configured models answer; empty if the configuration is broken.
    fn trial_calls(setup: ConfigurationTexts, available: AvailableModels) -> Vec<TrialCall> {
        let loaded = setup.load(&available);
        loaded.map_or_else(|_| Vec::new(), |loaded| doctor::trial_calls(&loaded.config, &available))
    }

    /// What the chat shows while these calls are in progress.
    fn trials_under_way(calls: Vec<TrialProgress>) -> Shown { Shown(doctor::under_way(&calls)) }

    /// What is wrong with this installation, and what to do.
    fn examine(input: DoctorInput) -> Shown { Shown(doctor::diagnosis(&doctor::diagnose(&input))) }

    /// A run before its first event; returns its handle.
    fn open_run() -> u32 { core.handles.keep(Run::new()) }

    /// The run that results from a journal.
    fn replay_run(journal: Text) -> Replayed { core.replay::<Run>(&journal)? }

    /// Closes a run's handle.
    fn close_run(run: u32) -> () { core.handles.close(run); }

    /// How a new process continues a run under this configuration.
    fn resumption(
        run: DesignRun,
        setup: ConfigurationTexts,
        available: AvailableModels,
        request: ResumeRequest,
    ) -> Resumption {
        run.go_on(&request, &setup.sources, &setup.files, &available, core.origin_of(&*run))?
    }

    /// Parses the arguments of `/design-lab-resume`.
    fn resume_request(text: Text) -> ResumeRequest { ResumeRequest::parse(&text)? }

    /// How `/design-lab-review` continues an existing run; null if it starts a separate run. `permitted`: whether the user has already
    /// approved it.
    fn review_within(text: Text, found: Vec<Found>, permitted: bool) -> Option<ResumeRequest> {
        workflow::review_within(&text, &found, permitted)?
    }

    /// The expected cost of reviewers that are to join a run, or of its decision map. `pattern`: of the question to the user that it is
    /// for; empty if the user asked for it.
    fn cost_of_addition(
        run: DesignRun,
        setup: ConfigurationTexts,
        available: AvailableModels,
        request: ResumeRequest,
        pattern: Text,
    ) -> String {
        let question = Some(&*pattern).filter(|pattern| !pattern.is_empty());
        run.cost_of_addition(&request, &setup.sources, &setup.files, &available, question)?
    }

    /// The live message that an earlier process left in the chat, now that another continues the run.
    fn continued(run: DesignRun, name: Text) -> Shown { Shown(run.continued(&name)) }

    /// The journal line for an event.
    fn seal(run: DesignRun, event: EventOf<Run>) -> Verbatim<String> { Verbatim(core.seal(&*run, event)) }

    /// Applies a sealed line that is on disk.
    fn apply(run: u32, line: Text) -> Vec<Command> { core.apply::<Run>(run, &line)? }

    /// The live message at this moment. `place`: of the run's directory, as a `file:` URL.
    fn live_message(run: DesignRun, now: Moment, place: Text, activity: Option<Activity>) -> Shown {
        Shown(run.live_message_at(now.milliseconds(), &place, &activity.unwrap_or_default().calls))
    }

    /// A report on the run at this moment for a model that called a command.
    fn account(run: DesignRun, now: Moment) -> Shown {
        Shown(run.account(now.milliseconds(), core.origin_of(&*run)))
    }

    /// The run for a panel next to the chat, at this moment; null unless the run is running.
    fn panel(run: DesignRun, now: Moment, activity: Option<Activity>) -> Option<Panel> {
        run.panel(now.milliseconds(), &activity.unwrap_or_default().calls)
    }

    /// Every file that should be on disk by now: path and text.
    fn files(run: DesignRun) -> Vec<(String, String)> { core.files(&*run)? }

    /// A run in a few facts; null before its first event.
    fn summary(run: DesignRun) -> Option<Summary<RunFacts>> { core.with_origin(&*run, run.summary()) }

    /// Parses the arguments of `/design-lab-review`; null if no person is asked.
    fn form_request(text: Text) -> Option<HumanReviewRequest> { HumanReviewRequest::parse(&text)? }

    /// The form for a person, whom the user names.
    fn form(run: DesignRun, human: Text) -> HumanReviewForm { run.form(&human)? }

    /// The message about a form. `directory`: the run's, as the user would write it; `written`: the files that were just written.
    fn form_text(reviewer: Text, directory: Text, written: Vec<String>) -> Shown {
        Shown(report::form(&reviewer, &directory, &written))
    }

    /// The event that ranks a run again.
    fn rerank(run: DesignRun, given: RerankInput) -> EventKind { run.rerank(&given)? }

    /// Parses the arguments of `/design-lab-rank`; null if they record no outcome.
    fn outcome_request(text: Text) -> Option<OutcomeRequest> { OutcomeRequest::parse(&text)? }

    /// The event that records how a design turned out.
    fn report_outcome(run: DesignRun, given: DesignOutcome) -> EventKind { run.report_outcome(&given)? }

    /// The runs among the directories found: those that have started.
    fn begun(found: Vec<Found>) -> Vec<Found> { workflow::begun(found) }

    /// The run that the user refers to.
    fn choose(purpose: Purpose, name: Text, found: Vec<Found>) -> Found {
        workflow::choose(purpose, &name, &found)?.clone()
    }

    /// The run and the design that the user wants built or validated.
    fn to_build(text: Text, found: Vec<Found>, taker: Taker) -> ToBuild { workflow::to_build(&text, &found, taker)? }

    /// The designs that may be the best, by their ids, the first-ranked first; at most so many.
    fn contenders(run: DesignRun, most: u32) -> Vec<String> {
        run.contenders(most as usize).iter().map(ToString::to_string).collect()
    }

    /// A design of a ranked run, for the workflow that takes it over. `design`: its id; null for the one ranked first.
    fn handover(run: DesignRun, design: Option<String>, taker: Taker) -> Handover {
        run.handover(design.as_deref(), taker)?
    }

    /// Parses the arguments of `/design-lab-status`; null if they don't ask for a decision.
    fn decision_request(text: Text) -> Option<DecisionRequest> { DecisionRequest::parse(&text)? }

    /// The decision of a ranked run in the named form: its file below the run directory, and its text.
    fn decision(run: DesignRun, form: Text) -> (String, String) { run.decision(&form)? }

    /// The message about a written decision.
    fn exported(file: Text) -> Shown { Shown(report::exported(&file)) }

    /// The problem when the run is running in another process.
    fn locked(run: Text, process: Text) -> Problem { workflow::VERBS.locked(&run, &process) }

    /// The problem when a process doesn't stop a run when asked.
    fn not_stopped(run: Text, process: Text) -> Problem { workflow::VERBS.not_stopped(&run, &process) }

    /// A run as seen by a reader that doesn't run it. `by_model`: whether a model asked.
    fn status(run: DesignRun, found: Found, now: Moment, by_model: bool) -> Shown {
        Shown(run.status(&found, now.milliseconds(), Reader::of(by_model)))
    }

    /// How many runs the arguments of `/design-lab-status` ask to list; null if they ask for something else.
    fn listed(text: Text) -> Verbatim<Option<Listed>> { Verbatim(Listed::parse(&text)) }

    /// The runs of an output directory, which is named as configured.
    fn list_runs(
        found: Vec<Found>,
        output_directory: Text,
        now: Moment,
        listed: Listed,
        by_model: bool,
    ) -> Shown {
        let reader = Reader::of(by_model);
        Shown(workflow::list(&found, &output_directory, now.milliseconds(), listed, reader))
    }

    /// Whether the arguments of `/design-lab-status` ask for the history of all runs.
    fn asks_for_history(text: Text) -> bool { workflow::asks_for_history(&text)? }

    /// What all runs of an output directory show together.
    fn history(found: Vec<Found>, output_directory: Text) -> HistoryOfRuns {
        let history = workflow::history(&found);
        HistoryOfRuns {
            json: visible::json(pretty(&history)),
            text: report::history(&history, &output_directory),
        }
    }

    /// The message about stopped runs.
    fn stopped_runs(names: Vec<String>) -> String { report::stopped(&names) }

    /// The rules of a run.
    fn rules(isolation: Isolation, places: Places) -> Verbatim<Rules> {
        places.check(&isolation)?;
        Verbatim(Rules::new(&isolation, &places))
    }

    /// The parts of other runs' output directories that are hidden.
    fn hidden_outputs(seen: NotedOutputs) -> HiddenOutputs { isolation::hidden_outputs(&seen) }

    /// Keeps rules for later calls; returns their handle.
    fn open_rules(rules: Rules) -> u32 { core.handles.keep(rules) }

    /// Closes the handle of rules.
    fn close_rules(rules: u32) -> () { core.handles.close(rules); }

    /// Whether the user wants to be asked before a project's files go to a new vendor.
    fn confirms_vendors(sources: Vec<Source>) -> Verbatim<bool> { Verbatim(config::confirms_vendors(&sources)) }

    /// The result of `/design-lab-vendors`.
    fn vendors(input: VendorsInput) -> VendorsOutput { config::vendors(&input)? }

    /// The question to the user before a project's files go to new vendors.
    fn vendors_question(vendors: NewVendors) -> Verbatim<Permission> {
        Verbatim(registration::vendors_question(&vendors))
    }

    /// The model that the user's session uses, as `provider/model`; null when it is unknown.
    fn session_model(facts: SessionModelFacts) -> Verbatim<Option<String>> { Verbatim(facts.model()) }

    /// Why the session's model isn't asked to comment on a result; null if it is.
    fn no_closing_turn(available: AvailableModels) -> Verbatim<Option<String>> {
        Verbatim(opencode::no_closing_turn(&available))
    }

    /// Why this command isn't run in an OpenCode that a model's shell started; null if it may run.
    fn in_person(command: Text, text: Text) -> Verbatim<Option<Problem>> {
        Verbatim(opencode::in_person(&command, &text))
    }

    /// Judges a call of `task` by a session that isn't a lab's.
    fn task_verdict(agent: Text) -> Verbatim<Verdict> { Verbatim(isolation::task_verdict(&agent)) }

    /// Ranks a table or a run's directory.
    fn rank(input: RankInput) -> RankedTable {
        let cli::Ranked { ranking, notes } = cli::rank(&input)?;
        RankedTable {
            json: visible::json(pretty(&ranking)),
            text: report::ranking(&ranking),
            notes: report::notes(&notes),
        }
    }

    /// The page on a run, from its journal.
    fn report(journal: NamedText) -> String { cli::report(&journal)? }

    /// The kind of a file. `name`: a word for it; without one, the content decides.
    fn recognise(file: NamedText, name: Option<String>) -> Kind { cli::recognise(&file, name.as_deref())? }

    /// The faults of a file. `beside`: the text of the kind's schema; for a form, the journal of its run; empty if there is none.
    fn validate(file: NamedText, kind: Kind, beside: Text) -> Vec<Problem> { cli::validate(&file, kind, &beside) }

    /// The reply of a stop command when nothing is running.
    fn nothing_runs() -> Shown { Shown(NOTHING_RUNS.to_owned()) }

    direct

    /// The image in these bytes; null if there is none.
    fn image(bytes: Bytes = &[u8]) -> Verbatim<Option<SeenImage>> { Verbatim(images::look(&bytes)) }

    /// The facts needed to judge a call. `args`: its arguments as JSON.
    fn inquire(rules: Held<Rules> = u32, tool: Text = &str, args: Text = &str) -> Verbatim<Inquiry> {
        Verbatim(isolation::inquire(&rules, &tool, &args))
    }

    /// Judges a call by the facts. `args`: its arguments as JSON.
    fn verdict(rules: Held<Rules> = u32, tool: Text = &str, args: Text = &str, facts: Facts = &str) -> Verbatim<Verdict> {
        Verbatim(isolation::verdict(&rules, &tool, &args, &facts))
    }

    /// What the model may read instead of a result; null if it may read the result unchanged. `metadata`: as JSON.
    fn withhold(
        rules: Held<Rules> = u32,
        tool: Text = &str,
        facts: Facts = &str,
        output: Text = &str,
        metadata: Text = &str,
    ) -> Verbatim<Option<String>> {
        Verbatim(isolation::withhold(&rules, &tool, &facts, &output, &metadata))
    }
}
