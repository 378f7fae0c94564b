//! Compares paths by what they may mean on any file system, not by their spelling.
//!
//! The shell passes real paths, so these comparisons are the second line of defence: they apply to the tail of a path
//! that doesn't exist, and on file systems that treat two spellings as one name. In case of doubt, two names are the
//! same.

/// Returns the components of a path, lexically: both separators, `.` and `..` resolved, empty ones and the verbatim
/// prefix of Windows (`\\?\`) dropped.
pub(crate) fn components(path: &str) -> Vec<&str> {
    let path = path.strip_prefix(r"\\?\").or_else(|| path.strip_prefix(r"\\.\")).unwrap_or(path);
    let mut out = Vec::with_capacity(12);
    for component in path.split(['/', '\\']) {
        match component {
            "" | "." => {}
            ".." => {
                out.pop();
            }
            name => out.push(name),
        }
    }
    out
}

/// Returns the path without its `name/..` pairs, or `None` when it has none.
pub(super) fn without_parents(path: &str) -> Option<String> {
    let mut names = path.split(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
    names.find(|name| *name != "..")?;
    names.find(|name| *name == "..")?;
    let mut out: Vec<&str> = Vec::new();
    for name in path.split(['/', '\\']).filter(|name| !matches!(*name, "" | ".")) {
        if name == ".." && out.last().is_some_and(|last| *last != "..") {
            out.pop();
        } else {
            out.push(name);
        }
    }
    let root = if path.starts_with(['/', '\\']) { "/" } else { "" };
    Some(if out.is_empty() && root.is_empty() { ".".to_owned() } else { format!("{root}{}", out.join("/")) })
}

/// Returns the path with `%2e` and the like resolved, or `None` when it contains no `%`.
pub(super) fn percent_decoded(path: &str) -> Option<String> {
    path.contains('%').then(|| {
        let mut bytes = Vec::with_capacity(path.len());
        let mut rest = path.as_bytes();
        while let Some((&first, tail)) = rest.split_first() {
            let code = tail
                .get(..2)
                .filter(|_| first == b'%')
                .and_then(|hex| std::str::from_utf8(hex).ok())
                .and_then(|hex| u8::from_str_radix(hex, 16).ok());
            bytes.push(code.unwrap_or(first));
            rest = if code.is_some() { &tail[2..] } else { tail };
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Whether a path starts at a home directory in shell syntax: `~/x`, `~ada`; not `~100 users`.
pub(super) fn names_home(path: &str) -> bool {
    path.trim_start().strip_prefix('~').is_some_and(|rest| {
        let user = rest.split(['/', '\\']).next().unwrap_or_default();
        !user.starts_with(|c: char| c.is_ascii_digit())
            && user.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c))
    })
}

/// Whether the path is at or below the root.
pub(crate) fn is_under(path: &[&str], root: &[&str]) -> bool {
    path.len() >= root.len() && root.iter().zip(path).all(|(a, b)| same_name(a, b))
}

/// Whether a path is absolute on any platform.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':')
}

/// Whether OpenCode 1.18 would ask before it reads the path: `*.env` and `*.env.*` over the whole path, but not
/// `*.env.example`.
pub(crate) fn is_environment_file(path: &str) -> bool {
    let components = components(path);
    let Some((name, parents)) = components.split_last() else { return false };
    let name = effective(name).to_ascii_lowercase();
    if name.strip_suffix(".env.example").is_some() {
        return false;
    }
    name.strip_suffix(".env").is_some()
        || name.contains(".env.")
        || parents.iter().any(|parent| parent.to_ascii_lowercase().contains(".env."))
}

/// Whether two file names may be the same: ignores letter case, Unicode normalisation, ignorable characters, and what
/// Windows drops at the end of a name.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (effective(a), effective(b));
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    if a.is_ascii() && b.is_ascii() {
        return false;
    }
    let (mut a, mut b) = (Clusters::of(a), Clusters::of(b));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.may_be(b) => {}
            _ => return false,
        }
    }
}

/// Returns the part of a name that counts on Windows: without stream name (`a::$DATA`), trailing dots and spaces.
fn effective(name: &str) -> &str {
    let stem = name.split(':').next().unwrap_or(name).trim_end_matches(['.', ' ']);
    if stem.is_empty() { name } else { stem }
}

/// A base character, and whether combining characters followed it.
#[derive(Clone, Copy)]
struct Cluster {
    base: char,
    marked: bool,
}

impl Cluster {
    /// Composed and decomposed forms of one letter have different bases; without a table of them, any precomposed
    /// letter may equal any marked one.
    fn may_be(self, other: Self) -> bool {
        let (a, b) = (self.base, other.base);
        // Checks both: `ſ` equals `s` only in upper case, and `K` may be the kelvin sign.
        if a == b || a.to_lowercase().eq(b.to_lowercase()) || a.to_uppercase().eq(b.to_uppercase()) {
            return true;
        }
        match (self.marked, other.marked) {
            (true, false) => is_composable(other.base),
            (false, true) => is_composable(self.base),
            _ => false,
        }
    }
}

