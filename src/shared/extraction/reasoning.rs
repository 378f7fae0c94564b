//! Where a model thinks aloud: objects there are drafts.

/// The names of elements that contain reasoning.
const ELEMENTS: [&str; 10] = [
    "analysis",
    "draft",
    "reasoning",
    "reflection",
    "scratchpad",
    "seed:think",
    "think",
    "thinking",
    "thought",
    "thoughts",
];

/// Other marks, as (opening, closing): Kimi, Magistral, `OpenThinker`, and the channels of gpt-oss.
const MARKS: [(&str, &str); 4] = [
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis", "<|channel|>final"),
];

/// A tag, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Open { end: usize },
    Close { end: usize },
}

impl Tag {
    /// The tag that starts at `at`.
    pub(super) fn at(text: &str, at: usize) -> Option<Self> {
        let rest = &text[at..];
        match rest.as_bytes() {
            [b'<', b'|', ..] | [b'[', b'T' | b'/', ..] | [0xe2, 0x97, ..] => Self::mark(rest, at),
            [b'<', b'/' | b'A'..=b'Z' | b'a'..=b'z', ..] => Self::element(text, at),
            _ => None,
        }
    }

    fn mark(rest: &str, at: usize) -> Option<Self> {
        MARKS.into_iter().find_map(|(open, close)| {
            if rest.starts_with(open) {
                Some(Self::Open { end: at + open.len() })
            } else {
                rest.starts_with(close).then_some(Self::Close { end: at + close.len() })
            }
        })
    }

    fn element(text: &str, at: usize) -> Option<Self> {
        let inside = &text[at + 1..];
        let (closes, inside) = inside.strip_prefix('/').map_or((false, inside), |inside| (true, inside));
        let element = ELEMENTS.into_iter().find(|name| {
            inside.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
                && matches!(inside.as_bytes().get(name.len()), Some(b'>' | b' '))
        })?;
        // Attributes are short.
        let attributes = &inside.as_bytes()[element.len()..];
        let close = attributes.iter().take(128).position(|&byte| matches!(byte, b'>' | b'<'))?;
        if attributes[close] == b'<' {
            return None;
        }
        let end = text.len() - attributes.len() + close + 1;
        Some(if closes { Self::Close { end } } else { Self::Open { end } })
    }
}

/// Remembers when no closing tag is left, so that looking for them stays linear.
#[derive(Debug, Default)]
pub(super) struct Tags {
    no_close_from: Option<usize>,
}

impl Tags {
    /// Where the next closing tag starts.
    pub(super) fn next_close(&mut self, text: &str, from: usize) -> Option<usize> {
        if self.no_close_from.is_some_and(|none| from >= none) {
            return None;
        }
        let close = text[from..]
            .match_indices(['<', '[', '◁'])
            .map(|(index, _)| from + index)
            .find(|&at| matches!(Tag::at(text, at), Some(Tag::Close { .. })));
        if close.is_none() {
            self.no_close_from = Some(from);
        }
        close
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_tags_in_their_spellings() {
        let open = |text: &str| Tag::at(text, 0) == Some(Tag::Open { end: text.len() });
        let close = |text: &str| Tag::at(text, 0) == Some(Tag::Close { end: text.len() });
        for text in ["<think>", "<Thinking>", "<reasoning effort=\"high\">", "[THINK]", "◁think▷"] {
            assert!(open(text), "{text}");
        }
        for text in ["</think>", "</THOUGHT>", "[/THINK]", "◁/think▷", "<|channel|>final"] {
            assert!(close(text), "{text}");
        }
        for text in ["<thinker>", "<b>", "< think>", "<think", "<", "[", "◁"] {
            assert_eq!(Tag::at(text, 0), None, "{text}");
        }
    }
}
