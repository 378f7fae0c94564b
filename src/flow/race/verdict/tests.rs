use super::*;
use design_lab_numerics::exact::sign_test;
use proptest::prelude::*;

#[path = "../../../../examples/races/planted.rs"]
mod planted;

/// Rows from a picture: one word for each file and one letter for each lane. `+` passes, `-` fails, `.` has no result, and a capital
/// says that this lane wrote it and passes.
fn rows(picture: &str) -> Vec<Row> {
    let row = |word: &str| Row {
        file: word.to_owned(),
        author: word.find('A'),
        on_base: false,
        passed: word.chars().map(|letter| (letter != '.').then_some(letter != '-')).collect(),
    };
    picture.split_whitespace().map(row).collect()
}

fn table(step: Step, picture: &str) -> Table {
    Table { step, rows: rows(picture) }
}

/// The lane that is better, and the step that decided.
fn better(left: &[usize], tables: &[Table]) -> Option<(usize, Step)> {
    match verdict(left, tables) {
        Verdict::Better { lane, by, .. } => Some((lane, by)),
        _ => None,
    }
}

#[test]
fn only_a_supported_difference_decides() {
    use Step::{CrossExam, Exam};
    let six = "+- ".repeat(6);
    for (name, left, tables, expected) in [
        ("six to none", &[0, 1][..], vec![table(Exam, &six)], Some((0, Exam))),
        ("five to none", &[0, 1], vec![table(Exam, &"-+ ".repeat(5))], None),
        (
            "files that both pass or fail change nothing",
            &[0, 1],
            vec![table(Exam, &(six.clone() + &"++ -- ".repeat(30)))],
            Some((0, Exam)),
        ),
        ("nine to one", &[0, 1], vec![table(Exam, &("-+ ".repeat(9) + "+-"))], Some((1, Exam))),
        ("eight to one", &[0, 1], vec![table(Exam, &("-+ ".repeat(8) + "+-"))], None),
        ("a missing result is no failure", &[0, 1], vec![table(Exam, &"+. ".repeat(9))], None),
        ("a missing column is a missing result", &[0, 2], vec![table(Exam, &six)], None),
        ("every other lane", &[0, 1, 2], vec![table(Exam, &"+-- ".repeat(6))], Some((0, Exam))),
        ("not every other lane", &[0, 1, 2], vec![table(Exam, &"+-+ ".repeat(9))], None),
        (
            "a lane that is out changes nothing",
            &[0, 1],
            vec![table(Exam, &"+-+ ".repeat(9))],
            Some((0, Exam)),
        ),
        (
            "the exam is asked first",
            &[0, 1],
            vec![table(CrossExam, &"-+ ".repeat(20)), table(Exam, &six)],
            Some((0, Exam)),
        ),
        (
            "then the lanes' files",
            &[0, 1],
            vec![table(CrossExam, &"A- +A ".repeat(6)), table(Exam, "+-")],
            Some((0, CrossExam)),
        ),
        (
            "two tables of one step are one",
            &[0, 1],
            vec![table(Exam, "+- +- +-"), table(Exam, "+- +- +-")],
            Some((0, Exam)),
        ),
        ("no more files than lanes", &[0, 1], vec![], None),
    ] {
        assert_eq!(better(left, &tables), expected, "{name}");
    }
    assert_eq!(verdict(&[], &[table(Exam, &six)]), Verdict::Nothing);
    assert_eq!(verdict(&[3, 3], &[table(Exam, &six)]), Verdict::Unopposed { lane: 3 });
}

#[test]
fn a_lane_does_not_win_by_writing_more_files() {
    // A tenth of each lane's files fail on the other lane.
    let (mine, theirs) = ("A- ".repeat(20) + &"A+ ".repeat(180), "-A ".to_owned() + &"+A ".repeat(9));
    assert_eq!(better(&[0, 1], &[table(Step::CrossExam, &(mine + &theirs))]), None);
    // Files of a third lane are a coin for the other two.
    let files = rows(&"+-A ".repeat(8));
    let p = Contest::of(&files.iter().collect::<Vec<_>>(), 0, 1).p(0);
    assert!((p - sign_test(8, 0)).abs() < 1e-15, "{p}");
}

