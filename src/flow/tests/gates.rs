//! Events of any kind in any order: nothing is complete without evidence and another session's approval of the same files.

use super::*;
use crate::flow::approval;
use crate::flow::plan::Scope;
use crate::flow::session::FeatureState;
use crate::flow::step::{Judge, Step};
use crate::flow::tree::TreeId;
use crate::shared::runners::tests_in;
use kernel::protocol::{CallFailure, JobId, Reply};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A shell that follows its instructions, or does anything else.
#[derive(Default)]
struct Driver {
    run: Run,
    lines: Vec<String>,
    events: Vec<EventKind>,
    pending: Vec<Command>,
    /// The command of each check, by the effect's number.
    checks: BTreeMap<u32, Vec<String>>,
    /// Each requested copy, by the effect's number.
    copies: BTreeMap<u32, Copied>,
    /// The feature that is being built, and the number of events before each one's latest start.
    building: Option<String>,
    begun: BTreeMap<String, usize>,
    complete: BTreeSet<String>,
    /// The state of the files.
    tree: u32,
    sessions: u32,
}

/// A copy of the files in which commands run.
struct Copied {
    /// The tree that it is a copy of.
    tree: TreeId,
    /// Whether something is put over it.
    is_overlaid: bool,
    /// Whether it is only for the ledger of tests.
    is_of_ledger: bool,
    /// The number of events before it was requested.
    asked: usize,
}

impl Driver {
    fn begun() -> Self {
        let mut driver = Self::default();
        driver.feed(opening());
        driver
    }

    fn feed(&mut self, kind: EventKind) {
        let at = 1_795_167_000_000 + 1_000 * self.lines.len() as u64;
        let line = self.run.seal(&Event { at, kind: kind.clone() });
        let Ok(commands) = self.run.apply(&line) else { return };
        self.lines.push(line);
        self.events.push(kind);
        let mut finished = false;
        for command in commands {
            match command {
                Command::Finish { .. } => finished = true,
                Command::Perform(effect) => {
                    if let Effect::RunCheck { effect, argv, .. } = &effect {
                        self.checks.insert(*effect, argv.clone());
                    }
                    if let Effect::RunApart { effect, tree, over, .. } = &effect {
                        let is_overlaid = *over != Overlay::Nothing;
                        let asked = self.events.len();
                        let build = self.run.state().and_then(|session| session.build.as_ref());
                        let is_of_ledger = build
                            .is_some_and(|build| matches!(build.step, Step::Judging(_, Judge::Comparing)));
                        let copied = Copied { tree: tree.clone(), is_overlaid, is_of_ledger, asked };
                        self.copies.insert(*effect, copied);
                    }
                    self.pending.push(Command::Perform(effect));
                }
                Command::ClaimDirectory { .. }
                | Command::OpenSession { .. }
                | Command::Ask(_)
                | Command::Recover { .. } => {
                    self.pending.push(command);
                }
                _ => {}
            }
        }
        if finished {
            self.pending.clear();
            let at = 1_795_167_000_000 + 1_000 * self.lines.len() as u64;
            let line = self.run.seal(&Event { at, kind: EventKind::Closed });
            self.run.apply(&line).unwrap();
            self.lines.push(line);
            self.events.push(EventKind::Closed);
        }
        let building = self.run.state().unwrap().build.as_ref().map(|build| build.feature.clone());
        if let Some(feature) = building.clone().filter(|_| building != self.building) {
            self.begun.insert(feature, self.events.len() - 1);
        }
        self.building = building;
        self.look_at_the_gate();
    }

