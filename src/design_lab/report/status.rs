//! What `/design-lab-status` and `/design-lab-cancel` show: runs from outside, by their journals.

use super::chat::{Reader, live_message, paragraph};
use super::overview::{Overview, Stage};
use crate::shared::figures::money;
use kernel::clock::span;
use kernel::index::{Found, Owner, Summary};
use kernel::protocol::Outcome;
use kernel::visible;
use std::fmt::Write as _;

/// One run: its block, who carries it on, and what can be done.
pub fn status<S>(run: &Overview<'_>, found: &Found<S>, reader: Reader) -> String {
    let mut out = live_message(run, reader);
    out.push('\n');
    let over = matches!(run.stage, Stage::Over(_));
    match &found.owner {
        Owner::Process { here: true, .. } => {
            paragraph(
                &mut out,
                "Running",
                "In this process. /design-lab-cancel stops it; what is there is kept.",
            );
        }
        Owner::Process { name, here: false } => {
            let text =
                format!("By {name}. /design-lab-cancel {} stops it; what is there is kept.", found.name);
            paragraph(&mut out, "Running", &text);
        }
        Owner::Nobody if !over => {
            let text = format!(
                "Its process ended before the run did. Nothing is lost: /design-lab-resume {} asks only what is missing.",
                found.name
            );
            paragraph(&mut out, "Idle", &text);
        }
        Owner::Nobody => {}
    }
    let running = !over && found.owner != Owner::Nobody;
    let left = [
        run.expected_ms.map(|ms| format!("About {} more in this phase, by the calls so far.", span(ms))),
        run.left_ms.map(|ms| format!("About {} more until the end, by earlier runs.", span(ms))),
    ];
    let left: Vec<String> = left.into_iter().flatten().filter(|_| running).collect();
    if !left.is_empty() {
        paragraph(&mut out, "Expected", &left.join(" "));
    }
    out.truncate(out.trim_end().len());
    visible::text(&out).into_owned()
}

/// Every run of an output directory, the latest first.
pub fn list<S>(runs: &[Found<S>], output_directory: &str, now: u64) -> String {
    let mut runs: Vec<&Found<S>> = runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.summary.as_ref().map_or(0, |summary| summary.at)));
    let count = if runs.len() == 1 { "1 run".to_owned() } else { format!("{} runs", runs.len()) };
    let mut out = format!("Design Lab · {count} in {output_directory}\n");
    if !runs.is_empty() {
        out.push('\n');
    }
    let width = runs.iter().map(|run| run.name.chars().count()).max().unwrap_or(0);
    for run in &runs {
        let _ = match &run.summary {
            Some(summary) => writeln!(
                out,
                "  {:width$}  {:<22}  {:>8}  {} ago",
                run.name,
                standing(run),
                money(summary.cost),
                span(now.saturating_sub(summary.at))
            ),
            None => {
                let code = run.problem.as_ref().map_or("journal.damaged", |problem| problem.code.as_str());
                let name = &run.name;
                writeln!(
                    out,
                    "  {name:width$}  can't be read ({code})\n    /design-lab-status {name} says why"
                )
            }
        };
        if let Some(command) = completing(run) {
            let _ = writeln!(out, "    {command}");
        }
    }
    let waiting = runs.iter().find(|run| {
        let goes_on = |summary: &Summary<S>| summary.unfinished && summary.outcome != Some(Outcome::Pending);
        run.owner == Owner::Nobody && run.summary.as_ref().is_some_and(goes_on)
    });
    let next = match (waiting, runs.is_empty()) {
        (Some(run), _) => {
            format!(
                "/design-lab-resume goes on with {}; /design-lab-status <run> shows one of them.",
                run.name
            )
        }
        (None, false) => "/design-lab-status <run> shows one of them.".to_owned(),
        (None, true) => "Begin one by /design-lab <task>.".to_owned(),
    };
    paragraph(&mut out, "Next", &next);
    out.truncate(out.trim_end().len());
    visible::text(&out).into_owned()
}

/// What completes a run that nobody carries on; `None` where nothing in it failed or waits for the user.
fn completing<S>(run: &Found<S>) -> Option<String> {
    let summary = run.summary.as_ref().filter(|_| run.owner == Owner::Nobody)?;
    let name = &run.name;
    if summary.failed {
        return Some(format!(
            "incomplete; /design-lab-resume {name} --retry-failed asks again for what failed"
        ));
    }
    (summary.outcome == Some(Outcome::Paused)).then(|| format!("/design-lab-review {name} has them reviewed"))
}

fn standing<S>(run: &Found<S>) -> &'static str {
    let outcome = run.summary.as_ref().and_then(|summary| summary.outcome);
    match (&run.owner, outcome) {
        (Owner::Process { here: true, .. }, _) => "running here",
        (Owner::Process { here: false, .. }, _) => "running elsewhere",
        (Owner::Nobody, None) => "interrupted",
        (Owner::Nobody, Some(Outcome::Cancelled)) => "stopped by you",
        (Owner::Nobody, Some(Outcome::Complete)) => "ranked",
        (Owner::Nobody, Some(Outcome::Partial)) => "ranked, incomplete",
        (Owner::Nobody, Some(Outcome::Pending)) => "waits for people",
        (Owner::Nobody, Some(Outcome::Paused)) => "designs to review",
        (Owner::Nobody, Some(Outcome::Waiting)) => "waits for you",
        (Owner::Nobody, Some(Outcome::Stopped)) => "stopped, no ranking",
    }
}

