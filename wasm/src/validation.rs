//! Validation's part of the boundary, in the same style as the rest of the crate.
#![expect(unreachable_pub, reason = "wasm-bindgen exports public functions alone")]

use crate::handles::Handles;
use crate::{decode, durable, moment, outcome, shown, verbatim};
use kernel::index::Owner;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::progress::Incoming;
use kernel::protocol::{JobId, Reply, Spending};
use lab_core::design_lab::config::Source;
use lab_core::opencode::{reader_text, refused_to_readers};
use lab_core::shared::BoundaryCode;
use lab_core::shared::ci::Given;
use lab_core::validation::check::{Setup, checked};
use lab_core::validation::left::{self, Left};
use lab_core::validation::page::Picture;
use lab_core::validation::repeat::Repeat;
use lab_core::validation::settings::{ValidationSettings, settings_for};
use lab_core::validation::stored::{self, Found};
use lab_core::validation::{self, Run, foreign};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static VALIDATIONS: Handles<Run> = const { Handles::new(lost) };
}

fn lost() -> Problem {
    Problem::new(BoundaryCode::LostRun, "The run is no longer in memory.")
        .next("Type /validate-resume to continue from its journal.")
}

fn read<T>(handle: u32, read: impl FnOnce(&Run) -> Result<T, Problem>) -> Result<T, Vec<Problem>> {
    VALIDATIONS.with(|all| all.read(handle, read))
}

fn one<T>(result: Result<T, Problem>) -> Result<T, Vec<Problem>> {
    result.map_err(|problem| vec![problem])
}

/// Parses the arguments of `/validate`; returns `ValidateCommand`.
#[wasm_bindgen(js_name = validationCommand)]
pub fn command(text: &str) -> String {
    outcome(one(validation::subject::validate_command(text)))
}

/// The problem when `/validate` without arguments finds no session of Flow to validate; returns `Problem`.
#[wasm_bindgen(js_name = validationNoSubject)]
pub fn no_subject() -> String {
    outcome(Ok(validation::subject::no_subject("There is no session of Flow to validate.")))
}

/// Reads the settings. `scope`: `ValidationScope`, `source`: `Source | null`, `configuration`: `Source[]`, Design Lab's; returns
/// `ValidationSettings`.
#[wasm_bindgen(js_name = validationSettings)]
pub fn read_settings(scope: &str, source: &str, configuration: &str) -> String {
    outcome(decode::<Vec<Source>>(configuration).and_then(|configuration| {
        settings_for(decode(scope)?, decode::<Option<Source>>(source)?.as_ref(), &configuration)
    }))
}

/// The files that show which servers a project has. `files`: `string[]`, all files of the project; returns `string[]`.
#[wasm_bindgen(js_name = validationToRead)]
pub fn to_read(files: &str) -> String {
    outcome(decode(files).map(validation::servers::to_read))
}

/// A first settings file. `input`: `ValidationStarterInput`; returns `ValidationStarter`.
#[wasm_bindgen(js_name = validationStarter)]
pub fn starter(input: &str) -> String {
    outcome(decode(input).and_then(|input| one(validation::starter::starter(&input))))
}

/// Parses the arguments of `/validate-init`; returns `ValidateInitCommand`.
#[wasm_bindgen(js_name = validationInitCommand)]
pub fn init_command(text: &str) -> String {
    outcome(one(validation::install::init_command(text)))
}

/// The packages that npm is to install. `found`: `ValidationInstallInput`; returns `ValidationInstall | null`.
#[wasm_bindgen(js_name = validationInstall)]
pub fn install(found: &str) -> String {
    outcome(decode(found).and_then(|found| one(validation::install::install(&found))))
}

/// Whether the installation succeeded. `ran`: `ValidationInstallRan`; returns nothing.
#[wasm_bindgen(js_name = validationInstalled)]
pub fn installed(ran: &str) -> String {
    outcome(decode(ran).and_then(|ran| one(validation::install::installed(&ran))))
}

/// The facts that the page's script for a live counterfeit needs. `live`: `ValidationLive`; returns `ValidationPlan`.
#[wasm_bindgen(js_name = validationLivePlan)]
pub fn live_plan(live: &str) -> String {
    outcome(decode(live).map(validation::live::plan))
}

/// The answer given without asking the application. `live`: `ValidationLive`, `request`: `ValidationLiveRequest`; returns
/// `ValidationLiveAnswer | null`.
#[wasm_bindgen(js_name = validationLiveInstead)]
pub fn live_instead(live: &str, request: &str) -> String {
    outcome(decode(live).and_then(|live| Ok(validation::live::instead(live, &decode(request)?))))
}

