//! Runs that this machine didn't write, at least in part: their journals may name models, and contain tests, that nobody here chose.
//! They are shown, but they cause no request to a model and no command until the user takes them over.

use super::run::{Run, no_run};
use crate::design_lab::config::{AvailableModels, NewVendors};
use crate::shared::trust::TRUST;
use kernel::code::RunCode;
use kernel::origin::Origin;
use kernel::problem::Problem;

/// The arguments of `/validate-resume`: the run's name, or any part of it, and whether the user takes it over.
pub fn resume_request(text: &str) -> (String, bool) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named: Vec<&str> = words.iter().copied().filter(|word| *word != TRUST).collect();
    (named.join(" "), named.len() < words.len())
}

impl Run {
    /// Why this run may cause no action; `Ok` for a run that was started here, or that the user took over.
    pub fn vouched(&self, origin: Origin) -> Result<(), Problem> {
        if origin == Origin::Here {
            return Ok(());
        }
        let session = self.state().ok_or_else(no_run)?;
        let name = session.directory.name.as_deref().unwrap_or_default();
        let from = match origin {
            Origin::Unmarked => "was started by an earlier version, or on another machine",
            Origin::Elsewhere | Origin::Here => "was not written entirely on this machine",
        };
        let opening = &session.opening;
        Err(Problem::new(
            RunCode::Elsewhere,
            format!("{name} {from}. No model was called, and nothing was run."),
        )
        .found(opening.models.wording(opening.scope))
        .allowed("a run that was started here, with a journal that only this machine wrote")
        .next(format!(
            "First look at the run with /validate-status {name}, and read its tests. If you trust the run, \
             type /validate-resume {name} {TRUST}: its checks and tests run again. To start your own run \
             instead, type /validate."
        )))
    }

    /// Why its models can't be asked now: the project's files would go to vendors that the user has not approved.
    pub fn may_ask(&self, available: &AvailableModels) -> Result<(), Problem> {
        let session = self.state().ok_or_else(no_run)?;
        let opening = &session.opening;
        let asks = opening.repeat.is_none() && session.is_unfinished();
        let new = NewVendors::among(&opening.models.roles(opening.scope), available).filter(|_| asks);
        new.map_or(Ok(()), |new| Err(new.problem("the command again")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_trust_stands_anywhere() {
        for (text, named, trust) in [
            ("", "", false),
            ("a1b2", "a1b2", false),
            (" a1b2 --trust", "a1b2", true),
            ("--trust a1b2", "a1b2", true),
            ("--trust", "", true),
        ] {
            assert_eq!(resume_request(text), (named.to_owned(), trust), "{text}");
        }
    }
}
