//! Turns a file that a person wrote into a design, in code and never with a model.
//!
//! Nothing in the file is lost and nothing is invented: text under a known heading goes to that part of the design, everything else
//! stays text in the overview, and a part that the file doesn't have stays empty. Only lines that name people or describe the file
//! itself are set aside, because reviewers must not know whose design they read.

use super::canonical;
use super::design::{Component, DETAIL_KEYS, Design, Level, Risk, Tradeoff};
use super::own_words::DESIGN_KEYS;
use crate::design_lab::config::document::Document;
use crate::design_lab::schema::{self, DocumentKind, Fault};
use crate::shared::named_text::NamedText;
use kernel::problem::Problem;
use serde_json::{Value, json};

/// A design that was read from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The design; parts that the file doesn't have are empty.
    pub design: Design,
    /// The content of the file that is not part of the design: lines, or keys of JSON.
    pub left_out: Vec<String>,
}

impl Draft {
    /// Reads a file, as JSON if its name or its first character says so, or else as Markdown.
    pub fn read(file: &NamedText) -> Result<Self, Vec<Problem>> {
        let text = file.text.trim_start_matches('\u{feff}');
        let name = file.name.to_ascii_lowercase();
        if [".json", ".jsonc"].iter().any(|ending| name.ends_with(ending))
            || text.trim_start().starts_with('{')
        {
            from_json(file)
        } else {
            Ok(from_markdown(text))
        }
    }
}

/// Returns the parts that a design leaves empty, in words.
pub fn empty_parts(design: &Design) -> Vec<String> {
    let value = json!(design);
    let is_empty = |key: &&&str| match &value[**key] {
        Value::Array(list) => list.is_empty(),
        part => part.as_str().is_none_or(|text| text.trim().is_empty()),
    };
    let words = |key: &&str| key.replace('_', " ").replace("tradeoffs", "trade-offs");
    DESIGN_KEYS.iter().filter(is_empty).map(words).collect()
}

/// Whether a problem only reports an empty part, which the user's own file may have.
pub(crate) fn is_empty_part(problem: &Problem) -> bool {
    [Fault::Empty, Fault::TooFew].iter().any(|fault| problem.code == DocumentKind::Design.code(*fault))
        && problem.pointer.as_deref().is_some_and(|at| DESIGN_KEYS.contains(&at.trim_start_matches('/')))
}

// ---- JSON ----

/// Reads a design as a model returns it or as a run stores it; parts of it may be missing.
fn from_json(file: &NamedText) -> Result<Draft, Vec<Problem>> {
    let placed = |problems: Vec<Problem>| -> Vec<Problem> {
        problems.into_iter().map(|problem| file.place(problem)).collect()
    };
    let document = Document::parse(DocumentKind::Design, &file.text).map_err(placed)?;
    let mut value = canonical::design(document.value.clone());
    let mut left_out = Vec::new();
    if let Value::Object(map) = &mut value {
        let is_known = |key: &str| DESIGN_KEYS.contains(&key) || DETAIL_KEYS.contains(&key);
        left_out.extend(map.keys().filter(|key| !is_known(key)).cloned());
        for key in DESIGN_KEYS {
            let list = ["assumptions", "components", "tradeoffs", "risks", "open_questions"].contains(&key);
            map.entry(key).or_insert_with(|| if list { json!([]) } else { json!("") });
        }
    }
    let problems: Vec<Problem> = schema::design_problems(&value)
        .into_iter()
        .filter(|problem| !is_empty_part(problem))
        .map(|mut problem| {
            let position = document.position(problem.pointer.as_deref().unwrap_or_default(), false);
            problem.line = position.map(|position| position.line);
            problem.column = position.map(|position| position.column);
            file.place(problem)
        })
        .collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut design: Design = kernel::json::of(&value)
        .map_err(|error| vec![file.place(DocumentKind::Design.unreadable(&error))])?;
    design.forget_sources();
    Ok(Draft { design, left_out })
}

// ---- Markdown ----

