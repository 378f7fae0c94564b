//! What `/design-lab-doctor` shows: a line for each finding, and the remedy below those that need one.

use super::{Area, Diagnosis, Finding};
use crate::design_lab::report::{explain, paragraph};
use crate::shared::figures::count;
use crate::shared::wrapped::wrapped;
use std::fmt::Write as _;

/// Returns the whole diagnosis.
pub fn diagnosis(diagnosis: &Diagnosis) -> String {
    let number = |of: fn(&Finding) -> bool| {
        diagnosis.findings.iter().filter(|(_, finding)| of(finding)).count() as u64
    };
    let faults = number(|finding| matches!(finding, Finding::Fault(_)));
    let hints = number(|finding| matches!(finding, Finding::Hint(_)));
    let parts: Vec<String> = [(faults, "problem", "problems"), (hints, "hint", "hints")]
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(number, one, many))
        .collect();
    let verdict = if parts.is_empty() { "all is well".to_owned() } else { parts.join(", ") };
    let mut out = format!("Design Lab · doctor: {verdict}\n");
    let mut last = None;
    for (area, finding) in &diagnosis.findings {
        if last != Some(*area) {
            let _ = write!(out, "\n  {}\n", title(*area));
            last = Some(*area);
        }
        match finding {
            Finding::Good(text) => wrapped(&mut out, "  ✓ ", "    ", text),
            Finding::Hint(problem) => explain(&mut out, "  ! ", problem),
            Finding::Fault(problem) => explain(&mut out, "  ✗ ", problem),
        }
    }
    if !diagnosis.called {
        let text = "No model was called. /design-lab-doctor --call asks each model for one line, and each \
                    call is charged.";
        let begins =
            if faults == 0 { "/design-lab <task> lets these models design and review. " } else { "" };
        paragraph(&mut out, "Next    ", &format!("{begins}{text}"));
    } else if faults == 0 {
        paragraph(&mut out, "Next    ", "/design-lab <task> lets these models design and review.");
    }
    out.truncate(out.trim_end().len());
    kernel::visible::text(&out).into_owned()
}

fn title(area: Area) -> &'static str {
    match area {
        Area::Versions => "Versions",
        Area::Configuration => "Configuration",
        Area::Models => "Models",
        Area::Agents => "Agents",
        Area::Sidebar => "Sidebar",
        Area::Search => "Search",
        Area::Output => "Output directory and runs",
        Area::Validation => "Validation",
        Area::Calls => "Calls",
    }
}
