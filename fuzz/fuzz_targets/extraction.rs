//! Extraction from any text: no panic, no hang, and its promises.

#![no_main]

use lab_core::shared::extraction::{Finish, Fit, RepairKind, extract};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

// The first byte chooses how the reply ended and whether the question is known.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let finish = [Finish::Stop, Finish::Length, Finish::Unknown][usize::from(choice % 3)];
    let keys: &[&str] = if choice & 4 == 0 { &[] } else { &["a", "title"] };
    let fit = |object: &Value| Fit::by_keys(object, keys);

    let found = extract(text, finish, &fit);
    if let Ok(first) = &found {
        assert!(first.value.is_object());
        let json = first.value.to_string();
        let again = extract(&json, Finish::Stop, &|_| Fit::Any).expect("what came out is an object");
        assert_eq!(again.value.to_string(), json, "valid JSON was altered");
        assert_eq!(again.repairs, [], "valid JSON was repaired");
    }

    let object = text.trim_matches([' ', '\n', '\r', '\t']);
    if serde_json::from_str::<Map<String, Value>>(object).is_ok() {
        let whole = extract(object, Finish::Stop, &|_| Fit::Any).expect("the text is an object");
        let kinds = [RepairKind::DuplicateKey, RepairKind::RoundedNumber];
        assert!(whole.repairs.iter().all(|repair| kinds.contains(&repair.kind)), "{:?}", whole.repairs);
        for length in (0..object.len()).filter(|&length| object.is_char_boundary(length)).rev().take(64) {
            let part = extract(&object[..length], Finish::Stop, &|_| Fit::Full);
            assert!(part.is_err(), "passed off as complete: {}", &object[..length]);
        }
    }
});
