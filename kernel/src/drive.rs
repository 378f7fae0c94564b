//! Drives a run: how each event changes its jobs, which call is made next, how many at once, and what they may cost.

use crate::budget::{self, Estimate};
use crate::calls::abort;
use crate::clock::span;
use crate::cut;
use crate::host::{Host, Remedy};
use crate::job::{Job, JobState};
use crate::lenient;
use crate::protocol::{
    Ask, CallFailure, Command, EventKind, JobId, ModelFacts, Outcome, Reply, Spending, Tone,
};
use crate::reason::Reason;
use crate::retry;
use crate::tokens::Tokens;
use crate::workflow::{
    Again, AskOf, Commands, EventKindOf, EventOf, Repetition, Verdict, Workflow, given_up,
};
use design_lab_numerics::sorting::sort;

/// The maximum number of paths that are looked up for one answer.
const MOST_CITED: usize = 300;

/// Applies an event and returns the commands that follow.
pub(crate) fn apply<W: Workflow>(run: &mut W, event: EventOf<W>) -> Commands<W> {
    let mut commands = Vec::new();
    if let EventKind::Adopted { voids } = event.kind {
        // The next event, which continues the run, does the rest: nothing is asked until then.
        run.adopted(voids, event.at);
        return commands;
    }
    let is_over = run.outcome().is_some();
    let calls = run.calls_mut();
    let idle = calls.clock.passed_by(event.at);
    if event.at < calls.clock.reported_at || event.kind == EventKind::Woken {
        // A timer may end early, and one that was set before the clock was set back ends late.
        calls.wake_at = None;
    }
    calls.clock.reported_at = event.at;
    calls.clock.now += idle;
    if is_over {
        // No time passes for a run that is over.
        calls.clock.from += idle;
    }
    match event.kind {
        EventKind::DirectoryClaimed { name } => run.directory_claimed(name, &mut commands),
        EventKind::DirectoryTaken { name } => run.directory_taken(&name, &mut commands),
        EventKind::SessionOpened { job, session } => session_opened(run, &job, session, &mut commands),
        EventKind::Answered { job, reply } => answered(run, &job, reply, &mut commands),
        EventKind::CallFailed { job, failure } if !is_over => {
            call_failed(run, &job, &failure, &mut commands);
        }
        EventKind::Overspent { call, cost, tokens, requests } => {
            overspent(run, &call, (cost, tokens, requests), &mut commands);
        }
        EventKind::Cancelled { reason } if !is_over || run.outcome() == Some(Outcome::Waiting) => {
            // The jobs stay as they are: if an answer has arrived after all, resuming finds it.
            commands.extend(run.calls().jobs.iter().filter(|job| job.state.is_calling()).filter_map(abort));
            run.cancelled(&reason, &mut commands);
        }
        // The end of a run stops its calls; the resulting failures say nothing about their models. Resuming looks at each call again.
        EventKind::CallFailed { .. }
        | EventKind::Adopted { .. }
        | EventKind::Opened(_)
        | EventKind::Woken
        | EventKind::Cancelled { .. } => {}
        EventKind::Closed => run.closed(),
        EventKind::Retried => run.retried(),
        EventKind::Resumed => run.resumed(idle, &mut commands),
        EventKind::JournalRestored => journal_restored(run, &mut commands),
        EventKind::Decided(decision) => run.decided(decision, idle, &mut commands),
    }
    watch_the_clock(run, &mut commands);
    run.advance(&mut commands);
    start_calls(run, &mut commands);
    run.advance(&mut commands);
    schedule_wake(run, &mut commands);
    for command in &mut commands {
        let (Command::Notify { message: line, .. } | Command::OpenSession { title: line, .. }) = command
        else {
            continue;
        };
        *line = crate::visible::line(line);
    }
    commands
}

/// Whatever changed the journal, the user is notified, and so is everyone who reads the run later.
fn journal_restored<W: Workflow>(run: &mut W, commands: &mut Commands<W>) {
    let note = "Another program changed journal.jsonl while this process was writing it. The file was \
                written again from memory.";
    run.note(note.to_owned());
    commands.push(notice(Tone::Warning, note.to_owned()));
}