/// The answer that replaces the application's answer. `live`: `ValidationLive`, `request`: `ValidationLiveRequest`, `answer`:
/// `ValidationLiveAnswer`; returns `ValidationLiveChange`.
#[wasm_bindgen(js_name = validationLiveChanged)]
pub fn live_changed(live: &str, request: &str, answer: &str) -> String {
    outcome(
        decode(live).and_then(|live| Ok(validation::live::changed(live, &decode(request)?, decode(answer)?))),
    )
}

/// A summary of the settings if nothing is missing. `setup`: `ValidationSetup | null`; returns text.
#[wasm_bindgen(js_name = validationCheck)]
pub fn check(setup: &str) -> String {
    outcome(decode::<Option<Setup>>(setup).and_then(|setup| checked(setup.as_ref())))
}

/// The first event's content. `input`: `ValidationOpeningInput`; returns `ValidationOpening`.
#[wasm_bindgen(js_name = validationBegin)]
pub fn begin(input: &str) -> String {
    outcome(decode(input).and_then(|input| one(validation::opening::begin(&input))))
}

/// The opening with the expected cost of the run, and with the run before on the same subject. `opening`: `ValidationOpening`,
/// `found`: `Found<ValidationFacts>[]`; returns `ValidationOpening`.
#[wasm_bindgen(js_name = validationForeseen)]
pub fn foreseen(opening: &str, found: &str) -> String {
    outcome(decode(opening).and_then(|opening| {
        let found: Vec<Found> = decode(found)?;
        let opening = validation::before::found(opening, &found);
        Ok(validation::forecast::foreseen(opening, &found))
    }))
}

/// What the run before saw. `handle`: the run; `name` and `subject`: as the opening has them; returns `ValidationBefore | null`.
#[wasm_bindgen(js_name = validationBefore)]
pub fn before(handle: u32, name: &str, subject: &str) -> String {
    outcome(read(handle, |run| run.before(name, subject, durable::origin_of(run))))
}

/// The runs in chronological order. `found`: `Found<ValidationFacts>[]`; returns the same.
#[wasm_bindgen(js_name = validationBegun)]
pub fn begun(found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).map(stored::begun))
}

/// The run that `/validate-status` shows. `found`: `Found<ValidationFacts>[]`; returns its name, or `null` if only the list is
/// requested.
#[wasm_bindgen(js_name = validationShown)]
pub fn shown_run(text: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| one(stored::shown(text, &found))))
}

/// The run that a name refers to, or the latest without a name. `found`: `Found<ValidationFacts>[]`; returns its name.
#[wasm_bindgen(js_name = validationToShow)]
pub fn to_show(text: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| one(stored::to_show(text, &found))))
}

/// The list that `/validate-status` shows, below a run or alone. `found`: `Found<ValidationFacts>[]`; returns text or `null`.
#[wasm_bindgen(js_name = validationList)]
pub fn list(text: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).map(|found| stored::list(text, &found)))
}

/// The run that `/validate-decide` is about. `found`: `Found<ValidationFacts>[]`; returns its name.
#[wasm_bindgen(js_name = validationToDecide)]
pub fn to_decide(found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| one(stored::to_decide(&found))))
}

/// The run whose failures and gaps `/flow-plan fix` is to fix. `found`: `Found<ValidationFacts>[]`; returns its name.
#[wasm_bindgen(js_name = validationRunToFix)]
pub fn run_to_fix(text: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| one(stored::to_fix(text, &found))))
}

/// The failures and gaps of the run that are to be fixed; returns `ValidationToFix`.
#[wasm_bindgen(js_name = validationToFix)]
pub fn to_fix(handle: u32) -> String {
    outcome(read(handle, Run::to_fix))
}

/// Parses the arguments of `/validate-resume`; returns `[string, boolean]`: the run as the user names it, and whether it is adopted.
#[wasm_bindgen(js_name = validationResumeRequest)]
pub fn resume_request(text: &str) -> String {
    verbatim(Ok(foreign::resume_request(text)))
}

/// Whether this machine wrote all of the run's journal; returns `boolean`.
#[wasm_bindgen(js_name = validationIsOurs)]
pub fn is_ours(handle: u32) -> String {
    outcome(read(handle, |run| Ok(durable::origin_of(run) == Origin::Here)))
}

/// The run that `/validate-resume` continues. `found`: `Found<ValidationFacts>[]`; returns its name.
#[wasm_bindgen(js_name = validationToResume)]
pub fn to_resume(text: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| one(stored::to_resume(text, &found))))
}

