//! Code that is written at compile time, for the weight of the module.
//!
//! # `#[derive(Deserialize)]`
//!
//! It is for types that are read from JSON, with the attributes of serde.
//!
//! Serde's own derive writes code that is compiled once for each source of values, looks every member up in a state machine, and
//! copies the content of a tagged enum before it reads it. This derive writes code for one source, the parsed text (`Node` in
//! `kernel::json`): it takes each member by its name. That is a fifth of the code.
//!
//! It reads what serde reads, with one exception: a structure is read from an object only, never from a list of its fields. An
//! attribute that it doesn't know is an error at compile time.

mod attributes;
mod reading;
mod schema;

use proc_macro::TokenStream;
use syn::{DeriveInput, LitStr, parse_macro_input};

/// Implements `kernel::json::Read`, and with it `serde::Deserialize`.
#[proc_macro_derive(Deserialize, attributes(serde))]
pub fn deserialize(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    reading::implementation(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The text of the JSON schema in this file, which is named from the crate's directory. What only readers and editors need is left
/// out: titles, descriptions, defaults and line breaks.
#[proc_macro]
pub fn schema(file: TokenStream) -> TokenStream {
    let file = parse_macro_input!(file as LitStr);
    schema::text(&file).unwrap_or_else(|error| error.to_compile_error()).into()
}
