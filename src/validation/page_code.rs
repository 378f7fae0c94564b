//! Code that a test runs in a page: whether it only reads. A test that writes there, and then asserts what it wrote, proves nothing.
//!
//! What isn't known to read counts as a change: an assignment other than to a new name, and a call of anything but what is listed here.
//! The code is the one that Playwright handed to the page, so it doesn't matter how the test spells the call.

use super::tokens::Token::{self, Mark, Text, Word};
use super::tokens::clear_tokens;

/// Functions that only read, by the names of their members.
const READS: &str = "querySelector querySelectorAll getElementById getElementsByClassName getElementsByTagName getElementsByName closest \
    matches contains getAttribute hasAttribute getAttributeNames getBoundingClientRect getClientRects getPropertyValue getItem item \
    includes startsWith endsWith indexOf lastIndexOf slice substring trim trimStart trimEnd toLowerCase toUpperCase split join concat \
    match matchAll test at charAt charCodeAt codePointAt padStart padEnd repeat localeCompare normalize toFixed toString \
    toLocaleString toLocaleDateString toLocaleTimeString toISOString getTime getFullYear getMonth getDate getDay getHours \
    getMinutes now keys values entries fromEntries isArray isInteger isNaN isFinite has get getAll max min round floor ceil \
    abs trunc flat toReversed getEntries getEntriesByType getEntriesByName hasFocus supports elementFromPoint \
    elementsFromPoint getRootNode hasChildNodes compareDocumentPosition isEqualNode isSameNode format NumberFormat DateTimeFormat \
    scrollTo scrollBy scrollIntoView getSelection getComputedStyle matchMedia getAnimations";
/// Those that call their first argument.
const CALL_FIRST: &str =
    "map filter find findIndex findLast findLastIndex some every flatMap reduce toSorted then catch";
/// Those that call a later one, if that is a function.
const CALL_LATER: &str = "from parse stringify replace replaceAll";
/// Functions that only read, and what may be made with `new`.
const PLAIN: &str = "getComputedStyle getSelection matchMedia String Number Boolean parseInt parseFloat isNaN isFinite Set Map Date \
    URL URLSearchParams RegExp Error encodeURIComponent decodeURIComponent";
/// Words before a parenthesis that call nothing.
const KEYWORDS: &str =
    "if for while switch catch return typeof await of in async function case throw else do void yield";

const UNREAD: &str = "unreadable code";
/// The marks that matter; all others are the same.
const MARKS: &str = "()[]{}=!<>+-.,;";
/// A text, and one that is a path of the application.
const TEXT: &str = "'";
const PATH: &str = "'/";

/// What some code does besides reading; `None` if it only reads.
pub(super) fn change(code: &str) -> Option<String> {
    // The shell cuts off what is too long.
    let Some(tokens) = clear_tokens(code).filter(|_| !code.ends_with('\u{2026}')) else {
        return Some(UNREAD.to_owned());
    };
    let code = Code(tokens.into_iter().map(piece).collect());
    let (name, how) = (0..code.0.len()).find_map(|at| code.change(at))?;
    Some([name, how].concat())
}

/// A token as a text, so that all of them compare alike.
fn piece(token: Token<'_>) -> &str {
    match token {
        Word(word) => word,
        // Any other beginning might lead to another host.
        Text(text) => {
            if text.strip_prefix('/').is_some_and(is_name) {
                PATH
            } else {
                TEXT
            }
        }
        Mark(mark) => MARKS.find(mark).map_or(":", |at| &MARKS[at..=at]),
    }
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

fn is_name(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$')
}

struct Code<'a>(Vec<&'a str>);

/// What is changed, and how.
type Change<'a> = Option<(&'a str, &'static str)>;

