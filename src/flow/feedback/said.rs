//! What a `/flow-feedback` command does to the log and the rules, and what people read of it.
//!
//! The shell reads both files, passes their texts, and writes those that come back: the rules first. If the process dies between the
//! two, the same command finds the rule in its file and only completes the log.

use super::file;
use super::log::{Entry, EntryState, Log, PROJECT, Standing};
use super::rule::{ProjectRule, are_about};
use super::uses::{Use, uses};
use super::words::{Understood, Without, understand};
use crate::flow::code::FlowCode;
use crate::shared::figures::count;
use crate::shared::typed_hash::{SHORT, is_typed, short};
use crate::shared::wrapped::{fitted, unbroken};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::slug::slug;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many exact occurrences are shown.
const EXACT: usize = 12;
/// How many similar ones are shown.
const SIMILAR: usize = 6;
/// How much of the user's words is shown in a list, in characters.
const SHOWN: usize = 300;

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowWanted"))]
pub struct Wanted {
    /// The id of the rule or the piece of feedback.
    pub id: String,
    /// The pattern.
    pub pattern: String,
    /// The files, as globs.
    pub files: Vec<String>,
}

/// Occurrences in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowSearched"))]
pub struct Searched {
    /// The id of what was searched for.
    pub id: String,
    /// The exact ones, as many as are shown.
    pub exact: Vec<Use>,
    /// The similar ones, as many as are shown.
    pub similar: Vec<Use>,
    /// How many exact ones there are.
    pub exact_count: u32,
    /// How many similar ones there are.
    pub similar_count: u32,
}

/// What the search of a place found of one pattern. The project is a place; a lane can be another one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowSearchedPlace"))]
pub struct SearchedPlace {
    /// The place: `project`.
    pub place: String,
    /// The files with occurrences.
    pub found: Vec<(String, Searched)>,
    /// How many files could not be searched: they are too large, or time ran out.
    pub unsearched: u32,
}

impl SearchedPlace {
    fn counts(&self) -> (u32, u32) {
        let sum =
            |of: fn(&Searched) -> u32| self.found.iter().map(|(_, one)| of(one)).fold(0, u32::saturating_add);
        (sum(|one| one.exact_count), sum(|one| one.similar_count))
    }
}

/// The results of a command: texts for the files, and what is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowFeedbackDone"))]
pub struct Done {
    /// The log's text; `None` when it stays as it is.
    pub log: Option<String>,
    /// The rules' text; `None` when it stays as it is.
    pub rules: Option<String>,
    /// What is shown.
    pub text: String,
    /// The hashes that this shows.
    pub hashes: Vec<String>,
}

/// A piece of feedback that was logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLogged"))]
pub struct Logged {
    /// The log's text.
    pub log: String,
    /// Its id.
    pub id: String,
    /// What to search for; empty without a pattern.
    pub wanted: Vec<Wanted>,
}

/// Logs a piece of feedback. `at`: in milliseconds since 1970.
pub fn logged(log: Option<&str>, said: &str, at: u64) -> Result<Logged, Problem> {
    let mut log = Log::read(log)?;
    let entry = log.add(said, at).clone();
    Ok(Logged {
        log: log.text(),
        wanted: wanted(&entry.id, &entry.understood).into_iter().collect(),
        id: entry.id,
    })
}

fn wanted(id: &str, understood: &Understood) -> Option<Wanted> {
    let Understood { pattern, files, .. } = understood.clone();
    Some(Wanted { id: id.to_owned(), pattern: pattern?, files })
}

/// Searches a file. `path`: from the root of the tree. Returns only what occurs.
pub fn searched(wanted: &[Wanted], path: &str, text: &str) -> Vec<Searched> {
    if path == file::RULES_FILE || text.contains('\0') {
        return Vec::new();
    }
    let number = |uses: &[Use]| u32::try_from(uses.len()).unwrap_or(u32::MAX);
    let about = wanted.iter().filter(|one| are_about(&one.files, path));
    let found = about.map(|one| {
        let mut found = uses(&one.pattern, text);
        let (exact_count, similar_count) = (number(&found.exact), number(&found.similar));
        found.exact.truncate(EXACT);
        found.similar.truncate(SIMILAR);
        Searched {
            id: one.id.clone(),
            exact: found.exact,
            similar: found.similar,
            exact_count,
            similar_count,
        }
    });
    found.filter(|one| one.exact_count + one.similar_count > 0).collect()
}

