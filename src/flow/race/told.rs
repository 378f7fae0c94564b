//! What people read of a race: in the chat, and the next command.

use super::running::{Lane, LaneState, Race, RaceStep};
use super::verdict::{Row, Step, Table, Verdict};
use crate::design_lab::config::ExamPolicy;
use crate::flow::approval::short;
use crate::flow::session::Session;
use crate::shared::figures::{count, money};
use crate::shared::wrapped::unbroken;
use kernel::visible;
use std::fmt::Write as _;

/// How many reasons why a result doesn't count are shown.
const VOID: usize = 6;

impl Lane {
    /// Its mark and its state in words. `features`: how many the plan has.
    fn standing(&self, features: usize) -> (char, String) {
        match &self.state {
            LaneState::Waiting => ('·', "waiting".to_owned()),
            LaneState::Building => {
                let what = count(features as u64, "feature", "features");
                ('●', format!("building, {} of {what}", self.told.complete))
            }
            LaneState::Frozen(_) => {
                let files = count(self.changed.len() as u64, "file", "files");
                ('✓', format!("complete, {files} changed"))
            }
            LaneState::Out(why) => ('✗', format!("out. {}", visible::line(why))),
        }
    }
}

impl Race {
    /// The names of its lanes, in order.
    pub(super) fn labels(&self) -> Vec<String> {
        self.lanes.iter().map(|lane| lane.entrant.lane.clone()).collect()
    }

    /// The current activity, and how far the whole is.
    pub(in crate::flow) fn stage(&self) -> (&'static str, String) {
        let is_left = |lane: &&Lane| matches!(lane.state, LaneState::Waiting | LaneState::Building);
        let ended = self.lanes.len() - self.lanes.iter().filter(is_left).count();
        let doing = match self.step {
            RaceStep::Looking | RaceStep::Building => "racing",
            RaceStep::Checking { .. } => "checking",
            RaceStep::Copying
            | RaceStep::Examining { .. }
            | RaceStep::Sitting { .. }
            | RaceStep::Crossing => "examining",
            RaceStep::Over(_) => "over",
        };
        (doing, format!("{ended} of {} done", count(self.lanes.len() as u64, "lane", "lanes")))
    }
}

impl Session {
    /// What the session's models have cost so far, in US dollars, and the tokens that they have used; with those of its lanes.
    pub(in crate::flow) fn spent(&self) -> (f64, u64) {
        let (cost, tokens) = self.calls.spent();
        let lanes = || self.race.iter().flat_map(|race| &race.lanes);
        let of_lanes = lanes().map(|lane| lane.told.tokens).fold(0, u64::saturating_add);
        let cost = cost + lanes().map(|lane| lane.told.cost).sum::<f64>();
        (cost, tokens.total().saturating_add(of_lanes))
    }

    /// The verdict in a sentence; empty before there is one.
    pub(in crate::flow) fn race_sentence(&self) -> String {
        let verdict = self.race.as_ref().and_then(|race| Some((race.verdict()?, race.labels())));
        verdict.map(|(verdict, labels)| verdict.sentence(&labels)).unwrap_or_default()
    }

    /// What would race, below a plan that isn't approved.
    pub(in crate::flow) fn account_of_entrants(&self, out: &mut String) {
        if !self.is_race() {
            return;
        }
        out.push_str("\nThis plan would be raced. Each lane builds all of it, from the same files:\n");
        for entrant in &self.opening.race {
            let _ = writeln!(out, "  {}  {}", entrant.lane, visible::line(&entrant.wording()));
        }
        if self.settings.exam == ExamPolicy::Off {
            out.push_str("`flow.exam` is off, so only their own tests will compare them.\n");
        } else {
            let examiner = self.opening.models.examiner();
            let _ = writeln!(out, "Then {examiner} writes tests that no worker has seen, and they decide.");
        }
        let expected = self.expected_of_race().sentence(["lane", "lanes"]);
        let _ = writeln!(out, "Expected for all of it: {expected}");
        let _ = writeln!(out, "The limits of `flow.budget` apply to each lane by itself.");
    }

    /// The lanes and the verdict.
    pub(in crate::flow) fn account_of_race(&self, out: &mut String) {
        let Some(race) = &self.race else { return };
        let features = self.plan.as_ref().map_or(0, |plan| plan.features.len());
        out.push_str("\nLanes\n");
        for lane in &race.lanes {
            let (mark, standing) = lane.standing(features);
            let (name, who) = (&lane.entrant.lane, visible::line(&lane.entrant.wording()));
            let _ = writeln!(out, "  {mark} {name}  {who}, {}: {standing}", money(lane.told.cost));
            if !lane.session.is_empty() {
                let _ = writeln!(out, "       Session  {}", unbroken(&lane.session));
            }
            if !lane.moved.is_empty() {
                let moved = crate::flow::evidence::some(&lane.moved);
                let _ = writeln!(out, "       Files of your project changed while it worked: {moved}");
            }
        }
        if let Some(verdict) = race.verdict() {
            self.account_of_verdict(race, verdict, out);
        }
    }

