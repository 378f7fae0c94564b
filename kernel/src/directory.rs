//! The directory of a run: its name, and how many names were taken.

/// Names tried before a run gives up looking for a free directory.
pub const MOST_DIRECTORIES: u32 = 1_000;

/// The directory of a run.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// Its name below the output directory; `None` before it is claimed.
    pub name: Option<String>,
    /// How many names were already taken.
    taken: u32,
}

impl Directory {
    /// The next name to try: `<date>-<topic>`, with a number from the second on.
    pub fn candidate(&self, date: &str, topic: &str) -> String {
        let name = format!("{date}-{topic}");
        if self.taken == 0 { name } else { format!("{name}-{}", self.taken + 1) }
    }

    /// Notes that the last name tried was taken. Returns whether another may be tried.
    pub fn is_taken(&mut self) -> bool {
        self.taken += 1;
        self.taken < MOST_DIRECTORIES
    }

    /// Lets a new process try all names again.
    pub fn begin_again(&mut self) {
        self.taken = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_from_the_second_and_end_somewhere() {
        let mut directory = Directory::default();
        assert_eq!(directory.candidate("2026-11-20", "limits"), "2026-11-20-limits");
        assert!(directory.is_taken());
        assert_eq!(directory.candidate("2026-11-20", "limits"), "2026-11-20-limits-2");
        assert_eq!((2..=MOST_DIRECTORIES).filter(|_| directory.is_taken()).count(), 998);
        directory.begin_again();
        assert_eq!(directory.candidate("2026-11-20", "limits"), "2026-11-20-limits");
    }
}