// ---- answers and failures ----

fn session_opened<W: Workflow>(run: &mut W, id: &JobId, session: String, commands: &mut Commands<W>) {
    let Some(job) = run.calls_mut().job(id).filter(|job| job.state == JobState::Opening) else { return };
    if is_session(&session) {
        job.ledger.sessions.push(session.clone());
        job.session = Some(session);
        job.state = JobState::Ready;
        return;
    }
    let message = "the host opened a session without a usable name".into();
    call_failed(run, id, &CallFailure { message, ..CallFailure::default() }, commands);
}

/// Whether it may appear in a URL: hosts name sessions with letters and digits.
fn is_session(session: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=200).contains(&session.len()) && session.bytes().all(plain)
}

fn answered<W: Workflow>(run: &mut W, id: &JobId, reply: Reply, commands: &mut Commands<W>) {
    let Some(index) = run.calls().asking(id) else { return };
    note_traffic(run, index, reply.host_retries > 0);
    let verdict = run.judge(&run.calls().jobs[index], &reply);
    let repairs_allowed = run.limits().repairs;
    let otherwise = otherwise(run, index, &reply, &verdict);
    report_cut(run, index, &reply, commands);
    let reported = charged(run, &run.calls().jobs[index], (reply.cost, reply.tokens));
    let used = used(run, index, reported, reply.text.len());
    spend_cut_off(run, index, reply.cut_off);
    let reported_at = run.calls().clock.reported_at;
    let is_spoilt = is_spoilt(&reply);
    let job = &mut run.calls_mut().jobs[index];
    job.ledger.spend(used);
    job.ledger.made(reply.requests.max(1));
    job.ledger.was_busy(&job.state, reported_at);
    job.ledger.unusable += u32::from(matches!(verdict, Verdict::Repair { .. }));
    job.ledger.model_version = reply.model;
    match verdict {
        Verdict::Accept(_) => job.rejected = None,
        Verdict::Repair { .. } if reply.text.trim().is_empty() => {}
        Verdict::Repair { .. } => job.rejected = Some(reply.text.clone()),
    }
    job.last_text = reply.text;
    job.in_conversation = true;
    job.tries = 0;
    job.repair_prompt = None;
    job.asked = None;
    match verdict {
        Verdict::Accept(accepted) => {
            job.repairs = 0;
            let next = run.accept(index, *accepted);
            let now = run.calls().clock.now;
            let job = &mut run.calls_mut().jobs[index];
            match next {
                Some(turn) => {
                    job.turn = turn;
                    job.state = JobState::Ready;
                    if is_spoilt {
                        job.begin_afresh();
                    }
                }
                None => {
                    job.settle(JobState::Done, now);
                    run.settled(index, false, commands);
                }
            }
        }
        Verdict::Repair { prompt, .. } if job.repairs < repairs_allowed => {
            job.repairs += 1;
            job.state = JobState::Ready;
            if otherwise.is_some() || is_spoilt {
                // The conversation's content is what the model repeats, or what the host would summarise.
                job.begin_afresh();
            }
            job.repair_prompt = otherwise.or_else(|| (!is_spoilt).then_some(prompt));
        }
        Verdict::Repair { reason, .. } => {
            let reason = given_up(run, &run.calls().jobs[index], &reason);
            fail(run, index, reason, false, commands);
        }
    }
}

/// Whether the host would summarise the conversation before the next prompt, because of an implausible token report: then the
/// next prompt starts a new conversation.
fn is_spoilt(reply: &Reply) -> bool {
    reply.held.is_some_and(|tokens| tokens > lenient::MOST_TOKENS)
}

/// Warns the user about a server that seems to truncate prompts.
fn report_cut<W: Workflow>(run: &mut W, index: usize, reply: &Reply, commands: &mut Commands<W>) {
    let note = cut::wording(run, &run.calls().jobs[index], reply);
    let model = run.call_settings(&run.calls().jobs[index]).model.to_owned();
    let ledger = &mut run.calls_mut().jobs[index].ledger;
    ledger.largest_prompt = ledger.largest_prompt.max(reply.prompt_tokens.unwrap_or(0));
    if let Some(note) = note {
        run.calls_mut().cut.push(model);
        run.note(note.clone());
        commands.push(notice(Tone::Warning, note));
    }
}

