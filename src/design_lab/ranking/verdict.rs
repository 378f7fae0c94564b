//! What may be claimed about the first place, and how it is worded.

use super::output::{Verdict, VerdictKind};

/// `leaning` needs at least these odds for the first design over its strongest rival to be the best.
const LEANING_ODDS: f64 = 3.0;

/// Effective votes up to this value count as one opinion; the excess is rounding error.
const ONE_VOTE: f64 = 1.0 + 1e-6;

/// The evidence that the verdict is based on.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    /// The number of reviewers with at least one valid score or verdict.
    pub reviewers: usize,
    /// Whether every review is of a model's own design, or of its vendor's, and the options leave such reviews out.
    pub only_excluded: bool,
    /// The number of ranked designs.
    pub designs: usize,
    /// Ids of the designs that share the first place.
    pub first: Vec<&'a str>,
    /// The chance that the first design is the best, and that of its strongest rival.
    pub chances: Option<(f64, f64)>,
    /// The lead of the first design over the second, in points; `None` in pairwise mode.
    pub lead: Option<f64>,
    /// The equivalent number of independent reviewers.
    pub votes: f64,
    /// Whether the first design's rank interval includes no other place.
    pub alone_in_interval: bool,
    /// Whether it would not be clear if reviewers that gave the same verdicts throughout counted once.
    pub rests_on_equals: bool,
    /// In how many dimensions no design has a higher mean than the first one, and how many there are, if they are few.
    pub leads_in: Option<[usize; 2]>,
    /// Methods that put another design, or several designs, first.
    pub dissenting_methods: Vec<&'static str>,
    /// Reviewers without whom another design, or several designs, would be first.
    pub decisive_reviewers: Vec<&'a str>,
}

/// Returns the verdict as a kind and a sentence.
///
/// - `insufficient`: fewer than two reviewers or ranked designs, or no review that counts.
/// - `clear`: every method and every panel short of one reviewer put the same single design first, and its rank interval holds
///   no other place, also if reviewers that gave the same verdicts throughout count once.
/// - `leaning`: one design is first, and its chance of being the best is at least three times that of its strongest
///   rival.
/// - Either of these two needs more than one effective vote: copies of one reviewer, or one model under two names, are
///   one opinion.
/// - `too_close_to_call`: anything else.
pub fn verdict(evidence: &Evidence<'_>) -> Verdict {
    let insufficient = |sentence: &str| Verdict {
        kind: VerdictKind::Insufficient,
        sentence: sentence.to_owned(),
        probability: None,
    };
    if evidence.designs == 0 {
        return insufficient("No design has a valid score, so there is nothing to rank.");
    }
    if evidence.designs == 1 {
        return insufficient("Only one design has valid scores, so there is nothing to compare it with.");
    }
    if evidence.only_excluded {
        return insufficient(
            "No independent review: every score was given by a model to its own design, or to its vendor's, \
             so the order is only that model's opinion. Add a review model of another vendor.",
        );
    }
    let Some((best, rival)) = evidence.chances.filter(|_| evidence.reviewers > 1) else {
        return insufficient(
            "One reviewer is an opinion, not an agreement: at least two are needed to say how certain an \
             order is.",
        );
    };
    let chance = percent(best);
    let &[first] = evidence.first.as_slice() else {
        return Verdict {
            kind: VerdictKind::TooCloseToCall,
            sentence: format!("Too close to call: {} share the first place.", listed(&evidence.first, "and")),
            probability: Some(best),
        };
    };
    let independent = !is_one_opinion(evidence.votes);
    if independent
        && evidence.alone_in_interval
        && !evidence.rests_on_equals
        && evidence.dissenting_methods.is_empty()
        && evidence.decisive_reviewers.is_empty()
    {
        return Verdict {
            kind: VerdictKind::Clear,
            sentence: format!(
                "{first} is the best design: every method ranks it first, leaving out any one of the {} \
                 reviewers changes nothing, and the chance that reviewers like these would rank it best is \
                 {chance}.",
                evidence.reviewers
            ),
            probability: Some(best),
        };
    }
    if !independent {
        // The chance would contradict the word: it may be near certainty, because one reviewer may see a large lead.
        let alike = if evidence.lead.is_some() { "their scores move together" } else { "they answer alike" };
        return Verdict {
            kind: VerdictKind::TooCloseToCall,
            sentence: format!(
                "Too close to call: {first} ranks first, but the {} reviewers count as one: they are the same \
                 model, or {alike}.",
                evidence.reviewers
            ),
            probability: Some(best),
        };
    }
    let doubt = match (doubt(evidence), evidence.leads_in) {
        (doubt, None) => doubt,
        (doubt, Some([0, all])) => {
            format!("{doubt}. {first} has the highest mean in none of the {all} dimensions")
        }
        (doubt, Some([led, all])) => {
            format!("{doubt}. {first} has the highest mean in only {led} of the {all} dimensions")
        }
    };
    let (kind, sentence) = if best >= LEANING_ODDS * rival {
        // With a chance that no other place is open for it, "not clearly" would contradict the number.
        let but = if evidence.alone_in_interval { "but not in every check" } else { "but not clearly" };
        let sentence = format!(
            "{first} leads, {but}: the chance that reviewers like these would rank it best is {chance}. \
             {doubt}."
        );
        (VerdictKind::Leaning, sentence)
    } else {
        let sentence = format!(
            "Too close to call: {first} ranks first, but the chance that reviewers like these would rank it \
             best is {chance}. {doubt}."
        );
        (VerdictKind::TooCloseToCall, sentence)
    };
    Verdict { kind, sentence, probability: Some(best) }
}

