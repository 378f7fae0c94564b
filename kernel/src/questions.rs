//! The smallest workflow: three questions, and dice that are thrown once. It passes the durability tests that every workflow
//! passes, and shows what the kernel requires of a workflow.

use crate::budget::Budget;
use crate::calls::Calls;
use crate::directory::Directory;
use crate::effects::Effects;
use crate::host::{Host, Remedy};
use crate::job::{CallSettings, Job, JobState};
use crate::journal::Chain;
use crate::json::Deserialize;
use crate::limits::{Deadlines, Limits};
use crate::paths::{NAME_LENGTH, is_name};
use crate::problem::Problem;
use crate::protocol::{
    CallFailure, Command, EventKind, JOURNAL_VERSION, JobId, ModelFacts, Outcome, Reply, Spending,
};
use crate::reason::Reason;
use crate::run::{Durable, Run};
use crate::testing::{self, Does, Kept, Order, answered};
use crate::tokens::Tokens;
use crate::workflow::{
    Again, AskOf, CommandOf, Commands, EventKindOf, EventOf, Opening, Repetition, Verdict, Workflow,
};
use serde::Serialize;

/// How a run of questions is opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Asked {
    version: u32,
    workflow: String,
    questions: u32,
    budget: Budget,
    run_ms: Option<u64>,
}

impl Opening for Asked {
    fn version(&self) -> u32 {
        self.version
    }

    fn workflow(&self) -> &str {
        &self.workflow
    }
}

/// The result of the dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Fell {
    Fell { eyes: u32 },
}

/// The one effect besides the questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum Dice {
    Throw { dice: u32 },
}

/// A host whose failures are temporary, unless they are refusals.
struct Plain;

impl Host for Plain {
    fn remedy(failure: &CallFailure) -> Remedy {
        let lasts = failure.status == Some(401) || &*failure.name == CallFailure::ENDLESS;
        if lasts { Remedy::GiveUp } else { Remedy::TryAgain }
    }

    fn was_stopped(_: &CallFailure) -> bool {
        false
    }

    fn is_lost(failure: &CallFailure) -> bool {
        matches!(&*failure.name, "Lost" | "Unsent")
    }

    fn was_sent(failure: &CallFailure) -> bool {
        &*failure.name != "Unsent"
    }

    fn reason(failure: &CallFailure, _: Deadlines, _: &str) -> Reason {
        Reason::quoting("the call failed", &failure.message)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Begun,
    Claiming,
    Asking,
    Over(Outcome),
}

#[derive(Clone, Debug)]
struct Questions {
    opening: Asked,
    calls: Calls<Self>,
    directory: Directory,
    effects: Effects<Dice>,
    eyes: Option<u32>,
    phase: Phase,
    closed: bool,
}

impl Questions {
    fn finish(&mut self, outcome: Outcome, commands: &mut Commands<Self>) {
        self.phase = Phase::Over(outcome);
        commands.push(outcome.finish(String::new()));
    }
}

impl Workflow for Questions {
    const NAME: &'static str = "questions";
    type Host = Plain;
    type Opening = Asked;
    type Decision = Fell;
    type Effect = Dice;
    type Role = ();
    type Turn = ();
    /// The number of the question, and its answer.
    type Part = (u32, Option<u32>);
    type Accepted = u32;

    fn admit(_: Option<&Self>, event: &EventKindOf<Self>) -> Result<(), String> {
        match event {
            EventKind::DirectoryClaimed { name } if !is_name(name, NAME_LENGTH) => {
                Err(format!("a directory is called {name:?}"))
            }
            _ => Ok(()),
        }
    }

    fn open(opening: Asked, at: u64) -> Self {
        let jobs = (1..=opening.questions)
            .map(|number| Job::new(JobId::new(format!("question:{number}")), (), (number, None)));
        Self {
            calls: Calls::new(jobs.collect(), at),
            directory: Directory::default(),
            effects: Effects::default(),
            eyes: None,
            phase: Phase::Begun,
            closed: false,
            opening,
        }
    }

    fn calls(&self) -> &Calls<Self> {
        &self.calls
    }

    fn calls_mut(&mut self) -> &mut Calls<Self> {
        &mut self.calls
    }

