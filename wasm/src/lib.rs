//! The wasm boundary: it exports the calls of [`lab_core::boundary`] to JavaScript, and keeps the message of a panic.

use lab_core::boundary::Core;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static CORE: Core = Core::default();
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic instead of printing it: the host's terminal belongs to its user interface.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| PANIC.set(Some(info.to_string()))));
}

/// Returns the message of the last panic, once.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> Option<String> {
    PANIC.take()
}

/// Performs a call by its name, with its arguments as text; returns `{"ok": …}` or `{"problems": [Problem, …]}`.
#[wasm_bindgen]
pub fn call(name: &str, first: &str, second: &str, third: &str, fourth: &str, fifth: &str) -> String {
    CORE.with(|core| core.call(name, &[first, second, third, fourth, fifth]))
}

// ---- calls that don't go through the dispatch ----

/// As `design_lab.image`.
#[wasm_bindgen]
pub fn image(bytes: &[u8]) -> String {
    CORE.with(|core| core.image(bytes))
}

/// As `design_lab.inquire`.
#[wasm_bindgen]
pub fn inquire(rules: u32, tool: &str, args: &str) -> String {
    CORE.with(|core| core.inquire(rules, tool, args))
}

/// As `design_lab.verdict`.
#[wasm_bindgen]
pub fn verdict(rules: u32, tool: &str, args: &str, facts: &str) -> String {
    CORE.with(|core| core.verdict(rules, tool, args, facts))
}

/// As `design_lab.withhold`.
#[wasm_bindgen]
pub fn withhold(rules: u32, tool: &str, facts: &str, output: &str, metadata: &str) -> String {
    CORE.with(|core| core.withhold(rules, tool, facts, output, metadata))
}

// ---- for tests and benchmarks ----

/// Makes the next access to a run or to rules panic. The package is built without it.
#[cfg(feature = "panic")]
#[wasm_bindgen(js_name = panicNext)]
pub fn panic_next() {
    CORE.with(Core::panic_next);
}

/// The intended object in a model's reply; returns `{"ok": object}` or the problem. `finish`: `stop`, `length`, or anything else;
/// `keys`: the keys that the object must have, separated by spaces. For comparisons with other tools: a run extracts inside the
/// core.
#[cfg(feature = "bench")]
#[wasm_bindgen]
pub fn extract(text: &str, finish: &str, keys: &str) -> String {
    use lab_core::shared::extraction::{self, Finish, Fit};

    let keys: Vec<&str> = keys.split_whitespace().collect();
    let fit = |object: &serde_json::Value| Fit::by_keys(object, &keys);
    let found = extraction::extract(text, Finish::from(finish), &fit);
    match found {
        Ok(found) => serde_json::json!({ "ok": found.value }),
        Err(error) => serde_json::json!({ "problems": [kernel::problem::Problem::from(error)] }),
    }
    .to_string()
}