    /// Asserts that the events contain the evidence of every feature that just became complete.
    fn look_at_the_gate(&mut self) {
        let session = self.run.state().unwrap();
        let complete: BTreeSet<String> = session
            .features
            .iter()
            .filter(|(_, one)| one.state() == FeatureState::Completed)
            .map(|(id, _)| id.clone())
            .collect();
        let plan = session.plan.clone().unwrap_or_default();
        for id in complete.difference(&self.complete) {
            let events: Vec<&EventKind> =
                self.events.iter().filter(|event| !matches!(event, EventKind::Closed)).collect();
            let Some(EventKind::Decided(Decision::TreeTaken(look))) = events.last() else {
                panic!("{id} is complete, and nobody had looked at the files")
            };
            let tree = &look.tree;
            let began = *self.begun.get(id).unwrap_or_else(|| panic!("{id} was never begun"));
            let hash = approval::hash("Limit the rate of the public API", &plan);
            let goes_ahead = |event: &&&EventKind| match event {
                EventKind::Decided(Decision::Approved { hash: typed, .. }) => *typed == hash,
                EventKind::Decided(Decision::Automatic { .. }) => true,
                _ => false,
            };
            let before: Vec<&EventKind> = self.events[..=began].iter().collect();
            assert!(before.iter().any(|event| goes_ahead(&event)), "{id} was begun without an approval");
            let since: Vec<&EventKind> = self.events[began..].iter().collect();

            let feature = plan.feature(id).unwrap();
            let is_last = plan.features.iter().all(|one| complete.contains(&one.id));
            let broad = plan.features.iter().filter(|_| is_last).flat_map(|one| one.checks(Scope::Broad));
            for check in feature.checks(Scope::Targeted).chain(broad) {
                let passes = |event: &&EventKind| match event {
                    EventKind::Decided(Decision::CheckFinished(seen)) => {
                        self.checks.get(&seen.effect) == Some(&check.command)
                            && [&seen.tree_before, &seen.tree_after] == [tree, tree]
                            && seen.ran.end == CommandEnd::Exited { code: 0 }
                            && seen.ran.tests.as_ref().is_none_or(|tests| tests.ran > 0)
                    }
                    _ => false,
                };
                assert!(
                    since.iter().any(passes),
                    "{id} is complete, and {} never passed on {tree}",
                    check.id
                );
            }

            let base = session.features.get(id).and_then(|one| one.base.as_ref()).unwrap();
            self.look_at_the_copies(id, began, is_last, [base, tree]);

            // Sessions that were really created, as opposed to claimed ones.
            let sessions_of = |kind: &str| -> Vec<(&str, &str)> {
                let jobs = session.calls.jobs.iter().filter(|job| job.id.as_str().starts_with(kind));
                jobs.flat_map(|job| job.ledger.sessions.iter().map(|given| (job.id.as_str(), given.as_str())))
                    .collect()
            };
            let approves = |(at, event): (usize, &&EventKind)| match event {
                EventKind::Answered { job, reply } if job.as_str().starts_with(&format!("review:{id}:")) => {
                    let taken = since[..at].iter().any(|event| {
                        matches!(event, EventKind::Decided(Decision::TreeTaken(look)) if look.tree == *tree)
                    });
                    let reviewers =
                        sessions_of("review").into_iter().filter(|(other, _)| *other == job.as_str());
                    let is_another = reviewers
                        .into_iter()
                        .any(|(_, session)| sessions_of("work").iter().all(|(_, other)| *other != session));
                    taken
                        && is_another
                        && reply.text.contains("\"approved\"")
                        && !reply.text.contains("\"major\"")
                        && !reply.text.contains("false")
                }
                _ => false,
            };
            assert!(
                since.iter().enumerate().any(approves),
                "{id} is complete, and nobody else approved {tree}"
            );
        }
        self.complete = complete;
    }

