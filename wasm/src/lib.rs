//! The wasm boundary: decode, call the core, encode. It makes no decisions.
//!
//! One style throughout: structured values cross as JSON text, which measured fastest in both directions. A function that can
//! fail for an expected reason returns `{"ok": …}` or `{"problems": [Problem, …]}`; a panic is a bug, ends the call as a wasm
//! trap and leaves its message for [`take_panic`]. A trap unwinds nothing, so a borrow would last forever: nothing is borrowed
//! while the core works. After a trap, a run that was only being read is unchanged; one that was being changed is gone from
//! memory, but its journal remains.

mod durable;
#[cfg(feature = "panic")]
mod fault;
mod flow;
mod handles;
mod validation;

use handles::Handles;
use kernel::json::Read;
use kernel::origin::Key;
use kernel::problem::Problem;
use kernel::progress::Incoming;
use kernel::redaction::Known;
use lab_core::cli::{self, Kind, RankInput};
use lab_core::design_lab::attachments::{self, Attached};
use lab_core::design_lab::claims::{self, Manifest};
use lab_core::design_lab::config::{
    self, AvailableModels, Isolation, NewVendors, ReferencedFile, Source, VendorsInput,
};
use lab_core::design_lab::isolation::{self, Facts, Places, Rules};
use lab_core::design_lab::workflow::{
    self, DecisionRequest, Found, HumanReviewRequest, JobId, Opening, OutcomeRequest, Reply, RerankInput,
    ResumeRequest, Role, Run, Spending,
};
use lab_core::design_lab::{doctor, images, report as reports};
use lab_core::opencode::{SessionModelFacts, registration};
use lab_core::shared::BoundaryCode;
use lab_core::shared::ci;
use lab_core::shared::listed::Listed;
use lab_core::shared::named_text::NamedText;
use lab_core::shared::reader::Reader;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static RUNS: Handles<Run> = const { Handles::new(lost_run) };
    static RULES: Handles<Rules> = const { Handles::new(lost_rules) };
    static KNOWN: RefCell<Rc<Known>> = RefCell::default();
    static KEY: RefCell<Option<Key>> = const { RefCell::new(None) };
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic instead of printing it: the host's terminal belongs to its user interface.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| PANIC.set(Some(info.to_string()))));
}

/// Returns the message of the last panic, once.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> Option<String> {
    PANIC.take()
}

fn with_known<T>(act: impl FnOnce(&Known) -> T) -> T {
    let known = KNOWN.with_borrow(Rc::clone);
    act(&known)
}

/// Encodes a result for the shell: no problem contains a secret or a home directory, and nothing at all contains a known key of
/// this machine.
fn outcome<T: Serialize>(result: Result<T, Vec<Problem>>) -> String {
    with_known(|known| {
        let wording =
            |problems: Vec<Problem>| problems.into_iter().map(|problem| problem.redacted(known)).collect();
        known.hide(verbatim(result.map_err(wording)))
    })
}

/// Encodes text for people: in addition, their home directory becomes `~`.
fn shown(result: Result<String, Vec<Problem>>) -> String {
    outcome(result.map(|text| with_known(|known| known.tilde(&text))))
}

/// Encodes a result unchanged, because its bytes matter: lines of a journal, paths, verdicts on them.
fn verbatim<T: Serialize>(result: Result<T, Vec<Problem>>) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Outcome<T> {
        Ok(T),
        Problems(Vec<Problem>),
    }
    let outcome = match result {
        Ok(value) => Outcome::Ok(value),
        Err(problems) => Outcome::Problems(problems),
    };
    serde_json::to_string(&outcome).unwrap_or_default()
}

/// Sets the secrets and home directories of this machine, replacing the previous ones. `surroundings`: `Surroundings`.
#[wasm_bindgen]
pub fn know(surroundings: &str) -> String {
    outcome(decode(surroundings).map(|surroundings| KNOWN.set(Rc::new(Known::new(&surroundings)))))
}

/// Sets the key of this machine, in hex; any other text means that there is none.
#[wasm_bindgen(js_name = holdKey)]
pub fn hold_key(key: &str) {
    KEY.set(Key::parse(key));
}

/// The mark of a text as written on this machine, in hex; `undefined` without a key. `purpose`: the kind of text.
#[wasm_bindgen]
pub fn vouch(purpose: &str, text: &str) -> Option<String> {
    KEY.with_borrow(|key| key.as_ref().map(|key| key.mark(purpose, text)))
}

/// Text from outside, made safe for a terminal.
#[wasm_bindgen]
pub fn visible(text: &str) -> String {
    kernel::visible::text(text).into_owned()
}

fn decode<T: Read>(json: &str) -> Result<T, Vec<Problem>> {
    kernel::json::read(json).map_err(|error| {
        vec![Problem::new(
            BoundaryCode::Protocol,
            format!("The plugin sent what the core can't read: {error}."),
        )]
    })
}