/// Shows what was understood of a piece of feedback, and records where it occurs.
pub fn shown(log: &str, id: &str, places: &[SearchedPlace]) -> Result<Done, Problem> {
    let mut log = Log::read(Some(log))?;
    let Some(entry) = log.entries.iter_mut().find(|entry| entry.id == id) else {
        return Err(unknown(id, &[]));
    };
    let has_pattern = entry.understood.pattern.is_some();
    for place in places.iter().filter(|place| has_pattern && place.place == PROJECT) {
        let (exact, similar) = place.counts();
        entry.note_project(exact, similar);
    }
    let mut out = format!("Feedback · {} · logged\n\n  {}\n\n", entry.id, line(&entry.said));
    out.push_str(&understanding(entry));
    for place in places.iter().filter(|_| has_pattern) {
        occurrences(place, &mut out);
    }
    let what = if has_pattern {
        "To make this a rule of the project"
    } else {
        "To make these words a rule, which no machine checks"
    };
    let _ =
        write!(out, "\n{what}:\n{}\n", unbroken(&format!("/flow-feedback confirm {}", short(&entry.hash))));
    let hashes = vec![entry.hash.clone()];
    Ok(Done { log: Some(log.text()), rules: None, text: fitted(&out), hashes })
}

/// What was understood, in lines.
fn understanding(entry: &Entry) -> String {
    let Understood { pattern, instead, files } = &entry.understood;
    let Some(pattern) = pattern else {
        let (_, why) = understand(&entry.said);
        let why = match why {
            Some(Without::Condition) => {
                "The words forbid something only in some cases, and a machine can't check those."
            }
            Some(Without::Several) => "The words name several things. Give one piece of feedback for each.",
            Some(Without::Prose) => {
                "What the words forbid isn't a piece of code. Put the code in back ticks."
            }
            Some(Without::TooLong) => "The code in the words is too long to be a pattern.",
            Some(Without::NothingForbidden) | None => "The words name nothing that code may not contain.",
        };
        return format!("No pattern: {why} Models will be told the words.\n");
    };
    let mut out = format!("Understood:\n  no change may add  {}\n", code(pattern));
    if let Some(instead) = instead {
        let _ = writeln!(out, "  instead            {}", code(instead));
    }
    let _ = writeln!(out, "  in                 {}", in_files(files));
    out
}

fn in_files(files: &[String]) -> String {
    if files.is_empty() {
        "all files except documentation and lock files".to_owned()
    } else {
        line(&files.join(", "))
    }
}

/// The occurrences in a place, in lines.
fn occurrences(place: &SearchedPlace, out: &mut String) {
    let (exact, similar) = place.counts();
    let name = visible::line(&place.place);
    let _ = writeln!(out, "\nNow in the {name}: {}", count(exact.into(), "occurrence", "occurrences"));
    lines(place, EXACT, exact, |one| &one.exact, out);
    if exact > 0 {
        out.push_str("Older occurrences stay: only a change that adds one is refused.\n");
    }
    if similar > 0 {
        let _ = writeln!(out, "\nSimilar, and not checked: {similar}");
        lines(place, SIMILAR, similar, |one| &one.similar, out);
    }
    if place.unsearched > 0 {
        let files = count(place.unsearched.into(), "file was", "files were");
        let _ = writeln!(out, "\n{files} not searched: too large, unreadable, or out of time.");
    }
}

