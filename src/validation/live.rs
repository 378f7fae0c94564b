//! The live counterfeit: what a proxy in front of the running application changes in its answers.
//!
//! It tells several lies, because no single lie reaches every assertion:
//!
//! | pass | lie | changes | keeps |
//! |---|---|---|---|
//! | 1 | [`Lie::Words`] | words and numbers of pages, values of data | the names of controls; the rest |
//! | 2 | [`Lie::Names`] | these, and names, addresses of links, states, statuses | the structure |
//! | 3 | [`Lie::Deaf`] | no write takes effect or is remembered | everything shown |
//! | 4 | [`Lie::Elsewhere`] | links and redirects point elsewhere | everything shown |
//!
//! Before these comes pass 0, in which every test runs, each against the lie that fits it (fitting.rs): that of one of these passes, or
//! [`Lie::Both`], which is the first and the third at once. A test runs in a later pass only while none of its assertions has failed.
//! Everything here is pure: the proxy (plugin-js/validation/live.js) forwards, and its script in the page applies a [`Plan`].

use super::protocol::Live;
use kernel::json::Deserialize;
use serde::Serialize;
use serde_json::{Number, Value};
use std::ops::RangeInclusive;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLie"))]
#[serde(rename_all = "lowercase")]
pub enum Lie {
    /// Words, numbers and values, but no names of controls.
    Words,
    /// The names of controls too, with states and statuses.
    Names,
    /// Writes take no effect.
    Deaf,
    /// Links and redirects point elsewhere.
    Elsewhere,
    /// [`Lie::Words`] and [`Lie::Deaf`] at once.
    Both,
}

/// The order in which tests meet the lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLieOrder"))]
#[serde(rename_all = "snake_case")]
pub enum LieOrder {
    /// One after another, all tests the same. Journals that name no order were written in this one.
    #[default]
    InTurn,
    /// First the one that fits, then the others.
    FittingFirst,
}

impl LieOrder {
    /// Whether this is the order of journals that name none.
    #[must_use]
    pub fn is_oldest(&self) -> bool {
        *self == Self::InTurn
    }

    /// The numbers of the passes.
    pub(super) fn passes(self) -> RangeInclusive<u32> {
        let first = match self {
            Self::InTurn => 1,
            Self::FittingFirst => FITTING,
        };
        first..=4
    }
}

/// The number of the pass in which each test meets the lie that fits it.
pub(super) const FITTING: u32 = 0;

impl Lie {
    /// The lie of the pass with this number; `None` for [`FITTING`].
    pub(super) fn of(pass: u32) -> Option<Self> {
        match pass {
            1 => Some(Self::Words),
            2 => Some(Self::Names),
            3 => Some(Self::Deaf),
            4 => Some(Self::Elsewhere),
            _ => None,
        }
    }

    /// What tests run against, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Words => "the live application with its words replaced",
            Self::Names => "the live application with its names and states replaced",
            Self::Deaf => "the live application with its writes discarded",
            Self::Elsewhere => "the live application with its links redirected",
            Self::Both => "the live application with its words replaced and its writes discarded",
        }
    }

    /// Whether it changes the words that pages show.
    pub(super) fn changes_words(self) -> bool {
        matches!(self, Self::Words | Self::Names | Self::Both)
    }
}

/// The instructions for the script in the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationPlan"))]
pub struct Plan {
    /// What is changed.
    pub lie: Lie,
    /// The replacement for each letter from `a` to `z`.
    pub letters: String,
    /// The replacement for each digit.
    pub digits: String,
    /// The elements that users act on, as a selector: their names stay.
    pub controls: &'static str,
    /// Attributes that are changed except on controls.
    pub attributes: &'static [&'static str],
    /// Attributes that are changed everywhere.
    pub everywhere: &'static [&'static str],
    /// Keys of the storage that are kept, as a regular expression: a user who has signed in stays signed in.
    pub remembered: &'static str,
}

const CONTROLS: &str = "a,button,label,select,option,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],\
                        [role=radio],[role=switch],[role=option],[role=combobox],[role=textbox],[role=searchbox],[contenteditable]";

