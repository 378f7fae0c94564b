//! Flow's part of the boundary, in the same style as the rest of the crate.
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
use lab_core::flow::feedback::ProjectRule;
use lab_core::flow::feedback::said::{self, SearchedPlace};
use lab_core::flow::feedback::{added, command as feedback, file};
use lab_core::flow::protocol::{Decision, EventKind};
use lab_core::flow::pull_request::Asking;
use lab_core::flow::recovery::Recovery;
use lab_core::flow::stored::Found;
use lab_core::flow::{self, Run};
use lab_core::opencode::{self, HostAgent};
use lab_core::shared::BoundaryCode;
use lab_core::shared::ci::Given;
use lab_core::shared::reader::Reader;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static SESSIONS: Handles<Run> = const { Handles::new(lost) };
}

fn lost() -> Problem {
    Problem::new(BoundaryCode::LostRun, "The session is no longer in memory.")
        .next("Type /flow-resume to continue from its journal.")
}

fn read<T>(handle: u32, read: impl FnOnce(&Run) -> Result<T, Problem>) -> Result<T, Vec<Problem>> {
    SESSIONS.with(|all| all.read(handle, read))
}

fn refused<T>(result: Result<T, Recovery>) -> Result<T, Vec<Problem>> {
    result.map_err(|recovery| vec![recovery.into()])
}

/// Parses the arguments of `/flow-plan`; returns `FlowPlanCommand`.
#[wasm_bindgen(js_name = flowPlanCommand)]
pub fn plan_command(text: &str) -> String {
    outcome(refused(flow::command::plan_command(text)))
}

/// Parses the arguments of `/flow-auto`; returns `FlowAutoCommand`.
#[wasm_bindgen(js_name = flowAutoCommand)]
pub fn auto_command(text: &str) -> String {
    outcome(refused(flow::command::auto_command(text)))
}

/// Parses the arguments of `/flow-reset`; returns `FlowResetCommand`.
#[wasm_bindgen(js_name = flowResetCommand)]
pub fn reset_command(text: &str) -> String {
    outcome(refused(flow::command::reset_command(text)))
}

/// Parses the arguments of `/flow-session`; returns `FlowSessionCommand`.
#[wasm_bindgen(js_name = flowSessionCommand)]
pub fn session_command(text: &str, by_model: bool) -> String {
    outcome(refused(flow::command::session_command(text, by_model)))
}

/// Whether this machine wrote all of the session's journal; returns `boolean`.
#[wasm_bindgen(js_name = flowIsOurs)]
pub fn is_ours(handle: u32) -> String {
    outcome(read(handle, |run| Ok(durable::origin_of(run) == Origin::Here)))
}

/// The list that `/flow-session` shows without a name. `found`: `Found<FlowFacts>[]`, `active`: `string | null`, the active
/// session; returns text, or `null` if something else is requested.
#[wasm_bindgen(js_name = flowList)]
pub fn list(text: &str, found: &str, active: &str, by_model: bool) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| {
        let active: Option<String> = decode(active)?;
        let listed = flow::stored::list(text, &found, active.as_deref(), Reader::of(by_model));
        listed.map_err(|problem| vec![problem])
    }))
}

/// The session that `/flow-session` makes the active one. `found`: `Found<FlowFacts>[]`; returns its name.
#[wasm_bindgen(js_name = flowToActivate)]
pub fn to_activate(text: &str, found: &str) -> String {
    outcome(
        decode::<Vec<Found>>(found)
            .and_then(|found| flow::stored::to_activate(text, &found).map_err(|problem| vec![problem])),
    )
}

/// The session that `/flow-history` shows. `found`: `Found<FlowFacts>[]`; returns its name.
#[wasm_bindgen(js_name = flowToShow)]
pub fn to_show(text: &str, found: &str) -> String {
    outcome(
        decode::<Vec<Found>>(found)
            .and_then(|found| flow::stored::to_show(text, &found).map_err(|problem| vec![problem])),
    )
}

/// The problem when a command needs a session but none exists; returns `Problem`.
#[wasm_bindgen(js_name = flowNoSession)]
pub fn no_session() -> String {
    outcome(Ok(Problem::from(flow::command::no_session())))
}