fn lost_run() -> Problem {
    Problem::new(BoundaryCode::LostRun, "The run is no longer in memory.")
        .next("Type /design-lab-resume to continue from its journal.")
}

fn lost_rules() -> Problem {
    Problem::new(BoundaryCode::LostRules, "The run's isolation is no longer in memory.")
}

fn with_run<T>(handle: u32, read: impl FnOnce(&Run) -> Result<T, Problem>) -> Result<T, Vec<Problem>> {
    RUNS.with(|runs| runs.read(handle, read))
}

// ---- configuration and registration ----

/// The prompt files that these configuration texts refer to. `sources`: `Source[]`; returns `Reference[]`.
#[wasm_bindgen]
pub fn references(sources: &str) -> String {
    verbatim(decode::<Vec<Source>>(sources).map(|sources| config::references(&sources)))
}

#[derive(kernel::json::Deserialize)]
struct Setup {
    sources: Vec<Source>,
    files: Vec<ReferencedFile>,
}

/// Commands and agents to register. `setup`: `Setup`; returns `Registration`. With a broken configuration it registers what
/// doesn't need one; the command will report what is wrong.
#[wasm_bindgen]
pub fn register(setup: &str) -> String {
    outcome(decode::<Setup>(setup).map(|setup| {
        let loaded = config::load(&setup.sources, &setup.files, &AvailableModels::default());
        let isolation = config::isolation(&setup.sources).unwrap_or_default();
        registration::registration(loaded.ok().as_ref().map(|loaded| &loaded.config), &isolation)
    }))
}

/// What a call of the tool results in; returns `ToolCall`.
#[wasm_bindgen(js_name = toolCall)]
pub fn tool_call(tool: &str, action: &str, text: &str) -> String {
    outcome(registration::tool_call(tool, action, text).map_err(|problem| vec![problem]))
}

/// The pattern of a question to the user, with the expected cost of the run that it is about. `opening`: `Opening`, `found`:
/// `Found[]`; returns `string`.
#[wasm_bindgen]
pub fn priced(pattern: &str, opening: &str, found: &str) -> String {
    outcome(decode::<Opening>(opening).and_then(|opening| {
        let expected = workflow::expected(&opening, &decode::<Vec<Found>>(found)?);
        Ok(workflow::priced(pattern, &expected))
    }))
}

/// The first event's content. `beginning`: `OpeningInput`; returns `Opening`.
#[wasm_bindgen]
pub fn begin(beginning: &str) -> String {
    outcome(decode(beginning).and_then(|beginning| workflow::begin(&beginning)))
}

/// Whether a run needs a digest of the project and the user allows it. `beginning`: `OpeningInput`.
#[wasm_bindgen(js_name = wantsBrief)]
pub fn wants_brief(beginning: &str) -> String {
    verbatim(decode(beginning).map(|beginning| workflow::wants_brief(&beginning)))
}

/// The files that are read for that digest. `beginning`: `OpeningInput`, `listed`: `Attached`; returns `string[]`.
#[wasm_bindgen(js_name = filesForBrief)]
pub fn files_for_brief(beginning: &str, listed: &str) -> String {
    verbatim(
        decode(beginning)
            .and_then(|beginning| Ok(workflow::files_for_brief(&beginning, &decode::<Attached>(listed)?))),
    )
}

/// The files after `--with` in the arguments of `/design-lab`; returns `NamedFile[]`.
#[wasm_bindgen(js_name = ownDesigns)]
pub fn own_designs(text: &str) -> String {
    outcome(Ok(workflow::own_designs(text)))
}

/// The relevant files of an attached folder. `folder`: `Folder`; returns `Listing`.
#[wasm_bindgen]
pub fn listing(folder: &str) -> String {
    outcome(decode(folder).map(|folder| attachments::listing(&folder)))
}

/// The image in these bytes; returns `SeenImage | null`.
#[wasm_bindgen]
pub fn image(bytes: &[u8]) -> String {
    verbatim(Ok(images::look(bytes)))
}

/// The files to read for each attachment. `attached`: `Attached[]`, `roots` and `outputs`: `string[]`; returns `string[][]`.
#[wasm_bindgen]
pub fn screen(attached: &str, roots: &str, outputs: &str) -> String {
    outcome(decode::<Vec<Attached>>(attached).and_then(|attached| {
        attachments::screen(&attached, &decode::<Vec<String>>(roots)?, &decode::<Vec<String>>(outputs)?)
    }))
}

/// A new run, compared with the existing ones. `opening`: `Opening`, `found`: `Found[]`; returns `Opening` with its forecast, or
/// the problem that it would only repeat one of them.
#[wasm_bindgen]
pub fn admit(opening: &str, found: &str) -> String {
    outcome(decode::<Opening>(opening).and_then(|opening| {
        let found = decode::<Vec<Found>>(found)?;
        workflow::refuse_twin(&opening, &found).map_err(|problem| vec![problem])?;
        Ok(workflow::foreseen(opening, &found))
    }))
}