    fn limits(&self) -> Limits<'_> {
        Limits {
            concurrency: 2,
            local_concurrency: 1,
            deadlines: Deadlines { call_ms: 1_000, idle_ms: 500 },
            run_ms: self.opening.run_ms,
            tries: 1,
            repairs: 2,
            repair_temperature: 0.7,
            budget: self.opening.budget,
            models: const { &[] as &[ModelFacts] },
            seed: 7,
        }
    }

    fn is_ready(&self, _: &Job<Self>) -> bool {
        self.phase == Phase::Asking
    }

    fn call_settings<'a>(&self, _: &'a Job<Self>) -> CallSettings<'a> {
        CallSettings { model: "acme/one", temperature: 0.0, variant: None }
    }

    fn role(&self, _: &Job<Self>) {}

    fn title(&self, job: &Job<Self>) -> String {
        job.id.to_string()
    }

    fn system(&self, _: &Job<Self>) -> String {
        "Answer by a number.".to_owned()
    }

    fn prompt(&self, job: &Job<Self>) -> String {
        format!("What is {} times 7?", job.part.0)
    }

    fn expected_output((): ()) -> u64 {
        100
    }

    fn steps(&self, _: &Job<Self>) -> u32 {
        5
    }

    fn judge(&self, _: &Job<Self>, reply: &Reply) -> Verdict<u32> {
        match reply.text.parse() {
            Ok(number) => Verdict::Accept(Box::new(number)),
            Err(_) => Verdict::Repair {
                prompt: "Only the number.".to_owned(),
                reason: "It is no number.".to_owned(),
            },
        }
    }

    fn ask_again(&self, (): (), _: Again) -> String {
        "Only the number.".to_owned()
    }

    fn ask_otherwise(&self, job: &Job<Self>, reason: &str, _: Repetition) -> Option<String> {
        Some(format!("{} Not so: {reason}", self.prompt(job)))
    }

    fn kept_answer(&self, _: &Job<Self>) -> Option<String> {
        None
    }

    fn accept(&mut self, index: usize, accepted: u32) -> Option<()> {
        self.calls.jobs[index].part.1 = Some(accepted);
        None
    }

    fn settled(&mut self, index: usize, _: bool, commands: &mut Commands<Self>) {
        let job = &self.calls.jobs[index];
        let text = job.part.1.map_or_else(|| "no answer".to_owned(), |answer| answer.to_string());
        commands.push(Command::Write { path: format!("answers/{}.txt", job.part.0), text });
    }

    fn directory_claimed(&mut self, name: String, commands: &mut Commands<Self>) {
        self.directory.name = Some(name);
        self.effects.begin(Dice::Throw { dice: 2 }, commands);
        self.phase = Phase::Asking;
    }

    fn directory_taken(&mut self, _: &str, commands: &mut Commands<Self>) {
        if self.directory.is_taken() {
            commands
                .push(Command::ClaimDirectory { name: self.directory.candidate("2026-11-20", "questions") });
        } else {
            self.finish(Outcome::Stopped, commands);
        }
    }

    fn decided(&mut self, Fell::Fell { eyes }: Fell, _: u64, commands: &mut Commands<Self>) {
        if self.effects.answered(|_| true).is_some() {
            self.eyes = Some(eyes);
            commands.push(Command::Write { path: "eyes.txt".to_owned(), text: eyes.to_string() });
        }
    }

    fn retried(&mut self) {}

    fn resumed(&mut self, idle: u64, commands: &mut Commands<Self>) {
        self.closed = false;
        if !matches!(self.phase, Phase::Over(_)) {
            self.calls.clock.from += idle;
        }
        self.calls.begin_again();
        self.directory.begin_again();
        self.phase = if self.directory.name.is_some() { Phase::Asking } else { Phase::Begun };
        self.calls.take_up(idle, &|_| true, commands);
        self.effects.begin_again(commands);
    }

    fn advance(&mut self, commands: &mut Commands<Self>) {
        crate::drive::give_up_waiting(self, commands);
        if self.phase == Phase::Begun {
            self.phase = Phase::Claiming;
            commands
                .push(Command::ClaimDirectory { name: self.directory.candidate("2026-11-20", "questions") });
        }
        if self.phase == Phase::Asking && self.calls.settled(|_| true) && self.eyes.is_some() {
            let failed = self.calls.jobs.iter().any(|job| matches!(job.state, JobState::Failed(_)));
            self.finish(if failed { Outcome::Partial } else { Outcome::Complete }, commands);
        }
    }

    fn cancelled(&mut self, _: &str, commands: &mut Commands<Self>) {
        self.finish(Outcome::Cancelled, commands);
    }

    fn closed(&mut self) {
        self.closed = true;
    }

    fn note(&mut self, _: String) {}

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