/// The first event's content. `input`: `FlowOpeningInput`, `stored`: `Found<FlowFacts>[]`; returns `FlowOpening`.
#[wasm_bindgen(js_name = flowBegin)]
pub fn begin(input: &str, stored: &str) -> String {
    outcome(decode::<Vec<Found>>(stored).and_then(|stored| {
        let opening = decode(input).and_then(|input| refused(flow::opening::begin(&input)))?;
        Ok(flow::forecast::foreseen(opening, &stored))
    }))
}

/// A session before its first event; returns its handle.
#[wasm_bindgen(js_name = flowOpen)]
pub fn open() -> u32 {
    SESSIONS.with(|all| all.keep(Run::new()))
}

/// The session that results from a journal; returns `{"handle": number, "whole": bytes}`: anything after these bytes must be cut off.
#[wasm_bindgen(js_name = flowReplay)]
pub fn replay(journal: &str) -> String {
    durable::replay(&SESSIONS, journal)
}

/// Closes a session's handle.
#[wasm_bindgen(js_name = flowClose)]
pub fn close(handle: u32) {
    SESSIONS.with(|all| all.close(handle));
}

/// The journal line for an event. `event`: `{at: number} & EventKind<FlowOpening, FlowDecision>`; returns the line as a JSON string.
#[wasm_bindgen(js_name = flowSeal)]
pub fn seal(handle: u32, event: &str) -> String {
    durable::seal(&SESSIONS, handle, event)
}

/// Applies a sealed line that is on disk; returns `Command<FlowRole, FlowOpening, FlowDecision, FlowEffect>[]`.
#[wasm_bindgen(js_name = flowApply)]
pub fn apply(handle: u32, line: &str) -> String {
    durable::apply(&SESSIONS, handle, line)
}

/// The event that stops a call between two steps of its answer. `used`: `Spending[]`, of all calls in flight; returns an event,
/// or `null` if no budget is reached.
#[wasm_bindgen(js_name = flowOverspending)]
pub fn overspending(handle: u32, job: &str, used: &str) -> String {
    outcome(
        decode::<Vec<Spending>>(used)
            .and_then(|used| read(handle, |run| Ok(run.overspending(&JobId::new(job), &used)))),
    )
}

/// The paths that an answer cites. `reply`: `Reply`; returns `string[]`.
#[wasm_bindgen(js_name = flowCited)]
pub fn cited(handle: u32, job: &str, reply: &str) -> String {
    outcome(
        decode::<Reply>(reply).and_then(|reply| read(handle, |run| Ok(run.cited(&JobId::new(job), &reply)))),
    )
}

/// `/flow-plan revise <remarks>`. `stored`: `Found<FlowFacts>[]`; returns the event to feed.
#[wasm_bindgen(js_name = flowRevise)]
pub fn revise(handle: u32, remarks: &str, stored: &str) -> String {
    outcome(
        decode::<Vec<Found>>(stored).and_then(|stored| read(handle, |run| Ok(run.revise(remarks, &stored)?))),
    )
}

/// `/flow-plan select <ids>`. `features`: `string[]`; returns the event to feed.
#[wasm_bindgen(js_name = flowSelect)]
pub fn select(handle: u32, features: &str) -> String {
    outcome(decode(features).and_then(|features| read(handle, |run| Ok(run.select(features)?))))
}

/// `/flow-reset feature <id>`; returns the event to feed.
#[wasm_bindgen(js_name = flowReset)]
pub fn reset(handle: u32, feature: &str) -> String {
    outcome(read(handle, |run| Ok(run.reset(feature)?)))
}

/// `/flow-reset session`; returns the event to feed.
#[wasm_bindgen(js_name = flowArchive)]
pub fn archive(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.archive()?)))
}

/// `/flow-plan approve <hash>`. `shown`: `string[]`, the complete hashes that this process has shown; returns the event to feed.
#[wasm_bindgen(js_name = flowApprove)]
pub fn approve(handle: u32, hash: &str, shown: &str) -> String {
    outcome(
        decode::<Vec<String>>(shown)
            .and_then(|shown| read(handle, |run| Ok(run.approve_as_shown(hash, &shown)?))),
    )
}

