//! A deliberate panic, only for tests: they observe the recovery on a real module in the real host. The package is built without it.

use std::cell::Cell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static DUE: Cell<bool> = const { Cell::new(false) };
}

/// Makes the next access to a run or to rules panic.
#[expect(unreachable_pub, reason = "wasm-bindgen exports public functions alone")]
#[wasm_bindgen(js_name = panicNext)]
pub fn panic_next() {
    DUE.set(true);
}

/// Panics if one is due.
pub(crate) fn strike() {
    assert!(!DUE.replace(false), "a panic on purpose");
}