/// Whether the arguments of `/design-lab` only ask for the cost of a run; returns `bool`.
#[wasm_bindgen(js_name = asksForForecast)]
pub fn asks_for_forecast(text: &str) -> String {
    outcome(Ok(workflow::asks_for_forecast(text)))
}

/// The expected cost of a new run. `opening`: `Opening`, `found`: `Found[]`; returns text.
#[wasm_bindgen]
pub fn forecast(opening: &str, found: &str) -> String {
    shown(
        decode::<Opening>(opening)
            .and_then(|opening| Ok(workflow::wording(&opening, &decode::<Vec<Found>>(found)?))),
    )
}

/// Parses the arguments of a command that follows up on a run. `follow_up`: `FollowUp`; returns `Wanted`.
#[wasm_bindgen]
pub fn wanted(follow_up: &str, text: &str) -> String {
    outcome(
        decode(follow_up)
            .and_then(|follow_up| workflow::wanted(follow_up, text).map_err(|problem| vec![problem])),
    )
}

/// The first event's content for a run that builds on this one. `follow_up`: `FollowUp`, `wanted`: `Wanted`, `beginning`:
/// `OpeningInput`; returns `Opening`.
#[wasm_bindgen]
pub fn follow_up(handle: u32, follow_up: &str, wanted: &str, beginning: &str) -> String {
    outcome(decode(follow_up).and_then(|follow_up| {
        let (wanted, beginning) = (decode(wanted)?, decode(beginning)?);
        with_run(handle, |run| {
            let origin = durable::origin_of(run);
            Ok(run.follow_up(follow_up, &wanted, &beginning, origin))
        })?
    }))
}

/// The names that an answer relies on. `reply`: `Reply`; returns `string[]`.
#[wasm_bindgen]
pub fn cited(handle: u32, job: &str, reply: &str) -> String {
    outcome(
        decode::<Reply>(reply)
            .and_then(|reply| with_run(handle, |run| Ok(run.cited(&JobId::new(job), &reply)))),
    )
}

/// What to read to look up names. `names`: `string[]`, `listed`: `Attached`, the project; returns `Lookups`.
#[wasm_bindgen]
pub fn lookups(handle: u32, names: &str, listed: &str) -> String {
    outcome(decode::<Vec<String>>(names).and_then(|names| {
        let listed = decode::<Attached>(listed)?;
        with_run(handle, |run| Ok(run.lookups(&names, &listed)))
    }))
}

/// What the project declares under names. `names`: `string[]`, `manifests`: `Manifest[]`; `partial`: whether the project has others,
/// too; returns `LookedUp[]`.
#[wasm_bindgen]
pub fn declared(names: &str, manifests: &str, partial: bool) -> String {
    verbatim(
        decode::<Vec<String>>(names)
            .and_then(|names| Ok(claims::declared(&names, &decode::<Vec<Manifest>>(manifests)?, partial))),
    )
}

/// The event that stops a call between two steps of its answer. `used`: `Spending[]`, of all calls in flight; returns
/// `EventKind`, or `null` if the budget isn't reached.
#[wasm_bindgen]
pub fn overspending(handle: u32, job: &str, used: &str) -> String {
    outcome(
        decode::<Vec<Spending>>(used)
            .and_then(|used| with_run(handle, |run| Ok(run.overspending(&JobId::new(job), &used)))),
    )
}

/// The arguments of the next round of a finished refinement; returns `Wanted`, or `null` if none is due.
#[wasm_bindgen(js_name = nextRound)]
pub fn next_round(handle: u32) -> String {
    outcome(with_run(handle, |run| Ok(run.next_round())))
}

/// The configured directory for runs. `setup`: `Setup`, `available`: `AvailableModels`; returns a string.
#[wasm_bindgen(js_name = outputDirectory)]
pub fn output_directory(setup: &str, available: &str) -> String {
    verbatim(decode::<Setup>(setup).and_then(|setup| {
        let loaded = config::load(&setup.sources, &setup.files, &decode(available)?)?;
        Ok(loaded.config.output_directory)
    }))
}

/// Whether the configured output directory is usable, given what is on disk. `sources`: `Source[]`, `place`: `OutputPlace`;
/// returns `null`.
#[wasm_bindgen(js_name = checkOutput)]
pub fn check_output(sources: &str, place: &str) -> String {
    outcome(decode::<Vec<Source>>(sources).and_then(|sources| {
        match config::check_output(&sources, &decode(place)?) {
            Some(problem) => Err(vec![problem]),
            None => Ok(()),
        }
    }))
}

/// A first configuration file. `groundwork`: `StarterInput`; returns `{"file": path from the project, "text", "told": for people}`.
#[wasm_bindgen]
pub fn starter(groundwork: &str) -> String {
    #[derive(Serialize)]
    struct Started {
        file: &'static str,
        text: String,
        wording: String,
    }
    outcome(decode(groundwork).and_then(|groundwork| {
        let starter = config::starter(&groundwork)?;
        let wording = reports::configured(starter.loaded.as_ref());
        Ok(Started { file: config::STARTER_FILE, text: starter.text, wording })
    }))
}

