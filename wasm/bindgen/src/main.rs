//! Turns the compiled boundary into a module for JavaScript: `bindgen COMPILED.wasm DIRECTORY` writes `core.js`, its types and
//! `core_bg.wasm`.

use std::env;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [compiled, directory] = arguments.as_slice() else {
        eprintln!("usage: bindgen COMPILED.wasm DIRECTORY");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(compiled).out_name("core").typescript(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