/// `/flow-run [feature]`; returns the event to feed.
#[wasm_bindgen(js_name = flowStart)]
pub fn start(handle: u32, feature: &str, stored: &str) -> String {
    outcome(
        decode::<Vec<Found>>(stored).and_then(|stored| read(handle, |run| Ok(run.start(feature, &stored)?))),
    )
}

/// `/flow-take [hash]`. `shown`: as for `flowApprove`; returns the event to feed.
#[wasm_bindgen(js_name = flowTake)]
pub fn take(handle: u32, typed: &str, shown: &str) -> String {
    outcome(decode::<Vec<String>>(shown).and_then(|shown| read(handle, |run| Ok(run.take(typed, &shown)?))))
}

/// Whether the session's workers work in a lane that was made; returns `boolean`.
#[wasm_bindgen(js_name = flowHasLane)]
pub fn has_lane(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.has_lane())))
}

/// The model of the session's workers; returns `provider/model`.
#[wasm_bindgen(js_name = flowWorker)]
pub fn worker(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.worker())))
}

/// The problem with a lane that no longer exists; returns `Problem`.
#[wasm_bindgen(js_name = flowLaneGone)]
pub fn lane_gone(directory: &str) -> String {
    outcome(Ok(Problem::from(flow::lane_gone(directory))))
}

/// Why a host that works only in the project can't have lanes; returns text.
#[wasm_bindgen(js_name = flowNoLanesHere)]
pub fn no_lanes_here() -> String {
    outcome(Ok(flow::NO_LANES_HERE))
}

/// `/flow-resume`; returns the event to feed.
#[wasm_bindgen(js_name = flowResume)]
pub fn resume(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.resume()?)))
}

/// `/flow-auto` without a goal; returns the event to feed.
#[wasm_bindgen(js_name = flowAutomate)]
pub fn automate(handle: u32, stored: &str) -> String {
    outcome(decode::<Vec<Found>>(stored).and_then(|stored| read(handle, |run| Ok(run.automate(&stored)?))))
}

/// Flow's part of a configuration. `sources`: `Source[]`; returns `FlowSettings`.
#[wasm_bindgen(js_name = flowSettings)]
pub fn settings(sources: &str) -> String {
    outcome(decode::<Vec<Source>>(sources).and_then(|sources| flow_settings(&sources)))
}

/// The user's rules for a worker's shell commands. `agents`: `HostAgent[] | null`, as the host reports them; returns `ShellRules`.
#[wasm_bindgen(js_name = flowShellRules)]
pub fn shell_rules(agents: &str) -> String {
    outcome(
        decode::<Option<Vec<HostAgent>>>(agents)
            .and_then(|agents| refused(flow::leave::ShellRules::of_worker(agents.as_deref()))),
    )
}

/// Applies these rules to a session from now on. `rules`: `ShellRules`; returns `null`.
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

/// The events to feed for a user's command. `settings`: `FlowSettings`, the current configuration; `rules`: `FlowProjectRule[]`, the
/// project's rules now; `event`: the command's own event; returns the events in order.
#[wasm_bindgen(js_name = flowUnder)]
pub fn under(handle: u32, settings: &str, rules: &str, event: &str) -> String {
    outcome(decode::<FlowSettings>(settings).and_then(|settings| {
        let rules: Vec<ProjectRule> = decode(rules)?;
        let event: EventKind = decode(event)?;
        read(handle, |run| {
            // Without a key this machine couldn't distinguish its own sessions from others'.
            let origin = if durable::has_key() { durable::origin_of(run) } else { Origin::Here };
            flow::foreign::checked(origin, &event, run.name())?;
            Ok(run.under(&settings, &rules, event))
        })
    }))
}

/// Parses the arguments of `/flow-feedback`; returns `FlowFeedbackCommand`.
#[wasm_bindgen(js_name = flowFeedbackCommand)]
pub fn feedback_command(text: &str) -> String {
    outcome(feedback::feedback_command(text).map_err(|problem| vec![problem]))
}

/// Logs a piece of feedback. `log`: the log's text, or `null`; `at`: in milliseconds since 1970; returns `FlowLogged`.
#[wasm_bindgen(js_name = flowFeedbackLogged)]
pub fn feedback_logged(log: &str, said: &str, at: f64) -> String {
    verbatim(
        decode::<Option<String>>(log)
            .and_then(|log| said::logged(log.as_deref(), said, moment(at)).map_err(|problem| vec![problem])),
    )
}

