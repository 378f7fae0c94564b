//! A ranking in one line, for lists of runs.

use super::output::{Ranking, VerdictKind};
use crate::design_lab::ids::DesignId;
use crate::shared::capped::capped;
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;

/// The maximum length of a stored title, in characters.
const TITLE: usize = 80;

/// The result of a ranking, in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "RankingInShort"))]
pub struct InShort {
    /// How certain the first place is.
    pub verdict: VerdictKind,
    /// The designs that share the first place; empty if none is ranked.
    pub first: Vec<DesignId>,
    /// The designer's title of the single design in first place; empty if there are several, or the title is unknown.
    pub title: String,
}

impl Ranking {
    /// Returns the ranking in one line. `title_of` returns the designer's title of a design.
    pub fn in_short<'a>(&self, title_of: impl Fn(&DesignId) -> Option<&'a str>) -> InShort {
        let rows = self.rankings.iter().filter(|row| row.rank == Some(1));
        let first: Vec<DesignId> = rows.map(|row| row.design_id.clone()).collect();
        let title = match &first[..] {
            [one] => title_of(one).map_or(String::new(), |title| capped(&visible::line(title), TITLE)),
            _ => String::new(),
        };
        InShort { verdict: self.verdict.kind, first, title }
    }
}

impl InShort {
    /// Returns the verdict and the first place, without the designer's title.
    pub fn in_own_words(&self) -> String {
        let first: Vec<&str> = self.first.iter().map(|id| &**id).collect();
        match &first[..] {
            [] => self.verdict.words().to_owned(),
            _ => format!("{}: {}", self.verdict.words(), first.join(", ")),
        }
    }

    /// Returns the same with the designer's title.
    pub fn wording(&self) -> String {
        if self.title.is_empty() {
            return self.in_own_words();
        }
        format!("{}, {}", self.in_own_words(), self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_comes_before_the_first_place_so_that_it_is_never_cut() {
        for (verdict, first, title, own, wording) in [
            (VerdictKind::Clear, &["ash"][..], "Token bucket", "Clear: ash", "Clear: ash, Token bucket"),
            (VerdictKind::Leaning, &["ash"], "", "Leaning: ash", "Leaning: ash"),
            (
                VerdictKind::TooCloseToCall,
                &["ash", "elm"],
                "",
                "Too close to call: ash, elm",
                "Too close to call: ash, elm",
            ),
            (VerdictKind::Insufficient, &[], "", "Not enough to tell", "Not enough to tell"),
        ] {
            let first = first.iter().map(|id| DesignId::new(*id)).collect();
            let short = InShort { verdict, first, title: title.to_owned() };
            assert_eq!((short.in_own_words().as_str(), short.wording().as_str()), (own, wording));
        }
    }
}