/// The strongest reason why the verdict isn't clear, as a sentence without its full stop.
fn doubt(evidence: &Evidence<'_>) -> String {
    match (evidence.dissenting_methods.as_slice(), evidence.decisive_reviewers.as_slice()) {
        ([method], _) => format!("By the {method}, it shares the first place or loses it"),
        ([method, ..], _) => {
            format!("By the {method} and other methods, it shares the first place or loses it")
        }
        ([], [reviewer]) => format!("Without {reviewer}, it would not be alone in first place"),
        ([], [reviewer, ..]) => {
            format!(
                "Without {reviewer}, or without any of several others, it would not be alone in first place"
            )
        }
        ([], []) if evidence.rests_on_equals => {
            "Some reviewers gave the same verdicts on every pair. Counted as one, they leave the order open"
                .to_owned()
        }
        ([], []) => {
            let panel = format!(
                "The {} reviewers count as about {:.1} independent ones",
                evidence.reviewers, evidence.votes
            );
            match evidence.lead {
                Some(lead) => {
                    format!(
                        "{panel}. An error that they share could be as large as the lead of {lead:.2} points"
                    )
                }
                None => format!("{panel}, and their verdicts leave the order open"),
            }
        }
    }
}

/// Whether a panel counts as no more than one independent reviewer.
pub(super) fn is_one_opinion(votes: f64) -> bool {
    votes <= ONE_VOTE
}

/// Whole percent, never rounded to certainty.
pub(super) fn percent(chance: f64) -> String {
    if chance > 0.99 {
        "more than 99%".to_owned()
    } else if chance < 0.01 {
        "less than 1%".to_owned()
    } else {
        format!("{:.0}%", 100.0 * chance)
    }
}

/// Joins names: `a`, `a and b`, `a, b and c`, or with another word.
pub(super) fn listed(names: &[&str], word: &str) -> String {
    match names {
        [] => "no designs".to_owned(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} {word} {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_contradicts_the_chance() {
        let evidence = Evidence {
            reviewers: 4,
            only_excluded: false,
            designs: 3,
            first: vec!["ash"],
            chances: Some((0.97, 0.02)),
            lead: Some(4.0),
            votes: 1.6,
            alone_in_interval: true,
            rests_on_equals: false,
            leads_in: None,
            dissenting_methods: vec!["median"],
            decisive_reviewers: Vec::new(),
        };
        let said = verdict(&evidence);
        assert_eq!(said.kind, VerdictKind::Leaning);
        assert!(
            said.sentence.starts_with("ash leads, but not in every check: the chance"),
            "{}",
            said.sentence
        );
        let doubtful = Evidence { chances: Some((0.9, 0.1)), alone_in_interval: false, ..evidence.clone() };
        assert!(verdict(&doubtful).sentence.starts_with("ash leads, but not clearly: the chance"));
        let said = verdict(&Evidence { votes: 1.0, leads_in: Some([2, 5]), ..evidence });
        assert_eq!((said.kind, said.probability), (VerdictKind::TooCloseToCall, Some(0.97)));
        assert_eq!(
            said.sentence,
            "Too close to call: ash ranks first, but the 4 reviewers count as one: they are the same model, or \
             their scores move together."
        );
        assert_eq!([percent(0.995), percent(0.004), percent(0.5)], ["more than 99%", "less than 1%", "50%"]);
    }
}
