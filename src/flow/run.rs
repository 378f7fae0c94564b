//! A session as its shell sees it: it seals an event, applies the line, and asks what follows from a command of the user's.

use super::feedback::ProjectRule;
use super::feedback::said::RuleStanding;
use super::forecast::Past;
use super::leave::ShellRules;
use super::live;
use super::protocol::{
    Approver, Command, Decision, Effect, Event, EventKind, LaneBuilt, LaneTold, Opening, Role, TreeId,
};
use super::pull_request::{self, Asking, Facts, PullRequest, PullRequestCommand};
use super::race::{LaneFacts, LaneToTake, Race, settings_of_lane};
use super::recovery::Recovery;
use super::session::{Phase, Progress, Session};
use super::status::{self, Status};
use super::stored::Found;
use super::verify;
use super::{ci, command, files, history, lane, panel, requests};
use crate::design_lab::config::FlowSettings;
use crate::shared::ci::{Given, Texts};
use crate::shared::listed::beginning;
use crate::shared::page::addressed;
use crate::shared::panel::Panel;
use crate::validation::protocol::{Subject, SubjectSource};
use crate::validation::subject::{numbered, title};
use kernel::calls::LATEST;
use kernel::index::{Owner, Verbs};
use kernel::journal::Chain;
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::paths;
use kernel::problem::Problem;
use kernel::progress::{Activity, Incoming};
use kernel::protocol::{JobId, Reply, Spending};
use kernel::run::Durable;
use kernel::visible;
use kernel::written::Written;
use serde::Serialize;
use std::borrow::Cow;

/// The commands that messages on sessions name.
pub const VERBS: Verbs = Verbs {
    begin: "/flow-plan <goal>",
    cancel: "/flow-cancel",
    resume: "/flow-resume",
    status: "/flow-status",
};

/// A session in a few facts.
pub type Summary = kernel::index::Summary<SessionFacts>;

/// What a session records in addition to what every run records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowFacts"))]
pub struct SessionFacts {
    /// The session's status.
    pub status: Status,
    /// The whole hash of the plan that is waiting for approval.
    #[serde(default)]
    pub plan_hash: Option<String>,
    /// The whole hash of what `/flow-take` shows.
    #[serde(default)]
    pub take_hash: Option<String>,
    /// The session whose criteria were validated, if this one fixes the validation's findings.
    #[serde(default)]
    pub fixes: Option<String>,
    /// How many features its plan has; 0 before it has one.
    #[serde(default)]
    pub features: u32,
    /// How many of them are complete.
    #[serde(default)]
    pub complete: u32,
    /// What its work has used so far.
    #[serde(default)]
    pub past: Past,
    /// The lane of a race that it builds.
    #[serde(default)]
    pub lane_of: Option<LaneFacts>,
}

/// A session: the state that follows from the lines of its journal.
#[derive(Clone, Debug, Default)]
pub struct Run {
    durable: kernel::run::Run<Session>,
    written: Written,
    /// The user's rules for shell commands, as the host reports them now; `None` when it wasn't asked.
    rules: Option<ShellRules>,
}

impl Durable for Run {
    type Role = Role;
    type Opening = Opening;
    type Decision = Decision;
    type Effect = Effect;

    fn replay(journal: &str) -> Result<(Self, usize), Problem> {
        kernel::run::Run::replay(journal).map(|(durable, whole)| (Self { durable, ..Self::default() }, whole))
    }

    fn seal(&self, event: &Event) -> String {
        self.durable.seal(event)
    }

    fn chain(&self) -> &Chain {
        self.durable.chain()
    }

    /// First come the files that no longer exist, and those whose contents have changed.
    fn apply(&mut self, line: &str) -> Result<Vec<Command>, Problem> {
        let before = self.built();
        let follow = self.durable.apply(line)?;
        let built = self.built().filter(|now| !self.written.is_empty() && before.as_ref() == Some(now));
        let stale = self.state().map_or_else(Vec::new, files::stale);
        let files = self.rendered(built.as_deref())?;
        let mut commands = self.written.changes(stale, files);
        commands.extend(follow);
        Ok(commands)
    }

    /// Leaves out the outputs of checks.
    fn files(&self) -> Result<Vec<(String, String)>, Problem> {
        self.rendered(None)
    }
}