/// The prompt for a model that is stuck: it has sent the refused answer again, or would get the same prompt again. `None` for any
/// other answer.
fn otherwise<W: Workflow>(
    run: &W,
    index: usize,
    reply: &Reply,
    verdict: &Verdict<W::Accepted>,
) -> Option<String> {
    let job = &run.calls().jobs[index];
    let Verdict::Repair { prompt, reason } = verdict else { return None };
    if job.repairs == 0 {
        return None;
    }
    let again = if reply.text == job.last_text && !reply.text.trim().is_empty() {
        Repetition::Answer
    } else if job.prompt_text() == Some(prompt) {
        Repetition::Fault
    } else {
        return None;
    };
    run.ask_otherwise(job, reason, again)
}

fn call_failed<W: Workflow>(run: &mut W, id: &JobId, failure: &CallFailure, commands: &mut Commands<W>) {
    let Some(index) = run.calls().asking(id) else { return };
    let recovering = matches!(run.calls().jobs[index].state, JobState::Recovering { .. });
    if recovering && W::Host::is_lost(failure) {
        not_recovered(run, index, failure);
        return;
    }
    note_traffic(run, index, failure.status == Some(429) || failure.host_retries > 0);
    let reported = charged(run, &run.calls().jobs[index], (failure.cost, failure.tokens));
    // A model that was working and had not begun to answer has read the prompt.
    let has_read = W::Host::was_stopped(failure) && failure.cut_off == 0;
    let used = if has_read { used(run, index, reported, 0) } else { reported };
    spend_cut_off(run, index, failure.cut_off);
    let limits = run.limits();
    let (deadlines, seed) = (limits.deadlines, limits.seed);
    // If what the job has is enough, nothing more is paid for the rest.
    let suffices = run.suffices(&run.calls().jobs[index]);
    let (tries, repairs) = (limits.tries, limits.repairs);
    let remedy = W::Host::remedy(failure);
    let turn = run.calls().jobs[index].turn;
    let other_words = match remedy {
        Remedy::AskShorter => Some(run.ask_again(turn, Again::Shorter)),
        Remedy::Reword => Some(run.ask_again(turn, Again::Reworded)),
        _ => None,
    };
    let calls = run.calls_mut();
    let (now, reported_at, is_closing) = (calls.clock.now, calls.clock.reported_at, calls.closing.is_some());
    let job = &mut calls.jobs[index];
    job.ledger.spend(used);
    job.ledger.made(failure.requests);
    job.ledger.was_busy(&job.state, reported_at);
    job.ledger.failures = job.ledger.failures.saturating_add(1);
    job.asked = None;
    match remedy {
        Remedy::AskShorter | Remedy::Reword if job.repairs < repairs && !suffices => {
            job.repairs += 1;
            job.in_conversation = true;
            job.repair_prompt = other_words;
            job.state = JobState::Ready;
        }
        Remedy::TryAgain | Remedy::TryAfresh
            if job.tries.saturating_add(failure.host_retries) < tries
                && !suffices
                && !retry::is_too_long_a_wait(failure, remedy, deadlines.call_ms)
                && !is_closing =>
        {
            job.tries += 1 + failure.host_retries;
            if remedy == Remedy::TryAfresh {
                job.begin_afresh();
            } else if !job.in_conversation {
                // The failed prompt may linger in the old session, half answered.
                job.session = None;
            }
            job.state = JobState::Pausing { until: now + retry::pause_ms(failure, job.tries, seed, id) };
        }
        _ => {
            let smaller = run.smaller(&run.calls().jobs[index]);
            fail(run, index, W::Host::reason(failure, deadlines, &smaller), false, commands);
        }
    }
}

