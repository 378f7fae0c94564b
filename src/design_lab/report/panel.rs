//! The panel next to the chat while a run is running.

use super::chat::tally;
use super::overview::{Overview, Stage};
use crate::design_lab::config::ReviewMode;
use crate::design_lab::ranking::Provisional;
use crate::shared::figures::{NONE, count, money, number, thousands};
use crate::shared::panel::{Look, Panel, Row, aligned};
use kernel::clock::{span, stopwatch};
use kernel::progress::{Incoming, Participant, Standing};

const NAME: &str = "Design Lab";

/// Returns the panel of a running run, with the present standings of the designs, best first; `None` for a run that is
/// over.
pub fn panel(run: &Overview<'_>, mode: ReviewMode, standings: &[Provisional]) -> Option<Panel> {
    let (stage, done) = match run.stage {
        Stage::Setup => ("1/3 setting up", String::new()),
        Stage::Design => ("2/3 designing", format!("{} done", tally(&run.designers))),
        Stage::Review => ("3/3 reviewing", format!("{} done", tally(&run.reviewers))),
        Stage::Map => ("ranked, mapping the designs", String::new()),
        Stage::Over(_) => return None,
    };
    let left = match run.expected_ms {
        None => "not known yet".to_owned(),
        Some(ms) if ms < 1000 => "longer than usual".to_owned(),
        Some(ms) => format!("about {}", span(ms)),
    };
    let mut rows = vec![Row::new(Look::Title, "", NAME, span(run.elapsed_ms))];
    if let Some(directory) = &run.directory {
        rows.push(Row::new(Look::Remark, "", directory.rsplit('/').next().unwrap_or_default(), ""));
    }
    rows.push(Row::new(Look::Plain, "", stage, done.as_str()));
    rows.push(Row::new(Look::Plain, "", "Left in this phase", left.as_str()));
    let spent = format!("{} · {} tokens", money(run.cost), thousands(run.tokens.total()));
    rows.push(Row::new(Look::Plain, "", "Cost", spent));
    if let Some(reason) = run.closing {
        rows.push(Row::new(Look::Remark, "", format!("No more calls: {reason}."), ""));
    }
    participants(&mut rows, [("Designs", &run.designers), ("Reviews", &run.reviewers)]);
    leaderboard(&mut rows, mode, standings);
    Some(Panel {
        name: NAME.to_owned(),
        cancel: "design-lab-cancel".to_owned(),
        summary: summary(run, stage, &done),
        rows,
    })
}

/// Returns a short summary, because it is displayed next to the host's own text.
fn summary(run: &Overview<'_>, stage: &str, done: &str) -> String {
    let mut parts = vec![format!("{NAME} {stage}")];
    if !done.is_empty() {
        parts.push(done.to_owned());
    }
    parts.push(match run.expected_ms {
        Some(ms) if ms >= 1000 => format!("about {} left", span(ms)),
        _ => span(run.elapsed_ms),
    });
    parts.join(" · ")
}

/// Adds a row for each participant: time, tokens or current activity, cost, in the same columns in every part.
fn participants(rows: &mut Vec<Row>, parts: [(&str, &[Participant]); 2]) {
    let mut table = Vec::new();
    for (_, all) in parts {
        table.push(["time", "tokens", "cost"].map(str::to_owned));
        table.extend(all.iter().map(cells));
    }
    let mut lines = aligned(&table).into_iter();
    for (title, all) in parts {
        rows.push(Row::new(Look::Heading, "", title, lines.next().unwrap_or_default()));
        for (participant, figures) in all.iter().zip(lines.by_ref()) {
            let look = match participant.standing {
                Standing::Working(_) => Look::Working,
                Standing::Waiting | Standing::Stopped | Standing::NotAsked => Look::Waiting,
                Standing::Pausing { .. } => Look::Pausing,
                Standing::Done => Look::Done,
                Standing::Failed(_) => Look::Failed,
            };
            rows.push(Row::new(look, participant.standing.mark(), participant.name.as_str(), figures));
            if let Standing::Failed(reason) = &participant.standing {
                rows.push(Row::new(Look::Remark, " ", reason.wording(), ""));
            }
        }
    }
}

fn cells(participant: &Participant) -> [String; 3] {
    let middle = match &participant.standing {
        Standing::Waiting => "waiting".to_owned(),
        Standing::Working(word) => participant.wording(word, Incoming::short),
        Standing::Stopped => "stopped".to_owned(),
        Standing::NotAsked => "not started".to_owned(),
        Standing::Pausing { seconds, .. } => format!("in {seconds} s"),
        Standing::Done | Standing::Failed(_) => short(participant.tokens),
    };
    if participant.prompts == 0 {
        return [String::new(), middle, String::new()];
    }
    let cost = if participant.cost > 0.0 || participant.tokens > 0 {
        money(participant.cost)
    } else {
        String::new()
    };
    [stopwatch(participant.duration_ms), middle, cost]
}

/// Adds the standings of the designs; nothing before the first review is complete.
fn leaderboard(rows: &mut Vec<Row>, mode: ReviewMode, standings: &[Provisional]) {
    if standings.is_empty() {
        return;
    }
    let (one, many, remark) = match mode {
        ReviewMode::Scores => ("review", "reviews", "The mean of the reviews so far."),
        ReviewMode::Pairwise => ("pair", "pairs", "The share of pairs won so far."),
    };
    let cells = |standing: &Provisional| {
        let figure = match mode {
            ReviewMode::Scores => number(standing.figure),
            ReviewMode::Pairwise => {
                standing.figure.map_or_else(|| NONE.to_owned(), |share| format!("{:.0}%", 100.0 * share))
            }
        };
        [figure, count(u64::from(standing.count), one, many)]
    };
    rows.push(Row::new(Look::Heading, "", "Leaderboard", "provisional"));
    let lines = aligned(&standings.iter().map(cells).collect::<Vec<_>>());
    for (standing, figures) in standings.iter().zip(lines) {
        let rank = standing.rank.map_or_else(|| NONE.to_owned(), |rank| rank.to_string());
        rows.push(Row::new(Look::Ranked, rank, standing.design_id.as_str(), figures));
    }
    let remark = format!("{remark} The ranking follows when all reviews are in.");
    rows.push(Row::new(Look::Remark, "", remark, ""));
}

/// Formats tokens in at most four characters: `842`, `4.2k`, `123k`, `1.2M`.
fn short(tokens: u64) -> String {
    let tenths = |unit: u64| tokens.saturating_mul(10).saturating_add(unit / 2) / unit;
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..9_950 => format!("{}.{}k", tenths(1_000) / 10, tenths(1_000) % 10),
        9_950..999_500 => format!("{}k", (tokens + 500) / 1_000),
        _ => format!("{}.{}M", tenths(1_000_000) / 10, tenths(1_000_000) % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn tokens_are_short_and_never_round_up_to_another_length() {
        assert!(short(u64::MAX).ends_with('M'));
        let counts = [0, 999, 1_000, 4_249, 9_949, 9_950, 123_456, 999_499, 999_500, 1_250_000];
        assert_eq!(
            counts.map(short),
            ["0", "999", "1.0k", "4.2k", "9.9k", "10k", "123k", "999k", "1.0M", "1.3M"]
        );
    }
}