/// The part of a design that a heading announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Summary,
    Assumptions,
    Components,
    DataFlow,
    Options,
    Decision,
    Consequences,
    Tradeoffs,
    Risks,
    Questions,
    Interfaces,
    DataModel,
    FailureModes,
    Verification,
    Rollout,
    Files,
    People,
}

/// The headings that are recognised, in lower case; a hyphen counts as a space. All others stay text.
const HEADINGS: [(Field, &[&str]); 17] = [
    (Field::Summary, &["summary", "abstract", "tl;dr", "tldr", "executive summary"]),
    (Field::Assumptions, &["assumption", "assumptions", "assumptions and constraints"]),
    (
        Field::Components,
        &[
            "components",
            "main components",
            "key components",
            "building blocks",
            "building block view",
            "modules",
            "services",
        ],
    ),
    (Field::DataFlow, &["data flow", "data flows", "dataflow", "runtime view"]),
    (
        Field::Options,
        &["options", "considered options", "options considered", "alternatives", "alternatives considered"],
    ),
    (Field::Decision, &["decision", "decision outcome", "the decision"]),
    (Field::Consequences, &["consequences", "positive consequences", "negative consequences"]),
    (
        Field::Tradeoffs,
        &["trade offs", "tradeoffs", "design decisions", "architecture decisions", "decisions"],
    ),
    (
        Field::Risks,
        &["risks", "risks and mitigations", "risks and technical debt", "risks and technical debts"],
    ),
    (
        Field::Questions,
        &["questions", "open questions", "unresolved questions", "open issues", "open points"],
    ),
    (Field::Interfaces, &["interfaces", "apis"]),
    (Field::DataModel, &["data model", "data models"]),
    (Field::FailureModes, &["failure modes"]),
    (Field::Verification, &["verification", "testing", "test plan"]),
    (Field::Rollout, &["rollout", "rollout plan"]),
    (Field::Files, &["files", "files to change"]),
    (
        Field::People,
        &[
            "status",
            "date",
            "author",
            "authors",
            "deciders",
            "decision makers",
            "reviewers",
            "approvers",
            "contributors",
            "sign off",
            "people",
        ],
    ),
];

/// The words that start a line that names people, anywhere in the file.
const NAMING: [&str; 14] = [
    "author",
    "authors",
    "written by",
    "decider",
    "deciders",
    "decision maker",
    "decision makers",
    "consulted",
    "informed",
    "approver",
    "approvers",
    "approved by",
    "contributor",
    "contributors",
];
/// The words that start a line about the file itself, before its first section.
const ABOUT: [&str; 12] = [
    "status",
    "date",
    "owner",
    "owners",
    "reviewer",
    "reviewers",
    "reviewed by",
    "contact",
    "version",
    "created",
    "updated",
    "last updated",
];

/// A heading and the text below it. The text before the first heading has no heading, and the level 0.
#[derive(Default)]
struct Section {
    level: usize,
    heading: String,
    field: Option<Field>,
    text: String,
}