    /// Asserts that the checks of a complete feature failed without it, and that those of the plan passed in a clean copy at the
    /// end. The trees: of the files before it, and now.
    fn look_at_the_copies(&self, id: &str, began: usize, is_last: bool, [base, tree]: [&TreeId; 2]) {
        // Only the first answer to a request counts.
        let mut answered = BTreeSet::new();
        let copies: Vec<(&Copied, &RanApart)> = self
            .events
            .iter()
            .enumerate()
            .filter_map(|(at, event)| {
                let EventKind::Decided(Decision::RanApart(seen)) = event else { return None };
                let copied = self.copies.get(&seen.effect).filter(|copied| at >= copied.asked)?;
                let counts = copied.asked >= began && answered.insert(seen.effect);
                counts.then_some((copied, &**seen))
            })
            .collect();
        // If no test file changed, nothing is put over the copy.
        let is_without = |copied: &Copied| copied.is_overlaid || copied.tree == *base && !copied.is_of_ledger;
        let is_again = |copied: &Copied| !copied.is_overlaid && copied.tree == *tree;
        let last = |is: &dyn Fn(&Copied) -> bool| copies.iter().rev().find(|(copied, _)| is(copied));
        let passes = |ran: &Ran| {
            ran.end == CommandEnd::Exited { code: 0 } && ran.tests.as_ref().is_none_or(|tests| tests.ran > 0)
        };
        let (place, probe) =
            last(&is_without).unwrap_or_else(|| panic!("{id} is complete, and its checks were never probed"));
        // If the files did not change, a copy of the earlier ones is also one of the current ones.
        let is_told_apart = place.is_overlaid || base != tree;
        assert!(
            !(is_told_apart && probe.runs.iter().any(passes)),
            "{id} is complete, and a check passes without it"
        );
        if is_last {
            let (_, again) = last(&is_again).unwrap_or_else(|| panic!("nothing was run in a clean copy"));
            assert!(
                again.runs.len() == 3 && again.runs.iter().all(passes),
                "a check doesn't pass in a clean copy"
            );
        }
    }

    /// Answers the oldest pending command as it should be.
    fn obey(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let command = self.pending.remove(0);
        let tree = format!("t{}", self.tree);
        let event = match command {
            Command::ClaimDirectory { name } => EventKind::DirectoryClaimed { name },
            Command::OpenSession { job, .. } => {
                self.sessions += 1;
                EventKind::SessionOpened { job, session: format!("ses-{}", self.sessions) }
            }
            Command::Ask(ask) => {
                self.tree += u32::from(ask.job.as_str().starts_with("work"));
                answered(ask.job.as_str(), right(&ask).to_string())
            }
            Command::Recover { ask, .. } => EventKind::CallFailed {
                job: ask.job,
                failure: CallFailure { name: "Lost".into(), ..CallFailure::default() },
            },
            Command::Perform(effect @ Effect::TakeTree { .. }) => {
                EventKind::Decided(tree_taken(&effect, &tree))
            }
            Command::Perform(Effect::RunCheck { effect, .. }) => {
                EventKind::Decided(finished(passed(effect, &tree)))
            }
            Command::Perform(effect @ Effect::RunApart { .. }) => EventKind::Decided(apart(&effect)),
            _ => return,
        };
        self.feed(event);
    }

    /// Answers the oldest pending command in some other way.
    fn disobey(&mut self, how: u8) {
        if self.pending.is_empty() {
            return;
        }
        let command = self.pending.remove(0);
        let (tree, other) = (format!("t{}", self.tree), format!("t{}", how % 4));
        let event = match command {
            Command::OpenSession { job, .. } => EventKind::SessionOpened { job, session: "ses-1".to_owned() },
            Command::Ask(ask) => {
                let mut answer = right(&ask);
                match how % 6 {
                    0 => answer["outcome"] = json!("blocked"),
                    1 => answer["decision"] = json!("needs_fix"),
                    2 => {
                        answer["findings"] =
                            json!([{"severity": "major", "file": "", "line": null, "text": "no"}]);
                    }
                    3 => answer["criteria"] = json!([]),
                    4 => answer = json!("approved and done"),
                    // It reports that it is done, but changes nothing.
                    _ => {}
                }
                answered(ask.job.as_str(), answer.to_string())
            }
            Command::Perform(Effect::TakeTree { effect, .. }) => {
                EventKind::Decided(if how.is_multiple_of(4) {
                    let seen = TreeTaken {
                        effect,
                        tree: tree.as_str().into(),
                        unsealed: true,
                        ..TreeTaken::default()
                    };
                    Decision::TreeTaken(Box::new(seen))
                } else {
                    taken(effect, &other, Vec::new(), Vec::new())
                })
            }
            Command::Perform(Effect::RunCheck { effect, .. }) => {
                let mut seen = passed(effect, &tree);
                match how % 6 {
                    0 => seen.tree_before = other.as_str().into(),
                    5 => seen.touched = vec!["src/limits.js".to_owned()],
                    1 => seen.tree_after = other.as_str().into(),
                    2 => seen.ran.end = CommandEnd::Exited { code: 1 },
                    3 => seen.ran.end = CommandEnd::TimedOut,
                    _ => seen.ran.tests = tests_in("ℹ pass 0\nℹ fail 0"),
                }
                EventKind::Decided(finished(seen))
            }
            Command::Perform(effect @ Effect::RunApart { .. }) => EventKind::Decided(match how % 4 {
                0 => apart_with(&effect, |_, _| went_well()),
                1 => apart_with(&effect, |_, _| failed("no")),
                2 => Decision::RanApart(Box::new(RanApart {
                    effect: effect.number(),
                    unprepared: Some("no".to_owned()),
                    ..RanApart::default()
                })),
                _ => Decision::EffectFailed { effect: effect.number(), message: "no".to_owned() },
            }),
            _ => return,
        };
        self.feed(event);
    }

