//! Ids that name files and agents, each of them unique.

use kernel::slug::slug;
use std::collections::{BTreeMap, BTreeSet};

/// The ids of one list of models.
#[derive(Default)]
pub(super) struct Ids {
    taken: BTreeSet<String>,
    /// The number to try next, by id: a thousand equal models take a thousand lookups, not half a
    /// million.
    next: BTreeMap<String, u32>,
    /// How often an id was looked up.
    #[cfg(test)]
    pub(super) looks: usize,
}

impl Ids {
    /// Takes an id if it is free.
    pub(super) fn take(&mut self, id: &str) -> Option<String> {
        #[cfg(test)]
        {
            self.looks += 1;
        }
        self.taken.insert(id.to_owned()).then(|| id.to_owned())
    }

    /// Takes the first of `id-2`, `id-3` and so on that is free.
    pub(super) fn take_numbered(&mut self, id: &str) -> String {
        let mut number = self.next.get(id).copied().unwrap_or(2);
        loop {
            let numbered = format!("{id}-{number}");
            number += 1;
            if let Some(taken) = self.take(&numbered) {
                self.next.insert(id.to_owned(), number);
                return taken;
            }
        }
    }
}

/// Returns the id made from a model's name: its last part, slugged.
pub(super) fn id_of(model_id: &str) -> String {
    let id = slug(model_id.rsplit('/').next().unwrap_or(model_id), 60);
    if id.is_empty() { "model".to_owned() } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_reported_apart_by_a_look_or_two_each() {
        const MANY: usize = 6_000;
        let mut ids = Ids::default();
        ids.take("x-3");
        let numbered: Vec<String> = (0..MANY).map(|_| ids.take_numbered("x")).collect();
        assert_eq!(numbered[..3], ["x-2", "x-4", "x-5"]);
        assert_eq!(numbered[MANY - 1], format!("x-{}", MANY + 2));
        assert!(ids.looks <= MANY + 2, "{} looks", ids.looks);
    }
}
