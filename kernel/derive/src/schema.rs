//! A JSON schema without what nobody checks.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;
use std::env;
use std::path::Path;
use syn::{Error, LitStr, Result};

/// What a schema says for people and editors only.
const FOR_READERS: [&str; 6] = ["$id", "$schema", "default", "description", "enumDescriptions", "title"];

pub(crate) fn text(file: &LitStr) -> Result<TokenStream> {
    let wrong = |error: &dyn std::fmt::Display| Error::new(file.span(), error);
    let root = env::var("CARGO_MANIFEST_DIR").map_err(|error| wrong(&error))?;
    let path = Path::new(&root).join(file.value());
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    let mut schema: Value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    strip(&mut schema);
    let (path, schema) = (path.to_string_lossy(), schema.to_string());
    // The constant makes the compiler look whether the file has changed.
    Ok(quote! { { const _: &[u8] = ::core::include_bytes!(#path); #schema } })
}

fn strip(node: &mut Value) {
    let Some(members) = node.as_object_mut() else { return };
    members.retain(|keyword, _| !FOR_READERS.contains(&keyword.as_str()));
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(strip),
            ("items" | "additionalProperties", inner) => strip(inner),
            _ => {}
        }
    }
}
