//! The shapes of secrets and home directories. The scanners are hand-written: a regex engine would double the module's size.
//!
//! Redacting a word too many from a failure's text does no harm, but an identifier that it complains about should stay.

use super::MARK;

/// The text without anything that has the shape of a secret.
pub(super) fn secrets(text: &str) -> String {
    tokens(&assignments(&passwords_in_addresses(&pem_blocks(text))))
}

/// The characters of a secret.
fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-*".contains(c)
}

/// Whether a word may continue with this character.
fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '~')
}

/// The length in bytes of the leading characters that match.
fn run(text: &str, like: impl Fn(char) -> bool) -> usize {
    text.find(|c| !like(c)).unwrap_or(text.len())
}

/// `-----BEGIN …` up to the line that ends it, or to the end of a truncated text.
fn pem_blocks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, block)) = rest.split_once("-----BEGIN ") {
        out.push_str(before);
        out.push_str(MARK);
        let end = block.split_once("-----END ").map(|(_, end)| end);
        rest = end.and_then(|end| end.split_once("-----")).map_or("", |(_, after)| after);
    }
    out + rest
}

/// `https://user:password@host`: removes the part before the host.
fn passwords_in_addresses(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        out.push_str(before);
        out.push_str("://");
        let host = run(after, |c| !c.is_whitespace() && !"/?#\"'<>\\`".contains(c));
        rest = after;
        if let Some(at) = after[..host].rfind('@') {
            out.push_str(MARK);
            rest = &after[at..];
        }
    }
    out + rest
}

/// How certain a name makes it that the value after it is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sureness {
    /// The rest of the line is a secret: `Cookie: a=b; c=d`.
    Line,
    /// Any value is a secret: `x-api-key: …`.
    Value,
    /// A value after `=` or in quotes is a secret, any other only if it looks like one: `token: …`.
    Maybe,
}

/// `name=value` and `name: value`, in headers, URLs, JSON and prose.
fn assignments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, sign) in text.char_indices().filter(|(_, c)| matches!(c, ':' | '=')) {
        if at < done {
            continue;
        }
        let Some(sureness) = named(&text[..at]) else { continue };
        let Some((start, end)) = value(text, at + 1, sign, sureness) else { continue };
        out.push_str(&text[done..start]);
        out.push_str(MARK);
        done = end;
    }
    out + &text[done..]
}

