//! `.flow/feedback-log.json`: every piece of feedback, what was understood, and what became of it in each place.

use super::words::{Understood, understand};
use crate::flow::code::FlowCode;
use kernel::clock::iso;
use kernel::digest::sha256;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;

/// The path of the file, from the project's root.
pub(super) const LOG_FILE: &str = ".flow/feedback-log.json";

/// The name of the project as a place.
pub(super) const PROJECT: &str = "project";

/// All feedback of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Log {
    /// The version of the file's form.
    pub(super) version: u32,
    /// The pieces of feedback, in the order in which they were said.
    pub(super) entries: Vec<Entry>,
}

/// A piece of feedback.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id: `f1`, `f2`, ….
    pub id: String,
    /// When the user gave it, ISO 8601 in UTC.
    pub at: String,
    /// The user's words.
    pub said: String,
    /// What was understood.
    pub understood: Understood,
    /// The hash by which it is confirmed, in hex.
    pub hash: String,
    /// What became of it.
    pub state: EntryState,
    /// The rule that it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What became of it in each place.
    pub places: Vec<PlaceStanding>,
}

/// What became of a piece of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryState {
    /// It waits for the user's confirmation.
    Logged,
    /// It is a rule.
    Confirmed,
    /// It, or its rule, was removed.
    Removed,
}

/// What became of it in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceStanding {
    /// `project`, or the name of a session.
    pub place: String,
    /// What became of it.
    pub standing: Standing,
    /// How many exact occurrences there are: in a session, those that its change adds.
    pub exact: u32,
    /// How many similar ones there are.
    #[serde(default)]
    pub similar: u32,
}

/// What became of a piece of feedback in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Its exact occurrences are gone.
    Applied,
    /// There are occurrences that a person or a worker can remove.
    Suggested,
    /// It has nothing to do with this place.
    NotAffected,
}

impl Standing {
    /// The standing in words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Suggested => "suggested",
            Self::NotAffected => "not affected",
        }
    }
}

impl Log {
    /// Reads the file; an empty log if there is none.
    pub(super) fn read(text: Option<&str>) -> Result<Self, Problem> {
        let Some(text) = text else { return Ok(Self { version: 1, entries: Vec::new() }) };
        kernel::json::read(text).map_err(|error| {
            Problem::new(FlowCode::FeedbackLog, "The log of feedback can't be read.")
                .found(format!("{LOG_FILE}: {error}"))
                .allowed("the file as Flow wrote it")
                .next(format!(
                    "Move {LOG_FILE} elsewhere, then type the command again. Rules stay valid without it."
                ))
        })
    }

    /// The file's text.
    pub(super) fn text(&self) -> String {
        format!("{}\n", kernel::json::pretty(self))
    }

    /// Adds a piece of feedback. `at`: in milliseconds since 1970.
    pub(super) fn add(&mut self, said: &str, at: u64) -> &Entry {
        let (understood, _) = understand(said);
        let number = |id: &str| id.strip_prefix('f').and_then(|number| number.parse::<u32>().ok());
        let next = 1 + self.entries.iter().filter_map(|entry| number(&entry.id)).max().unwrap_or(0);
        let hash = hash(said, &understood);
        self.entries.push(Entry {
            id: format!("f{next}"),
            at: iso(at),
            said: said.to_owned(),
            understood,
            hash,
            state: EntryState::Logged,
            rule: None,
            places: Vec::new(),
        });
        &self.entries[self.entries.len() - 1]
    }

    /// The piece of feedback that is this rule.
    pub(super) fn of_rule(&mut self, rule: &str) -> Option<&mut Entry> {
        let mut entries = self.entries.iter_mut().rev();
        entries.find(|entry| entry.state == EntryState::Confirmed && entry.rule.as_deref() == Some(rule))
    }
}

impl Entry {
    /// The hash of what the entry says now: a log that was edited doesn't have the hash that was shown.
    pub(super) fn hash_now(&self) -> String {
        hash(&self.said, &self.understood)
    }

    /// Records what became of it in a place. Returns whether that is news.
    pub(super) fn note(&mut self, place: &str, exact: u32, similar: u32, standing: Standing) -> bool {
        let new = PlaceStanding { place: place.to_owned(), standing, exact, similar };
        match self.places.iter_mut().find(|one| one.place == place) {
            Some(one) if *one == new => false,
            Some(one) => {
                *one = new;
                true
            }
            None => {
                self.places.push(new);
                true
            }
        }
    }

    /// Records the occurrences in the project.
    pub(super) fn note_project(&mut self, exact: u32, similar: u32) -> bool {
        let before = self.places.iter().find(|one| one.place == PROJECT);
        let was_there = before.is_some_and(|one| one.exact > 0 || one.standing == Standing::Applied);
        let standing = match (exact, similar, was_there) {
            (0, _, true) => Standing::Applied,
            (0, 0, false) => Standing::NotAffected,
            _ => Standing::Suggested,
        };
        self.note(PROJECT, exact, similar, standing)
    }
}

fn hash(said: &str, understood: &Understood) -> String {
    sha256(&serde_json::to_string(&(said, understood)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_kept_with_what_was_understood() {
        let mut log = Log::read(None).unwrap();
        assert_eq!(log.add("don't use moment", 0).id, "f1");
        assert_eq!(log.add("always be kind", 1_000).id, "f2");
        let back = Log::read(Some(&log.text())).unwrap();
        assert_eq!(back, log);
        assert_eq!(back.entries[0].understood.pattern.as_deref(), Some("moment"));
        assert_eq!(back.entries[1].understood, Understood::default());
        assert_eq!(back.entries[1].at, "1970-01-01T00:00:01Z");
        let mut edited = back.entries[0].clone();
        assert_eq!(edited.hash_now(), edited.hash);
        edited.understood.pattern = Some("date".to_owned());
        assert_ne!(edited.hash_now(), edited.hash);
        let problem = Log::read(Some("{\"version\": 1")).unwrap_err();
        assert_eq!(problem.code, FlowCode::FeedbackLog);
    }

    #[test]
    fn a_place_is_applied_once_its_occurrences_are_gone() {
        let mut log = Log::read(None).unwrap();
        log.add("don't use moment", 0);
        let entry = &mut log.entries[0];
        let now = |entry: &Entry| entry.places[0].standing;
        assert!(entry.note_project(0, 0));
        assert_eq!(now(entry), Standing::NotAffected);
        for (exact, similar, expected) in [
            (0, 2, Standing::Suggested),
            (3, 2, Standing::Suggested),
            (0, 2, Standing::Applied),
            (0, 0, Standing::Applied),
            (1, 0, Standing::Suggested),
        ] {
            assert!(entry.note_project(exact, similar));
            assert_eq!(now(entry), expected);
            assert!(!entry.note_project(exact, similar), "no news");
        }
        assert_eq!(entry.places.len(), 1);
    }
}
