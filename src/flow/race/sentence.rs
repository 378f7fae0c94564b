//! The verdict for people. Each number in it is the verdict's own, and no word claims more than they support.

use super::verdict::{Against, Needed, Score, Shown, Step, Verdict};

/// Below this chance, a lane is only *probably* better.
const SURE: f64 = 0.95;

/// The name of a lane in a sentence.
type Name<'a> = &'a dyn Fn(usize) -> String;

impl Verdict {
    /// The verdict in words. `labels`: what each lane is called, such as `b`; a lane without a label gets its number, from 1.
    pub fn sentence(&self, labels: &[String]) -> String {
        let name: Name<'_> = &|lane| match labels.get(lane) {
            Some(label) => format!("lane {label}"),
            None => format!("lane {}", lane.saturating_add(1)),
        };
        match self {
            Self::Nothing => "No lane was completed, so there is nothing to choose.".to_owned(),
            Self::Unopposed { lane } => {
                format!("Only {} was completed, so nothing was compared.", name(*lane))
            }
            Self::Better { lane, by, probability, against, scores } => {
                let better = if *probability >= SURE { "is better" } else { "is probably better" };
                let (mut order, rest): (Vec<Score>, Vec<Score>) =
                    scores.iter().copied().partition(|score| score.lane == *lane);
                order.extend(rest);
                format!(
                    "{} {better}: {} ({}; {} sure).",
                    capital(&name(*lane)),
                    passed("it", &order, *by, name),
                    test(*by, against, name),
                    percent(*probability)
                )
            }
            Self::NoDifference { shown, needed } => no_difference(shown, needed, name),
        }
    }
}

fn no_difference(shown: &[Shown], needed: &[Needed], name: Name<'_>) -> String {
    let counted: Vec<&Shown> = shown.iter().filter(|step| step.counted > 0).collect();
    let found = match (counted.is_empty(), needed.len()) {
        (true, _) => "Nothing was compared, because no test file counted.",
        (false, ..=2) => "No difference was found.",
        (false, _) => "No difference was found that makes one lane better than every other.",
    };
    let mut sentences = vec![found.to_owned()];
    for step in counted {
        let first = step.scores.first().map(|score| capital(&name(score.lane))).unwrap_or_default();
        sentences.push(format!("{}.", passed(&first, &step.scores, step.step, name)));
    }
    let least = needed.iter().map(|needed| needed.files).min().unwrap_or_default();
    let nearest: Vec<&Needed> = needed.iter().filter(|needed| needed.files == least).collect();
    let whom = match nearest[..] {
        [only] => name(only.lane),
        _ => "one and the same lane".to_owned(),
    };
    let files = if least == 1 { "file" } else { "files" };
    sentences
        .push(format!("The exam would have decided with {least} more test {files} that only {whom} passes."));
    sentences.join(" ")
}

/// What each lane passes; `first` stands for the first lane.
fn passed(first: &str, scores: &[Score], step: Step, name: Name<'_>) -> String {
    let files = match (step, scores.len()) {
        (Step::Exam, _) => "new test files",
        (Step::CrossExam, ..=2) => "test files that the other lane wrote",
        (Step::CrossExam, _) => "test files that other lanes wrote",
    };
    let part = |(place, score): (usize, &Score)| match place {
        0 => format!("{first} passes {} of {} {files}", score.passed, score.of),
        _ => format!("{} {} of {}", name(score.lane), score.passed, score.of),
    };
    scores.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")
}

/// The test that decided, and its result.
fn test(by: Step, against: &[Against], name: Name<'_>) -> String {
    match (by, against) {
        (Step::Exam, [only]) => format!("exact sign test, {} to {}", only.wins, only.losses),
        (Step::Exam, _) => {
            let split =
                |other: &Against| format!("{} to {} against {}", other.wins, other.losses, name(other.lane));
            format!("exact sign test, {}", against.iter().map(split).collect::<Vec<_>>().join(", "))
        }
        // Its wins and losses depend on how many files each lane wrote.
        (Step::CrossExam, _) => {
            let p = against.iter().map(|other| other.p).fold(0.0, f64::max);
            if p < 0.001 { "exact test, p < 0.001".to_owned() } else { format!("exact test, p = {p:.3}") }
        }
    }
}