impl<'a> Code<'a> {
    /// What is at an index; empty beyond the ends.
    fn at(&self, at: usize) -> &'a str {
        self.0.get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize, by: usize) -> &'a str {
        at.checked_sub(by).map_or("", |at| self.at(at))
    }

    fn change(&self, at: usize) -> Change<'a> {
        let (one, next) = (self.at(at), self.at(at + 1));
        match one {
            "(" => self.call(at),
            "=" => self.assignment(at),
            "+" | "-" if one == next && !self.counts(at) => Some((one, if one == "+" { "+" } else { "-" })),
            "delete" => Some((one, "")),
            // What a loop assigns to is new.
            "for" if self.before(at, 1) != "." => {
                let first = self.at(at + if next == "await" { 3 } else { 2 });
                (!is_in("const let ;", first)).then_some((one, " ("))
            }
            _ => None,
        }
    }

    /// Whether `++` or `--` counts a loop on.
    fn counts(&self, at: usize) -> bool {
        let counted = |word: &str| {
            let head = ["for", "(", "let", word];
            is_name(word) && self.0.windows(head.len()).any(|pieces| pieces == head)
        };
        (counted(self.before(at, 1)) && self.before(at, 2) != ".")
            || (counted(self.at(at + 2)) && !is_in(". [", self.at(at + 3)))
    }

    fn assignment(&self, at: usize) -> Change<'a> {
        let before = self.before(at, 1);
        let is_comparison = is_in("= >", self.at(at + 1))
            || is_in("= !", before)
            || (is_in("< >", before) && self.before(at, 2) != before);
        let start = match before {
            "}" | "]" => self.opening(at - 1),
            _ => at.saturating_sub(1),
        };
        if is_comparison || is_in("const let", self.before(start, 1)) {
            return None;
        }
        Some(if is_name(before) { (before, " =") } else { ("an assignment", "") })
    }

    fn call(&self, at: usize) -> Change<'a> {
        let (name, before, next) = (self.before(at, 1), self.before(at, 2), self.at(at + 1));
        if !is_name(name) {
            return is_in(") ] . ' '/", name).then_some(("an indirect function call", ""));
        }
        let is_spread = before == "." && self.before(at, 3) == "." && self.before(at, 4) == ".";
        let reads = if before == "." && !is_spread {
            is_in(READS, name)
                || (is_in("json text", name) && next == ")")
                || (is_in(CALL_FIRST, name) && (next == ")" || self.is_function(at + 1)))
                || (is_in(CALL_LATER, name) && self.calls_nothing(at, name))
        } else if before == "new" {
            is_in(PLAIN, name)
        } else {
            // The name of the whole function, which the shell puts in parentheses; elsewhere, it might replace one of the page's.
            (before == "function" && self.at(0) == "(" && at <= 4)
                || (name == "fetch" && next == PATH && !self.0[at..self.closing(at)].contains(&","))
                || is_in(PLAIN, name)
                || is_in(KEYWORDS, name)
        };
        (!reads).then_some((name, "("))
    }

    /// Whether an argument is a function that is written there, or one that makes a value of another.
    fn is_function(&self, at: usize) -> bool {
        let at = if self.at(at) == "async" { at + 1 } else { at };
        let (one, next) = (self.at(at), self.at(at + 1));
        let end = if one == "(" { self.closing(at) + 1 } else { at + 1 };
        one == "function"
            || (is_in("Boolean Number String", one) && next == ")")
            || ((one == "(" || is_name(one)) && self.at(end) == "=" && self.at(end + 1) == ">")
    }

    /// Whether the further arguments of a call are values, or functions that are written there. What is replaced must be a regular
    /// expression, which is no token: an address can be replaced, too.
    fn calls_nothing(&self, at: usize, name: &str) -> bool {
        if name.starts_with("replace") && self.at(at + 1) != "," {
            return false;
        }
        let mut depth = 0_i32;
        (at + 1..self.closing(at)).all(|one| {
            depth += step(self.0[one]);
            let next = self.at(one + 1);
            let is_value = is_in("' '/ null", next) || next.starts_with(|c: char| c.is_ascii_digit());
            depth != 0 || self.0[one] != "," || is_value || self.is_function(one + 1)
        })
    }

    /// The end of what is opened at an index; the end of everything if it isn't closed.
    fn closing(&self, at: usize) -> usize {
        let mut depth = 0;
        let mut all = at..self.0.len();
        all.find(|one| {
            depth += step(self.0[*one]);
            depth == 0
        })
        .unwrap_or(self.0.len())
    }

    /// The beginning of what is closed at an index.
    fn opening(&self, at: usize) -> usize {
        let mut depth = 0;
        let mut all = (0..=at).rev();
        all.find(|one| {
            depth += step(self.0[*one]);
            depth == 0
        })
        .unwrap_or_default()
    }
}