impl Run {
    /// A session before its first event.
    pub fn new() -> Self {
        Self::default()
    }

    /// The event that stops a call between two steps of its answer, if the session has reached its budget.
    pub fn overspending(&self, job: &JobId, used: &[Spending]) -> Option<EventKind> {
        self.durable.overspending(job, used)
    }

    /// The paths that an answer cites, which have to be looked up before it is judged.
    pub fn cited(&self, job: &JobId, reply: &Reply) -> Vec<String> {
        self.durable.cited(job, reply)
    }

    /// Applies these rules for shell commands, reported by the host, from now on; the user's next command records them.
    pub fn know_rules(&mut self, rules: ShellRules) {
        self.rules = Some(rules);
    }

    // ---- what the user typed ----

    /// `/flow-plan revise <remarks>`: its event, or the reason why not.
    /// `stored`: the sessions of the project, which show how much such work used before.
    pub fn revise(&self, remarks: &str, stored: &[Found]) -> Result<EventKind, Recovery> {
        let remarks = remarks.trim().to_owned();
        let session = self.begun()?;
        session.may_revise(&remarks)?;
        let expected = Some(session.expected_of_revision(&remarks, stored));
        Ok(EventKind::Decided(Decision::Revised { remarks, expected }))
    }

    /// Like [`Run::approve`], but only a plan that was shown may be approved. `shown`: the whole hashes of plans that this process
    /// has shown the user. A model may control another process: for `opencode run --command` it needs only a shell.
    pub fn approve_as_shown(&self, typed: &str, shown: &[String]) -> Result<EventKind, Recovery> {
        let hash = self.begun()?.approvable(typed)?;
        if shown.contains(&hash) { self.approve(typed) } else { Err(requests::not_shown()) }
    }

    /// `/flow-plan select <ids>`: its event, or the reason why not.
    pub fn select(&self, features: Vec<String>) -> Result<EventKind, Recovery> {
        self.begun()?.narrowed(&features)?;
        Ok(EventKind::Decided(Decision::Selected { features }))
    }

    /// `/flow-reset feature <id>`: its event, or the reason why not.
    pub fn reset(&self, feature: &str) -> Result<EventKind, Recovery> {
        self.begun()?.may_reset(feature)?;
        Ok(EventKind::Decided(Decision::Reset { feature: feature.to_owned() }))
    }

    /// `/flow-reset session`: its event, or the reason why not.
    pub fn archive(&self) -> Result<EventKind, Recovery> {
        self.begun()?.may_archive()?;
        Ok(EventKind::Decided(Decision::Archived))
    }

    /// `/flow-race approve <hash>`: its event, or the reason why not. `shown`: as for [`Run::approve_as_shown`].
    pub fn race(&self, typed: &str, shown: &[String]) -> Result<EventKind, Recovery> {
        let session = self.begun()?;
        let hash = session.approvable(typed)?;
        session.may_race(&hash)?;
        if !shown.contains(&hash) {
            return Err(requests::not_shown());
        }
        let expected = Some(session.expected_of_race());
        Ok(EventKind::Decided(Decision::Raced { hash, expected }))
    }

    /// The lane of a race that the user wants to take: its session, and the tree with which it was compared.
    pub fn to_take(&self, lane: &str) -> Result<LaneToTake, Recovery> {
        self.begun()?.lane_to_take(lane)
    }

    /// What the session, which builds a lane of a race, has done so far; `None` when it builds none.
    pub fn lane_told(&self) -> Option<LaneTold> {
        self.state()?.lane_told()
    }

    /// How such a session has ended, as the answer to the effect with this number.
    pub fn lane_built(&self, effect: u32) -> Option<LaneBuilt> {
        self.state()?.lane_built(effect)
    }

    /// Whether there is anything in such a session to continue.
    pub fn lane_goes_on(&self) -> bool {
        self.state().is_some_and(Session::is_unfinished)
    }

    /// The name of the session that is the race: this one, or the one whose lane it builds; `None` when it has to do with none.
    pub fn race_name(&self) -> Option<String> {
        let session = self.state()?;
        let own = session.directory.name.clone().filter(|_| session.is_race());
        own.or_else(|| Some(session.opening.lane_of.as_ref()?.race.clone()))
    }

