//! The designs in columns, so that their differences are visible.

use super::{Prose, level, short};
use crate::design_lab::artefacts::{Claim, ClaimVerdict, Component, Design, Risk, StoredDesign, Tradeoff};
use crate::design_lab::ranking::Ranking;
use design_lab_numerics::sorting::{set, sort_by_key};
use std::collections::BTreeSet;

/// Every available design, in the order of the ranking.
pub(super) struct Comparison {
    pub(super) columns: Vec<Column>,
    /// Counts, one row each: what is counted, and one number per column.
    pub(super) counts: Vec<(&'static str, Vec<String>)>,
    pub(super) components: Vec<Row<Part>>,
    pub(super) choices: Vec<Row<Choice>>,
    /// Sections of free text, and of lists: the heading, and the texts of each column.
    pub(super) texts: Vec<(&'static str, Vec<Vec<Prose>>)>,
}

/// A design.
pub(super) struct Column {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) model: String,
}

/// Items that correspond in several designs, or in the last row items without a counterpart; one cell per column.
pub(super) struct Row<Cell> {
    /// How many designs have it, in words.
    pub(super) spread: String,
    pub(super) cells: Vec<Vec<Cell>>,
    key: BTreeSet<String>,
}

/// A component.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) description: Prose,
    pub(super) responsibilities: Vec<Prose>,
    pub(super) needs: String,
    /// The designs that a merged design took it from; empty in any other.
    pub(super) sources: String,
}

/// A decision.
pub(super) struct Choice {
    pub(super) aspect: String,
    pub(super) chosen: Prose,
    /// The alternatives that were not chosen; `None` when none was named.
    pub(super) others: Option<Prose>,
    pub(super) rationale: Prose,
    /// The designs that a merged design took it from; empty in any other.
    pub(super) sources: String,
}

impl Comparison {
    pub(super) fn new(ranking: &Ranking, designs: &[StoredDesign]) -> Self {
        let designs: Vec<&StoredDesign> = ranking
            .rankings
            .iter()
            .filter_map(|row| designs.iter().find(|stored| stored.design_id == row.design_id))
            .collect();
        let ids: Vec<&str> = designs.iter().map(|stored| stored.design_id.as_str()).collect();
        let each =
            |of: &dyn Fn(&Design) -> Vec<Prose>| designs.iter().map(|stored| of(&stored.design)).collect();
        let lines = |items: &[String]| items.iter().map(|item| Prose::new(item)).collect();
        let count = |of: &dyn Fn(&Design) -> usize| {
            designs.iter().map(|stored| of(&stored.design).to_string()).collect()
        };
        // Older designs don't have these parts.
        let headings = Design::default().details().map(|(heading, _)| heading);
        let details = headings
            .into_iter()
            .enumerate()
            .map(|(index, heading)| (heading, each(&|design| lines(design.details()[index].1))));
        let given = details
            .chain([("Claims about the project", each(&claims))])
            .filter(|(_, texts): &(_, Vec<Vec<Prose>>)| texts.iter().any(|items| !items.is_empty()));
        Self {
            counts: vec![
                ("Components", count(&|design| design.components.len())),
                ("Trade-offs weighed", count(&|design| design.tradeoffs.len())),
                ("Risks named", count(&|design| design.risks.len())),
                ("Assumptions", count(&|design| design.assumptions.len())),
                ("Open questions", count(&|design| design.open_questions.len())),
                ("Wrong claims about the project", falsehoods(&designs)),
            ]
            .into_iter()
            .filter(|(_, cells)| !cells.is_empty())
            .collect(),
            components: aligned(
                &ids,
                |column| &designs[column].design.components,
                |part| &part.name,
                Part::new,
            ),
            choices: aligned(
                &ids,
                |column| &designs[column].design.tradeoffs,
                |one| &one.aspect,
                Choice::new,
            ),
            texts: [
                ("Summary", each(&|design| vec![Prose::new(&design.summary)])),
                ("Architecture", each(&|design| vec![Prose::new(&design.architecture_overview)])),
                ("Data flow", each(&|design| vec![Prose::new(&design.data_flow)])),
                ("Assumptions", each(&|design| lines(&design.assumptions))),
                ("Risks", each(&|design| design.risks.iter().map(risk).collect())),
                ("Open questions", each(&|design| lines(&design.open_questions))),
            ]
            .into_iter()
            .chain(given)
            .collect(),
            columns: designs
                .iter()
                .map(|stored| Column {
                    id: stored.design_id.to_string(),
                    title: short(&stored.design.title),
                    model: stored.author().to_owned(),
                })
                .collect(),
        }
    }
}

/// How many claims of each design the project contradicts, of those that could be checked; empty if none was checked.
fn falsehoods(designs: &[&StoredDesign]) -> Vec<String> {
    let decided = |design: &Design| {
        let verdicts = design.claims.iter().filter_map(|claim| claim.finding.as_ref());
        verdicts.filter(|finding| finding.verdict != ClaimVerdict::NotChecked).count()
    };
    if designs.iter().all(|stored| decided(&stored.design) == 0) {
        return Vec::new();
    }
    let cell = |stored: &&StoredDesign| {
        let wrong = stored.design.claims.iter().filter(|claim| claim.is_wrong()).count();
        format!("{wrong} of {}", decided(&stored.design))
    };
    designs.iter().map(cell).collect()
}

/// The statements of a design about the project, with what was found.
pub(super) fn claims(design: &Design) -> Vec<Prose> {
    design.claims.iter().filter_map(Claim::checked).map(|text| Prose::new(&text)).collect()
}