fn redacted(problems: &str) -> Vec<Problem> {
    let problems = decode::<Vec<Problem>>(problems).unwrap_or_else(|problems| problems);
    with_known(|known| problems.into_iter().map(|problem| problem.redacted(known)).collect())
}

/// Problems as text. `brand`: of the workflow whose command it was; `problems`: `Problem[]`; `by_model`: whether a model called
/// it; returns text.
#[wasm_bindgen]
pub fn describe(brand: &str, problems: &str, by_model: bool) -> String {
    let reader = Reader::of(by_model);
    reports::problems(brand, &redacted(problems), reader)
}

/// What the complete output of a command shows about tests. `argv`: `string[]`; returns `TestsTold`, or `null` if it shows nothing.
#[wasm_bindgen(js_name = testsTold)]
pub fn tests_told(argv: &str, output: &str) -> String {
    verbatim(decode::<Vec<String>>(argv).map(|argv| lab_core::shared::runners::tests_of(&argv, output)))
}

/// What a failed file operation means for the user: the file, the system's error code, `deed`: `DiskDeed`, and `user`: the
/// workflow that the file belongs to, `"design-lab" | "flow" | "validation"`; returns `Problem`.
#[wasm_bindgen(js_name = diskProblem)]
pub fn disk_problem(file: &str, code: &str, deed: &str, user: &str) -> String {
    outcome(
        decode(deed).and_then(|deed| Ok(lab_core::shared::disk::failure(file, code, deed, decode(user)?))),
    )
}

/// The system text for the model of a lab session. `role` as JSON; `own`: the role's text, `host`: what the host would send.
#[wasm_bindgen(js_name = systemText)]
pub fn system_text(role: &str, own: &str, host: &str) -> String {
    decode::<Role>(role).map_or_else(
        |_| own.to_owned(),
        |role| {
            let text = |known: &Known| known.hide(lab_core::opencode::system_text(role, own, host, known));
            with_known(text)
        },
    )
}

/// Whether OpenCode may replace a lab session's conversation with a summary. `role` and `steps`, how the model's answers to the
/// last prompt ended (`(string | null)[]`), as JSON; returns a boolean.
#[wasm_bindgen(js_name = mayCompact)]
pub fn may_compact(role: &str, steps: &str) -> String {
    outcome(
        decode::<Role>(role).and_then(|role| {
            Ok(lab_core::opencode::may_compact(role, &decode::<Vec<Option<String>>>(steps)?))
        }),
    )
}

// ---- the doctor ----

/// Whether the arguments of the command ask for paid calls; returns a boolean.
#[wasm_bindgen(js_name = asksForCalls)]
pub fn asks_for_calls(text: &str) -> String {
    outcome(registration::asks_for_calls(text).map_err(|problem| vec![problem]))
}

/// The calls that show whether the configured models answer. `setup`: `Setup`, `available`: `AvailableModels`; returns
/// `TrialCall[]`, empty if the configuration is broken.
#[wasm_bindgen(js_name = trialCalls)]
pub fn trial_calls(setup: &str, available: &str) -> String {
    outcome(decode::<Setup>(setup).and_then(|setup| {
        let available = decode(available)?;
        let loaded = config::load(&setup.sources, &setup.files, &available);
        Ok(loaded.map_or_else(|_| Vec::new(), |loaded| doctor::trial_calls(&loaded.config, &available)))
    }))
}

/// What the chat shows while these calls are in progress. `calls`: `TrialProgress[]`; returns text.
#[wasm_bindgen(js_name = trialsUnderWay)]
pub fn trials_under_way(calls: &str) -> String {
    shown(decode::<Vec<doctor::TrialProgress>>(calls).map(|calls| doctor::under_way(&calls)))
}

/// What is wrong with this installation, and what to do. `examination`: `DoctorInput`; returns text.
#[wasm_bindgen]
pub fn examine(examination: &str) -> String {
    shown(decode(examination).map(|found| doctor::diagnosis(&doctor::diagnose(&found))))
}

// ---- runs ----

/// A run before its first event; returns its handle.
#[wasm_bindgen(js_name = openRun)]
pub fn open_run() -> u32 {
    RUNS.with(|runs| runs.keep(Run::new()))
}

/// The run that results from a journal; returns `{"handle": number, "whole": bytes}`: anything after these bytes must be cut off.
#[wasm_bindgen(js_name = replayRun)]
pub fn replay_run(journal: &str) -> String {
    durable::replay(&RUNS, journal)
}