/// The plan for the script of a pass.
pub fn plan(Live { lie, seed }: Live) -> Plan {
    let letters = Letters::of(seed);
    let names = lie == Lie::Names;
    Plan {
        lie,
        letters: ('a'..='z').map(|letter| letters.other(letter)).collect(),
        digits: ('0'..='9').map(|digit| letters.other(digit)).collect(),
        controls: CONTROLS,
        attributes: if lie.changes_words() { &["alt", "value"] } else { &[] },
        everywhere: if names {
            &["title", "placeholder", "aria-label", "href", "class", "content", "lang"]
        } else {
            &[]
        },
        remembered: "token|auth|session|user|jwt|account",
    }
}

// ---- requests ----

/// The parts of a request that matter here.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLiveRequest"))]
pub struct LiveRequest {
    /// `GET`, …
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// `document`, `empty`, …: what the browser requests it for; `None` when the request isn't a browser's.
    pub dest: Option<String>,
    /// The path of the requesting page, if it belongs to the application.
    pub referer: Option<String>,
    /// The body, as text.
    pub body: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLiveAnswer"))]
pub struct LiveAnswer {
    /// `200`, …
    pub status: u16,
    /// Its headers, in their order.
    pub headers: Vec<(String, String)>,
    /// Its body, if that is text to be examined.
    pub text: Option<String>,
}

/// The target of links that point elsewhere.
const ELSEWHERE: &str = "/-/elsewhere";
/// Words in requests that sign a user in or out.
const SIGNS_IN: [&str; 12] = [
    "password", "passwd", "passcode", "login", "signin", "sign-in", "sign_in", "session", "auth", "token",
    "otp", "logout",
];

/// The answer given without asking the application; `None` when the application is asked.
pub fn instead(live: Live, request: &LiveRequest) -> Option<LiveAnswer> {
    let answer = |status: u16, headers: &[(&str, &str)]| LiveAnswer {
        status,
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        text: Some(String::new()),
    };
    let is_page = request.dest.as_deref() == Some("document");
    match live.lie {
        Lie::Deaf | Lie::Both if request.is_forgotten() => Some(match &request.referer {
            Some(page) if is_page => answer(303, &[("location", page)]),
            _ => answer(503, &[("content-type", "application/json")]),
        }),
        Lie::Elsewhere
            if is_page
                && request.method == "GET"
                && request.referer.is_some()
                && request.path != ELSEWHERE =>
        {
            Some(answer(302, &[("location", ELSEWHERE)]))
        }
        _ => None,
    }
}

impl LiveRequest {
    /// Whether it is a write from a browser other than signing in.
    fn is_forgotten(&self) -> bool {
        let is_write = !only_reads(&self.method);
        let said = format!("{} {}", self.path, self.body).to_ascii_lowercase();
        let is_query = self.path.contains("graphql") && !said.contains("mutation");
        self.dest.is_some() && is_write && !is_query && !SIGNS_IN.iter().any(|word| said.contains(word))
    }
}

/// Whether requests of a method leave the application as it is.
fn only_reads(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}

/// Whether a pass of the live counterfeit has left the application as it was started. `methods`: what reached it; `None` if unknown.
pub(super) fn is_untouched(methods: Option<&[String]>) -> bool {
    methods.is_some_and(|methods| methods.iter().all(|method| only_reads(method)))
}

// ---- answers ----

/// A changed answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLiveChange"))]
pub struct LiveChange {
    /// The answer.
    pub answer: LiveAnswer,
    /// The byte offset in its text at which the script is inserted; `None` when it isn't inserted.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub script_at: Option<usize>,
}

/// The answer that replaces the application's.
pub fn changed(live: Live, request: &LiveRequest, answer: LiveAnswer) -> LiveChange {
    let LiveAnswer { status, headers, text } = answer;
    let letters = Letters::of(live.seed);
    let is_names = live.lie == Lie::Names;
    let changes_words = live.lie.changes_words();
    let of = |name: &str| {
        headers
            .iter()
            .find(|(one, _)| one.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_ascii_lowercase())
    };
    let kind = of("content-type").unwrap_or_default();
    let is_page =
        matches!(request.dest.as_deref(), Some("document" | "iframe" | "frame")) && kind.contains("html");
    let is_document = request.dest.as_deref() == Some("document");
    let is_asked_by_test = request.dest.is_none();
    let text = text.map(|text| match () {
        () if is_page || !changes_words => text,
        () if kind.contains("json") => letters.other_data(&text, is_asked_by_test || is_names),
        // The script in the page changes what the page's own scripts insert. A document that is no page has no script in it.
        () if !(is_asked_by_test || is_document) => text,
        () if kind.contains("html") => letters.other_page(&text, is_names),
        () if is_words(&kind) => letters.other_words(&text),
        () if kind.contains("xml") => letters.other_page(&text, is_names),
        () => text,
    });
    let headers = headers
        .into_iter()
        .filter(|(name, _)| !(is_page && is_policy(name)))
        .map(|(name, value)| {
            let value = if changes_words && !is_kept(&name) { letters.other_words(&value) } else { value };
            (name, value)
        })
        .collect();
    let script_at = text.as_deref().filter(|_| is_page).map(behind_doctype);
    let status = if is_names { other_status(status) } else { status };
    LiveChange { answer: LiveAnswer { status, headers, text }, script_at }
}

/// Whether a content type is that of plain words.
fn is_words(kind: &str) -> bool {
    kind.starts_with("text/plain")
        || kind.contains("csv")
        || kind.contains("calendar")
        || kind.contains("markdown")
}

/// Whether a header can block scripts.
fn is_policy(name: &str) -> bool {
    name.to_ascii_lowercase().starts_with("content-security-policy")
}

/// Whether the delivery of the answer, or who is signed in, depends on a header.
fn is_kept(name: &str) -> bool {
    const KEPT: [&str; 24] = [
        "accept-ranges",
        "age",
        "allow",
        "connection",
        "content-disposition",
        "content-encoding",
        "content-length",
        "content-range",
        "content-type",
        "date",
        "etag",
        "expires",
        "keep-alive",
        "last-modified",
        "link",
        "location",
        "refresh",
        "retry-after",
        "set-cookie",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "vary",
        "www-authenticate",
    ];
    let name = name.to_ascii_lowercase();
    KEPT.contains(&name.as_str())
        || ["access-control-", "sec-", "hx-", "turbo-"].iter().any(|start| name.starts_with(start))
        || ["token", "csrf", "cache-control"].iter().any(|part| name.contains(part))
}

/// Another status of the same class that doesn't break anything that waits for an answer.
fn other_status(status: u16) -> u16 {
    match status {
        200 => 203,
        201..=203 => 200,
        400..=499 => {
            if status == 400 {
                422
            } else {
                400
            }
        }
        500..=599 => {
            if status == 500 {
                503
            } else {
                500
            }
        }
        _ => status,
    }
}

/// The position after a page's doctype, if it has one: no script may precede it.
fn behind_doctype(page: &str) -> usize {
    let start = page.len() - page.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    let rest = &page[start..];
    let has_one = rest.get(..9).is_some_and(|first| first.eq_ignore_ascii_case("<!doctype"));
    rest.find('>').filter(|_| has_one).map_or(start, |end| start + end + 1)
}

// ---- other words ----

/// The substitution of letters and digits.
#[derive(Clone, Copy, Debug)]
struct Letters {
    letters: u8,
    digits: u8,
}

impl Letters {
    /// The rotation: never by zero, nor by an amount that applying it twice would undo.
    fn of(seed: u64) -> Self {
        let letters = u8::try_from(seed % 12).unwrap_or_default() + 1;
        let digits = u8::try_from(seed / 12 % 4).unwrap_or_default() + 1;
        Self { letters, digits }
    }