fn from_markdown(text: &str) -> Draft {
    let mut left_out = Vec::new();
    let (front, text) = front_matter(text);
    let mut title = None;
    for line in front.lines() {
        match line.split_once(':') {
            Some(("title", value)) => title = Some(value.trim().trim_matches(['"', '\'']).to_owned()),
            _ => left_out.push(line.trim().to_owned()),
        }
    }
    let mut sections = sections(text, &mut left_out);
    let mut opening = sections.remove(0).text;
    if sections.first().is_some_and(|first| first.level == 1 || first.field.is_none()) {
        let first = sections.remove(0);
        let former = title.take().filter(|title| *title != first.heading).unwrap_or_default();
        opening = joined(&[&former, &opening, &first.text]);
        title = Some(first.heading);
    }
    let mut sections = gathered(sections);
    left_out.extend(taken(&mut sections, Field::People).into_iter().flat_map(|section| {
        let lines = section.text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        std::iter::once(section.heading).chain(lines)
    }));
    left_out.retain(|line| !line.is_empty());

    let mut design = Design::default();
    design.summary = match whole(&taken(&mut sections, Field::Summary)) {
        summary if !summary.is_empty() => summary,
        _ => take_paragraph(&mut opening)
            .or_else(|| {
                take_paragraph(&mut sections.iter_mut().find(|section| section.field.is_none())?.text)
            })
            .unwrap_or_default(),
    };
    design.title = title.unwrap_or_else(|| {
        let line = design.summary.lines().next().unwrap_or_default();
        line.chars().take(100).collect()
    });
    design.assumptions = listed(&whole(&taken(&mut sections, Field::Assumptions)));
    design.open_questions = listed(&whole(&taken(&mut sections, Field::Questions)));
    design.data_flow = whole(&taken(&mut sections, Field::DataFlow));
    let mut details = |field| items(&whole(&taken(&mut sections, field)));
    design.interfaces = details(Field::Interfaces);
    design.data_model = details(Field::DataModel);
    design.failure_modes = details(Field::FailureModes);
    design.verification = details(Field::Verification);
    design.rollout = details(Field::Rollout);
    design.touches = details(Field::Files);
    decision(&mut design, &mut sections);
    // What can't be split into parts stays where it is, as text.
    for section in &mut sections {
        let text = std::mem::take(&mut section.text);
        section.text = match section.field {
            Some(Field::Components) => components(&mut design, &text),
            Some(Field::Tradeoffs) => tradeoffs(&mut design, &text),
            Some(Field::Risks) => risks(&mut design, text),
            _ => text,
        };
    }
    let mut overview = vec![opening];
    let taken_apart = |section: &&Section| section.text.trim().is_empty() && section.field.is_some();
    overview.extend(sections.iter().filter(|section| !taken_apart(section)).map(Section::as_text));
    design.architecture_overview = joined(&overview.iter().map(String::as_str).collect::<Vec<_>>());
    Draft { design, left_out }
}

impl Section {
    fn as_text(&self) -> String {
        format!("{} {}\n\n{}", "#".repeat(self.level), self.heading, self.text.trim()).trim().to_owned()
    }
}

/// Returns the lines between `---` and `---` at the very beginning, and the rest.
fn front_matter(text: &str) -> (&str, &str) {
    let Some(inner) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return ("", text);
    };
    let mut at = 0;
    for line in inner.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return (&inner[..at], &inner[at + line.len()..]);
        }
        at += line.len();
    }
    ("", text)
}

/// Returns every heading with the lines below it, and first the lines before any heading. Lines that name people go to `left_out`.
fn sections(text: &str, left_out: &mut Vec<String>) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut fence = Fence::default();
    // A line that names people may be followed by a list of them.
    let mut naming = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_code = fence.holds(line);
        let below = lines.peek().map_or("", |line| line.trim_end());
        let underlined = |c: char| below.len() > 2 && below.chars().all(|other| other == c);
        let plain = !is_code
            && !line.trim().is_empty()
            && !line.trim_start().starts_with(['-', '*', '+', '|', '>', '#']);
        let found = match () {
            () if is_code => None,
            () if plain && underlined('=') => Some((1, line.trim())),
            () if plain && underlined('-') => Some((2, line.trim())),
            () => heading(line),
        };
        if let Some((level, text)) = found {
            if plain {
                lines.next();
            }
            let field = field(text);
            sections.push(Section { level, heading: text.to_owned(), field, text: String::new() });
            naming = false;
            continue;
        }
        let head = sections.len() < 3
            && sections.last().is_none_or(|section| section.field.is_none() || section.level < 2);
        let follows = naming && (line.starts_with([' ', '\t']) || bullet(line).is_some());
        match (!is_code).then(|| metadata(line, head)).flatten() {
            Some(value) => {
                naming = value.is_empty();
                left_out.push(line.trim().to_owned());
            }
            None if follows => left_out.push(line.trim().to_owned()),
            None => {
                naming = false;
                if let Some(section) = sections.last_mut() {
                    section.text.push_str(line);
                    section.text.push('\n');
                }
            }
        }
    }
    sections
}

/// Tracks which lines are code.
#[derive(Default)]
struct Fence(Option<char>);

