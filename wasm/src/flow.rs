//! Flow's part of the boundary; its style is that of the crate.
#![expect(unreachable_pub, reason = "wasm-bindgen exports public functions alone")]

use crate::handles::Handles;
use crate::{decode, durable, moment, outcome, shown, verbatim};
use kernel::index::Owner;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::progress::{Activity, Incoming};
use kernel::protocol::{JobId, Reply, Spending};
use lab_core::design_lab::config::{FlowSettings, Source, flow_settings};
use lab_core::flow::clean_room::Surroundings;
use lab_core::flow::protocol::EventKind;
use lab_core::flow::recovery::Recovery;
use lab_core::flow::stored::Found;
use lab_core::flow::{self, Run};
use lab_core::opencode1::{self, HostAgent};
use lab_core::shared::BoundaryCode;
use lab_core::shared::reader::Reader;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static SESSIONS: Handles<Run> = const { Handles::new(lost) };
}

fn lost() -> Problem {
    Problem::new(BoundaryCode::LostRun, "The session is no longer in memory.")
        .next("/flow-resume goes on from its journal.")
}

fn read<T>(handle: u32, read: impl FnOnce(&Run) -> Result<T, Problem>) -> Result<T, Vec<Problem>> {
    SESSIONS.with(|all| all.read(handle, read))
}

fn refused<T>(result: Result<T, Recovery>) -> Result<T, Vec<Problem>> {
    result.map_err(|recovery| vec![recovery.into()])
}

/// The arguments of `/flow-plan`; gives `FlowPlanCommand`.
#[wasm_bindgen(js_name = flowPlanCommand)]
pub fn plan_command(text: &str) -> String {
    outcome(refused(flow::command::plan_command(text)))
}

/// The arguments of `/flow-auto`; gives `FlowAutoCommand`.
#[wasm_bindgen(js_name = flowAutoCommand)]
pub fn auto_command(text: &str) -> String {
    outcome(refused(flow::command::auto_command(text)))
}

/// The arguments of `/flow-reset`; gives `FlowResetCommand`.
#[wasm_bindgen(js_name = flowResetCommand)]
pub fn reset_command(text: &str) -> String {
    outcome(refused(flow::command::reset_command(text)))
}

/// The arguments of `/flow-session`; gives `FlowSessionCommand`.
#[wasm_bindgen(js_name = flowSessionCommand)]
pub fn session_command(text: &str, by_model: bool) -> String {
    outcome(refused(flow::command::session_command(text, by_model)))
}

/// Whether this machine wrote all of the session's journal; gives `boolean`.
#[wasm_bindgen(js_name = flowIsOurs)]
pub fn is_ours(handle: u32) -> String {
    outcome(read(handle, |run| Ok(durable::origin_of(run) == Origin::Here)))
}

/// The list that `/flow-session` shows without a name. `found`: `Found<FlowFacts>[]`, `active`: `string | null`, the session that is
/// worked on; gives text, or `null` where something else is asked for.
#[wasm_bindgen(js_name = flowList)]
pub fn list(text: &str, found: &str, active: &str, by_model: bool) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| {
        let active: Option<String> = decode(active)?;
        let listed = flow::stored::list(text, &found, active.as_deref(), Reader::of(by_model));
        listed.map_err(|problem| vec![problem])
    }))
}

/// The session that `/flow-session` makes the active one. `found`: `Found<FlowFacts>[]`; gives its name.
#[wasm_bindgen(js_name = flowToActivate)]
pub fn to_activate(text: &str, found: &str) -> String {
    outcome(
        decode::<Vec<Found>>(found)
            .and_then(|found| flow::stored::to_activate(text, &found).map_err(|problem| vec![problem])),
    )
}

/// The session that `/flow-history` shows. `found`: `Found<FlowFacts>[]`; gives its name.
#[wasm_bindgen(js_name = flowToShow)]
pub fn to_show(text: &str, found: &str) -> String {
    outcome(
        decode::<Vec<Found>>(found)
            .and_then(|found| flow::stored::to_show(text, &found).map_err(|problem| vec![problem])),
    )
}

/// The problem that a command needs a session and none is there; gives `Problem`.
#[wasm_bindgen(js_name = flowNoSession)]
pub fn no_session() -> String {
    outcome(Ok(Problem::from(flow::command::no_session())))
}