    /// Whether the result of such a session, as it is now, is in the project.
    pub fn lane_is_taken(&self) -> bool {
        self.state().is_some_and(Session::is_taken)
    }

    /// `/flow-plan approve <hash>`: its event, or the reason why not.
    pub fn approve(&self, typed: &str) -> Result<EventKind, Recovery> {
        let session = self.begun()?;
        let hash = session.approvable(typed)?;
        session.not_a_race()?;
        Ok(EventKind::Decided(Decision::Approved { hash, by: Approver::User }))
    }

    /// `/flow-take [hash]`: its event, or the reason why not. Without a hash, the changes are only shown. `shown`: the whole hashes
    /// that this process has shown the user, as for [`Run::approve_as_shown`].
    pub fn take(&self, typed: &str, shown: &[String]) -> Result<EventKind, Recovery> {
        self.take_as(typed, shown, None)
    }

    /// `/flow-race take <lane> [hash]` for the lane's session: the same, for this tree only.
    pub fn take_frozen(&self, typed: &str, shown: &[String], frozen: &TreeId) -> Result<EventKind, Recovery> {
        self.take_as(typed, shown, Some(frozen.clone()))
    }

    fn take_as(&self, typed: &str, shown: &[String], frozen: Option<TreeId>) -> Result<EventKind, Recovery> {
        let session = self.begun()?;
        session.may_take()?;
        let typed = typed.trim();
        if typed.is_empty() {
            return Ok(EventKind::Decided(Decision::TakeWanted { hash: None, frozen }));
        }
        let hash = session.takeable(typed)?;
        if shown.contains(&hash) {
            Ok(EventKind::Decided(Decision::TakeWanted { hash: Some(hash), frozen }))
        } else {
            Err(lane::not_shown(session.take_command()))
        }
    }

    /// The model of the session's workers: `provider/model`.
    pub fn worker(&self) -> String {
        self.state().map_or_else(String::new, |session| session.opening.models.worker.clone())
    }

    /// Whether the session's workers work in a lane that was made.
    pub fn has_lane(&self) -> bool {
        self.state().is_some_and(|session| session.lane.is_some())
    }

    /// `/flow-run [feature]`: its event, or the reason why not.
    /// `stored`: as for [`Run::revise`].
    pub fn start(&self, text: &str, stored: &[Found]) -> Result<EventKind, Recovery> {
        let session = self.begun()?;
        let feature = session.startable(text)?;
        let expected = Some(session.expected_of_feature(&feature, stored));
        Ok(EventKind::Decided(Decision::Started { feature, expected }))
    }

    /// `/flow-resume`: its event, or the reason why not.
    pub fn resume(&self) -> Result<EventKind, Recovery> {
        self.begun()?.may_resume()?;
        Ok(EventKind::Resumed)
    }

    /// `/flow-auto` without a goal: its event, or the reason why not.
    /// `stored`: as for [`Run::revise`].
    pub fn automate(&self, stored: &[Found]) -> Result<EventKind, Recovery> {
        let session = self.begun()?;
        if session.may_resume().is_ok() {
            return Ok(EventKind::Resumed);
        }
        session.may_automate()?;
        let expected = Some(session.expected_of_the_rest(stored));
        Ok(EventKind::Decided(Decision::Automatic { expected }))
    }

    /// The events to feed for a command of the user's if these are Flow's settings and the project's rules now: the command's event,
    /// and before it their change, if there is one.
    pub fn under(
        &self,
        settings: &FlowSettings,
        project_rules: &[ProjectRule],
        event: EventKind,
    ) -> Vec<EventKind> {
        let Some(session) = self.state() else { return vec![event] };
        let of_lane = session.opening.lane_of.as_ref().map(|_| settings_of_lane(settings));
        let settings = of_lane.as_ref().unwrap_or(settings);
        let shell_rules = self.rules.clone().filter(|rules| session.shell_rules.as_ref() != Some(rules));
        let project_rules = (session.held.rules() != project_rules).then(|| project_rules.to_vec());
        if session.settings == *settings && shell_rules.is_none() && project_rules.is_none() {
            return vec![event];
        }
        let resumes = event == EventKind::Resumed;
        let event = event_under(settings, event);
        let settings = Box::new(settings.clone());
        let configured =
            EventKind::Decided(Decision::Configured { settings, resumes, shell_rules, project_rules });
        if resumes { vec![configured] } else { vec![configured, event] }
    }