/// Rounded down, so that no chance is overstated.
fn percent(chance: f64) -> String {
    format!("{}%", (100.0 * chance).floor().min(99.0))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Vec<String> {
        ["a", "b", "c"].map(str::to_owned).to_vec()
    }

    fn scores(of: &[(usize, usize)]) -> Vec<Score> {
        of.iter().enumerate().map(|(lane, &(passed, of))| Score { lane, passed, of }).collect()
    }

    fn better(
        by: Step,
        probability: f64,
        against: &[(usize, usize, usize, f64)],
        of: &[(usize, usize)],
    ) -> String {
        let against =
            against.iter().map(|&(lane, wins, losses, p)| Against { lane, wins, losses, p }).collect();
        Verdict::Better { lane: 1, by, probability, against, scores: scores(of) }.sentence(&labels())
    }

    /// A step, how many files counted, and how many of how many each lane passes.
    type Seen<'a> = (Step, usize, &'a [(usize, usize)]);

    fn open(shown: &[Seen<'_>], needed: &[usize]) -> String {
        let shown =
            shown.iter().map(|&(step, counted, of)| Shown { step, counted, scores: scores(of) }).collect();
        let needed = needed.iter().enumerate().map(|(lane, &files)| Needed { lane, files }).collect();
        Verdict::NoDifference { shown, needed }.sentence(&labels())
    }

    #[test]
    fn verdicts_read_well() {
        use Step::{CrossExam, Exam};
        for (found, expected) in [
            (Verdict::Nothing.sentence(&[]), "No lane was completed, so there is nothing to choose."),
            (
                Verdict::Unopposed { lane: 1 }.sentence(&[]),
                "Only lane 2 was completed, so nothing was compared.",
            ),
            (
                better(Exam, 0.7725, &[(0, 6, 0, 0.031)], &[(3, 10), (9, 10)]),
                "Lane b is probably better: it passes 9 of 10 new test files, lane a 3 of 10 (exact sign test, 6 to 0; 77% sure).",
            ),
            (
                better(Exam, 0.9683, &[(0, 10, 0, 0.002), (2, 11, 0, 0.001)], &[(2, 12), (12, 12), (1, 12)]),
                "Lane b is better: it passes 12 of 12 new test files, lane a 2 of 12, lane c 1 of 12 (exact sign test, 10 to 0 against \
                 lane a, 11 to 0 against lane c; 96% sure).",
            ),
            (
                better(CrossExam, 0.905, &[(0, 8, 1, 0.0079)], &[(4, 12), (10, 11)]),
                "Lane b is probably better: it passes 10 of 11 test files that the other lane wrote, lane a 4 of 12 (exact test, p = \
                 0.008; 90% sure).",
            ),
            (
                better(CrossExam, 0.999, &[(0, 8, 1, 0.000_1)], &[(4, 12), (10, 11), (3, 20)]),
                "Lane b is better: it passes 10 of 11 test files that other lanes wrote, lane a 4 of 12, lane c 3 of 20 (exact test, p < \
                 0.001; 99% sure).",
            ),
            (
                better(Exam, 0.999_99, &[(0, 40, 0, 1e-9)], &[(0, 40), (40, 40)]),
                "Lane b is better: it passes 40 of 40 new test files, lane a 0 of 40 (exact sign test, 40 to 0; 99% sure).",
            ),
            (
                open(&[(Exam, 10, &[(7, 10), (6, 10)]), (CrossExam, 5, &[(2, 2), (3, 3)])], &[5, 7]),
                "No difference was found. Lane a passes 7 of 10 new test files, lane b 6 of 10. Lane a passes 2 of 2 test files that the \
                 other lane wrote, lane b 3 of 3. The exam would have decided with 5 more test files that only lane a passes.",
            ),
            (
                open(&[(Exam, 9, &[(8, 9), (8, 9), (1, 9)])], &[7, 7, 20]),
                "No difference was found that makes one lane better than every other. Lane a passes 8 of 9 new test files, lane b 8 of 9, \
                 lane c 1 of 9. The exam would have decided with 7 more test files that only one and the same lane passes.",
            ),
            (
                open(&[(Exam, 7, &[(7, 7), (2, 7)]), (CrossExam, 0, &[(0, 0), (0, 0)])], &[1, 13]),
                "No difference was found. Lane a passes 7 of 7 new test files, lane b 2 of 7. The exam would have decided with 1 more test file that only lane a passes.",
            ),
            (
                open(&[], &[6, 6]),
                "Nothing was compared, because no test file counted. The exam would have decided with 6 more test files that only one and the same lane passes.",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }
}
