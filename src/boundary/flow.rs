//! The calls on sessions of Flow.

use super::durable::{EventOf, Replayed};
use super::handles::Kept;
use super::list::calls;
use super::values::{Held, Moment, Shown, Text, Verbatim, unread};
use crate::design_lab::config::{FlowSettings, Source, flow_settings};
use crate::design_lab::workflow::Handover;
use crate::flow::clean_room::{CleanRoom, Surroundings};
use crate::flow::command::{self, AutoCommand, PlanCommand, ResetCommand, SessionCommand};
use crate::flow::feedback::ProjectRule;
use crate::flow::feedback::added::{self, Added, ChangedText};
use crate::flow::feedback::command::{self as feedback, FeedbackCommand};
use crate::flow::feedback::file;
use crate::flow::feedback::said::{self, Done, Logged, Searched, SearchedPlace, Wanted};
use crate::flow::guard::{self, Facts, Inquiry};
use crate::flow::leave::ShellRules;
use crate::flow::mutants::{self, ChangedFile, Faults};
use crate::flow::mutator_report::{self, MutatorLeft, MutatorSeen};
use crate::flow::opening::{self, OpeningInput};
use crate::flow::protocol::{
    Command, Decision, Effect, EventKind, LaneBuilt, LaneTold, Opening, Role, TreeId,
};
use crate::flow::pull_request::{self, Asking, PullRequest, PullRequestCommand};
use crate::flow::race::{self, LaneToTake, RaceCommand};
use crate::flow::stored::{self, Found};
use crate::flow::test_files::{self, TestCounts};
use crate::flow::test_settings::{self, TestSetting};
use crate::flow::verify::{RanAgain, Seen, ToVerify};
use crate::flow::{self, Run, SessionFacts, above, forecast, foreign, links};
use crate::opencode::{self, HostAgent, InstructionFile};
use crate::shared::BoundaryCode;
use crate::shared::ci::{Given, Texts};
use crate::shared::disk::{self, DiskDeed, DiskUser};
use crate::shared::panel::Panel;
use crate::shared::ran::CommandEnd;
use crate::shared::reader::Reader;
use crate::validation::protocol::Subject;
use kernel::index::{NOTHING_RUNS, Summary};
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::progress::Activity;
use kernel::protocol::{JobId, Reply, Spending};
use std::collections::BTreeMap;

type Session = Held<Run>;

impl Kept for Run {
    fn lost() -> Problem {
        Problem::new(BoundaryCode::LostRun, "The session is no longer in memory.")
            .next("Type /flow-resume to continue from its journal.")
    }
}