impl Fence {
    /// Whether the line is code, or starts or ends a code block.
    fn holds(&mut self, line: &str) -> bool {
        let mark =
            ['`', '~'].into_iter().find(|mark| line.trim_start().starts_with(&mark.to_string().repeat(3)));
        let inside = self.0;
        match (inside, mark) {
            (None, Some(mark)) => self.0 = Some(mark),
            (Some(open), Some(mark)) if open == mark => self.0 = None,
            _ => {}
        }
        inside.is_some() || mark.is_some()
    }
}

/// Returns the level and the text of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=6).contains(&level) && text.starts_with([' ', '\t']);
    is_heading.then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

fn plain(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`:|>-".contains(c)).to_lowercase().replace('-', " ")
}

/// Returns the part that a heading announces, ignoring its number.
fn field(heading: &str) -> Option<Field> {
    let name = plain(heading.trim_start_matches(|c: char| c.is_ascii_digit() || ".) ".contains(c)));
    HEADINGS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(field, _)| *field)
}

/// Returns the value after `Author:` and similar words at the start of a line. `head` means that the line is before the first
/// section.
fn metadata(line: &str, head: bool) -> Option<&str> {
    let line = line.trim().trim_start_matches(|c: char| "*_-+|> ".contains(c));
    let (name, value) = line.split_once([':', '|'])?;
    let name = plain(name);
    let known = NAMING.contains(&name.as_str()) || (head && ABOUT.contains(&name.as_str()));
    known.then(|| value.trim_matches(|c: char| c.is_whitespace() || "*_|".contains(c)))
}

/// Merges subsections into their sections: a subsection whose heading isn't recognised belongs to the section above it, and so
/// does every subsection of a section whose parts have names of their own.
fn gathered(sections: Vec<Section>) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    for section in sections {
        let named =
            [Some(Field::Components), Some(Field::Tradeoffs), Some(Field::Risks), Some(Field::Options)];
        match out.last_mut() {
            Some(last)
                if section.level > last.level && (section.field.is_none() || named.contains(&last.field)) =>
            {
                last.text = format!("{}\n\n{}\n", last.text.trim_end(), section.as_text());
            }
            _ => out.push(section),
        }
    }
    out
}

fn taken(sections: &mut Vec<Section>, field: Field) -> Vec<Section> {
    let (found, rest) =
        std::mem::take(sections).into_iter().partition(|section| section.field == Some(field));
    *sections = rest;
    found
}

fn whole(sections: &[Section]) -> String {
    joined(&sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>())
}

fn joined(texts: &[&str]) -> String {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}

/// Removes the first paragraph of plain words from a text and returns it.
fn take_paragraph(text: &mut String) -> Option<String> {
    let mut fence = Fence::default();
    let (mut blocks, mut first): (Vec<String>, Option<usize>) = (Vec::new(), None);
    let mut open = false;
    for line in text.lines() {
        let is_code = fence.holds(line);
        if line.trim().is_empty() && !is_code {
            open = false;
            continue;
        }
        if open {
            if let Some(block) = blocks.last_mut() {
                block.push('\n');
                block.push_str(line);
            }
            continue;
        }
        let is_plain =
            !is_code && bullet(line).is_none() && !line.trim_start().starts_with(['|', '>', '<', '!', '#']);
        if is_plain && first.is_none() {
            first = Some(blocks.len());
        }
        blocks.push(line.to_owned());
        open = true;
    }
    let paragraph = blocks.remove(first?);
    *text = blocks.join("\n\n");
    Some(paragraph.trim().to_owned())
}

/// Returns the text after a bullet or a number at the start of a line.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len()).then(|| rest.strip_prefix(['.', ')'])).flatten()
    })?;
    after.starts_with([' ', '\t']).then(|| after.trim())
}

/// An entry of a list, of a table, or below a subheading: its own name, if it has one, and its text.
type Entry = (Option<String>, String);

/// Returns the entries of a text, and the rest.
fn entries(text: &str) -> (Vec<Entry>, String) {
    let mut fence = Fence::default();
    let lines: Vec<(&str, bool)> = text.lines().map(|line| (line, fence.holds(line))).collect();
    let headings = || lines.iter().filter_map(|(line, code)| (!code).then(|| heading(line)).flatten());
    let (mut entries, mut rest): (Vec<Entry>, String) = (Vec::new(), String::new());
    let mut header: Option<Vec<&str>> = None;
    let top = headings().map(|(level, _)| level).min();
    let mut open = false;
    for (index, &(line, code)) in lines.iter().enumerate() {
        let found = heading(line).filter(|(level, _)| !code && Some(*level) == top);
        let starts = |c: &[char]| line.starts_with(c);
        match found {
            Some((_, name)) => {
                entries.push((Some(name.to_owned()), String::new()));
                open = true;
                continue;
            }
            None if top.is_some() || code => {}
            // A table has names, a rule, and at least one row.
            None if cells(line).is_some() && (header.is_some() || is_table(&lines[index..])) => {
                let cells = cells(line).unwrap_or_default();
                match &header {
                    None => header = Some(cells),
                    Some(_) if is_rule(&cells) => {}
                    Some(header) => {
                        let wording = |(name, cell): (&&str, &&str)| format!("{name}: {cell}");
                        let names = header.iter().chain(std::iter::repeat(&"also"));
                        let rest: Vec<String> = names.zip(&cells).skip(1).map(wording).collect();
                        entries.push((cells.first().map(|&name| name.to_owned()), rest.join("\n")));
                    }
                }
                open = false;
                continue;
            }
            None => {
                if let Some(text) = bullet(line).filter(|_| !starts(&[' ', '\t'])) {
                    entries.push((None, text.to_owned()));
                    open = true;
                    continue;
                }
                // A list ends with a blank line followed by words that aren't indented.
                open &= line.trim().is_empty() || starts(&[' ', '\t']) || !rest_is_blank(&entries);
            }
        }
        header = None;
        let target = match entries.last_mut() {
            Some((_, text)) if open => text,
            _ => &mut rest,
        };
        target.push('\n');
        target.push_str(line);
    }
    (entries, rest.trim().to_owned())
}

/// Returns the cells of a table's row.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.trim().strip_prefix('|')?;
    Some(row.strip_suffix('|').unwrap_or(row).split('|').map(str::trim).collect())
}

fn is_rule(cells: &[&str]) -> bool {
    cells.iter().all(|cell| cell.contains('-') && cell.chars().all(|c| "-: ".contains(c)))
}

fn is_table(lines: &[(&str, bool)]) -> bool {
    let row = |index: usize| lines.get(index).and_then(|(line, _)| cells(line));
    row(1).is_some_and(|rule| is_rule(&rule)) && row(2).is_some_and(|row| !is_rule(&row))
}

/// Whether the last entry ends with a blank line.
fn rest_is_blank(entries: &[Entry]) -> bool {
    entries.last().is_some_and(|(_, text)| text.ends_with('\n'))
}

/// Returns each entry as a text, and before them the paragraphs of the rest.
fn listed(text: &str) -> Vec<String> {
    let (entries, rest) = entries(text);
    let entries = entries.into_iter().map(|(name, text)| match name {
        Some(name) => format!("{name}: {}", text.trim()),
        None => text.trim().to_owned(),
    });
    let paragraphs = rest.split("\n\n").map(|text| text.trim().to_owned());
    paragraphs.chain(entries).filter(|text| !text.is_empty()).collect()
}

/// Returns the items of a text, or all of it as one if it contains code or a table, which must stay together.
fn items(text: &str) -> Vec<String> {
    let text = text.trim();
    let is_set = text
        .lines()
        .map(str::trim_start)
        .any(|line| ["```", "~~~", "|"].iter().any(|mark| line.starts_with(mark)));
    if is_set { vec![text.to_owned()] } else { listed(text) }
}

