//! What hostile replies cost, slowest first: `cargo run --release --example hostile`.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use lab_core::shared::extraction::{Finish, Fit, extract};
use std::time::Instant;

const MEGABYTES: [usize; 4] = [1, 2, 4, 8];

fn main() {
    let units: Vec<String> =
        serde_json::from_str(include_str!("../tests/extraction/hostile.json")).expect("a list of strings");
    let only = std::env::args().nth(1);
    let mut rows = Vec::new();
    for unit in units.into_iter().filter(|unit| only.as_ref().is_none_or(|only| only == unit)) {
        let times = MEGABYTES.map(|size| milliseconds(&unit.repeat((size << 20) / unit.len())));
        rows.push((times, unit));
    }
    rows.sort_by(|one, other| other.0[2].total_cmp(&one.0[2]));
    println!("| repeated | 1 MB | 2 MB | 4 MB | 8 MB |\n|---|---:|---:|---:|---:|");
    for ([one, two, four, eight], row) in rows.into_iter().take(40) {
        println!("| `{}` | {one:.0} | {two:.0} | {four:.0} | {eight:.0} |", row.escape_debug());
    }
}

fn milliseconds(text: &str) -> f64 {
    let keys = |object: &serde_json::Value| Fit::by_keys(object, &["title", "summary"]);
    let started = Instant::now();
    let found = extract(text, Finish::Stop, &keys);
    let elapsed = started.elapsed().as_secs_f64() * 1e3;
    drop(found);
    elapsed
}