    /// Sends an event that wasn't requested.
    fn interfere(&mut self, how: u8) {
        let (effect, tree) = (u32::from(how % 12), format!("t{}", how % 3));
        let feature = ["limits", "api", "nothing"][usize::from(how % 3)].to_owned();
        let kind = ["plan:1", "work:limits:1", "review:limits:1", "work:api:2", "review:api:2"]
            [usize::from(how % 5)];
        let event = match how % 11 {
            0 => EventKind::Decided(taken(effect, &tree, Vec::new(), Vec::new())),
            1 => EventKind::Decided(finished(passed(effect, &tree))),
            2 => EventKind::Decided(Decision::Started { feature, expected: None }),
            3 => EventKind::Decided(Decision::Approved { hash: "0".repeat(64), by: crate::flow::protocol::Approver::User }),
            4 => EventKind::Decided(Decision::EffectFailed { effect, message: "no".to_owned() }),
            5 => answered(kind, json!({"decision": "approved", "criteria": [], "findings": [], "outcome": "done", "summary": "x"}).to_string()),
            6 => EventKind::SessionOpened { job: JobId::new(kind), session: "ses-1".to_owned() },
            7 => EventKind::Decided(Decision::Revised { remarks: "smaller".to_owned(), expected: None }),
            8 => EventKind::Decided(Decision::RanApart(Box::new(RanApart {
                effect,
                runs: vec![went_well(); 4],
                ..RanApart::default()
            }))),
            9 => EventKind::Decided(Decision::Automatic { expected: None }),
            _ => EventKind::Woken,
        };
        self.feed(event);
    }

    fn act(&mut self, (what, how): (u8, u8)) {
        match what {
            0..=9 => self.obey(),
            10 => self.disobey(how),
            11 => self.interfere(how),
            12 => self.tree += u32::from(how % 2),
            13 if how < 40 => self.feed(EventKind::Cancelled { reason: "no".to_owned() }),
            _ => {
                let hash = self.run.state().unwrap().hash.clone();
                let command = self
                    .run
                    .approve(&hash)
                    .or_else(|_| self.run.start("", &[]))
                    .or_else(|_| self.run.start("limits", &[]));
                if let Ok(event) = command.or_else(|_| self.run.resume()).map_err(drop)
                    // A process that is running a session doesn't resume it.
                    && (self.pending.is_empty() || event != EventKind::Resumed)
                {
                    self.feed(event);
                }
            }
        }
    }
}

fn answered(job: &str, text: String) -> EventKind {
    EventKind::Answered {
        job: JobId::new(job),
        reply: Reply { text, finish: "stop".to_owned(), ..Reply::default() },
    }
}

#[test]
fn who_does_as_told_gets_through_the_gate() {
    let mut driver = Driver::begun();
    for _ in 0..20 {
        (0..12).for_each(|_| driver.act((0, 0)));
        driver.act((15, 0));
    }
    assert_eq!(driver.complete.len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn nothing_is_complete_without_evidence_and_anothers_approval(actions in prop::collection::vec((0_u8..16, any::<u8>()), 0..100)) {
        let mut driver = Driver::begun();
        for action in actions {
            driver.act(action);
        }
        let (replayed, _) = Run::replay(&driver.lines.concat()).unwrap();
        prop_assert_eq!(format!("{:?}", replayed.state()), format!("{:?}", driver.run.state()));
    }
}