/// The run whose tests are repeated or kept. `found`: `Found<ValidationFacts>[]`; returns its name.
#[wasm_bindgen(js_name = validationToRepeat)]
pub fn to_repeat(text: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| one(stored::to_repeat(text, &found))))
}

/// The tests of a run that can be repeated; returns `ValidationRepeat`.
#[wasm_bindgen(js_name = validationRepeat)]
pub fn repeat(handle: u32) -> String {
    outcome(read(handle, |run| vouched(run).and_then(|()| run.repeat())))
}

/// Tests as files of the project. `repeat`: `ValidationRepeat`, `taken`: `string[]`, existing paths; returns `ValidationKept`.
#[wasm_bindgen(js_name = validationKept)]
pub fn kept(repeat: &str, directory: &str, taken: &str) -> String {
    outcome(decode::<Repeat>(repeat).and_then(|repeat| {
        let taken: Vec<String> = decode(taken)?;
        one(repeat.kept(directory, &taken))
    }))
}

/// A run before its first event; returns its handle.
#[wasm_bindgen(js_name = validationOpen)]
pub fn open() -> u32 {
    VALIDATIONS.with(|all| all.keep(Run::new()))
}

/// The run that results from a journal; returns `{"handle": number, "whole": bytes}`: anything after these bytes must be cut off.
#[wasm_bindgen(js_name = validationReplay)]
pub fn replay(journal: &str) -> String {
    durable::replay(&VALIDATIONS, journal)
}

/// Closes a run's handle.
#[wasm_bindgen(js_name = validationClose)]
pub fn close(handle: u32) {
    VALIDATIONS.with(|all| all.close(handle));
}

/// The journal line for an event. `event`: `{at: number} & EventKind<ValidationOpening, ValidationDecision>`; returns the line as a
/// JSON string.
#[wasm_bindgen(js_name = validationSeal)]
pub fn seal(handle: u32, event: &str) -> String {
    durable::seal(&VALIDATIONS, handle, event)
}

/// Applies a sealed line that is on disk; returns `Command<ValidationRole, ValidationOpening, ValidationDecision, ValidationEffect>[]`.
#[wasm_bindgen(js_name = validationApply)]
pub fn apply(handle: u32, line: &str) -> String {
    durable::apply(&VALIDATIONS, handle, line)
}

/// The event that stops a call between two steps of its answer. `used`: `Spending[]`, of all calls in flight; returns an event,
/// or `null` if no budget is reached.
#[wasm_bindgen(js_name = validationOverspending)]
pub fn overspending(handle: u32, job: &str, used: &str) -> String {
    outcome(
        decode::<Vec<Spending>>(used)
            .and_then(|used| read(handle, |run| Ok(run.overspending(&JobId::new(job), &used)))),
    )
}

/// The paths that an answer cites. `reply`: `Reply`; returns `string[]`.
#[wasm_bindgen(js_name = validationCited)]
pub fn cited(handle: u32, job: &str, reply: &str) -> String {
    outcome(
        decode::<Reply>(reply).and_then(|reply| read(handle, |run| Ok(run.cited(&JobId::new(job), &reply)))),
    )
}

/// `/validate-decide <decision>`. `settings`: `ValidationSettings`, the current ones; `available`: `AvailableModels`; returns the
/// events to feed.
#[wasm_bindgen(js_name = validationDecide)]
pub fn decide(handle: u32, settings: &str, text: &str, available: &str) -> String {
    outcome(decode::<ValidationSettings>(settings).and_then(|settings| {
        let available = decode(available)?;
        read(handle, |run| {
            vouched(run)?;
            run.may_ask(&available)?;
            run.decide(&settings, text)
        })
    }))
}

/// `/validate-resume`. `settings`: `ValidationSettings`, the current ones; `shown`: `string[]`, the hashes of commands that this
/// process has shown; `available`: `AvailableModels`; returns the events to feed.
#[wasm_bindgen(js_name = validationResume)]
pub fn resume(handle: u32, settings: &str, shown: &str, available: &str) -> String {
    outcome(decode::<ValidationSettings>(settings).and_then(|settings| {
        let (shown, available): (Vec<String>, _) = (decode(shown)?, decode(available)?);
        read(handle, |run| {
            vouched(run)?;
            run.may_ask(&available)?;
            run.resume(&settings, &shown)
        })
    }))
}

/// Whether this run's journal is trusted enough to act on. Without a key on this machine, every journal is.
fn vouched(run: &Run) -> Result<(), Problem> {
    run.vouched(if durable::has_key() { durable::origin_of(run) } else { Origin::Here })
}

/// `/validate-cancel` of a run whose process has died; returns the events to feed.
#[wasm_bindgen(js_name = validationCancel)]
pub fn cancel(handle: u32) -> String {
    outcome(read(handle, Run::cancel))
}

