//! The history of all runs, as text for people.

use super::chat::paragraph;
use crate::design_lab::history::{
    Calls, Duty, Estimate, History, LEAST_FORESEEN, LEAST_TASKS, SHARED_DESIGNS,
};
use crate::design_lab::ranking::RubricOrigin;
use crate::shared::figures::{NONE, count, money, signed, thousands};
use crate::shared::wrapped::wrapped;
use kernel::clock::span;
use kernel::visible;
use std::fmt::Write as _;

/// With fewer tasks than this, the text states how little they show.
const FEW_TASKS: u32 = 15;
/// With fewer reviewers than this, the text states that their taste is part of the points.
const FEW_REVIEWERS: usize = 3;

/// Returns the whole history. `output_directory` is spelled as the user wrote it.
pub fn history(history: &History, output_directory: &str) -> String {
    let runs = count(history.runs.into(), "run", "runs");
    let mut out = format!("Design Lab · history of {runs} in {output_directory}\n");
    for left in &history.left_out {
        paragraph(&mut out, "Left out", &format!("{}: {}", left.run, left.reason));
    }
    if history.runs == 0 {
        paragraph(&mut out, "Next", "Start a run with /design-lab <task>.");
        return visible::text(out.trim_end()).into_owned();
    }
    let scored = count(history.scored_runs.into(), "run", "runs");
    let mut basis =
        format!("{scored} of {}, ranked by scores.", count(history.tasks.into(), "task", "tasks"));
    if history.scored_runs > history.tasks {
        basis += " Runs of the same task are not independent: together they count as one.";
    }
    if history.pairwise_runs > 0 {
        let _ = write!(
            basis,
            " {} by comparisons in pairs. These have another scale, so they count only under Calls.",
            count(history.pairwise_runs.into(), "run is ranked", "runs are ranked")
        );
    }
    paragraph(&mut out, "Basis", &basis);
    if history.tasks < FEW_TASKS {
        let few = "With so few tasks, a difference may be chance. The intervals show how far off the \
                   numbers may be.";
        paragraph(&mut out, "Caution", few);
    }
    if let Some(few) = few_reviewers(history) {
        paragraph(&mut out, "Caution", &few);
    }
    designers(&mut out, history);
    reviewers(&mut out, history);
    outcomes(&mut out, history);
    rubrics(&mut out, history);
    calls(&mut out, history);
    panel(&mut out, history);
    out.truncate(out.trim_end().len());
    visible::text(&out).into_owned()
}

/// The warning that more tasks alone don't make the points of designers more certain.
fn few_reviewers(history: &History) -> Option<String> {
    let reviewers = history.reviewers.len();
    let is_rated = history.designers.iter().any(|row| row.points.is_some());
    (reviewers < FEW_REVIEWERS && is_rated).then(|| {
        format!(
            "Only {} scored these designs. A reviewer's taste affects the points, however many tasks there \
             are. More reviewers make the points more certain.",
            count(reviewers as u64, "reviewer", "reviewers")
        )
    })
}

fn designers(out: &mut String, history: &History) {
    if history.designers.is_empty() {
        paragraph(out, "Designers", "No task has scores of two models' designs yet.");
        return;
    }
    let _ = write!(out, "\n  Designers, in points above the mean of these models\n");
    let names: Vec<&str> = history.designers.iter().map(|row| row.model.as_str()).collect();
    for row in &history.designers {
        line(out, &names, &row.model, &estimate(row.points), &count(row.tasks.into(), "task", "tasks"));
    }
    if history.designers.iter().any(|row| row.points.is_none()) {
        paragraph(
            out,
            "",
            "Models with only one task are not rated: one result can't separate the task from the model.",
        );
    }
    paragraph(
        out,
        "",
        "Points come from the scores of these runs' reviewers, and are shrunk towards 0. If all reviewers overrate \
         something, the points include that error. They also include the reviewers' own taste. Designs from \
         files, second versions and merged designs don't count.",
    );
}

