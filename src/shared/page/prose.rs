//! Foreign text of several blocks. From Markdown it keeps what helps reading: paragraphs, lists, code, emphasis. Tags, links and images
//! stay text.
//!
//! This takes 3.7 KB of the module; `pulldown-cmark` without its renderer takes 159 KB. It also finds more markup in a text than models
//! intend: `<T>` becomes a tag, `2*3*4` and `__init__` contain emphasis, backslashes and `&amp;` disappear, a line of hyphens turns the
//! text above it into a heading. This module keeps as much as possible as it was written.

use crate::shared::figures::thousands;
use askama::Template;

/// The length of the text before "the rest", in characters.
const LEAD: usize = 700;
/// A text is cut only if at least this much would be left.
const WORTH_CUTTING: usize = 500;

/// Foreign text: its start, and the rest of a long one behind a click.
#[derive(Template)]
#[template(path = "prose.html")]
pub(crate) struct Prose {
    lead: Vec<Block>,
    rest: Vec<Block>,
    /// The number of characters behind the click; empty if there are none.
    hidden: String,
}

/// A block of text.
enum Block {
    Code(String),
    Heading(Vec<Span>),
    List(Vec<Vec<Span>>),
    Paragraph(Vec<Span>),
}

/// A stretch of a line.
enum Span {
    Code(String),
    Strong(String),
    Text(String),
}

impl Prose {
    pub(crate) fn new(text: &str) -> Self {
        let text = text.trim();
        let (lead, rest) = text.split_at(cut(text));
        let hidden = match rest.chars().count() {
            0 => String::new(),
            characters => thousands(characters as u64),
        };
        Self { lead: blocks(lead), rest: blocks(rest), hidden }
    }
}

/// Where the rest starts, as a byte offset: the end if the text is short. Code is never cut.
fn cut(text: &str) -> usize {
    let Some((at_most, _)) = text.char_indices().nth(LEAD + WORTH_CUTTING) else { return text.len() };
    let least = text.char_indices().nth(LEAD / 2).map_or(0, |(at, _)| at);
    let begins_code = text.find("```").or_else(|| text.find("~~~")).unwrap_or(text.len());
    if begins_code < at_most {
        // Cuts before the code if there is enough text before it; otherwise not at all.
        return if begins_code > least { begins_code } else { text.len() };
    }
    let window = &text[least..at_most];
    let breaks =
        ["\n\n", "\n", ". ", " "].into_iter().find_map(|mark| Some(window.rfind(mark)? + mark.len()));
    least + breaks.unwrap_or(window.len())
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim();
        if bare.is_empty() {
            continue;
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| bare.starts_with(fence)) {
            let code: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != fence).collect();
            blocks.push(Block::Code(code.join("\n")));
        } else if let Some(heading) = heading(bare) {
            blocks.push(Block::Heading(spans(heading)));
        } else if let Some(item) = item(bare) {
            let mut items = vec![spans(item)];
            while let Some(item) = lines.peek().and_then(|line| item_of(line)) {
                items.push(spans(item));
                lines.next();
            }
            blocks.push(Block::List(items));
        } else {
            let mut paragraph = bare.to_owned();
            while let Some(line) = lines.next_if(|line| continues(line)) {
                paragraph.push('\n');
                paragraph.push_str(line.trim());
            }
            blocks.push(Block::Paragraph(spans(&paragraph)));
        }
    }
    blocks
}

fn item_of(line: &str) -> Option<&str> {
    item(line.trim())
}

/// Whether a line continues the paragraph above.
fn continues(line: &str) -> bool {
    let bare = line.trim();
    !bare.is_empty()
        && !bare.starts_with("```")
        && !bare.starts_with("~~~")
        && heading(bare).is_none()
        && item(bare).is_none()
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    ((1..=6).contains(&(line.len() - text.len())) && text.starts_with(' ')).then(|| text.trim())
}

/// A bulleted item's text; numbered ones stay paragraphs, with their numbers.
fn item(line: &str) -> Option<&str> {
    ["- ", "* ", "+ ", "• "].into_iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let code = code_span(rest);
        let strong = rest.strip_prefix("**").and_then(|after| Some(&after[..after.find("**")?]));
        let (span, length) = match (code, strong) {
            (Some(span), _) => (Span::Code(span.trim_matches('`').trim().to_owned()), span.len()),
            (None, Some(text)) if !text.is_empty() => (Span::Strong(text.to_owned()), text.len() + 4),
            _ => {
                // A run of backticks without a closing one is skipped as a whole.
                let run = rest.len() - rest.trim_start_matches('`').len();
                let length = run.max(c.len_utf8());
                plain.push_str(&rest[..length]);
                rest = &rest[length..];
                continue;
            }
        };
        if !plain.is_empty() {
            spans.push(Span::Text(std::mem::take(&mut plain)));
        }
        spans.push(span);
        rest = &rest[length..];
    }
    if !plain.is_empty() {
        spans.push(Span::Text(plain));
    }
    spans
}

/// The code span at the start of a text: a run of backticks up to the next run of the same length.
pub(crate) fn code_span(text: &str) -> Option<&str> {
    let run = text.len() - text.trim_start_matches('`').len();
    if run == 0 {
        return None;
    }
    let mut from = run;
    loop {
        let start = from + text[from..].find('`')?;
        let length = text.len() - start - text[start..].trim_start_matches('`').len();
        if length == run {
            return Some(&text[..start + length]);
        }
        from = start + length;
    }
}