/// How a new process continues a run. `setup`: `Setup`, `available`: `AvailableModels`, `request`: `ResumeRequest`; returns
/// `Resumption`.
#[wasm_bindgen]
pub fn resumption(handle: u32, setup: &str, available: &str, request: &str) -> String {
    outcome(decode::<Setup>(setup).and_then(|setup| {
        let (available, request) = (decode(available)?, decode(request)?);
        let go_on = |run: &Run| {
            run.go_on(&request, &setup.sources, &setup.files, &available, durable::origin_of(run))
        };
        with_run(handle, |run| Ok(go_on(run)))?
    }))
}

/// Parses the arguments of `/design-lab-resume`; returns `ResumeRequest`.
#[wasm_bindgen(js_name = resumeRequest)]
pub fn resume_request(text: &str) -> String {
    outcome(ResumeRequest::parse(text).map_err(|problem| vec![problem]))
}

/// How `/design-lab-review` continues an existing run. `found`: `Found[]`, `permitted`: whether the user has already approved it;
/// returns `ResumeRequest`, or `null` if it starts a separate run.
#[wasm_bindgen(js_name = reviewWithin)]
pub fn review_within(text: &str, found: &str, permitted: bool) -> String {
    outcome(
        decode::<Vec<Found>>(found).and_then(|found| {
            workflow::review_within(text, &found, permitted).map_err(|problem| vec![problem])
        }),
    )
}

/// The expected cost of reviewers that are to join a run, or of its decision map. `setup`: `Setup`, `available`: `AvailableModels`, `request`:
/// `ResumeRequest`, `pattern`: of the question to the user that it is for, or empty; returns text.
#[wasm_bindgen(js_name = costOfAddition)]
pub fn cost_of_addition(handle: u32, setup: &str, available: &str, request: &str, pattern: &str) -> String {
    outcome(decode::<Setup>(setup).and_then(|Setup { sources, files }| {
        let (available, request) = (decode(available)?, decode(request)?);
        let question = Some(pattern).filter(|pattern| !pattern.is_empty());
        with_run(handle, |run| Ok(run.cost_of_addition(&request, &sources, &files, &available, question)))?
    }))
}

/// The live message that an earlier process left in the chat, now that another continues the run; returns text.
#[wasm_bindgen]
pub fn continued(handle: u32, name: &str) -> String {
    shown(with_run(handle, |run| Ok(run.continued(name))))
}

/// Closes a run's handle.
#[wasm_bindgen(js_name = closeRun)]
pub fn close_run(handle: u32) {
    RUNS.with(|runs| runs.close(handle));
}

/// The journal line for an event. `event`: `{at: number} & EventKind`; returns the line as a JSON string.
#[wasm_bindgen]
pub fn seal(handle: u32, event: &str) -> String {
    durable::seal(&RUNS, handle, event)
}

/// Applies a sealed line that is on disk; returns `Command[]`.
#[wasm_bindgen]
pub fn apply(handle: u32, line: &str) -> String {
    durable::apply(&RUNS, handle, line)
}

/// The live message at this moment (milliseconds since 1970). `place`: of the run's directory, as a `file:` URL; `calls`:
/// `Incoming[]`.
#[wasm_bindgen]
pub fn live_message(handle: u32, now: f64, place: &str, calls: &str) -> String {
    shown(
        decode::<Vec<Incoming>>(calls)
            .and_then(|calls| with_run(handle, |run| Ok(run.live_message_at(moment(now), place, &calls)))),
    )
}

/// A report on the run at this moment for a model that called a command.
#[wasm_bindgen]
pub fn account(handle: u32, now: f64) -> String {
    shown(with_run(handle, |run| Ok(run.account(moment(now), durable::origin_of(run)))))
}

/// The run for a panel next to the chat, at this moment. `calls`: `Incoming[]`; returns `Panel`, or `null` unless the run is running.
#[wasm_bindgen]
pub fn panel(handle: u32, now: f64, calls: &str) -> String {
    outcome(
        decode::<Vec<Incoming>>(calls)
            .and_then(|calls| with_run(handle, |run| Ok(run.panel(moment(now), &calls)))),
    )
}

/// Every file that should be on disk by now; returns `[path, text][]`.
#[wasm_bindgen]
pub fn files(handle: u32) -> String {
    durable::files(&RUNS, handle)
}

/// A run in a few facts; returns `Summary`, or `null` before its first event.
#[wasm_bindgen]
pub fn summary(handle: u32) -> String {
    durable::summary(&RUNS, handle, Run::summary)
}

/// Parses the arguments of `/design-lab-review`; returns `HumanReviewRequest`, or `null` if no person is asked.
#[wasm_bindgen(js_name = formRequest)]
pub fn form_request(text: &str) -> String {
    outcome(HumanReviewRequest::parse(text).map_err(|problem| vec![problem]))
}

/// The form for a person; returns `HumanReviewForm`.
#[wasm_bindgen]
pub fn form(handle: u32, human: &str) -> String {
    outcome(with_run(handle, |run| run.form(human)))
}

