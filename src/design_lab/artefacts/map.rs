//! The decision map: what all designs agree on, where they contradict each other, and what only one of them has.
//!
//! A model writes it, and nothing in it is believed: each point refers to passages of the designs, and code looks these up in the
//! designs as the model saw them. Only a point whose passages were found is shown as one.

use super::code::ArtefactCode;
use super::design::{Design, Provenance};
use super::quote::{LONGEST, Needle, Passages};
use super::readable;
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use crate::shared::capped::capped;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;

/// The top-level keys of a map, which distinguish it from any other object.
pub const MAP_KEYS: [&str; 3] = ["agreements", "contradictions", "only_one"];
/// The most points of a kind that are read.
const MOST_POINTS: usize = 20;
/// The longest sentence of a map in characters.
const SENTENCE: usize = 500;

/// What all designs agree on, where they contradict each other, and what only one of them has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct DecisionMap {
    /// What all designs agree on.
    pub agreements: Vec<Agreement>,
    /// Where designs contradict each other.
    pub contradictions: Vec<Contradiction>,
    /// What only one design has.
    pub only_one: Vec<OnlyOne>,
    /// How many points could not be read: they repeat another, say nothing, or name no design that exists, or there are too many.
    pub unread: u32,
}

/// A decision that all designs make in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Agreement {
    /// The decision, in the model's words.
    pub statement: String,
    /// The passages that show it.
    pub quotes: Vec<MapQuote>,
    /// Whether a passage was found in every design.
    pub checked: bool,
}

/// A question to which designs give answers that exclude each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Contradiction {
    /// The question, in the model's words.
    pub question: String,
    /// What each answer gains and gives up, in the model's words; may be empty.
    pub tradeoff: String,
    /// The answers.
    pub positions: Vec<Position>,
    /// Whether two answers are each shown by a passage that only designs with that answer have.
    pub checked: bool,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Position {
    /// The answer, in the model's words.
    pub position: String,
    /// The passages that show it.
    pub quotes: Vec<MapQuote>,
}

/// Something that only one design has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct OnlyOne {
    /// What it is, in the model's words.
    pub statement: String,
    /// The passage that shows it.
    pub quote: MapQuote,
    /// Whether the passage was found in this design and in no other.
    pub checked: bool,
}

/// A passage of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct MapQuote {
    /// The design's id.
    pub design_id: DesignId,
    /// The passage as the model copied it.
    pub quote: String,
    /// Why it shows nothing; missing if it was found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional), schemars(with = "QuoteFault", extend("examples" = ["not_found"])))]
    pub fault: Option<QuoteFault>,
}

/// Why a quote shows nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QuoteFault {
    /// It has fewer than three words, or more than 400 characters.
    NoQuote,
    /// The design doesn't contain it.
    NotFound,
    /// A design with another answer contains it, too.
    InOthers,
}

/// A decision map as stored in `results/map.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StoredMap {
    /// The schema of this document.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The id of the reviewer that wrote it.
    pub author: ReviewerId,
    /// The model that wrote it: `provider/model`.
    pub model: String,
    /// The map itself.
    #[serde(flatten)]
    pub map: DecisionMap,
    /// Where it came from.
    pub metadata: Provenance,
}

/// A design as the author of a map saw it.
pub struct ShownDesign<'a> {
    /// Its label.
    pub label: &'a Label,
    /// Its id.
    pub id: &'a DesignId,
    /// The design without names.
    pub design: &'a Design,
}