/// Returns the name of an entry and the rest: `**Name**: text`, `Name: text`, `Name – text`.
fn named((name, text): Entry) -> (String, String) {
    if let Some(name) = name {
        return (name, text.trim().to_owned());
    }
    let text = text.trim();
    let (line, more) = text.split_once('\n').unwrap_or((text, ""));
    let bold = line.strip_prefix("**").and_then(|line| line.split_once("**"));
    let parted = || [": ", " – ", " — ", " - "].iter().find_map(|mark| line.split_once(mark));
    let (name, rest) = bold.or_else(parted).unwrap_or((line, ""));
    let clean = |text: &str| text.trim().trim_start_matches([':', '–', '—', '-']).trim().to_owned();
    (name.trim().trim_end_matches(':').to_owned(), joined(&[&clean(rest), more]))
}

/// Adds the components that a text names, and returns the rest.
fn components(design: &mut Design, text: &str) -> String {
    let (found, rest) = entries(text);
    design.components.extend(found.into_iter().map(|entry| {
        let (name, text) = named(entry);
        let has_headings = text.lines().any(|line| heading(line).is_some() || line.contains("```"));
        let unindented = text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
        let (duties, description) = if has_headings { (Vec::new(), text) } else { entries(&unindented) };
        let duty = |(name, text): Entry| joined(&[&name.unwrap_or_default(), &text]);
        Component {
            name,
            description,
            responsibilities: duties.into_iter().map(duty).collect(),
            ..Component::default()
        }
    }));
    rest
}