#[test]
fn rows_that_are_no_evidence_are_set_aside() {
    use Standing::{Counts, InDoubt, NotShared, OnBase};
    for (word, left, expected) in [
        ("+-", &[0, 1][..], Counts),
        ("++", &[0, 1], Counts),
        ("--", &[0, 1], InDoubt),
        ("--+", &[0, 1], InDoubt),
        ("--+", &[0, 1, 2], Counts),
        ("+.", &[0, 1], NotShared),
        ("-", &[0, 1], NotShared),
        ("", &[], NotShared),
    ] {
        assert_eq!(rows(&format!("{word} +"))[0].standing(left), expected, "{word}");
    }
    let row = rows("+-").remove(0);
    assert_eq!(Row { on_base: true, ..row.clone() }.standing(&[0, 1]), OnBase);
    assert_eq!(Row { author: Some(1), ..row.clone() }.standing(&[0, 1]), InDoubt, "its author fails it");
    assert_eq!(Row { author: Some(0), ..row }.standing(&[0, 1]), Counts);
}

#[test]
fn without_a_verdict_it_shows_what_was_seen_and_what_was_missing() {
    let tables = [table(Step::Exam, "+- +- -+ ++ -- +."), table(Step::CrossExam, "A- A+ -A")];
    let score = |lane, passed, of| Score { lane, passed, of };
    let expected = Verdict::NoDifference {
        shown: vec![
            Shown { step: Step::Exam, counted: 4, scores: vec![score(0, 3, 4), score(1, 2, 4)] },
            Shown { step: Step::CrossExam, counted: 3, scores: vec![score(0, 0, 1), score(1, 1, 2)] },
        ],
        needed: vec![Needed { lane: 0, files: 7 }, Needed { lane: 1, files: 10 }],
    };
    assert_eq!(verdict(&[1, 0], &tables), expected);
    let none = Verdict::NoDifference {
        shown: vec![],
        needed: vec![Needed { lane: 4, files: 6 }, Needed { lane: 9, files: 6 }],
    };
    assert_eq!(verdict(&[9, 4], &[]), none);
}

#[test]
fn equal_lanes_seldom_get_a_verdict() {
    assert!(Step::ALL.iter().map(|step| step.level()).sum::<f64>() <= 0.043 + 1e-12);
    // Two lanes: all splits of up to 60 coins.
    for files in 0..60 {
        let coins = Counts::of_coins(files);
        let decides = |wins: &usize| sign_test(*wins, files - wins) <= Step::Exam.level();
        let false_verdicts: f64 =
            (0..=files).filter(decides).map(|wins| coins.at_least(wins) - coins.at_least(wins + 1)).sum();
        assert!(false_verdicts <= Step::Exam.level(), "{files}: {false_verdicts}");
    }
    // Three lanes: in some files exactly one lane passes and in some exactly one fails, and it is each lane equally often.
    for (alone_passes, alone_fails) in [(9, 0), (0, 9), (0, 13), (6, 6), (13, 0), (4, 9)] {
        let mut false_verdicts = 0.0;
        for (passes, chance) in thirds(alone_passes) {
            for (fails, other_chance) in thirds(alone_fails) {
                let p = |a: usize, b: usize| {
                    let (wins, losses) = (passes[a] + fails[b], passes[b] + fails[a]);
                    if wins > losses { sign_test(wins, losses) } else { 1.0 }
                };
                let best =
                    |lane: usize| p(lane, (lane + 1) % 3).max(p(lane, (lane + 2) % 3)) <= Step::Exam.level();
                false_verdicts += chance * other_chance * f64::from((0..3).any(best));
            }
        }
        assert!(false_verdicts < 0.01, "{alone_passes} {alone_fails}: {false_verdicts}");
    }
}

/// Each way in which a number of files can fall to three equal lanes, and its chance.
fn thirds(files: usize) -> Vec<([usize; 3], f64)> {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let mut ways = Vec::new();
    for first in 0..=files {
        for second in 0..=files - first {
            let way = [first, second, files - first - second];
            let orders = factorial(files) / way.map(factorial).iter().product::<f64>();
            ways.push((way, orders / 3f64.powi(i32::try_from(files).unwrap())));
        }
    }
    ways
}

#[test]
fn planted_races_come_out_as_promised() {
    use planted::{CHEATS, FAIR, study};
    for (lanes, files) in [(2, 6), (2, 12), (2, 24), (3, 12), (3, 24)] {
        for kind in FAIR.iter().filter(|kind| kind.lead < 0.01) {
            let tally = study(kind, lanes, files, 400, false);
            let wrong = format!("{}, {lanes} lanes, {files} files: {} wrong", kind.name, tally.wrong);
            assert!(20 * tally.wrong <= tally.races, "{wrong}");
        }
    }
    // As if half of all races were between equal lanes: four of the six kinds differ, and two don't.
    let (mut sure, mut right) = (0, 0);
    for kind in &FAIR {
        let races = if kind.lead > 0.0 { 600 } else { 1_200 };
        let said = study(kind, 2, 24, races, false).said;
        let said = said.iter().filter(|(said, _)| *said >= 0.95);
        sure += said.clone().count();
        right += said.filter(|(_, right)| *right).count();
    }
    assert!(sure >= 40 && 20 * right >= 19 * sure, "{right} of {sure}");
    let cheats = study(&CHEATS, 3, 12, 200, false);
    assert!(cheats.right > 160 && cheats.wrong == 0, "{} right, {} wrong", cheats.right, cheats.wrong);
}