/// Searches a file. `wanted`: `FlowWanted[]`; returns `FlowSearched[]`.
#[wasm_bindgen(js_name = flowFeedbackSearched)]
pub fn feedback_searched(wanted: &str, path: &str, text: &str) -> String {
    verbatim(decode::<Vec<_>>(wanted).map(|wanted| said::searched(&wanted, path, text)))
}

/// Shows a piece of feedback that was logged. `log`: the log's text; `places`: `FlowSearchedPlace[]`; returns `FlowFeedbackDone`.
#[wasm_bindgen(js_name = flowFeedbackShown)]
pub fn feedback_shown(log: &str, id: &str, places: &str) -> String {
    verbatim(
        decode::<Vec<SearchedPlace>>(places)
            .and_then(|places| said::shown(log, id, &places).map_err(|problem| vec![problem])),
    )
}

/// Makes a rule of a piece of feedback. `log`, `rules`: the texts of the files, or `null`; `shown`: `string[]`, the complete hashes that
/// this process has shown; returns `FlowFeedbackDone`.
#[wasm_bindgen(js_name = flowFeedbackConfirmed)]
pub fn feedback_confirmed(log: &str, rules: &str, hash: &str, shown: &str) -> String {
    verbatim(decode::<Option<String>>(log).and_then(|log| {
        let rules: Option<String> = decode(rules)?;
        let shown: Vec<String> = decode(shown)?;
        said::confirmed(log.as_deref(), rules.as_deref(), hash, &shown)
    }))
}

/// What a list searches for. `log`, `rules`: the texts of the files, or `null`; returns `FlowWanted[]`.
#[wasm_bindgen(js_name = flowFeedbackToList)]
pub fn feedback_to_list(log: &str, rules: &str) -> String {
    verbatim(decode::<Option<String>>(log).and_then(|log| {
        let rules: Option<String> = decode(rules)?;
        said::to_list(log.as_deref(), rules.as_deref())
    }))
}

/// Lists rules and feedback. `log`, `rules`: the texts of the files, or `null`; `places`: `Record<string, FlowSearchedPlace>`; returns
/// `FlowFeedbackDone`.
#[wasm_bindgen(js_name = flowFeedbackListed)]
pub fn feedback_listed(log: &str, rules: &str, places: &str) -> String {
    verbatim(decode::<Option<String>>(log).and_then(|log| {
        let rules: Option<String> = decode(rules)?;
        said::listed(log.as_deref(), rules.as_deref(), &decode(places)?)
    }))
}

/// Removes a rule or a piece of feedback. `log`, `rules`: the texts of the files, or `null`; returns `FlowFeedbackDone`.
#[wasm_bindgen(js_name = flowFeedbackRemoved)]
pub fn feedback_removed(log: &str, rules: &str, id: &str) -> String {
    verbatim(decode::<Option<String>>(log).and_then(|log| {
        let rules: Option<String> = decode(rules)?;
        said::removed(log.as_deref(), rules.as_deref(), id)
    }))
}

/// The log with what became of the rules in a session; `log`: the log's text, or `null`; returns text, or `null` if that is no news.
#[wasm_bindgen(js_name = flowFeedbackNoted)]
pub fn feedback_noted(handle: u32, log: &str) -> String {
    verbatim(
        decode::<Option<String>>(log).and_then(|log| {
            read(handle, |run| said::noted(log.as_deref(), run.name(), &run.rule_standings()))
        }),
    )
}

/// The project's rules. `text`: the file's text, or `null`; returns `FlowProjectRule[]`.
#[wasm_bindgen(js_name = flowProjectRules)]
pub fn project_rules(text: &str) -> String {
    verbatim(decode::<Option<String>>(text).and_then(|text| file::read(text.as_deref())))
}

/// Whether the file of rules holds others than these. `rules`: `FlowProjectRule[]`; `text`: the file's text, or `null`.
#[wasm_bindgen(js_name = flowRulesDiffer)]
pub fn rules_differ(rules: &str, text: &str) -> String {
    outcome(decode::<Vec<ProjectRule>>(rules).and_then(|rules| {
        let text: Option<String> = decode(text)?;
        Ok(file::differs(&rules, text.as_deref()))
    }))
}