    /// Another character; the same one if it is neither a letter nor a digit.
    fn other(self, c: char) -> char {
        let turned = |first: u8, by: u8, of: u8| char::from(first + (c as u8 - first + by) % of);
        match c {
            'a'..='z' => turned(b'a', self.letters, 26),
            'A'..='Z' => turned(b'A', self.letters, 26),
            '0'..='9' => turned(b'0', self.digits, 10),
            _ if c.is_alphanumeric() => 'n',
            _ => c,
        }
    }

    /// Another text, even for a text without letters and digits.
    fn other_words(self, text: &str) -> String {
        let other: String = text.chars().map(|c| self.other(c)).collect();
        if other == text && !text.trim().is_empty() { format!("{text} n") } else { other }
    }

    /// Other values in data of the same shape. `all`: also numbers, and strings that no person reads.
    fn other_data(self, text: &str, all: bool) -> String {
        let Ok(mut data) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
        self.change(&mut data, "", all);
        data.to_string()
    }

    fn change(self, value: &mut Value, key: &str, all: bool) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.change(item, key, all)),
            Value::Object(fields) => fields.iter_mut().for_each(|(key, value)| self.change(value, key, all)),
            _ if is_handle(key) => {}
            Value::String(text) if !is_address(text) && (all || is_prose(text)) => {
                *text = self.other_words(text);
            }
            Value::Bool(flag) if all => *flag = !*flag,
            Value::Number(number) if all => *number = self.other_number(number),
            _ => {}
        }
    }

    fn other_number(self, number: &Number) -> Number {
        let by = i64::from(self.digits);
        let whole = number.as_i64().map(|whole| Number::from(whole.checked_add(by).unwrap_or(by)));
        let broken = || number.as_f64().and_then(|broken| Number::from_f64(broken * 2.0 + 1.0));
        whole.or_else(broken).unwrap_or_else(|| Number::from(by))
    }

    /// Other words between the tags of a page.
    fn other_page(self, page: &str, names: bool) -> String {
        let mut other = String::with_capacity(page.len());
        let mut within = 0_u32;
        let mut rest = page;
        while !rest.is_empty() {
            let (piece, is_text) = first_piece(rest);
            rest = &rest[piece.len()..];
            if is_text && (names || within == 0) {
                other.push_str(&self.other_text(piece));
                continue;
            }
            match control_of(piece).filter(|_| !is_text) {
                Some(true) => within += 1,
                Some(false) => within = within.saturating_sub(1),
                None => {}
            }
            other.push_str(piece);
        }
        other
    }

    /// Other words; character references such as `&amp;` stay.
    fn other_text(self, text: &str) -> String {
        let mut pieces = text.split('&');
        let mut other = self.other_words(pieces.next().unwrap_or_default());
        for piece in pieces {
            let end =
                piece.find(';').filter(|end| piece[..*end].chars().all(|c| c.is_alphanumeric() || c == '#'));
            let (name, words) = piece.split_at(end.map_or(0, |end| end + 1));
            other.push('&');
            other.push_str(name);
            other.push_str(&self.other_words(words));
        }
        other
    }
}

