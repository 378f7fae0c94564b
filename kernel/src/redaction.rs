//! Text from a host, a provider or a file system, without what nobody should read: keys, passwords, home directories.
//!
//! A provider that refuses a request often quotes it, key and all. [`Redacted`] is text that went through this module, and can't
//! be made otherwise; the text of a failed call has this type from the moment it enters the core, so that the journal and
//! everything rendered from it never contain more. Two kinds of secrets are removed:
//!
//! - text with the shape of a secret ([`Redacted::new`]): keys of known vendors, tokens after `Authorization:` or `?key=`,
//!   passwords in URLs, PEM blocks, and paths into a home directory;
//! - known secrets ([`Known`]): the keys in this machine's providers and environment, and its home directory.
//!
//! Models' output is kept unchanged in the journal, and is shown with only the known keys removed: a design may well mention
//! `Authorization: Bearer <token>`. `docs/security.md` has the whole picture.

mod shapes;
mod unseen;

use crate::json::{Deserialize, Fault, Node, Read};
use crate::visible::is_invisible;
use design_lab_numerics::sorting::sort_by;
use serde::Serialize;
use std::fmt;
use std::ops::Deref;

/// Replaces a secret.
pub const MARK: &str = "[redacted]";

/// The maximum number of passes over a text.
const MOST_PASSES: usize = 8;

/// The maximum number of bytes of a text that are read: a provider may send a page, or a million colons.
const MOST_BYTES: usize = 16_384;

/// Text that contains nothing with the shape of a secret, and no home directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Redacted(String);

impl Redacted {
    /// The text without anything that has the shape of a secret. A very long text is cut to its beginning.
    pub fn new(text: &str) -> Self {
        let text = without_shapes(beginning(text));
        if text.contains(is_invisible) {
            // Invisible characters break a key's shape but leave it readable.
            let plain: String = text.chars().filter(|&c| !is_invisible(c)).collect();
            let hidden = without_shapes(plain.clone());
            if hidden != plain {
                return Self(hidden);
            }
        }
        Self(text)
    }
}

/// The text without anything that has the shape of a secret.
fn without_shapes(mut text: String) -> String {
    // Replacing a secret can expose another one.
    for _ in 0..MOST_PASSES {
        let once = shapes::homes(&shapes::secrets(&text));
        if once == text {
            break;
        }
        text = once;
    }
    text
}

/// At most [`MOST_BYTES`] of a text. A word that would be cut is left out: half a key has no recognisable shape.
fn beginning(text: &str) -> String {
    const CUT: &str = " […]";
    if text.len() <= MOST_BYTES {
        return text.to_owned();
    }
    let kept = &text[..text.floor_char_boundary(MOST_BYTES - CUT.len())];
    let end = kept.rfind(char::is_whitespace).unwrap_or(0);
    format!("{}{CUT}", kept[..end].trim_end())
}