/// The prompt that was in flight is lost with its process: it is asked again, and doesn't count as a try. Its usage counts, as an
/// estimate if it is unknown, unless the prompt was never sent.
fn not_recovered<W: Workflow>(run: &mut W, index: usize, failure: &CallFailure) {
    let unknown = failure.cost == 0.0 && failure.tokens.total() == 0 && W::Host::was_sent(failure);
    spend_cut_off(run, index, failure.cut_off.max(unknown.into()));
    let reported = charged(run, &run.calls().jobs[index], (failure.cost, failure.tokens));
    let job = &mut run.calls_mut().jobs[index];
    job.ledger.spend(reported);
    job.ledger.made(failure.requests);
    job.ledger.prompts = job.ledger.prompts.saturating_sub(1);
    job.tries = 0;
    job.asked = None;
    if W::Host::remedy(failure) == Remedy::TryAfresh {
        job.begin_afresh();
    }
    job.forget_prompt();
}

/// Settles a job whose turn failed. `is_known` is whether the user already knows why.
pub fn fail<W: Workflow>(
    run: &mut W,
    index: usize,
    reason: Reason,
    is_known: bool,
    commands: &mut Commands<W>,
) {
    let suffices = run.suffices(&run.calls().jobs[index]);
    let state = if suffices { JobState::Done } else { JobState::Failed(reason) };
    let calls = run.calls_mut();
    let now = calls.clock.now;
    calls.jobs[index].settle(state, now);
    run.settled(index, is_known && !suffices, commands);
}

/// Closes the run: from now on nothing more is asked.
pub fn close<W: Workflow>(run: &mut W, reason: String, commands: &mut Commands<W>) {
    commands.push(notice(Tone::Warning, format!("No more calls: {reason}")));
    run.calls_mut().closing = Some(reason);
}

/// Gives up the jobs that wait to be asked once nothing more may be. The user has already been notified, once.
pub fn give_up_waiting<W: Workflow>(run: &mut W, commands: &mut Commands<W>) {
    let Some(reason) = &run.calls().closing else { return };
    let reason = Reason::not_asked(reason);
    for index in 0..run.calls().jobs.len() {
        if matches!(run.calls().jobs[index].state, JobState::Ready | JobState::Pausing { .. }) {
            fail(run, index, reason.clone(), true, commands);
        }
    }
}

/// A notice that deserves a toast.
pub fn notice<R, O, D, E>(tone: Tone, message: String) -> Command<R, O, D, E> {
    Command::Notify { tone, message, toast: true }
}

/// A line about a step on the way, which is no reason for a toast.
pub fn line<R, O, D, E>(tone: Tone, message: String) -> Command<R, O, D, E> {
    Command::Notify { tone, message, toast: false }
}

// ---- time ----

fn watch_the_clock<W: Workflow>(run: &mut W, commands: &mut Commands<W>) {
    let calls = run.calls();
    let (now, from) = (calls.clock.now, calls.clock.from);
    let over_time = run.limits().run_ms.filter(|limit| now >= from + limit && calls.closing.is_none());
    if let Some(limit) = over_time
        && run.outcome().is_none()
    {
        abort_calls(run, commands);
        close(run, format!("the run reached its time limit of {}", span(limit)), commands);
    }
    for job in &mut run.calls_mut().jobs {
        if matches!(job.state, JobState::Pausing { until } if until <= now) {
            job.state = JobState::Ready;
        }
    }
}

/// Stops the calls in flight, as if they had never been asked; their usage still counts, as an estimate, because no report is
/// awaited.
fn abort_calls<W: Workflow>(run: &mut W, commands: &mut Commands<W>) {
    for index in 0..run.calls().jobs.len() {
        let state = &run.calls().jobs[index].state;
        if !state.is_in_flight() {
            continue;
        }
        if state.is_calling() {
            spend_cut_off(run, index, 1);
        }
        let job = &mut run.calls_mut().jobs[index];
        commands.extend(abort(job));
        job.forget_prompt();
    }
}