// ---- what applies to every workflow ----

type Shell<'a> = testing::Shell<'a, Run<Questions>>;

fn asked(budget: Budget) -> EventKindOf<Questions> {
    let workflow = Questions::NAME.to_owned();
    let opening = Asked { version: JOURNAL_VERSION, workflow, questions: 3, budget, run_ms: None };
    EventKind::Opened(Box::new(opening))
}

/// Correct except for the second question, which needs a repair, and the third, whose first call in each process fails.
fn with_faults(ask: &AskOf<Questions>) -> Does {
    match ask.job.as_str() {
        "question:2" if ask.text.contains("times") => Does::Says("fourteen".to_owned()),
        "question:2" => Does::Says("14".to_owned()),
        // A retry leaves the host fewer retries of its own.
        "question:3" if ask.host_retries == 1 => Does::Fails("APIError", Some(503)),
        job => Does::Says((job[9..].parse::<u32>().unwrap() * 7).to_string()),
    }
}

/// Two dice, thrown again each time.
fn throw(_: &Dice) -> Fell {
    Fell::Fell { eyes: 7 }
}

fn play(order: Order) -> Shell<'static> {
    let mut shell = Shell::new(&with_faults, order).with_effects(&throw);
    shell.feed(asked(Budget::default()));
    assert_eq!(shell.finish(), Outcome::Complete);
    shell
}

#[test]
fn three_questions_are_answered_one_repaired_and_one_retried() {
    let shell = play(Order::FirstIn);
    let answers: Vec<&str> = shell.files.values().map(String::as_str).collect();
    assert_eq!(answers, ["7", "14", "21", "7"], "and what the dice showed");
    assert_eq!(shell.asked.len(), 5);
    assert_eq!(shell.most_in_flight, 2, "no more at once than the limit");
    let pauses = shell.journal.iter().filter(|line| line.contains("\"woken\"")).count();
    assert_eq!(pauses, 1, "the retry waited");
    assert!(shell.run.state().unwrap().closed);
}

/// The prompts to the model of the first question when it answers by this script: the question, the fault, and the whole question
/// reworded.
fn asked_otherwise(script: &dyn Fn(&AskOf<Questions>) -> Does) -> Vec<AskOf<Questions>> {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(&throw);
    shell.feed(asked(Budget::default()));
    assert_eq!(shell.finish(), Outcome::Complete);
    let first = shell.asked.iter().filter(|ask| ask.job.as_str() == "question:1");
    let asked: Vec<_> = first.cloned().collect();
    let texts: Vec<&str> = asked.iter().map(|ask| ask.text.as_str()).collect();
    let once = "What is 1 times 7?";
    assert_eq!(texts, [once, "Only the number.", &format!("{once} Not so: It is no number.")]);
    asked
}

#[test]
fn a_refused_answer_that_comes_again_is_asked_for_otherwise_and_warmer() {
    let stubborn = |ask: &AskOf<Questions>| match ask.job.as_str() {
        "question:1" if !ask.text.contains("Not so") => Does::Says("seven".to_owned()),
        job => Does::Says((job[9..].parse::<u32>().unwrap() * 7).to_string()),
    };
    let asked = asked_otherwise(&stubborn);
    let temperatures: Vec<f64> = asked.iter().map(|ask| ask.temperature).collect();
    assert!(temperatures.iter().zip([0.0, 0.7, 0.7]).all(|(one, wanted)| (one - wanted).abs() < 1e-9));
    assert_eq!(asked[0].session, asked[1].session);
    assert_ne!(asked[1].session, asked[2].session, "what the conversation holds is what is repeated");
}

#[test]
fn a_model_isnt_told_the_same_twice_in_one_conversation() {
    let chatty = |ask: &AskOf<Questions>| match (ask.job.as_str(), ask.text.as_str()) {
        ("question:1", "Only the number.") => Does::Says("It is seven.".to_owned()),
        ("question:1", text) if !text.contains("Not so") => Does::Says("seven".to_owned()),
        (job, _) => Does::Says((job[9..].parse::<u32>().unwrap() * 7).to_string()),
    };
    let asked = asked_otherwise(&chatty);
    assert_eq!(asked[0].session, asked[1].session);
    assert_ne!(asked[1].session, asked[2].session);
}