/// The first event's content. `input`: `FlowOpeningInput`, `stored`: `Found<FlowFacts>[]`; gives `FlowOpening`.
#[wasm_bindgen(js_name = flowBegin)]
pub fn begin(input: &str, stored: &str) -> String {
    outcome(decode::<Vec<Found>>(stored).and_then(|stored| {
        let opening = decode(input).and_then(|input| refused(flow::opening::begin(&input)))?;
        Ok(flow::forecast::foreseen(opening, &stored))
    }))
}

/// A session before its first event; gives its handle.
#[wasm_bindgen(js_name = flowOpen)]
pub fn open() -> u32 {
    SESSIONS.with(|all| all.keep(Run::new()))
}

/// The session that a journal leads to; gives `{"handle": number, "whole": bytes}`: what follows these is to be cut off.
#[wasm_bindgen(js_name = flowReplay)]
pub fn replay(journal: &str) -> String {
    durable::replay(&SESSIONS, journal)
}

/// Lets go of a session.
#[wasm_bindgen(js_name = flowClose)]
pub fn close(handle: u32) {
    SESSIONS.with(|all| all.close(handle));
}

/// The journal line for an event. `event`: `{at: number} & EventKind<FlowOpening, FlowDecision>`; gives the line as a JSON string.
#[wasm_bindgen(js_name = flowSeal)]
pub fn seal(handle: u32, event: &str) -> String {
    durable::seal(&SESSIONS, handle, event)
}

/// Applies a sealed line that is on disk; gives `Command<FlowRole, FlowOpening, FlowDecision, FlowEffect>[]`.
#[wasm_bindgen(js_name = flowApply)]
pub fn apply(handle: u32, line: &str) -> String {
    durable::apply(&SESSIONS, handle, line)
}

/// The event that stops a call between two steps of its answer. `used`: `Spending[]`, of all calls in flight; gives an event, or
/// `null` where no budget is reached.
#[wasm_bindgen(js_name = flowOverspending)]
pub fn overspending(handle: u32, job: &str, used: &str) -> String {
    outcome(
        decode::<Vec<Spending>>(used)
            .and_then(|used| read(handle, |run| Ok(run.overspending(&JobId::new(job), &used)))),
    )
}

/// The paths that an answer cites. `reply`: `Reply`; gives `string[]`.
#[wasm_bindgen(js_name = flowCited)]
pub fn cited(handle: u32, job: &str, reply: &str) -> String {
    outcome(
        decode::<Reply>(reply).and_then(|reply| read(handle, |run| Ok(run.cited(&JobId::new(job), &reply)))),
    )
}

/// `/flow-plan revise <remarks>`. `stored`: `Found<FlowFacts>[]`; gives the event to feed.
#[wasm_bindgen(js_name = flowRevise)]
pub fn revise(handle: u32, remarks: &str, stored: &str) -> String {
    outcome(
        decode::<Vec<Found>>(stored).and_then(|stored| read(handle, |run| Ok(run.revise(remarks, &stored)?))),
    )
}

/// `/flow-plan select <ids>`. `features`: `string[]`; gives the event to feed.
#[wasm_bindgen(js_name = flowSelect)]
pub fn select(handle: u32, features: &str) -> String {
    outcome(decode(features).and_then(|features| read(handle, |run| Ok(run.select(features)?))))
}

/// `/flow-reset feature <id>`; gives the event to feed.
#[wasm_bindgen(js_name = flowReset)]
pub fn reset(handle: u32, feature: &str) -> String {
    outcome(read(handle, |run| Ok(run.reset(feature)?)))
}

/// `/flow-reset session`; gives the event to feed.
#[wasm_bindgen(js_name = flowArchive)]
pub fn archive(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.archive()?)))
}

/// `/flow-plan approve <hash>`. `shown`: `string[]`, the whole hashes that this process has shown; gives the event to feed.
#[wasm_bindgen(js_name = flowApprove)]
pub fn approve(handle: u32, hash: &str, shown: &str) -> String {
    outcome(
        decode::<Vec<String>>(shown)
            .and_then(|shown| read(handle, |run| Ok(run.approve_as_shown(hash, &shown)?))),
    )
}