fn schedule_wake<W: Workflow>(run: &mut W, commands: &mut Commands<W>) {
    if run.outcome().is_some() {
        return;
    }
    let calls = run.calls();
    let pauses = calls.jobs.iter().filter_map(|job| match job.state {
        JobState::Pausing { until } => Some(until),
        _ => None,
    });
    let limit = run.limits().run_ms.filter(|_| calls.closing.is_none());
    let next = pauses.chain(limit.map(|limit| calls.clock.from + limit)).min();
    let calls = run.calls_mut();
    if next != calls.wake_at {
        calls.wake_at = next;
        let clock = calls.clock;
        let at = |next: u64| clock.reported_at.saturating_add(next.saturating_sub(clock.now));
        commands.extend(next.map(|next| Command::WakeAt { at: at(next) }));
    }
}

// ---- calls ----

fn start_calls<W: Workflow>(run: &mut W, commands: &mut Commands<W>) {
    let limit = run.limits().concurrency as usize;
    loop {
        let calls = run.calls();
        let in_flight = calls.jobs.iter().filter(|job| job.state.is_in_flight()).count();
        if in_flight >= limit || calls.closing.is_some() {
            return;
        }
        let Some(index) = next_job(run) else { return };
        let job = &run.calls().jobs[index];
        if job.session.is_none() {
            let (role, title) = (run.role(job), run.title(job));
            let job = &mut run.calls_mut().jobs[index];
            job.state = JobState::Opening;
            commands.push(Command::OpenSession { job: job.id.clone(), role, title });
            continue;
        }
        if let Some(reason) = run.hopeless(job) {
            close(run, reason, commands);
            return;
        }
        let ask = ask(run, job);
        let estimate = estimate_of(run, job, &ask);
        let refusal = budget::refusal(&run.limits().budget, calls.used(), calls.reserved(), estimate);
        if let Some(reason) = refusal {
            // Calls in flight may cost less than is reserved for them: then there is room again.
            if !calls.jobs.iter().any(|job| job.state.is_calling()) {
                close(run, reason, commands);
            }
            return;
        }
        let calls = run.calls_mut();
        let (now, since) = (calls.clock.now, calls.clock.reported_at);
        let job = &mut calls.jobs[index];
        job.state = JobState::Asking { since };
        job.asked = Some(ask.clone());
        job.reserved = estimate;
        job.ledger.prompts += 1;
        job.ledger.temperature = Some(ask.temperature);
        job.ledger.first_asked_at.get_or_insert(now);
        commands.push(Command::Ask(ask));
    }
}

/// Conversations that have begun come first, then the order of the jobs.
fn next_job<W: Workflow>(run: &W) -> Option<usize> {
    let ready = |job: &Job<W>| job.state == JobState::Ready && run.is_ready(job) && has_slot(run, job);
    let jobs = &run.calls().jobs;
    let begun = jobs.iter().position(|job| ready(job) && job.session.is_some());
    begun.or_else(|| jobs.iter().position(ready))
}

fn ask<W: Workflow>(run: &W, job: &Job<W>) -> AskOf<W> {
    let (terms, limits) = (run.call_settings(job), run.limits());
    Ask {
        job: job.id.clone(),
        session: job.session.clone().unwrap_or_default(),
        role: run.role(job),
        model: terms.model.to_owned(),
        temperature: temperature(run, job),
        variant: terms.variant.map(str::to_owned),
        system: run.system(job),
        text: job.repair_prompt.clone().unwrap_or_else(|| run.prompt(job)),
        // A continued conversation already contains them.
        files: if job.in_conversation { Vec::new() } else { run.files(job) },
        no_tools: facts_of(run, terms.model).is_some_and(|facts| facts.no_tools),
        deadline_ms: limits.deadlines.call_ms,
        idle_ms: limits.deadlines.idle_ms,
        host_retries: limits.tries.saturating_sub(job.tries),
    }
}

/// The temperature of a job's prompt. Near 0 a model answers a repair prompt as it answered before.
fn temperature<W: Workflow>(run: &W, job: &Job<W>) -> f64 {
    let usual = run.call_settings(job).temperature;
    if job.repairs > 0 { usual.max(run.limits().repair_temperature) } else { usual }
}