/// Adds the decisions that a text names, and returns the rest.
fn tradeoffs(design: &mut Design, text: &str) -> String {
    let (found, rest) = entries(text);
    design.tradeoffs.extend(found.into_iter().map(|entry| {
        let (aspect, mut rationale) = named(entry);
        let chosen = take_paragraph(&mut rationale).unwrap_or_default();
        Tradeoff { aspect, chosen, rationale, ..Tradeoff::default() }
    }));
    rest
}

/// Adds the risks that a text names if every one of them has a level, and returns the rest.
fn risks(design: &mut Design, text: String) -> String {
    let (found, rest) = entries(&text);
    let risk = |(name, body): Entry| {
        let body = body.trim();
        let all = joined(&[&name.unwrap_or_default(), body]);
        let lower = all.to_ascii_lowercase();
        let says = |word: &str| {
            ["impact: ", "severity: ", "(", "["]
                .iter()
                .any(|before| lower.contains(&format!("{before}{word}")))
        };
        let levels = [("high", Level::High), ("medium", Level::Medium), ("low", Level::Low)];
        let said: Vec<Level> =
            levels.into_iter().filter(|(word, _)| says(word)).map(|(_, level)| level).collect();
        let [impact] = said[..] else { return None };
        let at = lower.find("mitigation:").unwrap_or(all.len());
        let mitigation = all[at..].get("mitigation:".len()..).unwrap_or_default();
        let clean =
            |text: &str| text.trim_matches(|c: char| c.is_whitespace() || "*_".contains(c)).to_owned();
        Some(Risk { risk: clean(&all[..at]), impact, mitigation: clean(mitigation) })
    };
    match found.into_iter().map(risk).collect::<Option<Vec<Risk>>>() {
        Some(risks) => {
            design.risks.extend(risks);
            rest
        }
        None => text,
    }
}