impl DecisionMap {
    /// Reads a model's answer and looks up what it quotes. An answer in which nothing was found is returned as problems: the model
    /// can copy the passages again.
    pub fn from_reply(value: &Value, designs: &[ShownDesign<'_>]) -> Result<Self, Vec<Problem>> {
        let shown = Shown::of(designs);
        let mut map = Self::default();
        let mut seen: Vec<String> = Vec::new();
        let mut unread = 0;
        for key in MAP_KEYS {
            let points = value[key].as_array().map_or(&[][..], Vec::as_slice);
            for (at, point) in points.iter().enumerate() {
                let said = text(&point[if key == "contradictions" { "question" } else { "statement" }]);
                let is_new = !said.is_empty() && !seen.contains(&said);
                let was_read = is_new && at < MOST_POINTS && map.read(key, &said, point, &shown).is_some();
                unread += u32::from(!was_read);
                if was_read {
                    seen.push(said);
                }
            }
        }
        map.unread = unread;
        if map.is_empty() { Err(map.faults()) } else { Ok(map) }
    }

    /// Adds a point; `None` if it refers to no design.
    fn read(&mut self, key: &str, said: &str, point: &Value, shown: &Shown<'_>) -> Option<()> {
        let statement = said.to_owned();
        match key {
            "agreements" => {
                let quotes = shown.quotes(&point["quotes"], &[]);
                let checked = shown.designs.iter().all(|one| {
                    quotes.iter().any(|quote| quote.design_id == *one.id && quote.fault.is_none())
                });
                self.agreements.push(Agreement { statement, quotes, checked });
            }
            "contradictions" => {
                let positions = shown.positions(point["positions"].as_array()?);
                let is_shown = |position: &&Position| position.found().next().is_some();
                let checked = positions.iter().filter(is_shown).count() >= 2;
                let tradeoff = text(&point["tradeoff"]);
                self.contradictions.push(Contradiction { question: statement, tradeoff, positions, checked });
            }
            _ => {
                let own = shown.place(&point["design_id"])?;
                let others: Vec<usize> = (0..shown.designs.len()).filter(|other| *other != own).collect();
                let quote = shown.quote(own, &point["quote"], &others);
                let checked = quote.fault.is_none();
                self.only_one.push(OnlyOne { statement, quote, checked });
            }
        }
        Some(())
    }

    /// Whether no point has all its passages.
    pub fn is_empty(&self) -> bool {
        self.checked() == 0
    }

    /// How many points have all their passages.
    pub fn checked(&self) -> usize {
        self.points().filter(|(checked, _)| *checked).count()
    }

    /// How many points lack a passage.
    pub fn unchecked(&self) -> usize {
        self.points().filter(|(checked, _)| !*checked).count()
    }

    /// Each point: whether it is checked, and its quotes.
    fn points(&self) -> impl Iterator<Item = (bool, Vec<&MapQuote>)> {
        let agreements = self.agreements.iter().map(|one| (one.checked, one.quotes.iter().collect()));
        let contradictions = self
            .contradictions
            .iter()
            .map(|one| (one.checked, one.positions.iter().flat_map(|position| &position.quotes).collect()));
        let singles = self.only_one.iter().map(|one| (one.checked, vec![&one.quote]));
        agreements.chain(contradictions).chain(singles)
    }

    /// The map with only its checked points and their passages.
    #[must_use]
    pub fn only_checked(&self) -> Self {
        let mut map = self.clone();
        map.agreements.retain(|one| one.checked);
        map.contradictions.retain(|one| one.checked);
        map.only_one.retain(|one| one.checked);
        for agreement in &mut map.agreements {
            agreement.quotes.retain(|quote| quote.fault.is_none());
        }
        for contradiction in &mut map.contradictions {
            for position in &mut contradiction.positions {
                position.quotes.retain(|quote| quote.fault.is_none());
            }
            contradiction.positions.retain(|position| !position.quotes.is_empty());
        }
        map
    }

    /// The checked points that only designs for which `is_there` holds are needed for.
    #[must_use]
    pub fn among(&self, is_there: impl Fn(&DesignId) -> bool) -> Self {
        let mut map = self.only_checked();
        map.agreements.iter_mut().for_each(|one| one.quotes.retain(|quote| is_there(&quote.design_id)));
        map.agreements.retain(|one| one.quotes.len() > 1);
        for contradiction in &mut map.contradictions {
            for position in &mut contradiction.positions {
                position.quotes.retain(|quote| is_there(&quote.design_id));
            }
            contradiction.positions.retain(|position| !position.quotes.is_empty());
        }
        map.contradictions.retain(|one| one.positions.len() > 1);
        map.only_one.retain(|one| is_there(&one.quote.design_id));
        map
    }

    /// The map with its sentences in other words; its quotes stay.
    #[must_use]
    pub fn reworded(mut self, words: impl Fn(&str) -> String) -> Self {
        let agreements = self.agreements.iter_mut().map(|one| &mut one.statement);
        let contradictions = self.contradictions.iter_mut().flat_map(|one| {
            let answers = one.positions.iter_mut().map(|position| &mut position.position);
            [&mut one.question, &mut one.tradeoff].into_iter().chain(answers)
        });
        let singles = self.only_one.iter_mut().map(|one| &mut one.statement);
        for text in agreements.chain(contradictions).chain(singles) {
            *text = words(text);
        }
        self
    }

    /// What is wrong with a map without a checked point.
    fn faults(&self) -> Vec<Problem> {
        /// A model that paraphrased one passage did so with all.
        const MOST: usize = 5;
        let missing = self.points().flat_map(|(_, quotes)| quotes).filter(|quote| quote.fault.is_some());
        let mut problems: Vec<Problem> = missing
            .take(MOST)
            .map(|quote| {
                let message = match quote.fault {
                    Some(QuoteFault::InOthers) => "Another design has this passage, too.",
                    Some(QuoteFault::NoQuote) => "This is too short or too long for a quote.",
                    _ => "This passage is not in the design that the point names.",
                };
                Problem::new(ArtefactCode::MapNotFound, message)
                    .found(quote.quote.clone())
                    .allowed("4 to 25 words in a row, copied exactly from one text of the design")
            })
            .collect();
        if problems.is_empty() {
            let message = "The map has no point whose design and quote can be read.";
            problems.push(Problem::new(ArtefactCode::MapNoPoints, message).allowed(
                "agreements with a quote of every design, contradictions, and points of one design",
            ));
        }
        problems
    }
}

impl Position {
    /// The passages that were found.
    pub fn found(&self) -> impl Iterator<Item = &MapQuote> {
        self.quotes.iter().filter(|quote| quote.fault.is_none())
    }
}

/// The designs that the author of a map saw.
struct Shown<'a> {
    designs: &'a [ShownDesign<'a>],
    labels: Vec<Label>,
    passages: Vec<Passages>,
}

