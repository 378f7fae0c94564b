//! The attributes of serde that the project uses.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Path, Result, Token};

/// The attributes of a type, a variant or a field; each of these has only some of them.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an attribute that is there or not")]
pub(crate) struct Attributes {
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) tag: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) missing: Missing,
    pub(crate) read_by: Option<Path>,
    pub(crate) is_flat: bool,
    pub(crate) is_skipped: bool,
    pub(crate) is_transparent: bool,
    pub(crate) is_untagged: bool,
    pub(crate) denies_unknown: bool,
}

/// What a missing field is read as.
#[derive(Default)]
pub(crate) enum Missing {
    /// An error, except for an `Option`.
    #[default]
    Fault,
    /// The default of its type, or, for the fields of a structure, of the structure.
    Default,
    /// What this function returns.
    By(Path),
}

/// How a name of Rust is written in JSON.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Lower,
    Snake,
    Kebab,
}

impl Attributes {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut read = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| read.add(&meta))?;
        }
        Ok(read)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let text = || meta.value()?.parse::<LitStr>();
        match name.as_str() {
            "rename" => self.rename = Some(text()?.value()),
            "rename_all" => self.rename_all = Some(Case::of(&text()?)?),
            "tag" => self.tag = Some(text()?.value()),
            "content" => self.content = Some(text()?.value()),
            "default" if meta.input.peek(Token![=]) => self.missing = Missing::By(text()?.parse()?),
            "default" => self.missing = Missing::Default,
            "deserialize_with" => self.read_by = Some(text()?.parse()?),
            "flatten" => self.is_flat = true,
            "skip" | "skip_deserializing" => self.is_skipped = true,
            "transparent" => self.is_transparent = true,
            "deny_unknown_fields" => self.denies_unknown = true,
            "untagged" => self.is_untagged = true,
            // These concern writing.
            "skip_serializing" => {}
            "skip_serializing_if" | "serialize_with" => drop(text()?),
            _ => return Err(meta.error("this derive doesn't know the attribute")),
        }
        Ok(())
    }

    /// The name in JSON of what has these attributes and this name, in something that writes its names in `case`.
    pub(crate) fn name(&self, name: &str, case: Option<Case>) -> String {
        self.rename.clone().unwrap_or_else(|| case.map_or_else(|| name.to_owned(), |case| case.of_name(name)))
    }
}

impl Case {
    fn of(text: &LitStr) -> Result<Self> {
        match text.value().as_str() {
            "lowercase" => Ok(Self::Lower),
            "snake_case" => Ok(Self::Snake),
            "kebab-case" => Ok(Self::Kebab),
            _ => Err(syn::Error::new(text.span(), "this derive doesn't know the case")),
        }
    }

    /// A field is in snake case already; a variant begins each of its words with a capital.
    fn of_name(self, name: &str) -> String {
        let mut written = String::new();
        for (place, letter) in name.char_indices() {
            if place > 0 && letter.is_uppercase() && !matches!(self, Self::Lower) {
                written.push('_');
            }
            written.extend(letter.to_lowercase());
        }
        if matches!(self, Self::Kebab) { written.replace('_', "-") } else { written }
    }
}