/// `/flow-run [feature]`; gives the event to feed.
#[wasm_bindgen(js_name = flowStart)]
pub fn start(handle: u32, feature: &str, stored: &str) -> String {
    outcome(
        decode::<Vec<Found>>(stored).and_then(|stored| read(handle, |run| Ok(run.start(feature, &stored)?))),
    )
}

/// `/flow-resume`; gives the event to feed.
#[wasm_bindgen(js_name = flowResume)]
pub fn resume(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.resume()?)))
}

/// `/flow-auto` without a goal; gives the event to feed.
#[wasm_bindgen(js_name = flowAutomate)]
pub fn automate(handle: u32, stored: &str) -> String {
    outcome(decode::<Vec<Found>>(stored).and_then(|stored| read(handle, |run| Ok(run.automate(&stored)?))))
}

/// Flow's part of a configuration. `sources`: `Source[]`; gives `FlowSettings`.
#[wasm_bindgen(js_name = flowSettings)]
pub fn settings(sources: &str) -> String {
    outcome(decode::<Vec<Source>>(sources).and_then(|sources| flow_settings(&sources)))
}

/// The user's rules for a worker's shell commands. `agents`: `HostAgent[] | null`, as the host says; gives `ShellRules`.
#[wasm_bindgen(js_name = flowShellRules)]
pub fn shell_rules(agents: &str) -> String {
    outcome(
        decode::<Option<Vec<HostAgent>>>(agents)
            .and_then(|agents| refused(flow::leave::ShellRules::of_worker(agents.as_deref()))),
    )
}

/// These rules apply to a session from here on. `rules`: `ShellRules`; gives `null`.
#[wasm_bindgen(js_name = flowKnowRules)]
pub fn know_rules(handle: u32, rules: &str) -> String {
    outcome(decode(rules).and_then(|rules| {
        SESSIONS.with(|all| {
            all.change(handle, |run| {
                run.know_rules(rules);
                Ok(())
            })
        })
    }))
}

/// What is to be fed for a command of the user's. `settings`: `FlowSettings`, what the configuration says now; `event`: what the
/// command leads to; gives the events in their order.
#[wasm_bindgen(js_name = flowUnder)]
pub fn under(handle: u32, settings: &str, event: &str) -> String {
    outcome(decode::<FlowSettings>(settings).and_then(|settings| {
        let event: EventKind = decode(event)?;
        read(handle, |run| {
            // Without a key this machine couldn't tell its own sessions from others'.
            let origin = if durable::has_key() { durable::origin_of(run) } else { Origin::Here };
            flow::foreign::checked(origin, &event, run.name())?;
            Ok(run.under(&settings, event))
        })
    }))
}

/// Of these files, those whose tests are to be counted. `paths`: `string[]`; gives `string[]`.
#[wasm_bindgen(js_name = flowTestFiles)]
pub fn test_files(paths: &str) -> String {
    outcome(decode(paths).map(flow::test_files::counted))
}

/// What the text of a file holds of tests; gives `FlowTestCounts`.
#[wasm_bindgen(js_name = flowCountTests)]
pub fn count_tests(text: &str) -> String {
    outcome(Ok(flow::test_files::count(text)))
}

/// Of these files, those whose texts say how tests are run beside much else. `paths`: `string[]`; gives `string[]`.
#[wasm_bindgen(js_name = flowComparedFiles)]
pub fn compared_files(paths: &str) -> String {
    outcome(decode(paths).map(flow::test_settings::compared))
}

/// What of such a file has changed. `texts`: `[before, now]`, each a text, or null if there is no such file; null if that is unknown;
/// gives `FlowTestSetting[]`.
#[wasm_bindgen(js_name = flowTestSettings)]
pub fn test_settings(path: &str, texts: &str) -> String {
    outcome(decode(texts).map(|texts| flow::test_settings::changes(path, texts)))
}

/// Small faults in files that a feature changed. `files`: `FlowChangedFile[]`; at most `most`; gives `FlowMutant[]`.
#[wasm_bindgen(js_name = flowMutants)]
pub fn mutants(files: &str, most: u32) -> String {
    outcome(decode::<Vec<_>>(files).map(|files| flow::mutants::mutants(&files, most as usize)))
}

/// What a mutation testing tool showed of a feature. `left`: `FlowMutatorLeft`; gives `FlowMutatorSeen`.
#[wasm_bindgen(js_name = flowMutatorSeen)]
pub fn mutator_seen(left: &str) -> String {
    outcome(decode(left).map(|left| flow::mutator_report::seen(&left)))
}