/// Rows on four lanes.
fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (
        prop::collection::vec(prop::option::weighted(0.9, any::<bool>()), 0..=4),
        prop::option::weighted(0.3, 0..5_usize),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(passed, author, on_base)| Row { file: "t".to_owned(), author, on_base, passed });
    // Some rows often occur many times, so that there is something to decide.
    prop::collection::vec((row, 1..9_usize), 0..9)
        .prop_map(|rows| rows.into_iter().flat_map(|(row, times)| vec![row; times]).collect())
}

/// A verdict with every lane renamed.
fn renamed(verdict: Verdict, name: impl Fn(usize) -> usize) -> Verdict {
    let scores = |scores: Vec<Score>| {
        let scores = scores.into_iter().map(|score| Score { lane: name(score.lane), ..score });
        let mut scores: Vec<Score> = scores.collect();
        scores.sort_by_key(|score| score.lane);
        scores
    };
    match verdict {
        Verdict::Nothing => Verdict::Nothing,
        Verdict::Unopposed { lane } => Verdict::Unopposed { lane: name(lane) },
        Verdict::Better { lane, by, probability, against, scores: of } => {
            let mut against: Vec<Against> =
                against.into_iter().map(|other| Against { lane: name(other.lane), ..other }).collect();
            against.sort_by_key(|other| other.lane);
            Verdict::Better { lane: name(lane), by, probability, against, scores: scores(of) }
        }
        Verdict::NoDifference { shown, needed } => {
            let mut needed: Vec<Needed> =
                needed.into_iter().map(|needed| Needed { lane: name(needed.lane), ..needed }).collect();
            needed.sort_by_key(|needed| needed.lane);
            let shown =
                shown.into_iter().map(|shown| Shown { scores: scores(shown.scores), ..shown }).collect();
            Verdict::NoDifference { shown, needed }
        }
    }
}

proptest! {
    #[test]
    fn order_and_names_change_no_verdict(
        exam in any_rows(),
        cross in any_rows(),
        order in Just(vec![0_usize, 1, 2, 3]).prop_shuffle(),
        lanes in 0..=4_usize,
        turn in any::<prop::sample::Index>(),
    ) {
        let left: Vec<usize> = (0..lanes).collect();
        let moved = |rows: &[Row]| -> Vec<Row> {
            let mut moved: Vec<Row> = rows.iter().enumerate().map(|(place, row)| {
                let mut passed = vec![None; 4];
                for (lane, result) in row.passed.iter().enumerate() {
                    passed[order[lane]] = *result;
                }
                let author = row.author.map(|author| order.get(author).copied().unwrap_or(author));
                Row { file: place.to_string(), author, on_base: row.on_base, passed }
            }).collect();
            if !moved.is_empty() {
                let by = turn.index(moved.len());
                moved.rotate_left(by);
            }
            moved
        };
        let table = |step, rows: &[Row]| Table { step, rows: rows.to_vec() };
        let before = verdict(&left, &[table(Step::Exam, &exam), table(Step::CrossExam, &cross)]);
        let elsewhere: Vec<usize> = left.iter().rev().map(|lane| order[*lane]).collect();
        let after = verdict(
            &elsewhere,
            &[table(Step::CrossExam, &moved(&cross)), table(Step::Exam, &moved(&exam))],
        );
        prop_assert_eq!(renamed(before, |lane| order[lane]), after);
    }

    #[test]
    fn a_verdict_states_only_what_the_rows_support(exam in any_rows(), cross in any_rows()) {
        let tables = [Table { step: Step::Exam, rows: exam }, Table { step: Step::CrossExam, rows: cross }];
        for left in [&[0, 1][..], &[0, 1, 2], &[7, 0, 2, 1, usize::MAX]] {
            let found = verdict(left, &tables);
            prop_assert!(!found.sentence(&[]).is_empty());
            match found {
                Verdict::Better { lane, probability, against, scores, by } => {
                    prop_assert!((0.75..=1.0).contains(&probability) && against.len() + 1 == scores.len());
                    prop_assert!(against.iter().all(|other| other.lane != lane && other.p <= by.level()));
                }
                Verdict::NoDifference { needed, .. } => prop_assert!(needed.iter().all(|needed| needed.files > 0)),
                _ => prop_assert!(false, "there are several lanes"),
            }
        }
    }
}