/// The message about a form. `written`: the files that were just written; returns text.
#[wasm_bindgen(js_name = formText)]
pub fn form_text(reviewer: &str, directory: &str, written: &str) -> String {
    shown(decode::<Vec<String>>(written).map(|written| reports::form(reviewer, directory, &written)))
}

/// The event that ranks a run again. `given`: `RerankInput`; returns `EventKind`.
#[wasm_bindgen]
pub fn rerank(handle: u32, given: &str) -> String {
    outcome(decode::<RerankInput>(given).and_then(|given| with_run(handle, |run| Ok(run.rerank(&given)))?))
}

/// Parses the arguments of `/design-lab-rank`; returns `OutcomeRequest`, or `null` if they record no outcome.
#[wasm_bindgen(js_name = outcomeRequest)]
pub fn outcome_request(text: &str) -> String {
    outcome(OutcomeRequest::parse(text).map_err(|problem| vec![problem]))
}

/// The event that records how a design turned out. `given`: `DesignOutcome`; returns `EventKind`.
#[wasm_bindgen(js_name = reportOutcome)]
pub fn report_outcome(handle: u32, given: &str) -> String {
    outcome(decode(given).and_then(|given| with_run(handle, |run| run.report_outcome(&given))))
}

// ---- runs from outside ----

/// The runs among the directories found: those that have started. `found`: `Found[]`; returns `Found[]`.
#[wasm_bindgen]
pub fn begun(found: &str) -> String {
    outcome(decode::<Vec<Found>>(found).map(workflow::begun))
}

/// The run that the user refers to. `purpose`: `Purpose`, `found`: `Found[]`; returns `Found`.
#[wasm_bindgen]
pub fn choose(purpose: &str, name: &str, found: &str) -> String {
    let chosen = decode::<Vec<Found>>(found).and_then(|found| {
        workflow::choose(decode(purpose)?, name, &found).cloned().map_err(|problem| vec![problem])
    });
    outcome(chosen)
}

/// The run and the design that the user wants built or validated. `found`: `Found[]`, `taker`: `Taker`; returns `ToBuild`.
#[wasm_bindgen(js_name = toBuild)]
pub fn to_build(text: &str, found: &str, taker: &str) -> String {
    let chosen = decode::<Vec<Found>>(found)
        .and_then(|found| workflow::to_build(text, &found, decode(taker)?).map_err(|problem| vec![problem]));
    outcome(chosen)
}

/// A design of a ranked run, for the workflow that takes it over. `design`: its id as JSON, or `null` for the one ranked first;
/// `taker`: `Taker`; returns `Handover`.
#[wasm_bindgen]
pub fn handover(handle: u32, design: &str, taker: &str) -> String {
    outcome(decode::<Option<String>>(design).and_then(|design| {
        let taker = decode(taker)?;
        with_run(handle, |run| run.handover(design.as_deref(), taker))
    }))
}

/// Parses the arguments of `/design-lab-status`; returns `DecisionRequest`, or `null` if they don't ask for a decision.
#[wasm_bindgen(js_name = decisionRequest)]
pub fn decision_request(text: &str) -> String {
    outcome(DecisionRequest::parse(text).map_err(|problem| vec![problem]))
}

/// The decision of a ranked run in the named form; returns `[string, string]`: its file below the run directory, and its text.
#[wasm_bindgen]
pub fn decision(handle: u32, form: &str) -> String {
    outcome(with_run(handle, |run| run.decision(form)))
}

/// The message about a written decision; returns text.
#[wasm_bindgen]
pub fn exported(file: &str) -> String {
    shown(Ok(reports::exported(file)))
}

/// The problem when the run is running in another process; returns `Problem`.
#[wasm_bindgen]
pub fn locked(run: &str, process: &str) -> String {
    outcome(Ok(workflow::VERBS.locked(run, process)))
}

/// The problem when a process doesn't stop a run when asked; returns `Problem`.
#[wasm_bindgen(js_name = notStopped)]
pub fn not_stopped(run: &str, process: &str) -> String {
    outcome(Ok(workflow::VERBS.not_stopped(run, process)))
}

/// The reply of a stop command when nothing is running; returns text.
#[wasm_bindgen(js_name = nothingRuns)]
pub fn nothing_runs() -> String {
    shown(Ok(kernel::index::NOTHING_RUNS.to_owned()))
}

/// A run as seen by a reader that doesn't run it. `found`: `Found`; `by_model`: whether a model asked; returns text.
#[wasm_bindgen]
pub fn status(handle: u32, found: &str, now: f64, by_model: bool) -> String {
    let reader = Reader::of(by_model);
    let found = decode::<Found>(found);
    shown(found.and_then(|found| with_run(handle, |run| Ok(run.status(&found, moment(now), reader)))))
}

/// How many runs the arguments of `/design-lab-status` ask to list; returns `Listed`, or `null` if they ask for something else.
#[wasm_bindgen]
pub fn listed(text: &str) -> String {
    verbatim(Ok(Listed::parse(text)))
}