/// Shows how designs turned out, if anybody said so.
fn outcomes(out: &mut String, history: &History) {
    let (authors, reviewers) = (&history.outcomes.authors, &history.outcomes.reviewers);
    if authors.is_empty() {
        return;
    }
    let elsewhere: u64 = authors.iter().map(|row| u64::from(row.elsewhere)).sum();
    let who = if elsewhere > 0 { "people" } else { "you" };
    let _ = write!(out, "\n  Outcomes that {who} recorded, by author\n");
    let own = "designs from files".to_owned();
    let names: Vec<&str> = authors.iter().map(|row| row.model.as_ref().unwrap_or(&own).as_str()).collect();
    for (row, name) in authors.iter().zip(&names) {
        let counts = format!("{} built, {} validated, {} failed", row.built, row.validated, row.failed);
        let all = u64::from(row.built) + u64::from(row.validated) + u64::from(row.failed);
        line(out, &names, name, &counts, &format!("of {}", count(all, "design", "designs")));
    }
    if elsewhere > 0 {
        let (come, them) = if elsewhere == 1 { ("comes", "it") } else { ("come", "them") };
        let whose = format!(
            "{} {come} from runs that this machine didn't write alone, so other people may have recorded {them}.",
            count(elsewhere, "outcome", "outcomes")
        );
        paragraph(out, "", &whose);
    }
    if reviewers.is_empty() {
        return;
    }
    let _ = write!(out, "\n  How often reviewers’ own scores foresaw them\n");
    let names: Vec<&str> = reviewers.iter().map(|row| row.name.as_str()).collect();
    for row in reviewers {
        let right = format!("right in {} of {}", row.right, count(row.tasks.into(), "task", "tasks"));
        let rest = row.share.map_or_else(|| "too few to tell from chance".to_owned(), percentage);
        line(out, &names, &row.name, &right, &rest);
    }
    let what = format!(
        "A reviewer is right if the design with its highest score was validated or, where none was, didn't fail. \
         With fewer than {LEAST_FORESEEN} tasks, even a perfect record may be chance. With more, it may still come from \
         the choice of what gets built: usually that is the design that came first. Outcomes change no ranking and \
         weight no reviewer."
    );
    paragraph(out, "", &what);
}

/// Shows which dimensions told designs apart, if any run recorded it.
fn rubrics(out: &mut String, history: &History) {
    /// The most dimensions of an origin that are listed: a rubric for a task rarely shares its dimensions with another.
    const MOST: usize = 8;
    if history.rubrics.is_empty() {
        return;
    }
    let _ = write!(out, "\n  Rubrics, by the dimensions that told designs apart\n");
    for of_origin in &history.rubrics {
        let origin = match of_origin.origin {
            RubricOrigin::Default => "default rubric",
            RubricOrigin::Configured => "configured",
            RubricOrigin::Task => "drafted for the task",
        };
        let _ = writeln!(out, "  {origin}, {}", count(of_origin.runs.into(), "run", "runs"));
        for one in of_origin.dimensions.iter().take(MOST) {
            let runs = count(one.runs.into(), "run", "runs");
            let _ = writeln!(out, "    {:28}  {:>3.0}%  {runs}", one.name, one.share * 100.0);
        }
        let more = of_origin.dimensions.len().saturating_sub(MOST);
        if more > 0 {
            let _ = writeln!(out, "    and {}", count(more as u64, "more dimension", "more dimensions"));
        }
    }
    let what = "The share of a dimension in the differences between the designs' mean scores, weights included. A \
                dimension near 0% hardly affects which design comes first.";
    paragraph(out, "", what);
}