    /// The event for a session at work whose project has these rules now; `None` when it holds to them already, or is at rest.
    pub fn ruled(&self, project_rules: &[ProjectRule]) -> Option<EventKind> {
        let session = self.state()?;
        let is_at_work = matches!(session.phase, Phase::Planning | Phase::Building);
        let project_rules = project_rules.to_vec();
        let is_news = session.held.rules() != project_rules;
        (is_at_work && is_news).then_some(EventKind::Decided(Decision::Ruled { project_rules }))
    }

    /// What became of each rule of the project in this session.
    pub fn rule_standings(&self) -> Vec<RuleStanding> {
        self.state().map(|session| session.held.standings()).unwrap_or_default()
    }

    // ---- what people and programs see ----

    /// The text of the live message in the chat.
    pub fn live_message(&self) -> String {
        let here = Owner::Process { name: String::new(), here: true };
        self.status(&here)
    }

    /// The same text at a moment, with the current activity of its model and, below it, the address of the page. `place`: as in
    /// `addressed`.
    pub fn live_message_at(&self, now: u64, place: &str, activity: Option<&Activity>) -> String {
        let text = self.state().map_or_else(String::new, |session| {
            let here = Owner::Process { name: String::new(), here: true };
            let mut live = String::new();
            live::lines(session, session.calls.clock.moment(now), activity, &mut live);
            status::text(session, &here, &live)
        });
        addressed(text, place, self.state().and_then(status::page))
    }

    /// `/flow-status`: the session as someone sees it, whichever process runs it.
    pub fn status(&self, owner: &Owner) -> String {
        self.seen().map_or_else(String::new, |session| status::text(&session, owner, ""))
    }

    /// The name of the session's directory; empty before it has one.
    pub fn name(&self) -> &str {
        self.state().and_then(|session| session.directory.name.as_deref()).unwrap_or_default()
    }

    /// `/flow-history`: what happened in the session.
    pub fn history(&self) -> String {
        self.state().map_or_else(String::new, |session| history::text(session, &self.durable.chain().head()))
    }

    /// The session for a panel next to the chat, at this moment; `None` unless a command is at work.
    pub fn panel(&self, now: u64, calls: &[Incoming]) -> Option<Panel> {
        let session = self.state()?;
        panel::panel(session, session.calls.clock.moment(now), calls)
    }

    /// The last live message of a process whose session another process now continues.
    pub fn continued(&self) -> String {
        self.state().map_or_else(String::new, status::continued)
    }

    /// What has to be looked at before the session can be trusted.
    pub fn to_verify(&self) -> Result<verify::ToVerify, Recovery> {
        Ok(verify::to_verify(&*self.begun()?))
    }

    /// Whether what was seen matches the journal: returns the account of it, or the differences.
    pub fn verify(&self, seen: &verify::Seen, origin: Origin) -> Result<String, Vec<Problem>> {
        let session = self.begun().map_err(|recovery| vec![recovery.into()])?;
        verify::verify(&session, self.durable.chain(), seen, origin)
    }

    /// The effect that runs the checks of a completed session again; it changes nothing in the session.
    pub fn to_run_again(&self) -> Result<Effect, Recovery> {
        verify::to_run_again(&*self.begun()?)
    }

    /// What the answer to that effect shows.
    pub fn ran_again(&self, seen: &Decision) -> Result<verify::RanAgain, Recovery> {
        Ok(verify::ran_again(&*self.begun()?, seen))
    }

    /// The texts for build servers. `ran`: the answer to the effect that runs the checks again, if it was performed.
    pub fn ci(&self, given: &Given, ran: Option<&Decision>, origin: Origin) -> Result<Texts, Recovery> {
        Ok(ci::texts(&*self.begun()?, self.durable.chain(), given, ran, origin))
    }

    /// `/flow-pr`: the pull request of the session, or why there is none.
    pub fn pull_request(
        &self,
        command: &PullRequestCommand,
        facts: &Facts,
        asking: Asking,
    ) -> Result<PullRequest, Problem> {
        pull_request::pull_request(&*self.begun()?, self.durable.chain(), command, facts, asking)
    }