fn lines(place: &SearchedPlace, most: usize, all: u32, of: fn(&Searched) -> &Vec<Use>, out: &mut String) {
    let each = place.found.iter().flat_map(|(path, one)| of(one).iter().map(move |one| (path, one)));
    let mut shown = 0;
    for (path, one) in each.take(most) {
        shown += 1;
        let text: String = visible::line(&one.text).chars().take(100).collect();
        let _ = writeln!(out, "  {}", unbroken(&format!("{}:{}  {text}", visible::line(path), one.line)));
    }
    let more = all.saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more");
    }
}

/// Makes a rule of a piece of feedback. `shown`: the whole hashes that this process has shown to a person.
pub fn confirmed(
    log: Option<&str>,
    rules: Option<&str>,
    typed: &str,
    shown: &[String],
) -> Result<Done, Vec<Problem>> {
    let mut log = Log::read(log).map_err(|problem| vec![problem])?;
    let entry = to_confirm(&mut log, typed, shown).map_err(|problem| vec![problem])?;
    let there = file::read(rules)?;
    let Understood { pattern, instead, files } = entry.understood.clone();
    let new = ProjectRule { id: String::new(), say: entry.said.clone(), pattern, instead, files };
    // The process may have died after the rule was written.
    let same = there.iter().find(|rule| ProjectRule { id: String::new(), ..(*rule).clone() } == new);
    let (rule, rules) = match same {
        Some(rule) => (rule.clone(), None),
        None => {
            let rule = ProjectRule { id: free_id(&new, &there), ..new };
            let text = file::with(rules, &rule)?;
            (rule, Some(text))
        }
    };
    entry.state = EntryState::Confirmed;
    entry.rule = Some(rule.id.clone());
    let checks = match &rule.pattern {
        Some(pattern) => {
            format!("From now on, no change may add {} ({}).", code(pattern), in_files(&rule.files))
        }
        None => "From now on, planners, workers and reviewers are told these words. No machine checks them."
            .to_owned(),
    };
    let text = format!(
        "Feedback · {} is a rule now: {}\n\n  {}\n\n{checks} A session that is at work meets the rule at its next round.\n\n\
         The rule is in {}. To remove it:\n{}\n",
        entry.id,
        rule.id,
        line(&rule.say),
        file::RULES_FILE,
        unbroken(&format!("/flow-feedback remove {}", rule.id))
    );
    Ok(Done { log: Some(log.text()), rules, text: fitted(&text), hashes: Vec::new() })
}

/// The piece of feedback whose hash was typed.
fn to_confirm<'a>(log: &'a mut Log, typed: &str, shown: &[String]) -> Result<&'a mut Entry, Problem> {
    let typed = typed.trim().to_ascii_lowercase();
    let refused = |code: FlowCode, message: &str| {
        Problem::new(code, message)
            .found(if typed.is_empty() { "no hash".to_owned() } else { typed.clone() })
            .allowed(format!("the {SHORT} characters of a hash that /flow-feedback shows"))
            .next("Type /flow-feedback list to see what waits for your confirmation.")
    };
    if typed.is_empty() {
        return Err(refused(FlowCode::FeedbackNoHash, "Name the feedback to confirm by its hash."));
    }
    let mut matching = log.entries.iter_mut().rev().filter(|entry| is_typed(&typed, &entry.hash_now()));
    let Some(entry) = matching.next() else {
        return Err(refused(FlowCode::FeedbackWrongHash, "No feedback has this hash."));
    };
    if !shown.contains(&entry.hash_now()) {
        return Err(refused(FlowCode::FeedbackNotShown, "This process hasn't shown you this feedback."));
    }
    match entry.state {
        EntryState::Logged => Ok(entry),
        EntryState::Confirmed => Err(refused(FlowCode::FeedbackAlready, "This feedback is already a rule.")),
        EntryState::Removed => {
            Err(refused(FlowCode::FeedbackWrongHash, "You removed this feedback. Say it again."))
        }
    }
}

