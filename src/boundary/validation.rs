//! The calls on runs of Validation.

use super::durable::{EventOf, Replayed};
use super::handles::Kept;
use super::list::calls;
use super::values::{Held, Moment, Shown, Text, Verbatim};
use crate::design_lab::config::{AvailableModels, Source};
use crate::opencode::{reader_text, refused_to_readers};
use crate::shared::BoundaryCode;
use crate::shared::ci::{Given, Texts};
use crate::shared::disk::{self, DiskDeed, DiskUser};
use crate::shared::panel::Panel;
use crate::validation::before::{self, Before};
use crate::validation::check::{Setup, checked};
use crate::validation::install::{self, InitCommand, Install, InstallInput, InstallRan};
use crate::validation::left::{self, Left};
use crate::validation::live::{self, LiveAnswer, LiveChange, LiveRequest, Plan};
use crate::validation::opening::{self, OpeningInput};
use crate::validation::page::Picture;
use crate::validation::protocol::{Command, EventKind, EvidenceFile, Live, Opening, Scope};
use crate::validation::repeat::{Kept as KeptTests, Repeat};
use crate::validation::settings::{ValidationSettings, settings_for};
use crate::validation::starter::{self, Starter, StarterInput};
use crate::validation::stored::{self, Found};
use crate::validation::subject::{self, ValidateCommand};
use crate::validation::to_fix::ToFix;
use crate::validation::verify::Seen;
use crate::validation::{self, Run, RunFacts, forecast, foreign, servers};
use kernel::index::{NOTHING_RUNS, Summary};
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::progress::Activity;
use kernel::protocol::{JobId, Reply, Spending};
use std::collections::BTreeSet;

type Validation = Held<Run>;

impl Kept for Run {
    fn lost() -> Problem {
        Problem::new(BoundaryCode::LostRun, "The run is no longer in memory.")
            .next("Type /validate-resume to continue from its journal.")
    }
}