impl<'a> Shown<'a> {
    fn of(designs: &'a [ShownDesign<'a>]) -> Self {
        Self {
            designs,
            labels: designs.iter().map(|one| one.label.clone()).collect(),
            passages: designs.iter().map(|one| Passages::of(one.design)).collect(),
        }
    }

    /// The design that a label means.
    fn place(&self, said: &Value) -> Option<usize> {
        let label = readable::label(said.as_str()?, &self.labels)?;
        self.labels.iter().position(|known| known == label)
    }

    /// A quote of the design at `place`, looked up there and in the designs at `others`, which must not have it.
    fn quote(&self, place: usize, said: &Value, others: &[usize]) -> MapQuote {
        let quote = said.as_str().unwrap_or_default().trim();
        let fault = match Needle::of(quote) {
            None => Some(QuoteFault::NoQuote),
            Some(needle) if !self.passages[place].contain(&needle) => Some(QuoteFault::NotFound),
            Some(needle) => others
                .iter()
                .any(|other| self.passages[*other].contain(&needle))
                .then_some(QuoteFault::InOthers),
        };
        MapQuote { design_id: self.designs[place].id.clone(), quote: capped(quote, LONGEST), fault }
    }

    /// The quotes of designs that exist, the first of each design.
    fn quotes(&self, said: &Value, others: &[usize]) -> Vec<MapQuote> {
        let mut quotes: Vec<MapQuote> = Vec::new();
        for entry in said.as_array().into_iter().flatten() {
            let Some(place) = self.place(&entry["design_id"]) else { continue };
            let quote = self.quote(place, &entry["quote"], others);
            match quotes.iter_mut().find(|known| known.design_id == quote.design_id) {
                // A second quote helps only if the first shows nothing.
                Some(known) if known.fault.is_some() => *known = quote,
                Some(_) => {}
                None => quotes.push(quote),
            }
        }
        quotes
    }

    /// The answers to a question. A design that several answers name counts for none of them.
    fn positions(&self, said: &[Value]) -> Vec<Position> {
        let named: Vec<Vec<usize>> =
            said.iter().take(self.designs.len()).map(|one| self.named(one)).collect();
        let twice = |place: &usize| named.iter().filter(|places| places.contains(place)).count() > 1;
        said.iter()
            .zip(&named)
            .enumerate()
            .map(|(at, (one, own))| {
                let others = named.iter().enumerate().filter(|(other, _)| *other != at);
                let others: Vec<usize> = others
                    .flat_map(|(_, places)| places)
                    .filter(|place| !own.contains(place))
                    .copied()
                    .collect();
                let mut quotes = self.quotes(&one["quotes"], &others);
                for quote in &mut quotes {
                    let place = self.designs.iter().position(|design| *design.id == quote.design_id);
                    if place.is_some_and(|place| twice(&place)) {
                        quote.fault.get_or_insert(QuoteFault::InOthers);
                    }
                }
                Position { position: text(&one["position"]), quotes }
            })
            .collect()
    }

    /// The designs that an answer names, in its list or by its quotes.
    fn named(&self, position: &Value) -> Vec<usize> {
        let listed = position["design_ids"].as_array().into_iter().flatten();
        let quoted = position["quotes"].as_array().into_iter().flatten().map(|quote| &quote["design_id"]);
        let mut places: Vec<usize> = listed.chain(quoted).filter_map(|said| self.place(said)).collect();
        design_lab_numerics::sorting::sort(&mut places);
        places.dedup();
        places
    }
}