/// An id that no rule has.
fn free_id(rule: &ProjectRule, there: &[ProjectRule]) -> String {
    let of_pattern = rule.pattern.as_deref().map(|pattern| slug(pattern, 30)).filter(|slug| !slug.is_empty());
    let named = of_pattern.map_or_else(|| slug(&rule.say, 30), |slug| format!("no-{slug}"));
    let named = if named.is_empty() { "rule".to_owned() } else { named };
    let is_free = |id: &String| there.iter().all(|other| other.id != *id);
    let numbered = (2..).map(|number| format!("{named}-{number}"));
    std::iter::once(named.clone()).chain(numbered).find(is_free).unwrap_or(named)
}

/// What a list searches for: the patterns of the rules, and of the feedback that waits.
pub fn to_list(log: Option<&str>, rules: Option<&str>) -> Result<Vec<Wanted>, Vec<Problem>> {
    let log = Log::read(log).map_err(|problem| vec![problem])?;
    let rules = file::read(rules)?;
    let of_rule = |rule: ProjectRule| Some(Wanted { id: rule.id, pattern: rule.pattern?, files: rule.files });
    let waiting = log.entries.iter().filter(|entry| entry.state == EntryState::Logged);
    let waiting = waiting.filter_map(|entry| wanted(&entry.id, &entry.understood));
    Ok(rules.into_iter().filter_map(of_rule).chain(waiting).collect())
}

/// Lists the rules and the feedback that waits, and records where they occur. `places`: by the ids of [`to_list`].
pub fn listed(
    log: Option<&str>,
    rules: Option<&str>,
    places: &BTreeMap<String, SearchedPlace>,
) -> Result<Done, Vec<Problem>> {
    let mut log = Log::read(log).map_err(|problem| vec![problem])?;
    let rules = file::read(rules)?;
    let mut news = false;
    for (id, place) in places {
        let (exact, similar) = place.counts();
        let named = log.entries.iter().position(|entry| entry.id == *id && entry.state == EntryState::Logged);
        let entry = match named {
            Some(index) => log.entries.get_mut(index),
            None => log.of_rule(id),
        };
        news |= entry.is_some_and(|entry| entry.note_project(exact, similar));
    }
    let waiting: Vec<Entry> =
        log.entries.iter().filter(|entry| entry.state == EntryState::Logged).cloned().collect();
    let mut out = format!("Feedback · {}\n", count(rules.len() as u64, "rule", "rules"));
    for rule in &rules {
        let _ = writeln!(out, "\n  {}  {}", rule.id, line(&rule.say));
        let checked = match &rule.pattern {
            Some(pattern) => {
                format!("checked: no change may add {} in {}", code(pattern), in_files(&rule.files))
            }
            None => "told to the models, not checked".to_owned(),
        };
        let _ = writeln!(out, "    {checked}");
        let in_log = log.of_rule(&rule.id).map(|entry| entry.places.clone()).unwrap_or_default();
        let mut standings: Vec<String> = in_log.iter().map(super::log::PlaceStanding::line).collect();
        if in_log.is_empty()
            && let Some(place) = places.get(&rule.id)
        {
            standings
                .push(format!("{PROJECT}: {}", count(place.counts().0.into(), "occurrence", "occurrences")));
        }
        for standing in standings {
            let _ = writeln!(out, "    {standing}");
        }
    }
    if !waiting.is_empty() {
        out.push_str("\nWaiting for your confirmation:\n");
    }
    for entry in &waiting {
        let _ = writeln!(out, "\n  {}  {}", entry.id, line(&entry.said));
        let pattern = entry.understood.pattern.as_deref();
        let about = pattern.map_or_else(
            || "no pattern: words only".to_owned(),
            |pattern| format!("no change may add {} in {}", code(pattern), in_files(&entry.understood.files)),
        );
        let _ = writeln!(out, "    {about}");
        for place in &entry.places {
            let _ = writeln!(out, "    {}", place.line());
        }
        let _ = writeln!(out, "    {}", unbroken(&format!("/flow-feedback confirm {}", short(&entry.hash))));
    }
    let next = if rules.is_empty() && waiting.is_empty() {
        "Say what should be different, for example:\n/flow-feedback don't use moment, use date-fns"
    } else {
        "To remove one, type /flow-feedback remove and its id."
    };
    let _ = writeln!(out, "\n{next}");
    let hashes = waiting.iter().map(Entry::hash_now).collect();
    Ok(Done { log: news.then(|| log.text()), rules: None, text: fitted(&out), hashes })
}