#[test]
fn a_run_that_is_resumed_after_any_line_ends_like_one_that_was_not() {
    for order in [Order::FirstIn, Order::LastIn] {
        let undisturbed = play(order);
        for length in 1..undisturbed.journal.len() {
            let journal = &undisturbed.journal[..length];
            for kept in [Kept::new(), undisturbed.kept_by_the_host()] {
                let mut shell = Shell::resumed(journal, &with_faults, order, kept).with_effects(&throw);
                let thrown = journal.iter().any(|line| line.contains("\"fell\""));
                assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
                let (run, _) = Run::<Questions>::replay(&shell.journal.concat()).unwrap();
                let answers: Vec<_> = run.state().unwrap().calls.jobs.iter().map(|job| job.part.1).collect();
                assert_eq!(answers, [Some(7), Some(14), Some(21)], "after line {length}");
                assert_eq!(
                    shell.performed,
                    usize::from(!thrown),
                    "after line {length}: thrown once on record"
                );
                let before = answered(journal);
                assert!(before.is_subset(&answered(&shell.journal)), "after line {length}");
                let failed = shell.journal.iter().filter(|line| line.contains("\"status\":503")).count();
                let paid = answered(&shell.journal).len() + failed;
                let asked_here = shell.asked.len() + shell.recovered;
                let already =
                    before.len() + journal.iter().filter(|line| line.contains("\"status\":503")).count();
                assert_eq!(already + asked_here, paid, "after line {length}: each answer was paid for once");
            }
        }
    }
}

#[test]
fn every_torn_tail_replays_to_the_line_before_it() {
    let journal = play(Order::LastIn).journal;
    let mut chain = Chain::default();
    for count in 2..=journal.len() {
        chain.add(&journal[count - 2]);
        let (before, last) = (journal[..count - 1].concat(), &journal[count - 1]);
        for length in (0..last.len()).filter(|&length| last.is_char_boundary(length)) {
            let part = &last[..length];
            assert!(chain.read::<EventOf<Questions>>(part).is_err() || length + 1 == last.len());
            let (_, whole) = Run::<Questions>::replay(&format!("{before}{part}")).unwrap();
            assert_eq!(whole, before.len(), "line {count}, {length} bytes");
        }
    }
}

#[test]
fn a_budget_ends_a_run_and_what_is_in_flight_is_paid_for() {
    let mut shell = Shell::new(&with_faults, Order::FirstIn).with_effects(&throw);
    // Two calls that seem small start side by side and use 1,500 tokens each; there is no third.
    shell.feed(asked(Budget { max_tokens: Some(1_600), ..Budget::default() }));
    assert_eq!(shell.finish(), Outcome::Partial);
    assert_eq!(shell.asked.len(), 2);
    assert!(
        shell
            .notices
            .iter()
            .any(|line| line.contains("the next call might exceed the budget of 1,600 tokens")),
        "{:?}",
        shell.notices
    );
    let (_, tokens) = shell.run.state().unwrap().calls.spent();
    assert_eq!(tokens.total(), 3_000);
}

/// What a call has used after this many steps.
fn after(requests: u32, job: &str) -> Spending {
    let tokens = Tokens { input: 10, ..Tokens::default() };
    Spending { job: JobId::new(job), cost: 0.25, tokens, requests }
}

#[test]
fn a_call_that_takes_step_after_step_ends_without_any_budget_and_the_others_go_on() {
    let mut shell = Shell::new(&with_faults, Order::FirstIn).with_effects(&throw);
    shell.feed(asked(Budget::default()));
    while shell.pending.is_empty() {
        assert!(shell.step());
    }
    let job = JobId::new("question:1");
    assert_eq!(shell.run.overspending(&job, &[after(4, "question:1")]), None);
    let event = shell.run.overspending(&job, &[after(5, "question:1")]).unwrap();
    shell.feed(event);
    // The host's later report about the stopped call has been counted.
    let failure = CallFailure { name: "UnknownError".into(), cost: 0.25, ..CallFailure::default() };
    shell.feed(EventKind::CallFailed { job: job.clone(), failure });
    shell.pending.retain(|ask| ask.job != job);
    assert_eq!(shell.finish(), Outcome::Partial);
    let state = shell.run.state().unwrap();
    assert!(matches!(state.calls.jobs[0].state, JobState::Failed(_)));
    // In addition, three answers and a call that failed.
    assert!((state.calls.spent().0 - 0.281).abs() < 1e-9, "{:?}", state.calls.spent());
}