calls! {
    /// Validation's calls into the core: every decision is made there. The methods that the machinery of runs calls have the same
    /// names as in Design Lab.
    validation ValidationCore |core|

    type ValidationEventKind = EventKind;
    type ValidationFound = Found;
    type ValidationCommand = Command;

    /// Parses the arguments of `/validate`.
    fn command(text: Text) -> ValidateCommand { subject::validate_command(&text)? }

    /// The problem when `/validate` without arguments finds no session of Flow to validate.
    fn no_subject() -> Problem { subject::no_subject("There is no session of Flow to validate.") }

    /// The settings. Throws if they are broken, or if there are none and a run of this scope needs them. `configuration`: Design
    /// Lab's, which contains the prices of models.
    fn settings(scope: Scope, source: Option<Source>, configuration: Vec<Source>) -> ValidationSettings {
        settings_for(scope, source.as_ref(), &configuration)?
    }

    /// The files that show which servers a project has. `files`: all files of the project.
    fn to_read(files: BTreeSet<String>) -> Vec<String> { servers::to_read(files) }

    /// A first settings file, and the message for the user.
    fn starter(input: StarterInput) -> Starter { starter::starter(&input)? }

    /// Parses the arguments of `/validate-init`.
    fn init_command(text: Text) -> InitCommand { install::init_command(&text)? }

    /// The packages that npm is to install; null if they are already installed. Throws if something else is in their place.
    fn install(found: InstallInput) -> Option<Install> { install::install(&found)? }

    /// Throws if the installation failed.
    fn installed(ran: InstallRan) -> () { install::installed(&ran)?; }

    /// The plan that the page's script for a live counterfeit follows.
    fn live_plan(live: Live) -> Plan { live::plan(live) }

    /// The answer given without asking the application; null if the application is asked.
    fn live_instead(live: Live, request: LiveRequest) -> Option<LiveAnswer> { live::instead(live, &request) }

    /// The answer that replaces the application's answer.
    fn live_changed(live: Live, request: LiveRequest, answer: LiveAnswer) -> LiveChange {
        live::changed(live, &request, answer)
    }

    /// A description of the settings; null stands for none. Throws with everything that is wrong.
    fn check(setup: Option<Setup>) -> String { checked(setup.as_ref())? }

    /// The first event's content.
    fn begin(input: OpeningInput) -> Opening { opening::begin(&input)? }

    /// The opening with the expected cost of the run, and with the run before on the same subject.
    fn foreseen(opening: Opening, found: Vec<Found>) -> Opening {
        forecast::foreseen(before::found(opening, &found), &found)
    }

    /// What the run before saw; null if there is nothing to compare. `name` and `subject`: as the opening has them.
    fn before(run: Validation, name: Text, subject: Text) -> Option<Before> {
        run.before(&name, &subject, core.origin_of(&*run))?
    }

    /// The runs in chronological order.
    fn begun(found: Vec<Found>) -> Vec<Found> { stored::begun(found) }

    /// The name of the run that `/validate-status` shows; null if only the list is requested.
    fn shown(text: Text, found: Vec<Found>) -> Option<String> { stored::shown(&text, &found)? }

    /// The name of the run that a name refers to, or of the latest without a name.
    fn to_show(text: Text, found: Vec<Found>) -> String { stored::to_show(&text, &found)? }

    /// The list that `/validate-status` shows, below a run or alone; null if a run is named, or there is no other.
    fn list(text: Text, found: Vec<Found>) -> Option<String> { stored::list(&text, &found) }

    /// The name of the run that `/validate-decide` is about.
    fn to_decide(found: Vec<Found>) -> String { stored::to_decide(&found)? }

    /// The name of the run whose failures and gaps `/flow-plan fix` is to fix.
    fn run_to_fix(text: Text, found: Vec<Found>) -> String { stored::to_fix(&text, &found)? }

    /// The failures and gaps of the run that are to be fixed.
    fn to_fix(run: Validation) -> ToFix { run.to_fix()? }

    /// Parses the arguments of `/validate-resume`: the run as the user names it, and whether it is adopted.
    fn resume_request(text: Text) -> Verbatim<(String, bool)> { Verbatim(foreign::resume_request(&text)) }

    /// Whether this machine wrote all of the run's journal.
    fn is_ours(run: Validation) -> bool { core.origin_of(&*run) == Origin::Here }

    /// The name of the run that `/validate-resume` continues.
    fn to_resume(text: Text, found: Vec<Found>) -> String { stored::to_resume(&text, &found)? }

    /// The name of the run whose tests are repeated or kept.
    fn to_repeat(text: Text, found: Vec<Found>) -> String { stored::to_repeat(&text, &found)? }

    /// The tests of a run that can be repeated. Throws if there are none.
    fn repeat(run: Validation) -> Repeat {
        run.vouched(core.vouched_origin_of(&*run))?;
        run.repeat()?
    }

    /// Tests as files of the project. Throws if they can't be kept there. `directory`: as the user names it; `taken`: existing paths.
    fn kept(repeat: Repeat, directory: Text, taken: Vec<String>) -> KeptTests { repeat.kept(&directory, &taken)? }

    /// A run before its first event; returns its handle.
    fn open_run() -> u32 { core.handles.keep(Run::new()) }

    /// The run that results from a journal.
    fn replay_run(journal: Text) -> Replayed { core.replay::<Run>(&journal)? }

    /// Closes a run's handle.
    fn close_run(run: u32) -> () { core.handles.close(run); }

    /// The journal line for an event.
    fn seal(run: Validation, event: EventOf<Run>) -> Verbatim<String> { Verbatim(core.seal(&*run, event)) }

    /// Applies a sealed line that is on disk.
    fn apply(run: u32, line: Text) -> Vec<Command> { core.apply::<Run>(run, &line)? }

    /// The event that stops a call between two steps of its answer; null if no budget is reached. `used`: by all calls in flight.
    fn overspending(run: Validation, job: JobId, used: Vec<Spending>) -> Option<EventKind> {
        run.overspending(&job, &used)
    }

    /// The paths that an answer cites.
    fn cited(run: Validation, job: JobId, reply: Reply) -> Vec<String> { run.cited(&job, &reply) }

    /// The events of `/validate-decide <decision>`. `settings`: the current ones.
    fn decide(
        run: Validation,
        settings: ValidationSettings,
        text: Text,
        available: AvailableModels,
    ) -> Vec<EventKind> {
        run.vouched(core.vouched_origin_of(&*run))?;
        run.may_ask(&available)?;
        run.decide(&settings, &text)?
    }

    /// The events of `/validate-resume`. `settings`: the current ones; `shown`: the hashes of commands that this process has shown.
    fn resume(
        run: Validation,
        settings: ValidationSettings,
        shown: Vec<String>,
        available: AvailableModels,
    ) -> Vec<EventKind> {
        run.vouched(core.vouched_origin_of(&*run))?;
        run.may_ask(&available)?;
        run.resume(&settings, &shown)?
    }

    /// The events that cancel a run whose process has died; empty if it isn't active.
    fn cancel(run: Validation) -> Vec<EventKind> { run.cancel()? }

    /// The notes on processes that runs have left behind.
    fn left(found: Vec<Left>) -> Vec<String> { left::wording(&found) }

    /// The live message at this moment. `place`: of the run's directory, as a `file:` URL.
    fn live_message(run: Validation, now: Moment, place: Text, activity: Option<Activity>) -> Shown {
        Shown(run.live_message_at(now.milliseconds(), &place, &activity.unwrap_or_default().calls))
    }

    /// The message for a model that called a command: what the user sees, without file paths.
    fn account(run: Validation, now: Moment) -> Shown { Shown(run.live_message_at(now.milliseconds(), "", &[])) }

    /// The run, for a reader that doesn't run it.
    fn status(run: Validation, found: Found) -> Shown { Shown(run.status(&found.owner)) }

    /// The last live message of a process whose run another process now continues.
    fn continued(run: Validation) -> Shown { Shown(run.continued()) }

    /// The run for a panel next to the chat, at this moment; null unless it is running.
    fn panel(run: Validation, now: Moment, activity: Option<Activity>) -> Option<Panel> {
        run.panel(now.milliseconds(), &activity.unwrap_or_default().calls)
    }

    /// Every file that should be on disk by now, except those that the shell writes: path and text.
    fn files(run: Validation) -> Vec<(String, String)> { core.files(&*run)? }

    /// The pictures and videos that the page contains, as they were recorded, each with the earlier run that has it.
    fn pictures(run: Validation) -> Vec<(Option<String>, EvidenceFile)> { run.pictures()? }

    /// The run's page. `pictures`: those that still exist.
    fn page(run: Validation, pictures: Vec<Picture>) -> String { run.page(&pictures)? }

    /// The account if the observations match the journal.
    fn verify(run: Validation, seen: Seen) -> String { run.verify(&seen)? }

    /// The texts for build servers.
    fn ci(run: Validation, given: Given) -> Texts { run.ci(&given)? }

    /// A run in a few facts; null before its first event.
    fn summary(run: Validation) -> Option<Summary<RunFacts>> { core.with_origin(&*run, run.summary()) }

    /// What a failed file operation means for the user. `code`: the system's.
    fn disk_problem(file: Text, code: Text, deed: DiskDeed) -> Problem {
        disk::failure(&file, &code, deed, DiskUser::Validation)
    }

    /// The problem when the run is running in another process.
    fn locked(run: Text, process: Text) -> Problem { validation::VERBS.locked(&run, &process) }

    /// The problem when a process doesn't stop a run when asked.
    fn not_stopped(run: Text, process: Text) -> Problem { validation::VERBS.not_stopped(&run, &process) }

    /// The reply of a stop command when nothing is running.
    fn nothing_runs() -> Shown { Shown(NOTHING_RUNS.to_owned()) }

    /// The system text for a session of Validation. `own`: the role's text; `host`: what the host would send.
    fn system_text(own: Text, host: Text) -> Verbatim<String> { Verbatim(reader_text(&own, &host)) }

    /// Why a session of Validation may not call a tool; null if it may.
    fn refusal(tool: Text) -> Option<&'static str> { refused_to_readers(&tool) }
}