/// A sentence of a map; empty unless it is text.
fn text(value: &Value) -> String {
    capped(&value.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "), SENTENCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const TEXTS: [(&str, &str, &str); 3] = [
        (
            "heather",
            "quill-4",
            "We keep one token bucket for each tenant. Counters live in Redis, shared by all nodes. An operator can override any limit for an hour.",
        ),
        (
            "pipit",
            "zeph-3",
            "We keep one token bucket for each tenant. Counters live in the memory of each node. Limits are pushed by a sidecar.",
        ),
        (
            "clover",
            "ivy-2",
            "There is one token bucket for each tenant here. Counters live in Redis, shared by all nodes.",
        ),
    ];

    fn read(reply: &Value) -> Result<DecisionMap, Vec<Problem>> {
        let designs = TEXTS.map(|(label, id, text)| {
            (Label::new(label), DesignId::new(id), Design { summary: text.to_owned(), ..Design::default() })
        });
        let shown: Vec<ShownDesign<'_>> =
            designs.iter().map(|(label, id, design)| ShownDesign { label, id, design }).collect();
        DecisionMap::from_reply(reply, &shown)
    }

    fn quote(design_id: &str, quote: &str) -> Value {
        json!({ "design_id": design_id, "quote": quote })
    }

    fn position(designs: &[&str], text: &str) -> Value {
        let quotes: Vec<Value> = designs.iter().map(|design| quote(design, text)).collect();
        json!({ "design_ids": designs, "position": "an answer", "quotes": quotes })
    }

    /// An agreement that always holds, so that the map under test isn't empty.
    fn held() -> Value {
        let quotes: Vec<Value> =
            TEXTS.iter().map(|(label, ..)| quote(label, "one token bucket for each tenant")).collect();
        json!({ "statement": "All keep a bucket for each tenant.", "quotes": quotes })
    }

    #[test]
    fn an_agreement_needs_a_passage_of_every_design() {
        let bucket = "one token bucket for each tenant";
        for (quotes, checked) in [
            (vec![quote("heather", bucket), quote("pipit", bucket), quote("clover", bucket)], true),
            (
                vec![
                    quote("`Heather`", bucket),
                    quote("pipit", "**bucket** for each tenant."),
                    quote("clover", bucket),
                ],
                true,
            ),
            (vec![quote("heather", bucket), quote("pipit", bucket)], false),
            (vec![quote("heather", bucket), quote("pipit", bucket), quote("heather", bucket)], false),
            (vec![quote("heather", bucket), quote("pipit", bucket), quote("clover", "")], false),
            (vec![quote("heather", bucket), quote("pipit", bucket), quote("clover", "tenant")], false),
            (
                vec![
                    quote("heather", bucket),
                    quote("pipit", bucket),
                    quote("clover", "a bucket of tokens each"),
                ],
                false,
            ),
            (vec![quote("heather", bucket), quote("pipit", bucket), quote("gorse", bucket)], false),
            // A second attempt at the same design counts.
            (
                vec![
                    quote("clover", "bucket"),
                    quote("heather", bucket),
                    quote("pipit", bucket),
                    quote("clover", bucket),
                ],
                true,
            ),
            (vec![], false),
        ] {
            let reply = json!({
                "agreements": [{ "statement": "The same.", "quotes": quotes }, held()],
            });
            let map = read(&reply).unwrap();
            assert_eq!(map.agreements[0].checked, checked, "{quotes:?}");
            assert_eq!(map.unchecked(), usize::from(!checked));
        }
    }

    #[test]
    fn a_contradiction_needs_two_answers_that_differ_in_the_designs() {
        let (redis, memory) = ("Counters live in Redis", "Counters live in the memory of each node");
        for (positions, checked) in [
            (vec![position(&["heather", "clover"], redis), position(&["pipit"], memory)], true),
            (vec![position(&["heather"], redis), position(&["pipit"], memory)], true),
            (vec![position(&["heather"], redis)], false),
            (vec![position(&["heather"], redis), position(&["pipit"], "Counters live in Redis")], false),
            // The same words stand in both.
            (vec![position(&["heather"], redis), position(&["clover"], redis)], false),
            (
                vec![
                    position(&["heather"], "one token bucket for each tenant"),
                    position(&["pipit"], "one token bucket for each tenant"),
                ],
                false,
            ),
            // A design can't hold both.
            (vec![position(&["heather", "pipit"], redis), position(&["pipit"], memory)], false),
            (
                vec![
                    position(&["heather"], redis),
                    position(&["heather"], "An operator can override any limit"),
                ],
                false,
            ),
            (vec![position(&["heather"], redis), position(&["gorse"], memory)], false),
            (vec![], false),
        ] {
            let reply = json!({
                "agreements": [held()],
                "contradictions": [{ "question": "Where?", "tradeoff": "Speed.", "positions": positions }],
            });
            let map = read(&reply).unwrap();
            assert_eq!(map.contradictions[0].checked, checked, "{positions:?}");
        }
    }

    #[test]
    fn what_only_one_design_has_stands_in_no_other() {
        for (design, passage, checked) in [
            ("heather", "An operator can override any limit for an hour", true),
            ("pipit", "An operator can override any limit", false),
            ("heather", "one token bucket for each tenant", false),
            ("heather", "Counters live in Redis", false),
            ("heather", "operator", false),
            ("heather", "", false),
        ] {
            let point = json!({ "design_id": design, "statement": "It has this.", "quote": passage });
            let map = read(&json!({ "agreements": [held()], "only_one": [point] })).unwrap();
            assert_eq!(map.only_one[0].checked, checked, "{design}: {passage}");
        }
    }

    #[test]
    fn points_that_cannot_be_read_are_counted() {
        let one = |statement: Value, design: &str| json!({ "statement": statement, "design_id": design, "quote": "Limits are pushed by a sidecar" });
        let mut points = vec![
            one(json!("It has a sidecar."), "pipit"),
            one(json!("It  has a\nsidecar."), "pipit"),
            one(json!(""), "pipit"),
            one(json!(7), "pipit"),
            one(json!("Another."), "gorse"),
            json!("a text"),
            json!(null),
        ];
        points.extend((0..200).map(|number| one(json!(format!("Point {number}.")), "pipit")));
        let map = read(&json!({ "only_one": points, "agreements": "none", "more": [1] })).unwrap();
        assert_eq!(map.only_one.len(), MOST_POINTS - 6);
        assert_eq!(map.unread as usize, points.len() - map.only_one.len());
    }

    #[test]
    fn a_map_in_which_nothing_was_found_is_asked_for_again() {
        let codes = |reply: &Value| -> Vec<String> {
            read(reply).unwrap_err().iter().map(|problem| problem.code.to_string()).collect()
        };
        assert_eq!(
            codes(&json!({ "agreements": [], "contradictions": [], "only_one": [] })),
            ["map.no-points"]
        );
        let made_up =
            json!({ "design_id": "pipit", "statement": "It has this.", "quote": "words that nobody wrote" });
        assert_eq!(codes(&json!({ "only_one": [made_up] })), ["map.not-found"]);
    }

    proptest! {
        /// Whatever a model says, a checked point has its passages in the designs.
        #[test]
        fn a_checked_point_is_never_made_up(
            quotes in prop::collection::vec(("(heather|pipit|clover|gorse|)", "(one token bucket for each tenant|Counters live in Redis|made up words here|the|)"), 0..6),
        ) {
            let quotes: Vec<Value> = quotes.iter().map(|(design, text)| quote(design, text)).collect();
            let positions: Vec<Value> =
                quotes.iter().map(|quote| json!({ "design_ids": [quote["design_id"]], "position": "so", "quotes": [quote] })).collect();
            let reply = json!({
                "agreements": [{ "statement": "All.", "quotes": quotes }],
                "contradictions": [{ "question": "Which?", "tradeoff": "", "positions": positions }],
            });
            let Ok(map) = read(&reply) else { return Ok(()) };
            let text = |id: &DesignId| TEXTS.iter().find(|(_, known, _)| **id == **known).unwrap().2;
            for (_, quotes) in map.only_checked().points() {
                for quote in quotes {
                    prop_assert!(text(&quote.design_id).contains(&quote.quote));
                }
            }
        }
    }
}