/// Adds the one decision that a record is about: its options, what was chosen, and what follows from it.
fn decision(design: &mut Design, sections: &mut Vec<Section>) {
    let has = |sections: &[Section], field| sections.iter().any(|section| section.field == Some(field));
    if !has(sections, Field::Decision) && !has(sections, Field::Options) {
        return;
    }
    let options = listed(&whole(&taken(sections, Field::Options)));
    let mut rationale = whole(&taken(sections, Field::Decision));
    let chosen = take_paragraph(&mut rationale).unwrap_or_default();
    let bare = chosen.trim_start_matches(['*', '_']);
    let named = bare.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("chosen option:"));
    let chosen = match bare.split_once(", because").filter(|_| named) {
        Some((option, because)) => {
            rationale = joined(&[&format!("because{because}"), &rationale]);
            option[14..].trim_matches(|c: char| c.is_whitespace() || "*_\"'“”".contains(c)).to_owned()
        }
        None => chosen,
    };
    let consequences: Vec<String> =
        taken(sections, Field::Consequences).iter().map(Section::as_text).collect();
    let texts: Vec<&str> = std::iter::once(&rationale).chain(&consequences).map(String::as_str).collect();
    let rationale = joined(&texts);
    design.tradeoffs.push(Tradeoff {
        aspect: design.title.clone(),
        options,
        chosen,
        rationale,
        sources: None,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(name: &str, text: &str) -> Draft {
        Draft::read(&NamedText { name: name.to_owned(), text: text.to_owned() }).unwrap()
    }

    #[test]
    fn a_record_of_madr_4_gives_its_decision() {
        let draft = read("0007-store.md", include_str!("../../../tests/design_lab/drafts/madr.md"));
        let Design { title, summary, tradeoffs, architecture_overview, .. } = &draft.design;
        assert_eq!(title, "Keep counters in Redis");
        assert_eq!(summary, "Every gateway counts for itself, so limits are four times too high.");
        let [decision] = &tradeoffs[..] else { panic!("{tradeoffs:?}") };
        assert_eq!(decision.aspect, "Keep counters in Redis");
        assert_eq!(decision.options, ["Redis", "A table in Postgres", "Gossip between gateways"]);
        assert_eq!(decision.chosen, "Redis");
        assert!(decision.rationale.starts_with("because it is there already."), "{}", decision.rationale);
        assert!(decision.rationale.contains("### Consequences\n\n* Good, because limits hold."));
        assert!(
            architecture_overview.starts_with("## Context and Problem Statement\n\nLimits are per customer.")
        );
        assert!(architecture_overview.contains("## Pros and Cons of the Options\n\n### Redis\n\n* Good"));
        let left_out = [
            "status: accepted",
            "date: 2026-03-04",
            "decision-makers: Ada Quux, Bo Quux",
            "consulted: Cy Quux",
        ];
        assert_eq!(draft.left_out, left_out);
        assert_eq!(
            empty_parts(&draft.design),
            ["assumptions", "components", "data flow", "risks", "open questions"]
        );
    }

    #[test]
    fn the_parts_for_a_builder_are_read_by_their_headings() {
        let text = "# Limiter\n\nBuckets.\n\n## Architecture\n\nOne gate.\n\n### Data model\n\n```sql\ncreate table a;\n\ncreate table b;\n```\n\n\
                    ## Testing\n\n- Send 101 requests.\n- Stop the store.\n\n## Rollout\n\nOne gateway.\n\nThen all.\n";
        let Draft { design, left_out } = read("a.md", text);
        assert_eq!(design.data_model, ["```sql\ncreate table a;\n\ncreate table b;\n```"]);
        assert_eq!(design.verification, ["Send 101 requests.", "Stop the store."]);
        assert_eq!(design.rollout, ["One gateway.", "Then all."]);
        assert_eq!(design.architecture_overview, "## Architecture\n\nOne gate.");
        let json =
            r#"{"title": "Limiter", "summary": "Buckets.", "touches": "src/gate.rs", "colour": "red"}"#;
        let draft = read("a.json", json);
        assert_eq!(draft.design.touches, ["src/gate.rs"]);
        assert_eq!((left_out.len(), draft.left_out), (0, vec!["colour".to_owned()]));
    }

    #[test]
    fn a_design_document_gives_its_parts() {
        let draft = read("draft.md", include_str!("../../../tests/design_lab/drafts/document.md"));
        let design = &draft.design;
        assert_eq!(
            (design.title.as_str(), design.summary.as_str()),
            ("Rate limiter", "Token buckets at the edge.")
        );
        assert_eq!(design.assumptions, ["Four gateways", "Redis is at hand,\n  in each zone"]);
        let parts: Vec<_> =
            design.components.iter().map(|one| (one.name.as_str(), one.description.as_str())).collect();
        assert_eq!(parts, [("Gate", "Answers 429."), ("Store", "Holds the buckets.")]);
        assert_eq!(design.components[0].responsibilities, ["count", "refuse"]);
        assert_eq!(design.data_flow, "Gate → Store\n\n```\n# no heading\nStatus: 429\n```");
        assert_eq!(
            design.risks[0],
            Risk {
                risk: "Redis dies (high).".to_owned(),
                impact: Level::High,
                mitigation: "a replica".to_owned()
            }
        );
        assert_eq!(design.open_questions, ["Who pays?"]);
        assert_eq!(design.tradeoffs[0].aspect, "Consistency");
        assert_eq!(design.tradeoffs[0].chosen, "Eventually; a second is fine.");
        assert_eq!(design.architecture_overview, "More below.\n\n## Betriebshandbuch\n\nNachts ist Ruhe.");
        assert_eq!(draft.left_out, ["Author: Ada Quux", "**Deciders**:", "- Bo Quux"]);
        assert_eq!(empty_parts(design), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_told_is_not_made_up() {
        let risks = "# T\n\nS.\n\n## Risks\n\n- Redis dies\n- (high) fire\n";
        let draft = read("a.md", risks);
        assert!(draft.design.risks.is_empty(), "one of them says no impact");
        assert_eq!(draft.design.architecture_overview, "## Risks\n\n- Redis dies\n- (high) fire");
        let bare = read("a.md", "Only words.\nTwo lines.\n\nAnd more.");
        assert_eq!(bare.design.title, "Only words.");
        assert_eq!(bare.design.summary, "Only words.\nTwo lines.");
        assert_eq!(bare.design.architecture_overview, "And more.");
        let table = "# T\n\n## Components\n\n| Name | What |\n|---|---|\n| Gate | counts |\n\nAnd glue.";
        let draft = read("a.md", table);
        assert_eq!(draft.design.components[0].description, "What: counts");
        assert_eq!(draft.design.architecture_overview, "## Components\n\nAnd glue.");
    }

    #[test]
    fn json_may_lack_parts_and_must_not_be_wrong() {
        let draft = read(
            "d.json",
            r#"{"design_id": "x", "model": "a/b", "title": "T", "summary": ["S"],
            "components": [{"name": "Gate", "description": "d", "responsibility": "r", "sources": ["amber"]}]}"#,
        );
        assert_eq!(draft.design.components[0].responsibilities, ["r"]);
        assert_eq!(draft.design.components[0].sources, None);
        assert_eq!(draft.left_out, ["design_id", "model"]);
        assert_eq!(empty_parts(&draft.design).len(), 6);
        let wrong = "{\n  \"title\": \"T\",\n  \"risks\": [{\"risk\": \"r\", \"impact\": \"huge\", \"mitigation\": \"\"}]\n}";
        let file = NamedText { name: "docs/d.json".to_owned(), text: wrong.to_owned() };
        let problems = Draft::read(&file).unwrap_err();
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert_eq!((problem.file.as_deref(), problem.line), (Some("docs/d.json"), Some(3)));
        assert_eq!(problem.pointer.as_deref(), Some("/risks/0/impact"));
        let broken = Draft::read(&NamedText { text: "{\"title\": }".to_owned(), ..file }).unwrap_err();
        assert_eq!((broken[0].line, broken[0].column), (Some(1), Some(11)));
    }

    proptest! {
        /// Every word of the file is in the design, or is listed as left out.
        #[test]
        fn nothing_of_a_file_is_lost(
            lines in proptest::collection::vec(
                prop_oneof![
                    "(#|##|###) (Risks|Components|Decision|Options|Other|Summary|Data flow|Trade-offs|Consequences|Questions) ?",
                    "(- |  - |1\\. |\\| )?(\\*\\*)?w[a-z]{2,5}(\\*\\*)?(: | - | \\| )?(w[a-z]{2,5})?( \\(low\\)|, because| Mitigation: x)?",
                    "(Author|Status|Deciders): w[a-z]{3}",
                    "|```|---|===|    w[a-z]{4}",
                ],
                0..24,
            ),
        ) {
            let draft = read("a.md", &lines.join("\n"));
            let kept = format!("{} {}", json!(draft.design), draft.left_out.join(" "));
            for word in lines.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric())) {
                if word.starts_with('w') {
                    prop_assert!(kept.contains(word), "{word} of {lines:?} in {kept}");
                }
            }
        }
    }
}