fn reviewers(out: &mut String, history: &History) {
    if history.reviewers.is_empty() {
        return;
    }
    let _ = write!(out, "\n  Reviewers\n");
    for row in &history.reviewers {
        let person = if row.person { " (a person)" } else { "" };
        let _ = writeln!(out, "  {}{person}, {}", row.name, count(row.tasks.into(), "task", "tasks"));
        for (what, found, unit) in [
            ("scores higher than others", row.leniency, "tasks"),
            ("extra for its own vendor", row.self_preference, "tasks"),
            ("agrees with models", row.with_models, "designs"),
            ("agrees with people", row.with_people, "designs"),
        ] {
            if let Some(found) = found {
                let _ = writeln!(out, "    {what:28}  {}  {} {unit}", estimate(Some(found)), found.n);
            }
        }
        if row.self_preference.is_some_and(|found| found.interval[0] > 0.0) {
            let _ = writeln!(out, "    favours its vendor: the whole interval is above 0");
        }
    }
    let known: Vec<_> = history.pairs.iter().filter(|pair| pair.correlation.is_some()).collect();
    if !known.is_empty() {
        let _ = write!(out, "\n  Agreement between two reviewers\n");
        let titles: Vec<String> =
            known.iter().map(|pair| format!("{} and {}", pair.one, pair.other)).collect();
        let names: Vec<&str> = titles.iter().map(String::as_str).collect();
        for (pair, name) in known.iter().zip(&titles) {
            line(out, &names, name, &estimate(pair.correlation), &format!("{} designs", pair.designs));
        }
    }
    let unknown = history.pairs.len() - known.len();
    if unknown > 0 {
        let text = format!(
            "The agreement of {} is not rated: both must have scored at least {SHARED_DESIGNS} designs of \
             other vendors, and their scores must vary.",
            count(unknown as u64, "pair of reviewers", "pairs of reviewers")
        );
        paragraph(out, "", &text);
    }
    paragraph(
        out,
        "",
        "A reviewer's points are relative to the other reviewers of the same designs. Agreement is a \
         correlation within runs, from -1 to 1. Reviewers also agree if they make the same mistakes. Only a \
         comparison with people can reveal such mistakes.",
    );
}

fn calls(out: &mut String, history: &History) {
    if history.calls.is_empty() {
        return;
    }
    let _ = write!(out, "\n  Calls\n");
    for one in &history.calls {
        wrapped(out, "  ", "    ", &wording(one));
    }
}

/// Describes the results of one model's jobs.
fn wording(one: &Calls) -> String {
    let what = match one.duty {
        Duty::Compare => ("comparison", "comparisons"),
        Duty::Design => ("design", "designs"),
        Duty::Review => ("review", "reviews"),
    };
    let share = |found: Option<Estimate>| found.map_or_else(|| NONE.to_owned(), percentage);
    let seconds = std::time::Duration::try_from_secs_f64(one.seconds).unwrap_or_default().as_secs();
    format!(
        "{}: {}, {} failed; {}, {} retried; {}, {} tokens and {} each",
        one.model,
        count(one.jobs.into(), what.0, what.1),
        share(one.failed),
        count(one.calls.into(), "call", "calls"),
        share(one.again),
        money(one.cost),
        thousands(one.tokens),
        span(seconds.saturating_mul(1000)),
    )
}

fn panel(out: &mut String, history: &History) {
    let Some(panel) = &history.proposal else {
        let why = history.no_proposal.as_deref().unwrap_or_default();
        paragraph(out, "Panel", why);
        return;
    };
    let _ = write!(out, "\n  Suggested panel for .opencode/design-lab.jsonc (the file was not changed)\n");
    for (key, models) in [("design_models", &panel.design_models), ("review_models", &panel.review_models)] {
        if !models.is_empty() {
            let _ = writeln!(out, "    \"{key}\": {},", serde_json::to_string(models).unwrap_or_default());
        }
    }
    for reason in &panel.reasons {
        paragraph(out, "", reason);
    }
    let rule = format!(
        "The rule needs at least {LEAST_TASKS} tasks. It takes up to three designers by points, and none \
         that is clearly behind the first. It takes up to three reviewers of different vendors, the cheapest \
         of those whose agreement may be the best (with people if that is known, otherwise with the other \
         models). It leaves out models that fail too often."
    );
    paragraph(out, "", &rule);
}

/// Writes a name, a number and the data that it is based on, aligned.
fn line(out: &mut String, names: &[&str], name: &str, number: &str, of: &str) {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let _ = writeln!(out, "    {name:width$}  {number}  {of}");
}

/// Formats a share with its interval.
fn percentage(share: Estimate) -> String {
    let [value, low, high] = [share.value, share.interval[0], share.interval[1]].map(|part| part * 100.0);
    format!("{value:.0}% ({low:.0}–{high:.0})")
}

/// Formats a number with its interval.
fn estimate(found: Option<Estimate>) -> String {
    let Some(Estimate { value, interval: [low, high], .. }) = found else { return format!("{NONE:>22}") };
    let [value, low, high] = [value, low, high].map(|number| signed(Some(number)));
    format!("{value:>5} ({low:>5} to {high:>5})")
}