/// Those of these files that rules check. `rules`: `FlowProjectRule[]`; `paths`: `string[]`; returns `string[]`.
#[wasm_bindgen(js_name = flowRuledFiles)]
pub fn ruled_files(rules: &str, paths: &str) -> String {
    verbatim(
        decode::<Vec<ProjectRule>>(rules).and_then(|rules| Ok(added::to_compare(&rules, decode(paths)?))),
    )
}

/// What a change adds of that which rules forbid. `rules`: `FlowProjectRule[]`; `changed`: `FlowChangedText[]`; returns `FlowAdded`.
#[wasm_bindgen(js_name = flowAdded)]
pub fn rules_added(rules: &str, changed: &str) -> String {
    verbatim(decode::<Vec<ProjectRule>>(rules).and_then(|rules| {
        let changed: Vec<added::ChangedText> = decode(changed)?;
        Ok(added::added(&rules, &changed))
    }))
}

/// The event for a session at work whose project has these rules now. `rules`: `FlowProjectRule[]`; returns an event, or `null`.
#[wasm_bindgen(js_name = flowRuled)]
pub fn ruled(handle: u32, rules: &str) -> String {
    outcome(decode::<Vec<ProjectRule>>(rules).and_then(|rules| read(handle, |run| Ok(run.ruled(&rules)))))
}

/// Those of these files whose tests are to be counted. `paths`: `string[]`; returns `string[]`.
#[wasm_bindgen(js_name = flowTestFiles)]
pub fn test_files(paths: &str) -> String {
    outcome(decode(paths).map(flow::test_files::counted))
}

/// The tests in the text of a file; returns `FlowTestCounts`.
#[wasm_bindgen(js_name = flowCountTests)]
pub fn count_tests(text: &str) -> String {
    outcome(Ok(flow::test_files::count(text)))
}

/// Those of these files that configure, among many other things, how tests run. `paths`: `string[]`; returns `string[]`.
#[wasm_bindgen(js_name = flowComparedFiles)]
pub fn compared_files(paths: &str) -> String {
    outcome(decode(paths).map(flow::test_settings::compared))
}

/// The changes in such a file. `texts`: `[before, now]`, each a text, or null if there is no such file; null if that is unknown;
/// returns `FlowTestSetting[]`.
#[wasm_bindgen(js_name = flowTestSettings)]
pub fn test_settings(path: &str, texts: &str) -> String {
    outcome(decode(texts).map(|texts| flow::test_settings::changes(path, texts)))
}

/// Small faults in files that a feature changed. `files`: `FlowChangedFile[]`; at most `most`; returns `FlowFaults`.
#[wasm_bindgen(js_name = flowFaults)]
pub fn faults(files: &str, most: u32) -> String {
    outcome(decode::<Vec<_>>(files).map(|files| flow::mutants::faults(&files, most as usize)))
}

/// The result of a mutation testing tool for a feature. `left`: `FlowMutatorLeft`; returns `FlowMutatorSeen`.
#[wasm_bindgen(js_name = flowMutatorSeen)]
pub fn mutator_seen(left: &str) -> String {
    outcome(decode(left).map(|left| flow::mutator_report::seen(&left)))
}

/// Those of these files untracked by git that stay out of copies. `paths`: `string[]`; returns `string[]`.
#[wasm_bindgen(js_name = flowKeptBack)]
pub fn kept_back(paths: &str) -> String {
    outcome(decode(paths).map(flow::kept_back))
}

/// Names of files and directories that aren't compared in the linked parts of copies. Returns `string[]`.
#[wasm_bindgen(js_name = flowLeftOutOfLinks)]
pub fn left_out_of_links() -> String {
    outcome(Ok(flow::links::left_out()))
}

/// Names of files and directories that make a copy unclean if they are above it. Returns `string[]`.
#[wasm_bindgen(js_name = flowFoundAbove)]
pub fn found_above() -> String {
    outcome(Ok(flow::above::found_above()))
}

/// The environment for commands in a copy, and the directories made for it. `surroundings`: `Surroundings`; returns `CleanRoom`.
#[wasm_bindgen(js_name = flowCleanRoom)]
pub fn clean_room(surroundings: &str) -> String {
    outcome(decode::<Surroundings>(surroundings).map(|found| found.clean_room()))
}