/// A tag with everything that belongs to it, or the text up to the next tag.
fn first_piece(page: &str) -> (&str, bool) {
    let begins_tag =
        |rest: &str| rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
    if !page.starts_with('<') || !begins_tag(page) {
        let end = page.char_indices().skip(1).find(|(at, c)| *c == '<' && begins_tag(&page[*at..]));
        return (&page[..end.map_or(page.len(), |(at, _)| at)], true);
    }
    if page.starts_with("<!--") {
        return (&page[..page.find("-->").map_or(page.len(), |at| at + 3)], false);
    }
    let mut quote = None;
    let end = page.char_indices().find(|(_, c)| {
        match quote {
            Some(open) if open == *c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(*c),
            None => return *c == '>',
            Some(_) => {}
        }
        false
    });
    let end = end.map_or(page.len(), |(at, _)| at + 1);
    let raw = ["script", "style"].into_iter().find(|name| tag_name(page) == Some((name, true)));
    let close = raw.and_then(|name| page[end..].to_ascii_lowercase().find(&format!("</{name}")));
    (&page[..end + close.unwrap_or_default()], false)
}

/// The name of a tag, if it matters here, and whether it opens.
fn tag_name(tag: &str) -> Option<(&'static str, bool)> {
    const NAMES: [&str; 8] = ["a", "button", "label", "select", "summary", "textarea", "script", "style"];
    let opens = !tag.starts_with("</");
    let name = tag.get(if opens { 1 } else { 2 }..)?;
    let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len())];
    NAMES.into_iter().find(|one| one.eq_ignore_ascii_case(name)).map(|name| (name, opens))
}

/// Whether a tag opens or closes a control.
fn control_of(tag: &str) -> Option<bool> {
    let (name, opens) = tag_name(tag)?;
    (!matches!(name, "script" | "style" | "textarea")).then_some(opens)
}

/// Whether programs use the values of this key to find things.
fn is_handle(key: &str) -> bool {
    const PARTS: [&str; 12] = [
        "token", "csrf", "session", "cookie", "jwt", "secret", "nonce", "password", "cursor", "etag", "uuid",
        "_key",
    ];
    let lower = key.to_ascii_lowercase();
    let is_id = ["id", "ids", "key", "url", "uri", "href", "slug"].contains(&lower.as_str())
        || ["Id", "ID", "Ids", "_id", "_ids", "-id", "Url", "_url"].iter().any(|end| key.ends_with(end));
    is_id || PARTS.iter().any(|part| lower.contains(part))
}

/// Whether a text is an address.
fn is_address(text: &str) -> bool {
    let begins = ["http://", "https://", "/", "data:", "ws:"].iter().any(|start| text.starts_with(start));
    begins && !text.contains(char::is_whitespace)
}