#[test]
fn a_budget_in_requests_counts_every_step_of_every_call() {
    let three = Budget { max_requests: Some(3), ..Budget::default() };
    let mut shell = Shell::new(&with_faults, Order::FirstIn).with_effects(&throw);
    shell.feed(asked(three));
    while shell.pending.len() < 2 {
        assert!(shell.step());
    }
    let job = JobId::new("question:1");
    assert_eq!(shell.run.overspending(&job, &[after(1, "question:1")]), None, "and one of the other call");
    let event = shell.run.overspending(&job, &[after(2, "question:1")]).unwrap();
    assert!(matches!(event, EventKind::Overspent { requests: 3, .. }), "{event:?}");
    shell.feed(event);
    shell.pending.retain(|ask| ask.job != job);
    assert_eq!(shell.finish(), Outcome::Partial);
    assert_eq!(shell.asked.len(), 2, "nothing more is asked");
    let wording = shell.notices.iter().any(|line| line.contains("the budget of 3 requests is reached"));
    assert!(wording, "{:?}", shell.notices);
}

#[test]
fn a_run_that_is_cancelled_after_any_line_can_be_continued() {
    let undisturbed = play(Order::FirstIn);
    for length in 1..undisturbed.journal.len() - 2 {
        let mut shell = Shell::of(&undisturbed.journal[..length], &with_faults, Order::FirstIn);
        shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Cancelled, "after line {length}");
        assert!(shell.asked.is_empty(), "nothing more is asked");
        // Failures caused by the stop are not failures of the models: resuming looks at their calls again.
        let calling = |shell: &Shell<'_>| -> Vec<JobId> {
            let jobs = shell.run.state().unwrap().calls.jobs.iter();
            jobs.filter(|job| job.state.is_calling()).map(|job| job.id.clone()).collect()
        };
        let stopped = calling(&shell);
        for job in stopped.clone() {
            let failure = CallFailure { status: Some(401), ..CallFailure::default() };
            shell.feed(EventKind::CallFailed { job, failure });
        }
        assert_eq!(calling(&shell), stopped, "after line {length}");
        let mut later =
            Shell::resumed(&shell.journal, &with_faults, Order::FirstIn, Kept::new()).with_effects(&throw);
        assert_eq!(later.finish(), Outcome::Complete, "after line {length}");
    }
}

#[test]
fn a_limit_of_time_stops_what_is_in_flight_and_asks_nothing_more() {
    let mut shell = Shell::new(&with_faults, Order::FirstIn).with_effects(&throw);
    let EventKind::Opened(opening) = asked(Budget::default()) else { unreachable!() };
    shell.feed(EventKind::Opened(Box::new(Asked { run_ms: Some(5_000), ..*opening })));
    shell.now += 5_000;
    shell.feed(EventKind::Woken);
    assert_eq!(shell.aborted.len(), 2);
    assert_eq!(shell.finish(), Outcome::Partial);
}

#[test]
fn a_journal_of_another_workflow_is_refused_by_name() {
    let EventKind::Opened(opening) = asked(Budget::default()) else { unreachable!() };
    let other = Asked { workflow: "flow".to_owned(), ..*opening };
    let line = Run::<Questions>::default()
        .seal(&crate::protocol::Event { at: 0, kind: EventKind::Opened(Box::new(other)) });
    let problem: Problem = <Run<Questions> as Durable>::replay(&line).unwrap_err();
    assert_eq!(problem.code, "journal.workflow");
    assert_eq!(problem.found.as_deref(), Some("flow"));
    assert_eq!(problem.allowed.as_deref(), Some("questions"));
}

#[test]
fn an_effect_is_a_command_by_its_own_tag_and_an_answer_to_none_is_ignored() {
    let command: CommandOf<Questions> = Command::Perform(Dice::Throw { dice: 2 });
    let text = serde_json::to_string(&command).unwrap();
    assert_eq!(text, r#"{"command":"throw","dice":2}"#);
    assert_eq!(serde_json::from_str::<CommandOf<Questions>>(&text).unwrap(), command);
    let mut shell = play(Order::FirstIn);
    shell.feed(EventKind::Decided(Fell::Fell { eyes: 12 }));
    assert_eq!(shell.run.state().unwrap().eyes, Some(7));
}