/// The message when a copy could not be prepared. `argv`: `string[]`; `end`: `CommandEnd`; returns text.
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

/// The session, for a reader that doesn't run it. `owner`: `Owner`, the process that runs it; `by_model`: whether a model asked;
/// returns text.
#[wasm_bindgen(js_name = flowStatus)]
pub fn status(handle: u32, owner: &str, by_model: bool) -> String {
    shown(decode::<Owner>(owner).and_then(|owner| {
        read(handle, |run| Ok(flow::foreign::shown(durable::origin_of(run), run.status(&owner), by_model)))
    }))
}

/// What happened in the session; `by_model`: whether a model asked; returns text.
#[wasm_bindgen(js_name = flowHistory)]
pub fn history(handle: u32, by_model: bool) -> String {
    shown(read(handle, |run| Ok(flow::foreign::shown(durable::origin_of(run), run.history(), by_model))))
}

/// The last live message of a process whose session another process now continues.
#[wasm_bindgen(js_name = flowContinued)]
pub fn continued(handle: u32) -> String {
    shown(read(handle, |run| Ok(run.continued())))
}

/// The session for a panel next to the chat, at this moment. `calls`: `Incoming[]`; returns `Panel`, or `null` unless a command
/// is running.
#[wasm_bindgen(js_name = flowPanel)]
pub fn panel(handle: u32, now: f64, calls: &str) -> String {
    outcome(
        decode::<Vec<Incoming>>(calls)
            .and_then(|calls| read(handle, |run| Ok(run.panel(moment(now), &calls)))),
    )
}

/// Every file that should be on disk by now, except the outputs of checks; returns `[path, text][]`.
#[wasm_bindgen(js_name = flowFiles)]
pub fn files(handle: u32) -> String {
    durable::files(&SESSIONS, handle)
}

/// What has to be examined before a session can be trusted; returns `FlowToVerify`.
#[wasm_bindgen(js_name = flowToVerify)]
pub fn to_verify(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.to_verify()?)))
}

/// Whether the observations match the journal. `seen`: `FlowSeen`; returns the result as text.
#[wasm_bindgen(js_name = flowVerify)]
pub fn verify(handle: u32, seen: &str) -> String {
    outcome(
        decode(seen)
            .and_then(|seen| read(handle, |run| Ok(run.verify(&seen, durable::origin_of(run)))).flatten()),
    )
}

/// The effect that runs the checks of a completed session again; returns `FlowEffect`.
#[wasm_bindgen(js_name = flowToRunAgain)]
pub fn to_run_again(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.to_run_again()?)))
}

/// What the repeated checks show. `seen`: `FlowDecision`, the answer to that effect; returns `FlowRanAgain`.
#[wasm_bindgen(js_name = flowRanAgain)]
pub fn ran_again(handle: u32, seen: &str) -> String {
    outcome(decode(seen).and_then(|seen| read(handle, |run| Ok(run.ran_again(&seen)?))))
}

/// The texts for build servers. `given`: `CiGiven`; `ran`: `FlowDecision | null`, the answer to the effect that runs the checks
/// again; returns `CiTexts`.
#[wasm_bindgen(js_name = flowCi)]
pub fn ci(handle: u32, given: &str, ran: &str) -> String {
    outcome(decode::<Given>(given).and_then(|given| {
        let ran: Option<Decision> = decode(ran)?;
        read(handle, |run| Ok(run.ci(&given, ran.as_ref(), durable::origin_of(run))?))
    }))
}

/// Parses the arguments of `/flow-pr`; returns `FlowPullRequestCommand`.
#[wasm_bindgen(js_name = flowPullRequestCommand)]
pub fn pull_request_command(text: &str) -> String {
    outcome(refused(flow::pull_request::pull_request_command(text)))
}

/// The pull request of a session. `command`: `FlowPullRequestCommand`, `facts`: `FlowPullRequestFacts`; `by_model`: whether a model
/// asked, and the user has permitted it; returns `FlowPullRequest`.
#[wasm_bindgen(js_name = flowPullRequest)]
pub fn pull_request(handle: u32, command: &str, facts: &str, by_model: bool) -> String {
    outcome(decode(command).and_then(|command| {
        let facts = decode(facts)?;
        read(handle, |run| {
            let origin = durable::origin_of(run);
            let mut made = run.pull_request(&command, &facts, Asking { origin, by_model })?;
            made.text = flow::foreign::shown(origin, made.text, by_model);
            Ok(made)
        })
    }))
}

