//! Whatever stands in configuration files: loading gives a configuration or problems with their places, never
//! a panic.

#![no_main]

use lab_core::design_lab::config::{AvailableModels, Layer, ReferencedFile, Source, load, references};
use libfuzzer_sys::fuzz_target;

// The texts follow one another, with a NUL between: so a plain configuration file is a good seed.
fuzz_target!(|text: &str| {
    let layers = [(Layer::Project, "project"), (Layer::Global, "global"), (Layer::Options, "options")];
    let sources: Vec<Source> = text
        .split('\0')
        .zip(layers)
        .map(|(text, (origin, file))| Source { origin, file: file.to_owned(), text: text.to_owned() })
        .collect();
    let files: Vec<ReferencedFile> = references(&sources)
        .into_iter()
        .map(|reference| ReferencedFile {
            text: Some(reference.path.clone()),
            error: None,
            leads: Some(reference.path.clone()),
            reference,
        })
        .collect();
    match load(&sources, &files, &AvailableModels::default()) {
        Ok(loaded) => {
            let config = &loaded.config;
            // One designer is enough beside a design of the user's own.
            assert!(!config.design_models.is_empty() && !config.review_models.is_empty());
            for (index, model) in config.design_models.iter().enumerate() {
                assert!(!model.id.is_empty());
                assert!(config.design_models[..index].iter().all(|other| other.id != model.id));
            }
            let text = serde_json::to_string(config).expect("a configuration is JSON");
            assert_eq!(*config, serde_json::from_str(&text).expect("and is read back"));
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in problems {
                assert!(!problem.message.is_empty());
                assert_eq!(problem.line.is_some(), problem.column.is_some());
            }
        }
    }
});