/// What the name at the end of a text indicates about the value after it; `None` when it names no secret.
fn named(before: &str) -> Option<Sureness> {
    let before = before.trim_end_matches([' ', '"', '\'', '`', '\\']);
    let start = before
        .rfind(|c: char| !is_word_char(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let name = before[start..].to_ascii_lowercase();
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let last = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let ends = |words: &[&str]| words.iter().any(|word| plain.ends_with(word));
    if ends(&["cookie"]) {
        return Some(Sureness::Line);
    }
    if ends(&["authorization", "apikey", "subscriptionkey"]) {
        return Some(Sureness::Value);
    }
    let earlier = before[..start].trim_end().as_bytes();
    let follows = |word: &str| {
        earlier.len() >= word.len()
            && earlier[earlier.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
    };
    if plain == "key" && follows("api") || plain == "provided" && follows("key") {
        return Some(Sureness::Value);
    }
    let secret = ends(&[
        "token",
        "secret",
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "accesskey",
        "secretkey",
        "privatekey",
        "credential",
        "credentials",
        "signature",
    ]);
    (secret || matches!(last, "key" | "auth" | "sig")).then_some(Sureness::Maybe)
}

/// The range of the secret that begins after the sign, if there is one.
fn value(text: &str, from: usize, sign: char, sureness: Sureness) -> Option<(usize, usize)> {
    let skip = |at: usize, chars: &[char]| at + run(&text[at..], |c| chars.contains(&c));
    let spaced = skip(from, &[' ']);
    let quoted = skip(spaced, &['\\', '"', '\'', '`']);
    let quote = text[spaced..quoted].chars().last();
    let mut start = quoted;
    for scheme in ["bearer ", "basic ", "token ", "digest "] {
        if text.as_bytes()[start..]
            .get(..scheme.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(scheme.as_bytes()))
        {
            start = skip(start + scheme.len(), &[' ']);
        }
    }
    let ends = |c: char| match quote {
        Some(quote) => c == quote || matches!(c, '\n' | '\\'),
        None if sureness == Sureness::Line => matches!(c, '\n' | '"' | '\''),
        None => c.is_whitespace() || "\"'`&,;<>)}]\\".contains(c),
    };
    let end = start + run(&text[start..], |c| !ends(c));
    let found = &text[start..end];
    if found.is_empty() || text[start..].starts_with(MARK) {
        return None;
    }
    // A full stop ends the sentence.
    let end = start + found.trim_end_matches('.').len();
    let found = &text[start..end];
    let secret = sureness != Sureness::Maybe || sign == '=' || quote.is_some() || is_keyish(found);
    (secret && start < end).then_some((start, end))
}

/// Whether a word looks random: letters and digits, or long and in one piece.
fn is_keyish(word: &str) -> bool {
    let digits = word.contains(|c: char| c.is_ascii_digit());
    let letters = word.contains(|c: char| c.is_ascii_alphabetic());
    word.len() >= 6 && digits && letters
        || word.len() >= 20 && word.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The prefixes of known vendors' keys, and the minimum number of characters after them.
const PREFIXES: [(&str, usize); 31] = [
    ("sk-", 16),
    ("sk_live_", 10),
    ("sk_test_", 10),
    ("rk_live_", 10),
    ("rk_test_", 10),
    ("csk-", 16),
    ("gsk_", 16),
    ("xai-", 16),
    ("pplx-", 16),
    ("nvapi-", 16),
    ("tgp_v1_", 16),
    ("r8_", 20),
    ("hf_", 20),
    ("fw_", 20),
    ("AIza", 20),
    ("ya29.", 20),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 16),
    ("npm_", 20),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("dop_v1_", 20),
];

/// Keys recognised by their first letters, JSON Web Tokens, and the value after `Bearer`.
fn tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let found = if is_word_char(before) && before != '.' { None } else { token(rest) };
        let length = match found {
            Some((kept, length)) => {
                out.push_str(&rest[..kept]);
                out.push_str(MARK);
                length
            }
            None => {
                out.push(c);
                c.len_utf8()
            }
        };
        before = rest[..length].chars().next_back().unwrap_or(' ');
        rest = &rest[length..];
    }
    out
}

/// How many bytes of the key at the beginning of a text are kept, and where the redacted part ends.
fn token(text: &str) -> Option<(usize, usize)> {
    for (prefix, least) in PREFIXES {
        if let Some(tail) = text.strip_prefix(prefix) {
            let length = run(tail, is_key_char);
            // `sk-learn-contrib-package` is not a key.
            let drawn = tail[..length].contains(|c: char| c.is_ascii_digit() || c == '*')
                || tail[..length].split(['-', '_']).any(|part| part.len() >= 16);
            if length >= least && drawn {
                return Some((0, prefix.len() + length));
            }
        }
    }
    for prefix in ["AKIA", "ASIA"] {
        if let Some(tail) = text.strip_prefix(prefix) {
            let length = run(tail, |c| c.is_ascii_uppercase() || c.is_ascii_digit());
            if length >= 12 {
                return Some((0, prefix.len() + length));
            }
        }
    }
    if text.starts_with("eyJ") {
        let length = run(text, |c| is_key_char(c) || matches!(c, '.' | '='));
        let parts: Vec<&str> = text[..length].trim_end_matches('.').split('.').collect();
        if parts.len() >= 2 && parts[0].len() >= 10 && parts[1].len() >= 10 {
            return Some((0, length));
        }
    }
    let scheme = text.get(..7).filter(|word| word.eq_ignore_ascii_case("bearer "))?;
    let value = &text[scheme.len()..];
    let length = run(value, |c| is_key_char(c) || "._~+/=".contains(c));
    let length = value[..length].trim_end_matches('.').len();
    (length >= 8 && is_keyish(&value[..length])).then_some((scheme.len(), scheme.len() + length))
}

/// The text with `~` for any user's home directory, in the layouts of the common systems.
pub(super) fn homes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let starts = ["/home/", "/Users/", "\\Users\\", "\\\\Users\\\\", "/root/"];
    while let Some((at, start)) = starts
        .iter()
        .filter_map(|start| Some((rest.find(start)?, *start)))
        .min_by_key(|&(at, start)| (at, std::cmp::Reverse(start.len())))
    {
        out.push_str(&rest[..at]);
        let name = &rest[at + start.len()..];
        let length = if start == "/root/" {
            0
        } else {
            run(name, |c| !c.is_whitespace() && !"/\\\"'`<>:,;()[]{}|".contains(c))
        };
        let root = root(&out);
        if root.is_some() && (length > 0 || start == "/root/") {
            out.truncate(root.unwrap_or_default());
            out.push('~');
            // The separator after `/root` stays.
            rest = if start == "/root/" { &rest[at + 5..] } else { &name[length..] };
        } else {
            let step = rest[at..].chars().next().map_or(1, char::len_utf8);
            out.push_str(&rest[at..at + step]);
            rest = &rest[at + step..];
        }
    }
    out + rest
}

/// Where an absolute path that continues after this text begins, including its drive; `None` when none can begin there.
fn root(before: &str) -> Option<usize> {
    let starts_word = |text: &str| !text.ends_with(is_word_char);
    if starts_word(before) && !before.ends_with('\\') {
        // `C:` belongs to the path; the colon of `in:/home/…` does not.
        let drive = before.strip_suffix(':').filter(|text| text.ends_with(|c: char| c.is_ascii_alphabetic()));
        return Some(drive.map_or(before.len(), |text| match text.len() - 1 {
            at if starts_word(&text[..at]) => at,
            _ => before.len(),
        }));
    }
    // `/mnt/c/Users/…` and `/c/Users/…`
    let letter = before.strip_suffix(|c: char| c.is_ascii_alphabetic())?.strip_suffix('/')?;
    let mount = letter.strip_suffix("/mnt").unwrap_or(letter);
    starts_word(mount).then_some(mount.len())
}

/// The text with `~` for this home directory.
pub(super) fn tilde(text: &str, home: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        out.push_str(&rest[..at]);
        rest = &rest[at + home.len()..];
        let whole = !out.ends_with(is_word_char) && !rest.starts_with(|c: char| is_word_char(c) && c != '.');
        out.push_str(if whole { "~" } else { home });
    }
    out + rest
}