    fn account_of_verdict(&self, race: &Race, verdict: &Verdict, out: &mut String) {
        if *verdict != Verdict::Nothing {
            let _ = writeln!(out, "\n{}", self.race_sentence());
        }
        for table in race.tables() {
            rows(race, &table, out);
        }
        for line in race.not_examined() {
            let _ = writeln!(out, "\n{line}");
        }
        if let Some(lane) = &race.taken {
            let _ = writeln!(out, "\nYou took the result of lane {lane}.");
        }
    }

    /// The next command of a race, and why; `None` when it isn't one, or something else comes first.
    pub(in crate::flow) fn race_way(&self) -> Option<(String, String)> {
        if !self.is_race() {
            return None;
        }
        let Some(race) = &self.race else {
            let hint = "Read the plan. Approve it to build every lane, or type /flow-plan revise followed by \
                        what should change.";
            return Some((hint.to_owned(), format!("/flow-race approve {}", short(&self.hash))));
        };
        let lane = race.taken.clone().or_else(|| race.favourite())?;
        if race.taken.is_some() {
            return Some(self.proves_it());
        }
        let hint = format!("Shows what lane {lane} would change in your project, without changing it.");
        Some((hint, format!("/flow-race take {lane}")))
    }
}

impl Race {
    /// The lane that is proposed: the better one, or the first that is complete.
    fn favourite(&self) -> Option<String> {
        let index = match self.verdict()? {
            Verdict::Unopposed { lane } | Verdict::Better { lane, .. } => *lane,
            Verdict::NoDifference { .. } => self.frozen().first()?.0,
            Verdict::Nothing => return None,
        };
        Some(self.lanes.get(index)?.entrant.lane.clone())
    }
}

/// A step of evidence as people see it.
#[derive(Debug)]
pub(in crate::flow) struct Shown {
    pub(in crate::flow) heading: &'static str,
    /// The names of the lanes.
    pub(in crate::flow) lanes: Vec<String>,
    /// Each test file, with a mark for each lane.
    pub(in crate::flow) rows: Vec<(String, Vec<char>)>,
}

impl Race {
    /// What each step of evidence showed.
    pub(in crate::flow) fn shown(&self) -> Vec<Shown> {
        self.tables().iter().map(|table| self.shown_table(table)).collect()
    }

    fn shown_table(&self, table: &Table) -> Shown {
        let lanes = self.labels();
        let heading = match table.step {
            Step::Exam => "Exam, by a model that saw no lane",
            Step::CrossExam => "Cross-examination: each lane's own tests on the others",
        };
        let mark = |passed: &Option<bool>| match passed {
            Some(true) => '✓',
            Some(false) => '✗',
            None => '–',
        };
        let row = |row: &Row| {
            let of = row.author.and_then(|author| lanes.get(author));
            let of = of.map_or_else(String::new, |label| format!(" (by lane {label})"));
            (visible::line(&format!("{}{of}", row.file)), row.passed.iter().map(mark).collect())
        };
        Shown { heading, rows: table.rows.iter().map(row).collect(), lanes }
    }

    /// Each lane as people see it: its name, who builds what, its state, and its cost.
    pub(in crate::flow) fn lanes_shown(&self, features: usize) -> Vec<[String; 4]> {
        let shown = |lane: &Lane| {
            let (mark, standing) = lane.standing(features);
            let who = visible::line(&lane.entrant.wording());
            [lane.entrant.lane.clone(), who, format!("{mark} {standing}"), money(lane.told.cost)]
        };
        self.lanes.iter().map(shown).collect()
    }

    /// What no test examined, and why, in sentences.
    fn not_examined(&self) -> impl Iterator<Item = String> {
        let none = self.examination.none.as_ref();
        let none = none.map(|why| format!("There was no exam: {}.", why.trim_end_matches('.')));
        let left_out = self.examination.left_out();
        let left_out = (!left_out.is_empty())
            .then(|| format!("Not examined, in the examiner's words: {}", visible::line(left_out)));
        none.into_iter().chain(left_out)
    }

    /// What nobody checked, and which results don't count, in sentences.
    pub(in crate::flow) fn unchecked(&self) -> Vec<String> {
        let void = self.examination.void(&self.lanes).into_iter();
        let void = void.map(|line| format!("Not counted: {}.", visible::line(&line).trim_end_matches('.')));
        self.not_examined().chain(void).collect()
    }
}

/// Each test file of a step, with its result in each lane.
fn rows(race: &Race, table: &Table, out: &mut String) {
    let shown = race.shown_table(table);
    let _ = writeln!(out, "\n{}", shown.heading);
    for (file, marks) in &shown.rows {
        let each: Vec<String> =
            shown.lanes.iter().zip(marks).map(|(label, mark)| format!("{label} {mark}")).collect();
        let _ = writeln!(out, "  {}  {file}", each.join("  "));
    }
    let void = if table.step == Step::Exam { race.examination.void(&race.lanes) } else { Vec::new() };
    if !void.is_empty() {
        let _ = writeln!(out, "  –: the result doesn't count.");
        for line in void.iter().take(VOID) {
            let _ = writeln!(out, "    {}", visible::line(line));
        }
        if void.len() > VOID {
            let _ = writeln!(out, "    and {} more", void.len() - VOID);
        }
    }
}