/// What the end of the client shows. `end`: `CommandEnd`; `printed`: the end of its output; returns text.
#[wasm_bindgen(js_name = flowPullRequestCreated)]
pub fn pull_request_created(program: &str, end: &str, printed: &str) -> String {
    outcome(
        decode(end).and_then(|end| {
            flow::pull_request::created(program, &end, printed).map_err(|problem| vec![problem])
        }),
    )
}

/// The session that `/validate` is about. `text`: the user's input, `active`: `string | null`, `found`: `Found<FlowFacts>[]`;
/// returns its name, or `null`.
#[wasm_bindgen(js_name = flowSessionToValidate)]
pub fn session_to_validate(text: &str, active: &str, found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).and_then(|found| {
        let active: Option<String> = decode(active)?;
        flow::stored::to_validate(text, active.as_deref(), &found).map_err(|problem| vec![problem])
    }))
}

/// What a validation of the session has to prove; returns `ValidationSubject`.
#[wasm_bindgen(js_name = flowToValidate)]
pub fn to_validate(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.to_validate()?)))
}

/// A session in a few facts; returns `Summary<FlowFacts>`, or `null` before its first event.
#[wasm_bindgen(js_name = flowSummary)]
pub fn summary(handle: u32) -> String {
    durable::summary(&SESSIONS, handle, Run::summary)
}

/// The problem when the session is running in another process; returns `Problem`.
#[wasm_bindgen(js_name = flowLocked)]
pub fn locked(session: &str, process: &str) -> String {
    outcome(Ok(flow::VERBS.locked(session, process)))
}

/// The problem when a process doesn't stop a session when asked; returns `Problem`.
#[wasm_bindgen(js_name = flowNotStopped)]
pub fn not_stopped(session: &str, process: &str) -> String {
    outcome(Ok(flow::VERBS.not_stopped(session, process)))
}

/// The system text for a session of Flow. `role`: `FlowRole`; `own`: the role's text, `host`: what the host would send; `before`:
/// `InstructionFile[]`, for a reviewer all of the project's instruction files that `host` names.
#[wasm_bindgen(js_name = flowSystemText)]
pub fn system_text(role: &str, own: &str, host: &str, before: &str) -> String {
    verbatim(
        decode(role)
            .and_then(|role| Ok(opencode::flow_system_text(role, own, host, &decode::<Vec<_>>(before)?))),
    )
}

/// The instruction files that the host's text names; returns `string[]`.
#[wasm_bindgen(js_name = flowInstructionFiles)]
pub fn instruction_files(host: &str) -> String {
    outcome(Ok(opencode::instruction_files(host)))
}

/// The result of a reviewer's `read` without the instructions that the host adds to it.
#[wasm_bindgen(js_name = flowWithoutNearInstructions)]
pub fn without_near_instructions(output: &str) -> String {
    verbatim(Ok(opencode::without_near_instructions(output).to_owned()))
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

/// The tree before the change that is being reviewed; returns text, or `null` if nothing is.
#[wasm_bindgen(js_name = flowReviewBase)]
pub fn review_base(handle: u32) -> String {
    outcome(read(handle, |run| Ok(run.review_base())))
}

/// The facts needed to judge a call of one of Flow's sessions. `role`: `FlowRole`; `args`: the arguments as JSON; returns
/// `FlowInquiry`.
#[wasm_bindgen(js_name = flowInquire)]
pub fn inquire(role: &str, tool: &str, args: &str) -> String {
    verbatim(decode(role).map(|role| flow::guard::inquire(role, tool, args)))
}

/// Judges a call by where its paths lead. `paths`: `string[]`, `facts`: `FlowGuardFacts`; returns why it is refused, or `null`.
#[wasm_bindgen(js_name = flowVerdict)]
pub fn verdict(paths: &str, facts: &str) -> String {
    verbatim(decode::<Vec<String>>(paths).and_then(|paths| Ok(flow::guard::verdict(&paths, &decode(facts)?))))
}