/// What a job's next prompt is expected to use.
pub fn estimate<W: Workflow>(run: &W, job: &Job<W>) -> Estimate {
    estimate_of(run, job, &ask(run, job))
}

/// The same for a prompt that continues a conversation of so many tokens, because all of it is sent again.
pub fn estimate_after<W: Workflow>(run: &W, job: &Job<W>, so_far: u64) -> Estimate {
    let own = estimate(run, job);
    let before = budget::price(facts_of(run, run.call_settings(job).model), so_far, 0);
    Estimate { cost: own.cost + before, tokens: own.tokens + so_far }
}

fn estimate_of<W: Workflow>(run: &W, job: &Job<W>, ask: &AskOf<W>) -> Estimate {
    let asked = run.calls().jobs.iter().filter(|other| other.turn == job.turn && other.ledger.prompts > 0);
    let output = asked.map(|other| {
        let written = other.ledger.tokens.output + other.ledger.tokens.reasoning;
        written.saturating_sub(other.ledger.guessed) / u64::from(other.ledger.prompts)
    });
    let expected = W::expected_output(job.turn);
    budget::estimate(ask.characters(), expected, output.max().unwrap_or(0), facts_of(run, &ask.model))
}

fn facts_of<'a, W: Workflow>(run: &'a W, model: &str) -> Option<&'a ModelFacts> {
    run.limits().models.iter().find(|facts| facts.model_id == model)
}

/// What a call cost: by the user's own price for the model if there is one, otherwise as the host reports it.
fn charged<W: Workflow>(run: &W, job: &Job<W>, (cost, tokens): (f64, Tokens)) -> (f64, Tokens) {
    let own = facts_of(run, run.call_settings(job).model).and_then(|facts| facts.own);
    (own.map_or(cost, |own| own.of(tokens)), tokens)
}

/// What a call used: as reported, or, if not reported, as estimated from the question and the answer, with a note to the user. If
/// the token report is implausible, so is the price computed from it: the higher of reported and estimated counts.
fn used<W: Workflow>(
    run: &mut W,
    index: usize,
    (cost, tokens): (f64, Tokens),
    answered: usize,
) -> (f64, Tokens) {
    let asked = run.calls().jobs[index].asked.as_ref();
    let Some(asked) = asked.filter(|_| tokens.total() == 0) else {
        return (cost, tokens);
    };
    let (expected, tokens) = budget::unreported(asked.characters(), answered, facts_of(run, &asked.model));
    let note = format!(
        "{} didn't report what each call used. For calls without a report, the estimate counts.",
        asked.model
    );
    run.note(note);
    (cost.max(expected), tokens)
}

/// Counts the expected usage of this many requests that were cut off: nobody knows how far the model got.
fn spend_cut_off<W: Workflow>(run: &mut W, index: usize, requests: u32) {
    let job = &mut run.calls_mut().jobs[index];
    let Some(asked) = job.asked.as_ref().filter(|_| requests > 0) else { return };
    let used = job.reserved.times(requests).used(asked.characters());
    job.ledger.guessed += used.1.output;
    job.ledger.spend(used);
    let note = format!(
        "The usage of calls to {} that were cut off is unknown. For such calls, the estimate counts.",
        asked.model
    );
    run.note(note);
}

/// The paths that an answer cites, without duplicates, if the answer can be used.
pub(crate) fn cited<W: Workflow>(run: &W, job: &JobId, reply: &Reply) -> Vec<String> {
    let Some(index) = run.calls().asking(job) else { return Vec::new() };
    let Verdict::Accept(accepted) = run.judge(&run.calls().jobs[index], reply) else { return Vec::new() };
    let mut paths = run.cited(&accepted);
    sort(&mut paths);
    paths.dedup();
    paths.truncate(MOST_CITED);
    paths
}

