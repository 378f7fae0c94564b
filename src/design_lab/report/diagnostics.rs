//! Problems in the style of compilers: place first, so that editors and people find it.

use kernel::problem::Problem;
use std::fmt::Write as _;

/// Returns one problem after another: `file:line:column: sentence [code]`, followed by what was found, what is allowed
/// and what to do.
pub fn diagnostics(problems: &[Problem]) -> String {
    let texts: Vec<String> = problems.iter().map(diagnostic).collect();
    kernel::visible::text(&texts.join("\n")).into_owned()
}

fn diagnostic(problem: &Problem) -> String {
    let mut out = String::new();
    if let Some(file) = &problem.file {
        out.push_str(file);
        for number in [problem.line, problem.column].into_iter().map_while(|number| number) {
            let _ = write!(out, ":{number}");
        }
        out.push_str(": ");
    }
    let _ = write!(out, "{} [{}]", problem.message, problem.code);
    let rows = [
        ("at", &problem.pointer),
        ("found", &problem.found),
        ("allowed", &problem.allowed),
        ("next", &problem.next),
    ];
    for (label, text) in rows {
        if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
            let _ = write!(out, "\n  {label:<7} {text}");
        }
    }
    out
}