/// Whether people read a text: it starts with a capital or has several words.
fn is_prose(text: &str) -> bool {
    text.contains(' ') || text.starts_with(char::is_uppercase) || !text.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn live(lie: Lie, seed: u64) -> Live {
        Live { lie, seed }
    }

    fn request(method: &str, path: &str, dest: Option<&str>, body: &str) -> LiveRequest {
        LiveRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            dest: dest.map(str::to_owned),
            referer: dest.map(|_| "/list".to_owned()),
            body: body.to_owned(),
        }
    }

    fn said(kind: &str, text: &str) -> LiveAnswer {
        let headers = [("Content-Type", kind), ("Set-Cookie", "sid=a1"), ("X-Frame-Options", "DENY")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        LiveAnswer { status: 200, headers, text: Some(text.to_owned()) }
    }

    fn text(lie: Lie, dest: Option<&str>, kind: &str, text: &str) -> String {
        changed(live(lie, 0), &request("GET", "/", dest, ""), said(kind, text)).answer.text.unwrap()
    }

    #[test]
    fn words_change_and_what_is_acted_on_stays() {
        let page = "<h1 title='a > b'>Notes &amp; 12</h1><a href=\"/a\">About</a><script>let a = '<p>b';</script> <!-- c -->";
        for (lie, dest, kind, before, after) in [
            (
                Lie::Words,
                None,
                "text/html",
                page,
                "<h1 title='a > b'>Opuft &amp; 23</h1><a href=\"/a\">About</a><script>let a = '<p>b';</script> <!-- c -->",
            ),
            (Lie::Words, Some("document"), "text/html", page, page),
            (Lie::Deaf, None, "text/html", page, page),
            (Lie::Words, None, "text/plain", "ok\n", "pl\n"),
            (Lie::Both, None, "text/plain", "ok\n", "pl\n"),
            (Lie::Words, Some("document"), "text/plain", "ok\n", "pl\n"),
            (Lie::Words, Some("document"), "text/csv", "milk,3\n", "njml,4\n"),
            (Lie::Words, Some("empty"), "text/csv", "milk,3\n", "milk,3\n"),
            (Lie::Words, None, "application/rss+xml", "<title>milk</title>", "<title>njml</title>"),
            (Lie::Words, None, "text/calendar", "SUMMARY:milk\n", "TVNNBSZ:njml\n"),
            (Lie::Words, Some("script"), "text/javascript", "let a = 1", "let a = 1"),
            (
                Lie::Words,
                None,
                "application/json",
                r#"{"id":7,"name":"milk","left":3,"done":false,"token":"ab","url":"/n/7","none":null,"half":0.5}"#,
                r#"{"id":7,"name":"njml","left":4,"done":true,"token":"ab","url":"/n/7","none":null,"half":2.0}"#,
            ),
            (
                Lie::Words,
                Some("empty"),
                "application/json",
                r#"{"role":"admin","label":"All notes","left":3}"#,
                r#"{"role":"admin","label":"Bmm opuft","left":3}"#,
            ),
            (Lie::Names, Some("empty"), "application/json", r#"{"role":"admin"}"#, r#"{"role":"benjo"}"#),
        ] {
            assert_eq!(text(lie, dest, kind, before), after, "{lie:?} {dest:?}");
        }
    }

    #[test]
    fn a_page_gets_its_script_first_and_nothing_that_keeps_it_away() {
        let of = |dest: &str, page: &str| {
            let mut answer = said("text/html", page);
            answer.headers.push(("Content-Security-Policy".to_owned(), "script-src 'self'".to_owned()));
            changed(live(Lie::Deaf, 0), &request("GET", "/", Some(dest), ""), answer)
        };
        for (page, at) in
            [("<!DOCTYPE html>\n<html>", 15), ("<html>", 0), (" <!doctype html><p>", 16), ("", 0)]
        {
            let change = of("document", page);
            assert_eq!(change.script_at, Some(at), "{page}");
            let names: Vec<&str> = change.answer.headers.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["Content-Type", "Set-Cookie", "X-Frame-Options"]);
        }
        assert_eq!(of("empty", "<p>").script_at, None);
        let words = changed(live(Lie::Words, 0), &request("GET", "/", None, ""), said("text/html", ""));
        assert_eq!(words.answer.headers[1].1, "sid=a1");
        assert_eq!(words.answer.headers[2].1, "EFOZ", "headers are asserted, too");
        assert_eq!(words.answer.status, 200);
        let names = changed(live(Lie::Names, 0), &request("GET", "/", None, ""), said("text/html", ""));
        assert_eq!(names.answer.status, 203);
    }

    #[test]
    fn what_a_browser_writes_is_forgotten_but_not_who_signs_in() {
        let answered =
            |lie, request: &LiveRequest| instead(live(lie, 0), request).map(|answer| answer.status);
        for (request, expected) in [
            (request("POST", "/notes", Some("document"), "text=a"), Some(303)),
            (request("POST", "/notes/1/done", Some("empty"), ""), Some(503)),
            (request("POST", "/login", Some("document"), "name=a"), None),
            (request("POST", "/", Some("empty"), r#"{"password":"a"}"#), None),
            (request("POST", "/graphql", Some("empty"), r#"{"query":"{ notes }"}"#), None),
            (request("POST", "/graphql", Some("empty"), r#"{"query":"mutation { add }"}"#), Some(503)),
            (request("POST", "/notes", None, "a"), None),
            (request("GET", "/notes", Some("document"), ""), None),
        ] {
            for (lie, expected) in [(Lie::Deaf, expected), (Lie::Both, expected), (Lie::Words, None)] {
                assert_eq!(answered(lie, &request), expected, "{lie:?} {request:?}");
            }
        }
        let elsewhere = |request: &LiveRequest| instead(live(Lie::Elsewhere, 0), request);
        let led = elsewhere(&request("GET", "/about", Some("document"), "")).unwrap();
        assert_eq!((led.status, led.headers[0].1.as_str()), (302, ELSEWHERE));
        assert_eq!(elsewhere(&request("GET", ELSEWHERE, Some("document"), "")), None, "once");
        let typed = LiveRequest { referer: None, ..request("GET", "/about", Some("document"), "") };
        assert_eq!(elsewhere(&typed), None, "an address that a test opens is no link");
    }

    fn shape(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(shape).collect(),
            Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), shape(value))).collect(),
            Value::String(_) => json!("text"),
            Value::Number(_) => json!(0),
            Value::Bool(_) => json!(true),
            Value::Null => Value::Null,
        }
    }

    fn data() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1e9_f64..1e9).prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("[a-z]{1,6}", inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn data_keep_their_shape(data in data(), seed in 0_u64..1 << 53) {
            let letters = Letters::of(seed);
            for all in [false, true] {
                let other = letters.other_data(&data.to_string(), all);
                let other: Value = serde_json::from_str(&other).unwrap();
                prop_assert_eq!(shape(&other), shape(&data));
            }
        }

        #[test]
        fn every_word_and_number_is_another_and_always_the_same_one(word in "[A-Za-z0-9]{1,8}", seed in 0_u64..1 << 53) {
            let letters = Letters::of(seed);
            let other = letters.other_words(&word);
            prop_assert!(other.chars().zip(word.chars()).all(|(one, before)| one != before));
            prop_assert_eq!(&letters.other_words(&word), &other);
            prop_assert_ne!(letters.other_words(&other), word, "changing it twice doesn't lead back");
        }

        #[test]
        fn of_a_page_the_tags_and_what_is_acted_on_stay(
            pieces in prop::collection::vec(("[a-z]{1,6}", "(p|h1|li|button|a|label)"), 1..8),
            seed in 0_u64..1 << 53,
        ) {
            let page = pieces.iter().map(|(word, tag)| format!("<{tag} class='x'>{word}</{tag}>")).collect::<Vec<_>>().concat();
            let other = Letters::of(seed).other_page(&page, false);
            for (piece, after) in page.split('<').zip(other.split('<')) {
                let (tag, word) = piece.split_once('>').unwrap_or_default();
                let (its_tag, its_word) = after.split_once('>').unwrap_or_default();
                prop_assert_eq!(tag, its_tag);
                let is_kept = word.is_empty() || ["button", "a ", "label"].iter().any(|name| tag.starts_with(name));
                prop_assert_eq!(word == its_word, is_kept, "{}", piece);
            }
        }

        #[test]
        fn whatever_a_page_holds_nothing_is_lost(page in "[<>a-z&;\"'/! -]{0,40}", seed in 0_u64..1 << 53) {
            let other = Letters::of(seed).other_page(&page, true);
            prop_assert!(other.len() >= page.len());
        }
    }
}