/// The runs of an output directory. `found`: `Found[]`, `listed`: `Listed`; returns text.
#[wasm_bindgen(js_name = listRuns)]
pub fn list_runs(found: &str, output_directory: &str, now: f64, listed: &str, by_model: bool) -> String {
    let reader = Reader::of(by_model);
    shown(
        decode::<Vec<Found>>(found).and_then(|found| {
            Ok(workflow::list(&found, output_directory, moment(now), decode(listed)?, reader))
        }),
    )
}

/// Whether the arguments of `/design-lab-status` ask for the history of all runs; returns `bool`.
#[wasm_bindgen(js_name = asksForHistory)]
pub fn asks_for_history(text: &str) -> String {
    outcome(workflow::asks_for_history(text).map_err(|problem| vec![problem]))
}

/// What all runs of an output directory show together. `found`: `Found[]`; returns `{"json", "text": for people}`.
#[wasm_bindgen]
pub fn history(found: &str, output_directory: &str) -> String {
    #[derive(Serialize)]
    struct Told {
        json: String,
        text: String,
    }
    outcome(decode::<Vec<Found>>(found).map(|found| {
        let history = workflow::history(&found);
        Told {
            json: kernel::visible::json(kernel::json::pretty(&history)),
            text: reports::history(&history, output_directory),
        }
    }))
}