/// Of these files that git doesn't track, those that stay out of copies. `paths`: `string[]`; gives `string[]`.
#[wasm_bindgen(js_name = flowKeptBack)]
pub fn kept_back(paths: &str) -> String {
    outcome(decode(paths).map(flow::kept_back))
}

/// Names of what isn't compared in what copies have by a link. Gives `string[]`.
#[wasm_bindgen(js_name = flowLeftOutOfLinks)]
pub fn left_out_of_links() -> String {
    outcome(Ok(flow::links::left_out()))
}

/// The environment of what runs in a copy, and what is made for it. `surroundings`: `Surroundings`; gives `CleanRoom`.
#[wasm_bindgen(js_name = flowCleanRoom)]
pub fn clean_room(surroundings: &str) -> String {
    outcome(decode::<Surroundings>(surroundings).map(|found| found.clean_room()))
}

/// The message when a copy could not be made ready. `argv`: `string[]`; `end`: `CommandEnd`; gives text.
#[wasm_bindgen(js_name = flowSetupFailed)]
pub fn setup_failed(argv: &str, end: &str, output: &str) -> String {
    outcome(decode::<Vec<String>>(argv).and_then(|argv| Ok(flow::setup_failed(&argv, &decode(end)?, output))))
}

/// The text of the live message at this moment. `place`: a `file:` URL, or empty; `activity`: `Activity | null`.
#[wasm_bindgen(js_name = flowLiveMessage)]
pub fn live_message(handle: u32, now: f64, place: &str, activity: &str) -> String {
    shown(decode::<Option<Activity>>(activity).and_then(|activity| {
        read(handle, |run| Ok(run.live_message_at(moment(now), place, activity.as_ref())))
    }))
}

/// The session as somebody sees it. `owner`: `Owner`, who carries it on; `by_model` whether a model asked; gives text.
#[wasm_bindgen(js_name = flowStatus)]
pub fn status(handle: u32, owner: &str, by_model: bool) -> String {
    shown(decode::<Owner>(owner).and_then(|owner| {
        read(handle, |run| Ok(flow::foreign::shown(durable::origin_of(run), run.status(&owner), by_model)))
    }))
}

/// What happened in the session; `by_model` whether a model asked; gives text.
#[wasm_bindgen(js_name = flowHistory)]
pub fn history(handle: u32, by_model: bool) -> String {
    shown(read(handle, |run| Ok(flow::foreign::shown(durable::origin_of(run), run.history(), by_model))))
}

/// The last live message of a process whose session another process now continues.
#[wasm_bindgen(js_name = flowContinued)]
pub fn continued(handle: u32) -> String {
    shown(read(handle, |run| Ok(run.continued())))
}

/// The session for a panel beside the chat, at this moment. `calls`: `Incoming[]`; gives `Panel`, or `null` unless a command is at
/// work.
#[wasm_bindgen(js_name = flowPanel)]
pub fn panel(handle: u32, now: f64, calls: &str) -> String {
    outcome(
        decode::<Vec<Incoming>>(calls)
            .and_then(|calls| read(handle, |run| Ok(run.panel(moment(now), &calls)))),
    )
}

/// Every file that should be on disk by now, but for the outputs of checks; gives `[path, text][]`.
#[wasm_bindgen(js_name = flowFiles)]
pub fn files(handle: u32) -> String {
    durable::files(&SESSIONS, handle)
}

/// What there is to look at before a session can be believed; gives `FlowToVerify`.
#[wasm_bindgen(js_name = flowToVerify)]
pub fn to_verify(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.to_verify()?)))
}

/// Whether what was seen is as the journal says. `seen`: `FlowSeen`; gives the account of it as text.
#[wasm_bindgen(js_name = flowVerify)]
pub fn verify(handle: u32, seen: &str) -> String {
    outcome(
        decode(seen)
            .and_then(|seen| read(handle, |run| Ok(run.verify(&seen, durable::origin_of(run)))).flatten()),
    )
}

/// What runs the checks of a completed session again; gives `FlowEffect`.
#[wasm_bindgen(js_name = flowToRunAgain)]
pub fn to_run_again(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.to_run_again()?)))
}

