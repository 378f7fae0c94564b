//! Whatever stands in a journal, its checksums right: replaying gives a run or a problem, and no path that leaves the run.

#![no_main]

use kernel::run::Durable as _;
use lab_core::design_lab::workflow::{Command, Event, EventKind, Run};
use libfuzzer_sys::fuzz_target;

// Each line is an event as JSON, so a journal without numbers and checksums is a good seed.
fuzz_target!(|text: &str| {
    let mut run = Run::new();
    for line in text.lines() {
        let Ok(event) = serde_json::from_str::<Event>(line) else { return };
        if run.apply(&run.seal(&event)).is_err() {
            return;
        }
    }
    let at = 1_795_167_900_000;
    run.live_message(at);
    run.panel(at, &[]);
    let _ = run.page();
    let files = run.files().expect("ids are looked at before they become paths");
    let resumed = run.seal(&Event { at, kind: EventKind::Resumed });
    let commands = run.apply(&resumed).unwrap_or_default();
    let written = commands.iter().filter_map(|command| match command {
        Command::Write { path, .. } | Command::Discard { path } => Some(path),
        _ => None,
    });
    for path in files.iter().map(|(path, _)| path).chain(written) {
        assert!(path.split('/').all(|name| !name.is_empty() && !name.starts_with('.')), "{path:?}");
    }
});