/// The event that stops a call between two steps: the run has reached its budget, or the call has made as many steps as allowed.
/// `used` is what the calls in flight have used so far, including this one.
pub(crate) fn overspending<W: Workflow>(run: &W, job: &JobId, used: &[Spending]) -> Option<EventKindOf<W>> {
    let calls = run.calls();
    let used: Vec<Spending> = used.iter().filter_map(|spending| priced(run, spending)).collect();
    let call = used.iter().find(|spending| spending.job == *job)?.clone();
    let (cost, tokens) = calls.spent();
    let add = |(cost, tokens, requests): (f64, u64, u32), spending: &Spending| {
        // One request is already counted for each call in flight.
        let further = spending.requests.saturating_sub(1);
        (cost + spending.cost, tokens + spending.tokens.total(), requests.saturating_add(further))
    };
    let (cost, tokens, requests) = used.iter().fold((cost, tokens.total(), calls.used().requests), add);
    if budget::reached(&run.limits().budget, (cost, tokens, requests)).is_some() {
        return Some(EventKind::Overspent { call, cost, tokens, requests });
    }
    let asked = calls.jobs.iter().find(|asked| asked.id == *job)?;
    (call.requests >= run.steps(asked))
        .then(|| EventKind::CallFailed { job: call.job.clone(), failure: endless(&call) })
}

/// The failure of a call that has made as many steps as allowed.
fn endless(call: &Spending) -> CallFailure {
    let &Spending { cost, tokens, requests, .. } = call;
    let message = format!("{requests} requests, and each ended in tool calls");
    let name = CallFailure::ENDLESS.into();
    CallFailure { name, message: message.into(), cost, tokens, requests, ..CallFailure::default() }
}

/// What a call in progress has used so far, at the applicable price; `None` if there is no such call.
fn priced<W: Workflow>(run: &W, spending: &Spending) -> Option<Spending> {
    let job = run.calls().jobs.iter().find(|job| job.id == spending.job && job.state.is_calling())?;
    let (cost, tokens) = charged(run, job, (spending.cost, spending.tokens));
    Some(Spending { job: job.id.clone(), cost, tokens, requests: spending.requests })
}

/// Stops a call between two steps. What it has used is spent; a resume under a larger budget asks again.
fn overspent<W: Workflow>(run: &mut W, call: &Spending, used: (f64, u64, u32), commands: &mut Commands<W>) {
    let Some(job) = run.calls_mut().job(&call.job).filter(|job| job.state.is_calling()) else { return };
    commands.extend(abort(job));
    job.ledger.spend((call.cost, call.tokens));
    job.ledger.made(call.requests);
    job.forget_prompt();
    if let Some(reason) = budget::reached(&run.limits().budget, used)
        && run.calls().closing.is_none()
    {
        close(run, reason, commands);
    }
}

// ---- providers that struggle ----

fn calls_to<W: Workflow>(run: &W, provider: &str) -> u32 {
    let jobs = run.calls().jobs.iter();
    let calls = jobs.filter(|job| job.state.is_in_flight() && run.call_settings(job).provider() == provider);
    u32::try_from(calls.count()).unwrap_or(u32::MAX)
}

fn has_slot<W: Workflow>(run: &W, job: &Job<W>) -> bool {
    let terms = run.call_settings(job);
    let provider = terms.provider();
    // Calls to the user's own machine only slow one another down; a call that waits for its turn has no deadline yet.
    let local = facts_of(run, terms.model).is_some_and(|facts| facts.local);
    let slots = run.calls().slots.get(provider).copied().unwrap_or(u32::MAX);
    let most = if local { run.limits().local_concurrency } else { u32::MAX };
    calls_to(run, provider) < slots.min(most)
}

/// Halves the concurrent calls of a provider that needed retries or refused because of its rate limit; each call that succeeds
/// gives one back (additive increase, multiplicative decrease, as in RFC 5681).
fn note_traffic<W: Workflow>(run: &mut W, index: usize, struggles: bool) {
    let provider = run.call_settings(&run.calls().jobs[index]).provider().to_owned();
    let limit = run.limits().concurrency;
    let now = run.calls().slots.get(&provider).copied().unwrap_or(limit);
    let slots = if struggles { now.min(calls_to(run, &provider)) / 2 } else { now + 1 };
    let all = &mut run.calls_mut().slots;
    if slots >= limit {
        all.remove(&provider);
    } else {
        all.insert(provider, slots.max(1));
    }
}