/// Removes a rule, or a piece of feedback that waits.
pub fn removed(log: Option<&str>, rules: Option<&str>, id: &str) -> Result<Done, Vec<Problem>> {
    let mut log = Log::read(log).map_err(|problem| vec![problem])?;
    let there = file::read(rules)?;
    if let Some(rule) = there.iter().find(|rule| rule.id == id) {
        let text = file::without(rules.unwrap_or_default(), id)?;
        let entry = log.of_rule(id);
        let news = entry.is_some();
        if let Some(entry) = entry {
            entry.state = EntryState::Removed;
        }
        let said = format!(
            "Feedback · {id} is no longer a rule\n\n  {}\n\nA session that is at work drops it at its next round.\n",
            line(&rule.say)
        );
        return Ok(Done {
            log: news.then(|| log.text()),
            rules: Some(text),
            text: fitted(&said),
            hashes: Vec::new(),
        });
    }
    // The process may have died after the rule was removed from its file.
    let is_it = |entry: &Entry| match entry.state {
        EntryState::Logged => entry.id == id,
        EntryState::Confirmed => entry.rule.as_deref() == Some(id),
        EntryState::Removed => false,
    };
    let Some(entry) = log.entries.iter_mut().find(|entry| is_it(entry)) else {
        let known: Vec<&str> = there.iter().map(|rule| rule.id.as_str()).collect();
        return Err(vec![unknown(id, &known)]);
    };
    entry.state = EntryState::Removed;
    let text = format!("Feedback · {} is removed\n\n  {}\n", entry.id, line(&entry.said));
    Ok(Done { log: Some(log.text()), rules: None, text: fitted(&text), hashes: Vec::new() })
}

fn unknown(id: &str, known: &[&str]) -> Problem {
    let allowed = if known.is_empty() { "there are no rules".to_owned() } else { known.join(", ") };
    Problem::new(FlowCode::FeedbackUnknown, "There is no such rule.")
        .found(if id.is_empty() { "no id".to_owned() } else { visible::line(id) })
        .allowed(allowed)
        .next("Type /flow-feedback list to see the rules.")
}

/// What became of a rule in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleStanding {
    /// The id of the rule.
    pub rule: String,
    /// What became of it.
    pub standing: Standing,
    /// How many occurrences the session's change adds now.
    pub added: u32,
}

/// The log with what became of rules in a session; `None` when that is no news.
pub fn noted(
    log: Option<&str>,
    session: &str,
    standings: &[RuleStanding],
) -> Result<Option<String>, Problem> {
    let mut log = Log::read(log)?;
    let mut news = false;
    for one in standings {
        let entry = log.of_rule(&one.rule);
        news |= entry.is_some_and(|entry| entry.note(session, one.added, 0, one.standing));
    }
    Ok(news.then(|| log.text()))
}

impl super::log::PlaceStanding {
    fn line(&self) -> String {
        let place = visible::line(&self.place);
        let of = if self.place == PROJECT { "exact" } else { "added" };
        let similar = if self.similar > 0 { format!(", {} similar", self.similar) } else { String::new() };
        format!("{place}: {} ({} {of}{similar})", self.standing.word(), self.exact)
    }
}

/// Code in a sentence: in back ticks, or as a JSON text if it contains some or a line break.
pub(crate) fn code(text: &str) -> String {
    let is_plain = !text.contains(['`', '\n', '\r']) && visible::text(text) == text;
    if is_plain { format!("`{text}`") } else { visible::json(serde_json::Value::from(text).to_string()) }
}

/// The user's words on one line, shortened.
pub(crate) fn line(text: &str) -> String {
    crate::shared::capped::capped(&visible::line(text), SHOWN)
}