/// How a piece changes the depth.
fn step(piece: &str) -> i32 {
    match piece {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_only_reads_is_told_from_code_that_may_write() {
        for code in [
            "(() => document.title)",
            "(() => window.scrollY > 0 && localStorage.getItem('total') === null)",
            "((el) => getComputedStyle(el).color)",
            "((el) => getComputedStyle(el, \"::before\").getPropertyValue('content'))",
            "((rows) => rows.map((row) => row.textContent.trim()))",
            "(async () => (await fetch('/api/notes')).json())",
            "(async (id) => { const answer = await fetch(`/api/notes/${id}`); return answer.status; })",
            "(() => { const { left, right } = document.body.getBoundingClientRect(); return right - left; })",
            "(() => { const all = []; for (const row of document.querySelectorAll('li')) if (row.id !== '') return row.id; return all; })",
            "(() => { for (let i = 0; i < 3; i++) if (document.links[i].href >= 'a') return i; })",
            "(() => Array.from(document.querySelectorAll('li'), (li) => li.innerText).filter(Boolean))",
            "(function count() { return document.forms.length; })",
            "(() => document.body.innerText.replace(/\\s+/g, ' ').includes('x = 1'))",
            "((el) => Math.round((el.scrollTop + 1) / 2))",
            "document.readyState == 'complete'",
            "(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0))",
            "(() => JSON.parse(localStorage.getItem('notes') ?? '[]').length)",
            "(() => new Date(document.lastModified).getTime())",
            "((el) => el.scrollIntoView())",
            "(() => { /* document.write('x') */ return \"document.write('x')\"; })",
        ] {
            assert_eq!(change(code), None, "{code}");
        }
        for (code, expected) in [
            ("(() => { document.body.textContent = 'Total 42'; })", "textContent ="),
            ("document.body.innerHTML = '<p>Total 42'", "innerHTML ="),
            ("(() => document.body.append('Total 42'))", "append("),
            ("(() => document.write`Total 42`)", UNREAD),
            ("(() => document.body['app' + 'end']('Total 42'))", "an indirect function call"),
            ("(() => document.body.append?.('Total 42'))", "an indirect function call"),
            ("(() => { window.fetch = async () => new Response('Total 42'); })", "fetch ="),
            ("(() => { fetch = async () => 1; })", "fetch ="),
            ("var fetch = async () => 1", "fetch ="),
            ("let a = 1; function fetch() {}", "fetch("),
            ("(() => fetch('//example.org/total'))", "fetch("),
            ("(() => fetch('data:,Total 42'))", "fetch("),
            ("(() => fetch(`/\t/example.org`))", "fetch("),
            ("((address) => fetch(address))", "fetch("),
            ("(() => fetch('/notes', { method: 'POST' }))", "fetch("),
            ("function fetch() { return 'Total 42'; }", "fetch("),
            ("((el) => el.remove())", "remove("),
            ("((el) => el.click())", "click("),
            ("((el, text) => { el.value += text; })", "an assignment"),
            ("((el) => { delete el.dataset.left; })", "delete"),
            ("(() => { window.total++; })", "++"),
            ("(() => { for (let i = 0; i < 1; i++) window.i++; })", "++"),
            ("(() => { total <<= 1; })", "an assignment"),
            ("(() => { [document.title] = ['Total 42']; })", "an assignment"),
            ("(() => { ({ a: document.title } = { a: 'Total 42' }); })", "an assignment"),
            ("(() => { for (document.title of ['Total 42']) ; })", "for ("),
            ("(() => Object.assign(document.body, { textContent: 'Total 42' }))", "assign("),
            ("(() => localStorage.setItem('total', '42'))", "setItem("),
            ("(() => document.querySelector('p').setAttribute('title', 'Total 42'))", "setAttribute("),
            ("(() => ['Total 42'].map(document.write, document))", "map("),
            ("(() => ['x'].map((document.write), document))", "map("),
            ("(() => ['document.title = 1'].map(eval))", "map("),
            ("(() => Array.from(['Total 42'], document.write, document))", "from("),
            ("(() => JSON.parse('{}', window.apply))", "parse("),
            ("(() => 'document.title = 1'.replace(/.*/, setTimeout))", "replace("),
            ("(() => location.replace('/total'))", "replace("),
            ("(() => app.$el.text('Total 42'))", "text("),
            ("(() => eval('1'))", "eval("),
            ("(() => new Function('document.title = 1')())", "Function("),
            ("(() => new Worker('x'))", "Worker("),
            ("(() => import('/x.js'))", "import("),
            ("(() => { if (1) /'/.test(''); document.title = 'Total 42'; //' \n})", UNREAD),
            ("(() => { let of = 4; return of / (document.title = 42) / 1; })", UNREAD),
            ("// \u{2028}document.title = 'Total 42'", UNREAD),
            ("(() => { \\u0064ocument.title = 1; })", UNREAD),
            ("x <!-- `\ndocument.title = 42\n//`", UNREAD),
            ("(() => document.title // \u{2026}", UNREAD),
            ("(() => document.title + 'x", UNREAD),
            ("(() => dispatchEvent(new Event('total')))", "dispatchEvent("),
            ("((total = 42) => { })", "total ="),
        ] {
            assert_eq!(change(code).as_deref(), Some(expected), "{code}");
        }
    }
}