calls! {
    /// Flow's calls into the core: every decision is made there. The methods that the machinery of runs calls have the same names
    /// as in Design Lab.
    flow FlowCore |core|

    type FlowEventKind = EventKind;
    type FlowFound = Found;
    type FlowCommand = Command;

    /// Parses the arguments of `/flow-plan`.
    fn plan_command(text: Text) -> PlanCommand { command::plan_command(&text)? }

    /// Parses the arguments of `/flow-auto`.
    fn auto_command(text: Text) -> AutoCommand { command::auto_command(&text)? }

    /// Parses the arguments of `/flow-reset`.
    fn reset_command(text: Text) -> ResetCommand { command::reset_command(&text)? }

    /// Parses the arguments of `/flow-session`.
    fn session_command(text: Text, by_model: bool) -> SessionCommand { command::session_command(&text, by_model)? }

    /// Whether this machine wrote all of the session's journal.
    fn is_ours(session: Session) -> bool { core.origin_of(&*session) == Origin::Here }

    /// The list that `/flow-session` shows without a name. `active`: the active session. Returns null if the arguments request
    /// something else.
    fn list(text: Text, found: Vec<Found>, active: Option<String>, by_model: bool) -> Option<String> {
        stored::list(&text, &found, active.as_deref(), Reader::of(by_model))?
    }

    /// The name of the session that `/flow-session` makes the active one.
    fn to_activate(text: Text, found: Vec<Found>) -> String { stored::to_activate(&text, &found)? }

    /// The name of the session that `/flow-history` shows.
    fn to_show(text: Text, found: Vec<Found>) -> String { stored::to_show(&text, &found)? }

    /// The problem when a command needs a session but none exists.
    fn no_session() -> Problem { command::no_session().into() }

    /// The first event's content. `stored`: the sessions of the project, which show what similar work cost.
    fn begin(input: OpeningInput, stored: Vec<Found>) -> Opening {
        forecast::foreseen(opening::begin(&input)?, &stored)
    }

    /// A session before its first event; returns its handle.
    fn open_run() -> u32 { core.handles.keep(Run::new()) }

    /// The session that results from a journal.
    fn replay_run(journal: Text) -> Replayed { core.replay::<Run>(&journal)? }

    /// Closes a session's handle.
    fn close_run(session: u32) -> () { core.handles.close(session); }

    /// The journal line for an event.
    fn seal(session: Session, event: EventOf<Run>) -> Verbatim<String> { Verbatim(core.seal(&*session, event)) }

    /// Applies a sealed line that is on disk.
    fn apply(session: u32, line: Text) -> Vec<Command> { core.apply::<Run>(session, &line)? }

    /// The event that stops a call between two steps of its answer; null if no budget is reached. `used`: by all calls in flight.
    fn overspending(session: Session, job: JobId, used: Vec<Spending>) -> Option<EventKind> {
        session.overspending(&job, &used)
    }

    /// The paths that an answer cites.
    fn cited(session: Session, job: JobId, reply: Reply) -> Vec<String> { session.cited(&job, &reply) }

    /// The event of `/flow-plan revise <remarks>`.
    fn revise(session: Session, remarks: Text, stored: Vec<Found>) -> EventKind { session.revise(&remarks, &stored)? }

    /// The event of `/flow-plan select <ids>`.
    fn select(session: Session, features: Vec<String>) -> EventKind { session.select(features)? }

    /// The event of `/flow-reset feature <id>`.
    fn reset(session: Session, feature: Text) -> EventKind { session.reset(&feature)? }

    /// The event of `/flow-reset session`.
    fn archive(session: Session) -> EventKind { session.archive()? }

    /// The event of `/flow-plan approve <hash>`. `shown`: the complete hashes that this process has shown.
    fn approve(session: Session, hash: Text, shown: Vec<String>) -> EventKind {
        session.approve_as_shown(&hash, &shown)?
    }

    /// The event of `/flow-run [feature]`.
    fn start(session: Session, text: Text, stored: Vec<Found>) -> EventKind { session.start(&text, &stored)? }

    /// The event of `/flow-take [hash]`. `text`: the hash; empty to be shown the changes. `shown`: the complete hashes that this
    /// process has shown.
    fn take(session: Session, text: Text, shown: Vec<String>) -> EventKind { session.take(&text, &shown)? }

    /// Parses the arguments of `/flow-race`.
    fn race_command(text: Text) -> RaceCommand { race::race_command(&text)? }

    /// The first event's content for a race. `workers`: the models that race; `designs`: what races instead.
    fn begin_race(input: OpeningInput, workers: Vec<String>, designs: Vec<Handover>, stored: Vec<Found>) -> Opening {
        forecast::foreseen(race::begin_race(&input, &workers, &designs)?, &stored)
    }

    /// How many lanes a race may have.
    fn most_lanes() -> u32 { u32::try_from(race::LANES.len()).unwrap_or(u32::MAX) }

    /// The designs of a run that race, by their ids. `contenders`: those that may be the best.
    fn racing(run: Text, named: Vec<String>, contenders: Vec<String>) -> Vec<String> {
        race::racing(&run, named, contenders)?
    }

    /// The event of `/flow-race approve <hash>`. `shown`: the complete hashes that this process has shown.
    fn race(session: Session, hash: Text, shown: Vec<String>) -> EventKind { session.race(&hash, &shown)? }

    /// The lane of the race that the user wants to take.
    fn lane_to_take(session: Session, lane: Text) -> LaneToTake { session.to_take(&lane)? }

    /// The event of `/flow-race take <lane> [hash]` in the lane's session. `frozen`: the only tree that may be taken.
    fn take_frozen(session: Session, text: Text, shown: Vec<String>, frozen: TreeId) -> EventKind {
        session.take_frozen(&text, &shown, &frozen)?
    }

    /// The event that records in the race's session that the user took the result of a lane.
    fn lane_taken(lane: String) -> EventKind { EventKind::Decided(Decision::LaneTaken { lane }) }

    /// The name of the session that builds this lane of this race from this tree; null if there is none yet.
    fn session_of_lane(race: String, lane: String, base: TreeId, stored: Vec<Found>) -> Option<String> {
        race::session_of_lane(&race, &lane, &base, &stored)
    }

    /// The name of the session that is the race of this session, or this session itself; null if it has to do with none.
    fn race_name(session: Session) -> Option<String> { session.race_name() }

    /// What a session has done so far that builds a lane of a race; null if it builds none.
    fn lane_told(session: Session) -> Option<LaneTold> { session.lane_told() }

    /// How such a session has ended, as the answer to the effect with this number.
    fn lane_built(session: Session, effect: u32) -> Option<LaneBuilt> { session.lane_built(effect) }

    /// Whether there is anything in such a session to continue.
    fn lane_goes_on(session: Session) -> bool { session.lane_goes_on() }

    /// Whether the result of such a session, as it is now, is in the project.
    fn lane_is_taken(session: Session) -> bool { session.lane_is_taken() }

    /// Whether the session's workers work in a lane that was made.
    fn has_lane(session: Session) -> bool { session.has_lane() }

    /// The model of the session's workers: `provider/model`.
    fn worker(session: Session) -> String { session.worker() }

    /// The problem with a lane that no longer exists.
    fn lane_gone(directory: Text) -> Problem { flow::lane_gone(&directory).into() }

    /// The problem with a lane under a host that works only in the project.
    fn lane_closed() -> Problem { flow::lane_closed().into() }

    /// The problem with a race under a host that works only in the project.
    fn race_closed() -> Problem { flow::race_closed().into() }

    /// Why a host that works only in the project can't have lanes, in words.
    fn no_lanes_here() -> &'static str { flow::NO_LANES_HERE }

    /// The event of `/flow-resume`.
    fn resume(session: Session) -> EventKind { session.resume()? }

    /// The event of `/flow-auto` without a goal.
    fn automate(session: Session, stored: Vec<Found>) -> EventKind { session.automate(&stored)? }

    /// Flow's part of a configuration.
    fn settings(sources: Vec<Source>) -> FlowSettings { flow_settings(&sources)? }

    /// The user's rules for a worker's shell commands. `agents`: as the host reports them.
    fn shell_rules(agents: Option<Vec<HostAgent>>) -> ShellRules { ShellRules::of_worker(agents.as_deref())? }

    /// Applies these rules to a session from now on.
    fn know_rules(session: u32, rules: ShellRules) -> () {
        core.handles.change(session, |run: &mut Run| {
            run.know_rules(rules);
            Ok(())
        })?;
    }

    /// The events to feed for a user's command, in order. `settings`: of the current configuration; `rules`: the project's now;
    /// `event`: the command's own.
    fn under(session: Session, settings: FlowSettings, rules: Vec<ProjectRule>, event: EventKind) -> Vec<EventKind> {
        foreign::checked(core.vouched_origin_of(&*session), &event, session.name())?;
        session.under(&settings, &rules, event)
    }

    /// Parses the arguments of `/flow-feedback`.
    fn feedback_command(text: Text) -> FeedbackCommand { feedback::feedback_command(&text)? }

    /// Logs a piece of feedback. `log`: the log's text; null if there is none.
    fn feedback_logged(log: Option<String>, said: Text, at: Moment) -> Verbatim<Logged> {
        Verbatim(said::logged(log.as_deref(), &said, at.milliseconds())?)
    }

    /// What occurs in a file. `path`: from the root of the tree.
    fn feedback_searched(wanted: Vec<Wanted>, path: Text, text: Text) -> Verbatim<Vec<Searched>> {
        Verbatim(said::searched(&wanted, &path, &text))
    }

    /// Shows a piece of feedback that was logged.
    fn feedback_shown(log: Text, id: Text, places: Vec<SearchedPlace>) -> Verbatim<Done> {
        Verbatim(said::shown(&log, &id, &places)?)
    }

    /// Makes a rule of a piece of feedback. `rules`: the text of the file of rules; null if there is none; `hash`: as typed; `shown`:
    /// the complete hashes that this process has shown.
    fn feedback_confirmed(log: Option<String>, rules: Option<String>, hash: Text, shown: Vec<String>) -> Verbatim<Done> {
        Verbatim(said::confirmed(log.as_deref(), rules.as_deref(), &hash, &shown)?)
    }

    /// What a list searches for.
    fn feedback_to_list(log: Option<String>, rules: Option<String>) -> Verbatim<Vec<Wanted>> {
        Verbatim(said::to_list(log.as_deref(), rules.as_deref())?)
    }

    /// Lists rules and feedback. `places`: what was found, by id.
    fn feedback_listed(
        log: Option<String>,
        rules: Option<String>,
        places: BTreeMap<String, SearchedPlace>,
    ) -> Verbatim<Done> {
        Verbatim(said::listed(log.as_deref(), rules.as_deref(), &places)?)
    }

    /// Removes a rule or a piece of feedback.
    fn feedback_removed(log: Option<String>, rules: Option<String>, id: Text) -> Verbatim<Done> {
        Verbatim(said::removed(log.as_deref(), rules.as_deref(), &id)?)
    }

    /// The log with what became of the rules in a session; null if that is no news.
    fn feedback_noted(session: Session, log: Option<String>) -> Verbatim<Option<String>> {
        Verbatim(said::noted(log.as_deref(), session.name(), &session.rule_standings())?)
    }

    /// The project's rules. `text`: of the file of rules; null if there is none.
    fn project_rules(text: Option<String>) -> Verbatim<Vec<ProjectRule>> { Verbatim(file::read(text.as_deref())?) }

    /// Whether the file of rules holds others than these.
    fn rules_differ(rules: Vec<ProjectRule>, text: Option<String>) -> bool { file::differs(&rules, text.as_deref()) }

    /// Those of these files that the rules check. `paths`: from the root of the tree.
    fn ruled_files(rules: Vec<ProjectRule>, paths: Vec<String>) -> Verbatim<Vec<String>> {
        Verbatim(added::to_compare(&rules, paths))
    }

    /// What a change adds of that which the rules forbid.
    fn added(rules: Vec<ProjectRule>, changed: Vec<ChangedText>) -> Verbatim<Added> {
        Verbatim(added::added(&rules, &changed))
    }

    /// The event for a session at work whose project has these rules now; null if it isn't at work or has them.
    fn ruled(session: Session, rules: Vec<ProjectRule>) -> Option<EventKind> { session.ruled(&rules) }

    /// The texts for build servers. `ran`: the answer to the effect that runs the checks again; null if it was not performed.
    fn ci(session: Session, given: Given, ran: Option<EventKind>) -> Texts {
        let ran = ran.and_then(|event| if let EventKind::Decided(ran) = event { Some(ran) } else { None });
        session.ci(&given, ran.as_ref(), core.origin_of(&*session))?
    }

    /// Parses the arguments of `/flow-pr`.
    fn pull_request_command(text: Text) -> PullRequestCommand { pull_request::pull_request_command(&text)? }

    /// The pull request of a session. `by_model`: whether a model calls it, and the user has permitted that.
    fn pull_request(
        session: Session,
        command: PullRequestCommand,
        facts: pull_request::Facts,
        by_model: bool,
    ) -> PullRequest {
        let origin = core.origin_of(&*session);
        let mut made = session.pull_request(&command, &facts, Asking { origin, by_model })?;
        made.text = foreign::shown(origin, made.text, by_model);
        made
    }

    /// What the end of the client shows. `program`: its name; `printed`: the end of its output.
    fn pull_request_created(program: Text, end: CommandEnd, printed: Text) -> String {
        pull_request::created(&program, &end, &printed)?
    }

    /// Those of these files whose tests are to be counted.
    fn test_files(paths: Vec<String>) -> Vec<String> { test_files::counted(paths) }

    /// The tests in the text of a file.
    fn count_tests(text: Text) -> TestCounts { test_files::count(&text) }

    /// Those of these files that configure, among many other things, how tests run.
    fn compared_files(paths: Vec<String>) -> Vec<String> { test_settings::compared(paths) }

    /// The changes in such a file. `texts`: before and now, each null if there is no such file; null if that is unknown.
    fn test_settings(path: Text, texts: Option<(Option<String>, Option<String>)>) -> Vec<TestSetting> {
        test_settings::changes(&path, texts)
    }

    /// Small faults in files that a feature changed, at most this many.
    fn faults(files: Vec<ChangedFile>, most: usize) -> Faults { mutants::faults(&files, most) }

    /// The result of a mutation testing tool for a feature. `left`: how it ended, and what it left.
    fn mutator_seen(left: MutatorLeft) -> MutatorSeen { mutator_report::seen(&left) }

    /// Those of these files untracked by git that stay out of copies.
    fn kept_back(paths: Vec<String>) -> Vec<String> { flow::kept_back(paths) }

    /// Names of files and directories that aren't compared in the linked parts of copies.
    fn left_out_of_links() -> Vec<&'static str> { links::left_out().to_vec() }

    /// Names of files and directories that make a copy unclean if they are above it.
    fn found_above() -> Vec<&'static str> { above::found_above().to_vec() }

    /// The environment for commands in a copy, and the directories made for it.
    fn clean_room(surroundings: Surroundings) -> CleanRoom { surroundings.clean_room() }

    /// The message when a copy could not be prepared. `output`: the path of the command's output.
    fn setup_failed(argv: Vec<String>, end: CommandEnd, output: Text) -> String {
        flow::setup_failed(&argv, &end, &output)
    }

    /// The live message at this moment. `place`: of the session's directory, as a `file:` URL.
    fn live_message(session: Session, now: Moment, place: Text, activity: Option<Activity>) -> Shown {
        Shown(session.live_message_at(now.milliseconds(), &place, activity.as_ref()))
    }

    /// The message for a model that called a command: what the user sees, without file paths.
    fn account(session: Session, now: Moment) -> Shown {
        Shown(session.live_message_at(now.milliseconds(), "", None))
    }

    /// The session, for a reader that doesn't run it.
    fn status(session: Session, found: Found, _now: Moment, by_model: bool) -> Shown {
        let status = session.status(&found.owner);
        Shown(foreign::shown(core.origin_of(&*session), status, by_model))
    }

    /// What happened in the session.
    fn history(session: Session, by_model: bool) -> Shown {
        Shown(foreign::shown(core.origin_of(&*session), session.history(), by_model))
    }

    /// The last live message of a process whose session another process now continues.
    fn continued(session: Session) -> Shown { Shown(session.continued()) }

    /// The session for a panel next to the chat, at this moment; null unless a command is running.
    fn panel(session: Session, now: Moment, activity: Option<Activity>) -> Option<Panel> {
        session.panel(now.milliseconds(), &activity.unwrap_or_default().calls)
    }

    /// Every file that should be on disk by now, except the outputs of checks: path and text.
    fn files(session: Session) -> Vec<(String, String)> { core.files(&*session)? }

    /// What has to be examined before a session can be trusted.
    fn to_verify(session: Session) -> ToVerify { session.to_verify()? }

    /// The account if the observations match the journal.
    fn verify(session: Session, seen: Seen) -> String { session.verify(&seen, core.origin_of(&*session))? }

    /// The effect that runs the checks of a completed session again.
    fn to_run_again(session: Session) -> Effect { session.to_run_again()? }

    /// What the repeated checks show. `seen`: the answer to that effect.
    fn ran_again(session: Session, seen: EventKind) -> RanAgain {
        let EventKind::Decided(seen) = seen else { return Err(unread("an event that answers no effect")) };
        session.ran_again(&seen)?
    }

    /// The name of the session that `/validate` is about; null if it is about none. `active`: the active session.
    fn session_to_validate(text: Text, active: Option<String>, found: Vec<Found>) -> Option<String> {
        stored::to_validate(&text, active.as_deref(), &found)?
    }

    /// What a validation of the session has to prove.
    fn to_validate(session: Session) -> Subject { session.to_validate()? }

    /// A session in a few facts; null before its first event.
    fn summary(session: Session) -> Option<Summary<SessionFacts>> { core.with_origin(&*session, session.summary()) }

    /// The sessions among the directories found.
    fn begun(found: Vec<Found>) -> Vec<Found> { found }

    /// What a failed file operation means for the user. `code`: the system's.
    fn disk_problem(file: Text, code: Text, deed: DiskDeed) -> Problem {
        disk::failure(&file, &code, deed, DiskUser::Flow)
    }

    /// The problem when the session is running in another process.
    fn locked(session: Text, process: Text) -> Problem { flow::VERBS.locked(&session, &process) }

    /// The problem when a process doesn't stop a session when asked.
    fn not_stopped(session: Text, process: Text) -> Problem { flow::VERBS.not_stopped(&session, &process) }

    /// The reply of a stop command when nothing is running.
    fn nothing_runs() -> Shown { Shown(NOTHING_RUNS.to_owned()) }

    /// The system text for a session of Flow. `own`: the role's text; `host`: what the host would send; `before`: for a reviewer, all
    /// of the project's instruction files that `host` names.
    fn system_text(role: Role, own: Text, host: Text, before: Vec<InstructionFile>) -> Verbatim<String> {
        Verbatim(opencode::flow_system_text(role, &own, &host, &before))
    }

    /// The instruction files that the host's text names.
    fn instruction_files(host: Text) -> Vec<String> {
        opencode::instruction_files(&host).into_iter().map(str::to_owned).collect()
    }

    /// The result of a reviewer's `read` without the instructions that the host adds to it.
    fn without_near_instructions(output: Text) -> Verbatim<String> {
        Verbatim(opencode::without_near_instructions(&output).to_owned())
    }

    /// Whether the copy that a reviewer reads is still needed.
    fn needs_reviewed_copy(session: Session) -> bool { session.needs_reviewed_copy() }

    /// Whether the tools of a role read the copy of the files that were checked.
    fn reads_copy(role: Role) -> bool { role.reads_copy() }

    /// The tree before the change that is being reviewed; null if nothing is.
    fn review_base(session: Session) -> Option<String> { session.review_base().map(String::from) }

    /// The facts needed to judge a call of one of Flow's sessions. `args`: as JSON.
    fn inquire(role: Role, tool: Text, args: Text) -> Verbatim<Inquiry> { Verbatim(guard::inquire(role, &tool, &args)) }

    /// Why a call is refused, by where its paths lead; null if it isn't. `paths`: as the inquiry names them.
    fn verdict(paths: Vec<String>, facts: Facts) -> Verbatim<Option<String>> {
        Verbatim(guard::verdict(&paths, &facts))
    }
}