/// Formats a risk: its impact, its description, and its mitigation.
pub(super) fn risk(risk: &Risk) -> Prose {
    let answer = if risk.mitigation.trim().is_empty() {
        String::new()
    } else {
        format!("\n\n→ {}", risk.mitigation)
    };
    Prose::new(&format!("**{}:** {}{answer}", level(risk.impact), risk.risk))
}

impl Part {
    pub(super) fn new(component: &Component) -> Self {
        Self {
            name: short(&component.name),
            description: Prose::new(&component.description),
            responsibilities: component.responsibilities.iter().map(|text| Prose::new(text)).collect(),
            needs: component.dependencies.as_deref().unwrap_or_default().join(", "),
            sources: component.sources.as_deref().unwrap_or_default().join(", "),
        }
    }
}

impl Choice {
    pub(super) fn new(tradeoff: &Tradeoff) -> Self {
        let others: Vec<&str> =
            tradeoff.options.iter().map(String::as_str).filter(|option| *option != tradeoff.chosen).collect();
        Self {
            aspect: short(&tradeoff.aspect),
            chosen: Prose::new(&tradeoff.chosen),
            others: (!others.is_empty()).then(|| Prose::new(&format!("instead of: {}", others.join("; ")))),
            rationale: Prose::new(&tradeoff.rationale),
            sources: tradeoff.sources.as_deref().unwrap_or_default().join(", "),
        }
    }
}

/// Puts items whose names have the same telling words in several designs into one row; the most common rows come first.
fn aligned<'a, Item: 'a, Cell>(
    ids: &[&str],
    items: impl Fn(usize) -> &'a [Item],
    name: impl Fn(&'a Item) -> &'a str,
    cell: impl Fn(&'a Item) -> Cell,
) -> Vec<Row<Cell>> {
    let mut rows: Vec<Row<Cell>> = Vec::new();
    for column in 0..ids.len() {
        for item in items(column) {
            let key = telling_words(name(item));
            let free = |row: &&mut Row<Cell>| row.cells[column].is_empty();
            let alike = |row: &&mut Row<Cell>| {
                !key.is_empty() && !row.key.is_empty() && (row.key.is_subset(&key) || key.is_subset(&row.key))
            };
            let row = match rows.iter_mut().filter(free).find(|row| row.key == key) {
                Some(row) => Some(row),
                None => rows.iter_mut().filter(free).find(alike),
            };
            match row {
                Some(row) => row.cells[column].push(cell(item)),
                None => {
                    let mut cells: Vec<Vec<Cell>> = ids.iter().map(|_| Vec::new()).collect();
                    cells[column].push(cell(item));
                    rows.push(Row { spread: String::new(), cells, key });
                }
            }
        }
    }
    let common = |row: &Row<Cell>| row.cells.iter().filter(|cell| !cell.is_empty()).count();
    let (mut shared, alone): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| common(row) > 1);
    sort_by_key(&mut shared, |row| std::cmp::Reverse(common(row)));
    for row in &mut shared {
        row.spread = match common(row) {
            there if there == ids.len() => "in all".to_owned(),
            there => format!("in {there} of {}", ids.len()),
        };
    }
    let rest = alone.into_iter().reduce(|mut rest, row| {
        for (all, cell) in rest.cells.iter_mut().zip(row.cells) {
            all.extend(cell);
        }
        rest
    });
    shared.extend(rest.map(|row| Row { spread: "only here".to_owned(), ..row }));
    shared
}

/// Words that reveal little about the purpose of a thing.
const COMMON: [&str; 34] = [
    "a",
    "an",
    "and",
    "api",
    "app",
    "against",
    "between",
    "component",
    "for",
    "how",
    "in",
    "is",
    "layer",
    "library",
    "made",
    "manager",
    "module",
    "of",
    "on",
    "or",
    "service",
    "store",
    "subsystem",
    "system",
    "the",
    "to",
    "tool",
    "unit",
    "versus",
    "vs",
    "what",
    "when",
    "where",
    "with",
];

/// Returns the words of a name that reveal its purpose, in lower case and the singular; all its words if none does.
fn telling_words(name: &str) -> BTreeSet<String> {
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let telling = words.iter().filter(|word| !COMMON.contains(&word.as_str())).map(|word| {
        match (word.strip_suffix("ies"), word.strip_suffix('s')) {
            (Some(stem), _) if stem.len() > 1 => format!("{stem}y"),
            (None, Some(stem)) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
            _ => word.clone(),
        }
    });
    let telling = set(telling);
    if telling.is_empty() { set(words) } else { telling }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_the_same_telling_words_stand_in_one_row() {
        let designs = [
            vec!["Gateway filter".to_owned(), "Policy service".to_owned()],
            vec!["Ledger".to_owned(), "Policies store".to_owned(), "Second policy store".to_owned()],
            vec!["gateway filters (in process)".to_owned()],
        ];
        let rows = aligned(&["a", "b", "c"], |column| &designs[column], |name| name, String::clone);
        let shown: Vec<(&str, Vec<String>)> = rows
            .iter()
            .map(|row| (row.spread.as_str(), row.cells.iter().map(|cell| cell.join(" + ")).collect()))
            .collect();
        assert_eq!(
            shown,
            [
                (
                    "in 2 of 3",
                    ["Gateway filter", "", "gateway filters (in process)"].map(str::to_owned).into()
                ),
                ("in 2 of 3", ["Policy service", "Policies store", ""].map(str::to_owned).into()),
                ("only here", ["", "Ledger + Second policy store", ""].map(str::to_owned).into()),
            ]
        );
    }

    #[test]
    fn a_name_without_telling_words_is_its_own() {
        assert_eq!(telling_words("The Service"), telling_words("the service"));
        assert!(telling_words("—").is_empty());
    }
}