impl From<&str> for Redacted {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Redacted {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl Deref for Redacted {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Read for Redacted {
    fn read(node: Node) -> Result<Self, Fault> {
        Ok(Self::new(&String::read(node)?))
    }
}

/// What a shell knows about this machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Surroundings {
    /// Settings by name: environment variables, and the options of the host's providers. Most are not secret.
    pub settings: Vec<(String, String)>,
    /// The user's home directory, absolute; also its real path if a link makes them differ.
    pub homes: Vec<String>,
}

/// The secrets and home directories of this machine.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// As they are and as JSON and HTML escape them, the longest first.
    keys: Vec<String>,
    homes: Vec<String>,
}

impl Known {
    /// The settings whose names indicate a secret and whose values are plausible as one.
    pub fn new(surroundings: &Surroundings) -> Self {
        let mut keys: Vec<String> = surroundings
            .settings
            .iter()
            .filter(|(name, _)| names_a_secret(name))
            .filter_map(|(_, value)| secret_in(value))
            .flat_map(spellings)
            .collect();
        sort_by(&mut keys, |a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        keys.dedup();
        let homes = surroundings.homes.iter().map(|home| home.trim_end_matches(['/', '\\']));
        let spelled = homes
            .filter(|home| home.len() > 1)
            .flat_map(|home| [home.to_owned(), home.replace('\\', "\\\\")]);
        Self { keys, homes: spelled.collect() }
    }

    /// Any text without the known keys, even with invisible characters between their letters.
    pub fn hide(&self, text: String) -> String {
        if self.keys.is_empty() {
            return text;
        }
        let text = self.keys.iter().fold(text, |text, key| {
            if text.contains(key.as_str()) { text.replace(key.as_str(), MARK) } else { text }
        });
        unseen::without(&self.keys, text)
    }

    /// Any text with `~` for this machine's home directories.
    pub fn tilde(&self, text: &str) -> String {
        self.homes.iter().fold(text.to_owned(), |text, home| shapes::tilde(&text, home))
    }

    /// The text of a run's file. The files listed here may reveal an output directory inside the user's home; the content of the
    /// others was written by the user or by models.
    pub fn file(&self, path: &str, text: String) -> String {
        if path == "config.json" || path.starts_with("results/") { self.tilde(&text) } else { text }
    }

    /// Text from a host, a provider or a file system, without secrets and home directories.
    pub fn redact(&self, text: &str) -> Redacted {
        Redacted::new(&self.tilde(&self.hide(text.to_owned())))
    }
}

/// Words in the names of secrets, without separators.
const SECRET_WORDS: [&str; 11] = [
    "accesskey",
    "apikey",
    "authkey",
    "authorization",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "token",
];

/// Whether a setting with that name holds a secret: `OPENAI_API_KEY`, `options.apiKey`, `headers.Authorization`, `NPM_TOKEN`.
fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let last = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    last == "key" || last == "auth" || SECRET_WORDS.iter().any(|word| plain.contains(word))
}

/// The shortest value that counts as a key: a shorter one would occur in half of all texts.
const SHORTEST_KEY: usize = 8;
/// From this length on, even a sequence of lower-case letters is more likely a key than a word.
const NO_WORD: usize = 20;

/// The secret that a setting's value is or ends with; `None` when it is a switch, a word, a path or a URL.
fn secret_in(value: &str) -> Option<&str> {
    let secret = value.split_whitespace().last()?;
    let is_place =
        secret.starts_with(['/', '~', '.', '{', '$']) || secret.contains("://") || secret.contains(":\\");
    let is_word = secret.len() < NO_WORD && secret.chars().all(|c| c.is_ascii_lowercase());
    (secret.len() >= SHORTEST_KEY && !is_place && !is_word).then_some(secret)
}

fn spellings(secret: &str) -> [String; 3] {
    let json = serde_json::Value::from(secret).to_string();
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    [secret.to_owned(), json[1..json.len() - 1].to_owned(), html.replace('"', "&#34;").replace('\'', "&#39;")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One case per line: the text, ` => `, and what remains of it; `=` if it is unchanged.
    #[test]
    fn secrets_and_homes_go_and_the_rest_stays() {
        let cases = include_str!("../tests/redaction/failures.txt");
        let mut count = 0;
        for case in cases.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let (given, expected) = case.split_once(" => ").unwrap_or_else(|| panic!("no case: {case}"));
            let given = given.replace("\\n", "\n");
            let expected = if expected == "=" { given.clone() } else { expected.replace("\\n", "\n") };
            assert_eq!(*Redacted::new(&given), expected, "of {given}");
            assert_eq!(*Redacted::new(&expected), expected, "twice, of {given}");
            count += 1;
        }
        assert!(count > 60, "{count} cases");
    }

    fn known(settings: &[(&str, &str)]) -> Known {
        let settings =
            settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Known::new(&Surroundings {
            settings,
            homes: vec!["/srv/people/ann/".into(), "D:\\People\\ann".into()],
        })
    }

    #[test]
    fn what_this_machine_holds_is_hidden_whatever_its_shape() {
        let known = known(&[
            ("ACME_API_KEY", "acme/4711+abc=="),
            ("provider.acme.options.apiKey", "plainbutlongenoughword"),
            ("provider.acme.options.headers.Authorization", "Bearer b9\"quote"),
            ("SOME_SECRET_DIR", "/run/secrets"),
            ("USE_TOKEN", "required"),
            ("PIN_PASSWORD", "1234"),
            ("VAULT_TOKEN", "https://vault.example/v1"),
            ("EDITOR", "some-editor-2000"),
        ]);
        for (given, hidden) in [
            ("key acme/4711+abc== refused", "key [redacted] refused"),
            ("xplainbutlongenoughwordx", "x[redacted]x"),
            (r#"{"key":"b9\"quote"}"#, r#"{"key":"[redacted]"}"#),
            ("<p>b9&#34;quote</p>", "<p>[redacted]</p>"),
            // Invisible characters, unescaped, in JSON, in this package's own notation and in HTML.
            ("key ac\u{200b}me/47\u{ad}11+abc== refused", "key [redacted] refused"),
            (r"key ac\u200bme/4711\u2060+abc==.", "key [redacted]."),
            ("key acme[U+200B]/4711+abc==, \u{200b}x", "key [redacted], \u{200b}x"),
            ("key acme&#8203;/4711+abc== and &#8203;x", "key [redacted] and &#8203;x"),
            ("👩\u{200d}💻 and acme", "="),
            ("/run/secrets, required, 1234, https://vault.example/v1, some-editor-2000", "="),
        ] {
            let hidden = if hidden == "=" { given } else { hidden };
            assert_eq!(known.hide(given.to_owned()), hidden);
        }
        assert_eq!(
            &*known
                .redact("/srv/people/ann/x and D:\\People\\ann\\y, not /srv/people/anna/z: acme/4711+abc=="),
            "~/x and ~\\y, not /srv/people/anna/z: [redacted]"
        );
    }

    #[test]
    fn a_page_of_a_provider_is_cut_between_words() {
        let long = format!("Refused. {}", "word ".repeat(MOST_BYTES));
        let cut = Redacted::new(&long);
        assert!(cut.len() <= MOST_BYTES && cut.ends_with("word […]"), "{}", &cut[cut.len() - 20..]);
        assert_eq!(Redacted::new(&cut), cut);
        let key = format!("Refused. {}", "sk-0123456789abcdef".repeat(MOST_BYTES));
        assert_eq!(&*Redacted::new(&key), "Refused. […]");
        assert!(Redacted::new(&"token:".repeat(MOST_BYTES)).len() <= MOST_BYTES);
    }

    #[test]
    fn a_failure_read_from_anywhere_is_redacted() {
        let read: Redacted = crate::json::read(r#""refused ?key=abc123def""#).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), r#""refused ?key=[redacted]""#);
    }

    proptest! {
        #[test]
        fn once_is_enough_and_nothing_panics(
            text in "(key=|token: |Bearer |sk-|://|/home/|@|-----BEGIN |eyJ|\"|\\\\|[a-zA-Z0-9é.:/ \\[\\]]{1,6}){0,12}",
        ) {
            let once = Redacted::new(&text);
            prop_assert_eq!(&Redacted::new(&once), &once);
        }
    }
}