/// The notes on processes that runs have left behind. `found`: `ValidationLeft[]`; returns `string[]`.
#[wasm_bindgen(js_name = validationLeft)]
pub fn left(found: &str) -> String {
    outcome(decode::<Vec<Left>>(found).map(|found| left::wording(&found)))
}

/// The text of the live message at this moment. `place`: a `file:` URL, or empty; `calls`: `Incoming[]`.
#[wasm_bindgen(js_name = validationLiveMessage)]
pub fn live_message(handle: u32, now: f64, place: &str, calls: &str) -> String {
    shown(
        decode::<Vec<Incoming>>(calls)
            .and_then(|calls| read(handle, |run| Ok(run.live_message_at(moment(now), place, &calls)))),
    )
}

/// The run, for a reader that doesn't run it. `owner`: `Owner`, the process that runs it; returns text.
#[wasm_bindgen(js_name = validationStatus)]
pub fn status(handle: u32, owner: &str) -> String {
    shown(decode::<Owner>(owner).and_then(|owner| read(handle, |run| Ok(run.status(&owner)))))
}

/// The last live message of a process whose run another process now continues.
#[wasm_bindgen(js_name = validationContinued)]
pub fn continued(handle: u32) -> String {
    shown(read(handle, |run| Ok(run.continued())))
}

/// The run for a panel next to the chat, at this moment. `calls`: `Incoming[]`; returns `Panel`, or `null` unless it is running.
#[wasm_bindgen(js_name = validationPanel)]
pub fn panel(handle: u32, now: f64, calls: &str) -> String {
    outcome(
        decode::<Vec<Incoming>>(calls)
            .and_then(|calls| read(handle, |run| Ok(run.panel(moment(now), &calls)))),
    )
}

/// Every file that should be on disk by now, except those that the shell writes; returns `[path, text][]`.
#[wasm_bindgen(js_name = validationFiles)]
pub fn files(handle: u32) -> String {
    durable::files(&VALIDATIONS, handle)
}

/// The pictures and videos that the page contains, as they were recorded, each with the earlier run that has it; returns
/// `[string | null, ValidationEvidenceFile][]`.
#[wasm_bindgen(js_name = validationPictures)]
pub fn pictures(handle: u32) -> String {
    outcome(read(handle, Run::pictures))
}

/// `report.html`. `pictures`: `ValidationPicture[]`, those that still exist; returns text.
#[wasm_bindgen(js_name = validationPage)]
pub fn page(handle: u32, pictures: &str) -> String {
    outcome(decode::<Vec<Picture>>(pictures).and_then(|pictures| read(handle, |run| run.page(&pictures))))
}

/// Whether the observations match the journal. `seen`: `ValidationSeen`; returns the result as text.
#[wasm_bindgen(js_name = validationVerify)]
pub fn verify(handle: u32, seen: &str) -> String {
    outcome(decode(seen).and_then(|seen| read(handle, |run| Ok(run.verify(&seen))).flatten()))
}

/// The texts for build servers. `given`: `CiGiven`; returns `CiTexts`.
#[wasm_bindgen(js_name = validationCi)]
pub fn ci(handle: u32, given: &str) -> String {
    outcome(decode::<Given>(given).and_then(|given| read(handle, |run| run.ci(&given))))
}

/// A run in a few facts; returns `Summary<ValidationFacts>`, or `null` before its first event.
#[wasm_bindgen(js_name = validationSummary)]
pub fn summary(handle: u32) -> String {
    durable::summary(&VALIDATIONS, handle, Run::summary)
}

/// The problem when the run is running in another process; returns `Problem`.
#[wasm_bindgen(js_name = validationLocked)]
pub fn locked(run: &str, process: &str) -> String {
    outcome(Ok(validation::VERBS.locked(run, process)))
}

/// The problem when a process doesn't stop a run when asked; returns `Problem`.
#[wasm_bindgen(js_name = validationNotStopped)]
pub fn not_stopped(run: &str, process: &str) -> String {
    outcome(Ok(validation::VERBS.not_stopped(run, process)))
}

/// The system text for a session of Validation. `own`: the role's text, `host`: what the host would send.
#[wasm_bindgen(js_name = validationSystemText)]
pub fn system_text(own: &str, host: &str) -> String {
    verbatim(Ok(reader_text(own, host)))
}

/// Why a session of Validation may not call a tool; returns text, or `null` if it may.
#[wasm_bindgen(js_name = validationRefusal)]
pub fn refusal(tool: &str) -> String {
    outcome(Ok(refused_to_readers(tool)))
}