/// What `/design-lab-cancel` did.
pub fn stopped(runs: &[String]) -> String {
    let mut out = "Design Lab · stopped\n".to_owned();
    for run in runs {
        let _ = writeln!(
            out,
            "\n  {run}\n  What is there is kept; to go on with the rest:\n  /design-lab-resume {run}"
        );
    }
    out.truncate(out.trim_end().len());
    visible::text(&out).into_owned()
}

/// What `/design-lab-review --human` did: where the form lies, and which of its files were written just now.
pub fn form(reviewer: &str, directory: &str, written: &[String]) -> String {
    let mut out = format!("Design Lab · a form for {reviewer}\n");
    let _ = write!(
        out,
        "\n  Page     {directory}/human/{reviewer}.html\n  or read  {directory}/human/{reviewer}.md\n  and fill {directory}/human/{reviewer}.csv\n"
    );
    let fresh = written.contains(&format!("human/{reviewer}.csv"));
    paragraph(
        &mut out,
        "",
        if fresh {
            "The designs stand there without their authors, under labels that only the journal can resolve. Whoever fills it in \
             should look at no other file of the run before."
        } else {
            "The form was there already and may have been filled in: it is as it was. To begin anew, delete it and repeat this \
             command."
        },
    );
    let run = directory.rsplit('/').next().unwrap_or_default();
    paragraph(
        &mut out,
        "Next     ",
        &format!(
            "Fill in the page in a browser, and put the CSV that it gives in place of {reviewer}.csv; or fill in that file. \
             /design-lab-rank {run} counts it and calls no model."
        ),
    );
    out.truncate(out.trim_end().len());
    visible::text(&out).into_owned()
}

/// What `/design-lab-status --export` did. `file` as the user would write it.
pub fn exported(file: &str) -> String {
    let mut out = format!("Design Lab · the decision, as a proposal\n\n  {file}\n");
    paragraph(
        &mut out,
        "",
        "Whoever takes it into the project's records reads it first: most of its words are the models'.",
    );
    out.truncate(out.trim_end().len());
    visible::text(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::code::RunCode;
    use kernel::problem::Problem;
    use kernel::tokens::Tokens;

    fn found(name: &str, at: u64, outcome: Option<Outcome>, owner: Owner) -> Found<()> {
        Found {
            name: name.to_owned(),
            summary: Some(Summary {
                directory: Some(name.to_owned()),
                task: "A task".to_owned(),
                outcome,
                unfinished: outcome != Some(Outcome::Complete),
                failed: false,
                at,
                cost: 0.25,
                tokens: Tokens::default(),
                likeness: 0,
                own: (),
            }),
            problem: None,
            owner,
        }
    }

    #[test]
    fn the_list_names_every_run_its_standing_and_what_can_be_done() {
        let damaged = Found {
            summary: None,
            problem: Some(Problem::new(RunCode::JournalDamaged, "Line 2 is damaged.")),
            ..found("2026-11-17-queue", 0, None, Owner::Nobody)
        };
        let elsewhere = Owner::Process { name: "process 7".to_owned(), here: false };
        let runs = [
            damaged,
            found("2026-11-18-cache", 1_000, Some(Outcome::Complete), Owner::Nobody),
            found("2026-11-19-user-auth", 61_000, None, Owner::Nobody),
            found("2026-11-20-rate-limiter", 121_000, None, elsewhere),
        ];
        assert_eq!(
            list(&runs, ".design-lab", 181_000),
            "Design Lab · 4 runs in .design-lab\n\n\
             \x20 2026-11-20-rate-limiter  running elsewhere        $0.2500  1m 00s ago\n\
             \x20 2026-11-19-user-auth     interrupted              $0.2500  2m 00s ago\n\
             \x20 2026-11-18-cache         ranked                   $0.2500  3m 00s ago\n\
             \x20 2026-11-17-queue         can't be read (journal.damaged)\n\
             \x20   /design-lab-status 2026-11-17-queue says why\n\n\
             \x20 Next      /design-lab-resume goes on with 2026-11-19-user-auth;\n\
             \x20           /design-lab-status <run> shows one of them."
        );
        assert_eq!(
            list::<()>(&[], ".design-lab", 0),
            "Design Lab · 0 runs in .design-lab\n\n  Next      Begin one by /design-lab <task>."
        );
    }

    #[test]
    fn stopping_says_what_goes_on_with_it() {
        let text = stopped(&["2026-11-20-rate-limiter".to_owned()]);
        assert!(text.contains("/design-lab-resume 2026-11-20-rate-limiter"), "{text}");
    }
}