/// The message about stopped runs. `runs`: names; returns text.
#[wasm_bindgen(js_name = stoppedRuns)]
pub fn stopped_runs(runs: &str) -> String {
    outcome(decode::<Vec<String>>(runs).map(|runs| reports::stopped(&runs)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a clock's milliseconds are whole and positive"
)]
fn moment(now: f64) -> u64 {
    now.max(0.0) as u64
}

// ---- isolation ----

/// The rules of a run. `isolation`: `Isolation`, `places`: `Places`; returns `Rules`.
#[wasm_bindgen]
pub fn rules(isolation: &str, places: &str) -> String {
    verbatim(decode::<Isolation>(isolation).and_then(|isolation| {
        let places = decode::<Places>(places)?;
        places.check(&isolation).map_err(|problem| vec![problem])?;
        Ok(Rules::new(&isolation, &places))
    }))
}

/// The parts of other runs' output directories that are hidden. `seen`: `NotedOutputs`; returns `HiddenOutputs`.
#[wasm_bindgen(js_name = hiddenOutputs)]
pub fn hidden_outputs(seen: &str) -> String {
    outcome(decode(seen).map(|seen| isolation::hidden_outputs(&seen)))
}

/// Keeps rules for later calls; returns their handle. `rules`: `Rules`.
#[wasm_bindgen(js_name = openRules)]
pub fn open_rules(rules: &str) -> String {
    verbatim(decode::<Rules>(rules).map(|rules| RULES.with(|all| all.keep(rules))))
}

/// Closes the handle of rules.
#[wasm_bindgen(js_name = closeRules)]
pub fn close_rules(handle: u32) {
    RULES.with(|all| all.close(handle));
}

fn with_rules<T>(handle: u32, judge: impl FnOnce(&Rules) -> T) -> Result<T, Vec<Problem>> {
    RULES.with(|all| all.read(handle, |rules| Ok(judge(rules))))
}

/// The texts for build servers if no run could be looked at. `workflow`: its name; `given`: `CiGiven`; returns `CiTexts`.
#[wasm_bindgen(js_name = ciOfProblems)]
pub fn ci_of_problems(workflow: &str, given: &str) -> String {
    let workflow = if workflow == "Flow" { "Flow" } else { "Validation" };
    outcome(decode(given).map(|given| ci::of_problems(workflow, &given)))
}

/// The facts needed to judge a call. `args`: the arguments as JSON; returns `Inquiry`.
#[wasm_bindgen]
pub fn inquire(handle: u32, tool: &str, args: &str) -> String {
    verbatim(with_rules(handle, |rules| isolation::inquire(rules, tool, args)))
}

/// Judges a call by the facts. `facts`: `Facts`; returns `Verdict`.
#[wasm_bindgen]
pub fn verdict(handle: u32, tool: &str, args: &str, facts: &str) -> String {
    verbatim(
        decode::<Facts>(facts)
            .and_then(|facts| with_rules(handle, |rules| isolation::verdict(rules, tool, args, &facts))),
    )
}

/// Whether the user wants to be asked before a project's files go to a new vendor. `sources`: `Source[]`.
#[wasm_bindgen(js_name = confirmsVendors)]
pub fn confirms_vendors(sources: &str) -> String {
    verbatim(decode::<Vec<Source>>(sources).map(|sources| config::confirms_vendors(&sources)))
}

/// The result of `/design-lab-vendors`. `input`: `VendorsInput`; returns `VendorsOutput`.
#[wasm_bindgen]
pub fn vendors(input: &str) -> String {
    outcome(
        decode::<VendorsInput>(input)
            .and_then(|input| config::vendors(&input).map_err(|problem| vec![problem])),
    )
}

/// The question to the user before a project's files go to new vendors: `NewVendors`; returns `Permission`.
#[wasm_bindgen(js_name = vendorsQuestion)]
pub fn vendors_question(new: &str) -> String {
    verbatim(decode::<NewVendors>(new).map(|new| registration::vendors_question(&new)))
}

/// The model that the user's session uses, by `SessionModelFacts`; `null` when it is unknown.
#[wasm_bindgen(js_name = sessionModel)]
pub fn session_model(facts: &str) -> String {
    verbatim(decode::<SessionModelFacts>(facts).map(SessionModelFacts::model))
}

/// Why the session's model isn't asked to comment on a result; `null` if it is. `available` is `AvailableModels`.
#[wasm_bindgen(js_name = noClosingTurn)]
pub fn no_closing_turn(available: &str) -> String {
    verbatim(decode(available).map(|available| lab_core::opencode::no_closing_turn(&available)))
}

/// Why this command isn't run in an OpenCode that a model's shell started: `Problem`, or `null` if it may run.
#[wasm_bindgen(js_name = inPerson)]
pub fn in_person(command: &str, text: &str) -> String {
    verbatim(Ok(lab_core::opencode::in_person(command, text)))
}

/// Judges a call of `task` by a session that isn't a lab's; returns `Verdict`.
#[wasm_bindgen(js_name = taskVerdict)]
pub fn task_verdict(agent: &str) -> String {
    verbatim(Ok(isolation::task_verdict(agent)))
}

/// What the model may read instead of a result; `null` if it may read the result unchanged.
#[wasm_bindgen]
pub fn withhold(handle: u32, tool: &str, facts: &str, output: &str, metadata: &str) -> String {
    verbatim(decode::<Facts>(facts).and_then(|facts| {
        with_rules(handle, |rules| isolation::withhold(rules, tool, &facts, output, metadata))
    }))
}

// ---- without a host ----

/// Ranks a table or a run's directory. `given`: `RankInput`; returns `{"json": as in ranking.json, "text" and "notes": for
/// people}`; the notes, usually empty, explain how the table was read.
#[wasm_bindgen]
pub fn rank(given: &str) -> String {
    #[derive(Serialize)]
    struct Ranked {
        json: String,
        text: String,
        notes: String,
    }
    outcome(decode::<RankInput>(given).and_then(|given| {
        let cli::Ranked { ranking, notes } = cli::rank(&given)?;
        Ok(Ranked {
            json: kernel::visible::json(kernel::json::pretty(&ranking)),
            text: reports::ranking(&ranking),
            notes: reports::notes(&notes),
        })
    }))
}

/// The page on a run. `journal`: `NamedText`; returns HTML.
#[wasm_bindgen]
pub fn report(journal: &str) -> String {
    outcome(
        decode::<NamedText>(journal)
            .and_then(|journal| cli::report(&journal).map_err(|problem| vec![problem])),
    )
}

/// The kind of a file. `file`: `NamedText`; `name`: a word, or none to decide by the content; returns `Kind`.
#[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen takes options by value")]
#[wasm_bindgen]
pub fn recognise(file: &str, name: Option<String>) -> String {
    outcome(decode::<NamedText>(file).and_then(|file| cli::recognise(&file, name.as_deref())))
}

/// Checks a file. `file`: `NamedText`; `kind`: `Kind`; `beside`: what helps to check it, from its directory or from the core: the
/// text of the kind's schema, or for a form the journal of its run; empty if there is none. Returns `Problem[]`.
#[wasm_bindgen]
pub fn validate(file: &str, kind: &str, beside: &str) -> String {
    outcome(
        decode::<NamedText>(file).and_then(|file| Ok(cli::validate(&file, decode::<Kind>(kind)?, beside))),
    )
}

/// Problems in the format of compilers, place first. `problems`: `Problem[]`; returns text.
#[wasm_bindgen]
pub fn diagnose(problems: &str) -> String {
    reports::diagnostics(&redacted(problems))
}

// ---- for benchmarks ----

/// The intended object in a model's reply; returns `{"ok": object}` or the problem. `finish`: `stop`, `length`, or anything else;
/// `keys`: the keys that the object must have, separated by spaces. For comparisons with other tools: a run extracts inside the
/// core.
#[cfg(feature = "bench")]
#[wasm_bindgen]
pub fn extract(text: &str, finish: &str, keys: &str) -> String {
    use lab_core::shared::extraction::{self, Finish, Fit};

    let keys: Vec<&str> = keys.split_whitespace().collect();
    let fit = |object: &serde_json::Value| Fit::by_keys(object, &keys);
    let found = extraction::extract(text, Finish::from(finish), &fit);
    outcome(found.map(|found| found.value).map_err(|error| vec![Problem::from(error)]))
}