    /// What a validation of the session has to prove: the acceptance lists of its plan.
    pub fn to_validate(&self) -> Result<Subject, Recovery> {
        let session = self.begun()?;
        let plan = session.plan.as_ref().ok_or_else(requests::no_plan)?;
        let texts = plan.features.iter().flat_map(|feature| {
            feature.acceptance.iter().map(|one| visible::line(&format!("{}: {}", feature.title, one.text)))
        });
        let last = session.completed().last().and_then(|feature| session.features.get(&feature.id));
        Ok(Subject {
            title: title(session.opening.goal.lines().next().unwrap_or_default()),
            text: session.opening.goal.clone(),
            source: SubjectSource::Flow {
                session: session.directory.name.clone().unwrap_or_default(),
                tree: last.and_then(Progress::tree).map(ToString::to_string),
                worker: last.map(|_| session.opening.models.worker.clone()),
            },
            criteria: numbered(texts),
        })
    }

    /// The session in a few facts; `None` before its first event.
    pub fn summary(&self) -> Option<Summary> {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let session = &*self.seen()?;
        let (cost, tokens) = session.calls.spent();
        Some(Summary {
            directory: session.directory.name.clone(),
            task: beginning(&session.opening.goal),
            outcome: match session.phase {
                Phase::Resting(outcome) => Some(outcome),
                _ => None,
            },
            unfinished: session.is_unfinished(),
            failed: false,
            at: session.calls.clock.reported_at.min(LATEST),
            cost,
            tokens,
            likeness: 0,
            origin: Origin::default(),
            own: SessionFacts {
                status: status::status(session),
                plan_hash: session.approvable(&session.hash).ok(),
                take_hash: session.take_hash(),
                fixes: session.opening.fix.as_ref().and_then(|fix| fix.session()).map(str::to_owned),
                features: number(session.plan.as_ref().map_or(0, |plan| plan.features.len())),
                complete: number(session.completed().count()),
                past: session.past(),
                lane_of: session.opening.lane_of.as_deref().map(LaneFacts::of),
            },
        })
    }

    /// The tree before the change that a reviewer is asked about now.
    pub fn review_base(&self) -> Option<TreeId> {
        self.state()?.review_base()
    }

    /// Whether the copy that a reviewer reads is still needed: until the look at it after an approval is recorded, or until the
    /// worker has to fix something.
    pub fn needs_reviewed_copy(&self) -> bool {
        self.state().is_some_and(|session| {
            let races = session.race.as_ref().is_some_and(Race::needs_copy);
            races || session.build.as_ref().is_some_and(|build| build.seal().is_some())
        })
    }

    /// The feature that is being built.
    fn built(&self) -> Option<String> {
        let session = self.state().filter(|session| session.phase == Phase::Building)?;
        session.build.as_ref().map(|build| build.feature.clone())
    }

    /// Every file, or only those that a step of this feature may have changed.
    fn rendered(&self, feature: Option<&str>) -> Result<Vec<(String, String)>, Problem> {
        let Some(session) = self.state() else { return Ok(Vec::new()) };
        let head = self.durable.chain().head();
        paths::admit_files(match feature {
            Some(feature) => files::files_of_step(session, feature),
            None => files::files(session, &head),
        })
    }

    fn begun(&self) -> Result<Cow<'_, Session>, Recovery> {
        self.seen().ok_or_else(command::no_session)
    }

    /// The session under the rules that apply now.
    fn seen(&self) -> Option<Cow<'_, Session>> {
        let session = self.state()?;
        let rules = self.rules.as_ref().filter(|rules| session.shell_rules.as_ref() != Some(rules));
        Some(rules.map_or(Cow::Borrowed(session), |rules| {
            let mut session = session.clone();
            session.take_rules(rules.clone());
            Cow::Owned(session)
        }))
    }

    pub(super) fn state(&self) -> Option<&Session> {
        self.durable.state()
    }
}

/// The event, with whether these settings require asking the user first.
fn event_under(settings: &FlowSettings, mut event: EventKind) -> EventKind {
    if let EventKind::Decided(
        Decision::Started { expected, .. }
        | Decision::Revised { expected, .. }
        | Decision::Automatic { expected }
        | Decision::Raced { expected, .. },
    ) = &mut event
    {
        *expected = expected.take().map(|expected| expected.asked_above(settings.confirm_usd));
    }
    event
}