struct Clusters<'a>(std::iter::Peekable<std::str::Chars<'a>>);

impl<'a> Clusters<'a> {
    fn of(text: &'a str) -> Self {
        Self(text.chars().peekable())
    }
}

impl Iterator for Clusters<'_> {
    type Item = Cluster;

    fn next(&mut self) -> Option<Cluster> {
        let base = self.0.by_ref().find(|&c| !is_ignorable(c) && !is_mark(c))?;
        let mut marked = false;
        while let Some(c) = self.0.next_if(|&c| is_ignorable(c) || is_mark(c)) {
            marked |= is_mark(c);
        }
        Some(Cluster { base, marked })
    }
}

/// Whether a character is a combining mark, or a Korean vowel or final that follows an initial when decomposed.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1160}'..='\u{11ff}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}' | '\u{fe20}'..='\u{fe2f}')
}

/// Whether HFS+ ignores a character in names.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a character is in a block whose letters have canonical decompositions: Latin, Greek, Cyrillic, kana, Hangul.
fn is_composable(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{4ff}' | '\u{1e00}'..='\u{1fff}'
        | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_lexical() {
        let cases: [(&str, &[&str]); 8] = [
            ("/a//b/./c/../d/", &["a", "b", "d"]),
            (r"C:\a\b", &["C:", "a", "b"]),
            (r"\\?\C:\a", &["C:", "a"]),
            ("../../a", &["a"]),
            ("/", &[]),
            ("", &[]),
            ("a/ /b", &["a", " ", "b"]),
            (r"/a\..\b", &["b"]),
        ];
        for (path, expected) in cases {
            assert_eq!(components(path), expected, "{path}");
        }
    }

    #[test]
    fn pairs_of_name_and_parent_are_resolved_by_their_letters() {
        let cases = [
            ("a/../b", Some("b")),
            ("../a/./../b", Some("../b")),
            ("/a/b/../../c", Some("/c")),
            ("a/..", Some(".")),
            (r"C:\a\..\b", Some("C:/b")),
            ("../../a", None),
            ("a/b", None),
            ("a..b/c", None),
        ];
        for (path, expected) in cases {
            assert_eq!(without_parents(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn percent_codes_are_decoded_once_and_stray_ones_kept() {
        assert_eq!(percent_decoded("/a%2eb%2Fc%zz%").as_deref(), Some("/a.b/c%zz%"));
        assert_eq!(percent_decoded("/plain"), None);
        assert_eq!(percent_decoded("%ff%é").as_deref(), Some("\u{fffd}%é"));
    }

    #[test]
    fn a_home_directory_is_known_by_its_sign() {
        for path in ["~", "~/", "~/x", " ~/x", "~ada", "~ada/x", r"~ada\x", "~ad-a.b_1/x y", "~ö/x"] {
            assert!(names_home(path), "{path}");
        }
        for path in ["", "a~/x", "~100", "~100/s", "~ 5", "~five of six", "x"] {
            assert!(!names_home(path), "{path}");
        }
    }

    #[test]
    fn one_name_in_two_spellings() {
        let same = [
            (".design-lab", ".Design-Lab"),
            (".design-lab", ".design-lab. ."),
            (".design-lab", ".design-lab::$INDEX_ALLOCATION"),
            (".design-lab", ".de\u{200c}sign-lab"),
            (".design-lab", "\u{feff}.design-lab"),
            (".design-lab", ".de\u{17f}ign-lab"),
            ("docks", "doc\u{212a}s"),
            ("entwürfe", "entwu\u{308}rfe"),
            ("ENTWÜRFE", "entwu\u{308}rfe"),
            ("설계", "\u{1109}\u{1165}\u{11af}\u{1100}\u{1168}"),
            ("がくせい", "か\u{3099}くせい"),
        ];
        for (a, b) in same {
            assert!(same_name(a, b) && same_name(b, a), "{a} {b}");
        }
        let different = [
            (".design-lab", ".design-labs"),
            (".design-lab", "design-lab"),
            ("résumé", "resume"),
            ("entwürfe", "entwerfe"),
            ("entwurfe", "entwarfe\u{308}"),
            ("plan", "plax\u{301}"),
            ("设计", "文档"),
            ("...", ".."),
        ];
        for (a, b) in different {
            assert!(!same_name(a, b) && !same_name(b, a), "{a} {b}");
        }
    }

    #[test]
    fn environment_files_are_those_that_opencode_guards() {
        for path in [
            ".env",
            "/p/.env",
            "prod.env",
            ".env.local",
            "a/.ENV",
            "a/x.env.d/y",
            ".env.example.bak",
            ".env ",
        ] {
            assert!(is_environment_file(path), "{path}");
        }
        for path in
            [".env.example", "a/.env.example", "environment.ts", ".env/lib/site.py", "env", ".envrc", ""]
        {
            assert!(!is_environment_file(path), "{path}");
        }
    }
}