/// What checks show that were run again. `seen`: `FlowDecision`, the answer to that; gives `FlowRanAgain`.
#[wasm_bindgen(js_name = flowRanAgain)]
pub fn ran_again(handle: u32, seen: &str) -> String {
    outcome(decode(seen).and_then(|seen| read(handle, |run| Ok(run.ran_again(&seen)?))))
}

/// The session that `/validate` is about. `text`: what was typed, `active`: `string | null`, `found`: `Found<FlowFacts>[]`; gives its
/// name, or `null`.
#[wasm_bindgen(js_name = flowSessionToValidate)]
pub fn session_to_validate(text: &str, active: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| {
        let active: Option<String> = decode(active)?;
        flow::stored::to_validate(text, active.as_deref(), &found).map_err(|problem| vec![problem])
    }))
}

/// What a validation of the session has to prove; gives `ValidationSubject`.
#[wasm_bindgen(js_name = flowToValidate)]
pub fn to_validate(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.to_validate()?)))
}

/// A session in a few facts; gives `Summary<FlowFacts>`, or `null` before its first event.
#[wasm_bindgen(js_name = flowSummary)]
pub fn summary(handle: u32) -> String {
    durable::summary(&SESSIONS, handle, Run::summary)
}

/// The problem that a session is another process's; gives `Problem`.
#[wasm_bindgen(js_name = flowLocked)]
pub fn locked(session: &str, process: &str) -> String {
    outcome(Ok(flow::VERBS.locked(session, process)))
}

/// The problem that a process was asked to stop a session and has not; gives `Problem`.
#[wasm_bindgen(js_name = flowNotStopped)]
pub fn not_stopped(session: &str, process: &str) -> String {
    outcome(Ok(flow::VERBS.not_stopped(session, process)))
}

/// The system text that a session of Flow gets. `role`: `FlowRole`; `own` the role's text, `host` what the host would send; `before`:
/// `InstructionFile[]`, for a reviewer all of the project's that `host` names.
#[wasm_bindgen(js_name = flowSystemText)]
pub fn system_text(role: &str, own: &str, host: &str, before: &str) -> String {
    verbatim(
        decode(role)
            .and_then(|role| Ok(opencode1::flow_system_text(role, own, host, &decode::<Vec<_>>(before)?))),
    )
}

/// The files of instructions that the host's text names; gives `string[]`.
#[wasm_bindgen(js_name = flowInstructionFiles)]
pub fn instruction_files(host: &str) -> String {
    outcome(Ok(opencode1::instruction_files(host)))
}

/// The result of a reviewer's `read` without the instructions that the host adds to it.
#[wasm_bindgen(js_name = flowWithoutNearInstructions)]
pub fn without_near_instructions(output: &str) -> String {
    verbatim(Ok(opencode1::without_near_instructions(output).to_owned()))
}

/// Whether the copy that a reviewer reads is still needed.
#[wasm_bindgen(js_name = flowNeedsReviewedCopy)]
pub fn needs_reviewed_copy(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.needs_reviewed_copy())))
}

/// Whether the tools of a role read the copy of the files that were checked. `role`: `FlowRole`.
#[wasm_bindgen(js_name = flowReadsCopy)]
pub fn reads_copy(role: &str) -> String {
    outcome(decode(role).map(flow::protocol::Role::reads_copy))
}

/// The tree before what is reviewed now; gives text, or `null` where nothing is.
#[wasm_bindgen(js_name = flowReviewBase)]
pub fn review_base(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.review_base())))
}

/// What has to be known to judge a call of one of Flow's sessions. `role`: `FlowRole`; `args`: the arguments as JSON; gives
/// `FlowInquiry`.
#[wasm_bindgen(js_name = flowInquire)]
pub fn inquire(role: &str, tool: &str, args: &str) -> String {
    verbatim(decode(role).map(|role| flow::guard::inquire(role, tool, args)))
}

/// Judges a call by where its paths lead. `paths`: `string[]`, `facts`: `FlowGuardFacts`; gives why it is refused, or `null`.
#[wasm_bindgen(js_name = flowVerdict)]
pub fn verdict(paths: &str, facts: &str) -> String {
    verbatim(decode::<Vec<String>>(paths).and_then(|paths| Ok(flow::guard::verdict(&paths, &decode(facts)?))))
}
