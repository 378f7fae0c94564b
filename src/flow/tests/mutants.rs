//! The small faults that are made in each file.

use crate::flow::mutants::{ChangedFile, Faultless, Mutant, faults};
use proptest::prelude::*;

fn new(path: &str, now: &str) -> ChangedFile {
    ChangedFile { path: path.to_owned(), before: None, now: now.to_owned() }
}

fn mutants(files: &[ChangedFile], most: usize) -> Vec<Mutant> {
    faults(files, most).mutants
}

/// The mutated lines of a new file, as `line: its new text`.
fn of(path: &str, now: &str) -> Vec<String> {
    let line = |one: Mutant| {
        let text = one.text.lines().nth(one.line as usize - 1).unwrap_or_default().trim().to_owned();
        format!("{}: {text}", one.line)
    };
    mutants(&[new(path, now)], 100).into_iter().map(line).collect()
}

#[test]
fn each_language_has_its_conditions_and_statements() {
    let js = "import { a } from \"./a.js\"; // 1 + 1\nexport function f(x) {\n  if (x.ok && x.n >= 10) {\n    x.count();\n    return x + 1;\n  }\n  const s = \"a == b\";\n  return `${1 + 1}`;\n}\n";
    assert_eq!(
        of("src/f.js", js),
        [
            "3: if (!(x.ok && x.n >= 10)) {",
            "3: if (x.ok || x.n >= 10) {",
            "3: if (x.ok && x.n > 10) {",
            "3: if (x.ok && x.n >= 11) {",
            "4: ",
            "5: return x - 1;",
            "5: return x + 2;",
        ]
    );
    let rust = "fn f<'a>(x: &'a str) -> bool {\n    let c = '\"';\n    if x.len() == 3 {\n        log(r#\"a \" == b\"#);\n        return true;\n    }\n    x == \"1 + 1\"\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() { assert!(1 == 1); }\n}\n";
    assert_eq!(
        of("src/lib.rs", rust),
        [
            "3: if !(x.len() == 3) {",
            "3: if x.len() != 3 {",
            "3: if x.len() == 4 {",
            "4: ",
            "5: return false;",
            "7: x != \"1 + 1\"",
        ]
    );
    let python = "def f(x):\n    '''True and 1'''\n    if x > 3 and not x.done:  # or 4\n        x.count += 1\n        x.save()\n    return True\n";
    assert_eq!(
        of("f.py", python),
        [
            "3: if x >= 3 and not x.done:  # or 4",
            "3: if x > 4 and not x.done:  # or 4",
            "3: if x > 3 or not x.done:  # or 4",
            "4: x.count -= 1",
            "4: x.count += 2",
            "4: pass",
            "5: pass",
            "6: return False",
        ]
    );
    let go =
        "func f(x int) bool {\n\tif x < 3 {\n\t\tcount()\n\t\treturn `1 + 1` != s\n\t}\n\treturn x == 0\n}\n";
    assert_eq!(
        of("f.go", go),
        [
            "2: if !(x < 3) {",
            "2: if x <= 3 {",
            "2: if x < 4 {",
            "3: ",
            "4: return `1 + 1` == s",
            "6: return x != 0",
            "6: return x == 1",
        ]
    );
    let java = "class F {\n  boolean f(int x) {\n    if (x != 'a') return x <= 2 * y;\n    this.save();\n    return false;\n  }\n}\n";
    assert_eq!(
        of("F.java", java),
        [
            "3: if (!(x != 'a')) return x <= 2 * y;",
            "3: if (x == 'a') return x <= 2 * y;",
            "3: if (x != 'a') return x < 2 * y;",
            "3: if (x != 'a') return x <= 3 * y;",
            "3: if (x != 'a') return x <= 2 / y;",
            "4: ",
            "5: return true;",
        ]
    );
    let ruby = "def f(x)\n  x.count += 1 # or 2\n  save(x)\n  x == 1 || x > 2\nend\n";
    assert_eq!(
        of("f.rb", ruby),
        [
            "2: x.count -= 1 # or 2",
            "2: x.count += 2 # or 2",
            "2: ",
            "3: ",
            "4: x != 1 || x > 2",
            "4: x == 2 || x > 2",
            "4: x == 1 && x > 2",
            "4: x == 1 || x >= 2",
            "4: x == 1 || x > 3",
        ]
    );
    assert!(of("README.md", "1 + 1 == 2\n").is_empty(), "only code is altered");
}

#[test]
fn tests_beside_the_code_stay_and_what_follows_them_does_not() {
    let rust = "#[cfg(test)]\nuse a::{b};\nconst A: u8 = 1;\n#[cfg(test)]\nmod tests {\n    const B: &str = \"}\";\n    const C: u8 = 2;\n}\nconst D: u8 = 3;\n";
    assert_eq!(of("src/lib.rs", rust), ["3: const A: u8 = 2;", "9: const D: u8 = 4;"]);
    assert_eq!(of("a.js", "/*\n#[cfg(test)]\n*/\nf(1);\n"), ["4: f(2);", "4: "]);
    assert!(of("a.js", "f(1); // \u{fffd}\n").is_empty(), "a file that is no text as a whole");
}

#[test]
fn only_what_changed_is_altered_and_each_part_is_taken_back() {
    let before = "export const a = 1;\nexport const b = 2;\nexport const c = 3;\n";
    let now = "export const a = 5;\nexport const b = 2;\n// A word on c.\nexport const c = 3;\nexport const d = a + c;\n";
    let file = ChangedFile { before: Some(before.to_owned()), ..new("src/a.js", now) };
    let all: Vec<String> =
        mutants(&[file], 100).into_iter().map(|one| format!("{}: {}", one.line, one.change)).collect();
    assert_eq!(
        all,
        [
            "1: this line is as it was before the feature",
            "1: `export const a = 5;` becomes `export const a = 6;`",
            "5: this line is as it was before the feature",
            "5: `export const d = a + c;` becomes `export const d = a - c;`",
        ]
    );
}

#[test]
fn of_a_long_line_what_differs_is_shown() {
    let line = format!("const a = [{}, b + c, {}];\n", "x, ".repeat(40), "é, ".repeat(40));
    let all = mutants(&[new("a.js", &line)], 100);
    let expected = "`…, x, x, x, x, x, x, x, x, , b + c, é, é, é, é, é, é, é, é, é,…` becomes `…, x, x, x, x, x, x, x, x, , b - c, é, é, é, é, é, é, é, é, é,…`";
    assert_eq!(all.iter().map(|one| one.change.as_str()).collect::<Vec<_>>(), [expected]);
}

#[test]
fn what_was_removed_comes_back_and_the_whole_change_is_no_mutant() {
    let before = "guard();\nsave();\nlog();\n";
    let removed = ChangedFile { before: Some(before.to_owned()), ..new("src/a.js", "save();\nlog();\n") };
    assert!(
        mutants(std::slice::from_ref(&removed), 100).is_empty(),
        "the run without the feature is the same"
    );
    let other = ChangedFile { path: "src/b.js".to_owned(), ..removed.clone() };
    let all = mutants(&[removed, other], 100);
    let changes: Vec<_> = all.iter().map(|one| (one.path.as_str(), one.line, one.change.as_str())).collect();
    let back = "the removed lines are restored";
    assert_eq!(changes, [("src/a.js", 1, back), ("src/b.js", 1, back)]);
    assert_eq!(all[0].text, before);
}

#[test]
fn a_file_of_code_without_a_fault_is_named_with_the_reason() {
    let changed = |path: &str, before: &str, now: &str| ChangedFile {
        before: Some(before.to_owned()),
        ..new(path, now)
    };
    for (file, why) in [
        (new("a.js", "f(1);\n"), None),
        (new("a.md", "f(1);\n"), None),
        (new("a.js", "// Only a comment.\n"), None),
        (changed("a.js", "f(1);\n", "f(1); // now with a comment\n"), None),
        (new("a.js", "f(1); // \u{fffd}\n"), Some("it contains bytes that aren't text")),
        (new("a.js", &"f(1);\n".repeat(40_000)), Some("it is larger than 200,000 bytes")),
        (
            new("a.js", "const a = /`/;\nf(1);\nif (a) g();\n"),
            Some("none of its changed lines can be altered"),
        ),
        (
            changed("a.js", "f(1);\n", "const a = /`/;\nf(1);\nif (a) g();\n"),
            Some("none of its changed lines can be altered"),
        ),
        (
            new("a.js", "if (!within(dir)) throw new Error();\nrmSync(dir, { recursive: true });\n"),
            Some("it removes files, ends processes or drops data, so a fault in it could do harm"),
        ),
        (
            new("a.py", "if ok:\n    db.execute('DELETE FROM users')\n"),
            Some("it removes files, ends processes or drops data, so a fault in it could do harm"),
        ),
        (new("a.js", "map.delete(1);\nconst drop = alarm + 1;\n"), None),
    ] {
        let Some(why) = why else {
            assert_eq!(faults(std::slice::from_ref(&file), 12).without, [], "{}", file.now);
            continue;
        };
        let made = faults(std::slice::from_ref(&file), 12);
        let expected = Faultless { path: file.path.clone(), why: why.to_owned() };
        assert_eq!((made.mutants, made.without), (vec![], vec![expected]), "{}", file.now);
    }
}

#[test]
fn they_are_spread_over_the_change() {
    let line = |index: usize| format!("export const c{index} = a + b;\n");
    let files: Vec<ChangedFile> = ["a.js", "b.js", "c.js"]
        .iter()
        .map(|path| new(path, &(0..20).map(line).collect::<String>()))
        .collect();
    let all = mutants(&files, 12);
    assert_eq!(all.len(), 12);
    for path in ["a.js", "b.js", "c.js"] {
        let lines: Vec<u32> = all.iter().filter(|one| one.path == path).map(|one| one.line).collect();
        assert_eq!(lines, [5, 10, 15, 20], "{path}");
    }
    assert!(mutants(&files, 0).is_empty());
}

/// Sources that don't have to make sense, made of the parts that matter in one.
fn source() -> impl Strategy<Value = String> {
    const PARTS: [&str; 30] = [
        "if ",
        "(",
        ")",
        " {",
        "}",
        ";",
        "\n",
        " + ",
        " == ",
        "===",
        "&&",
        " and ",
        "1",
        "23",
        "'",
        "\"",
        "`",
        "\\",
        "//",
        "/*",
        "*/",
        "#",
        "r#\"",
        "x",
        "é",
        "true",
        "  ",
        " < ",
        ":",
        "call(1);\n",
    ];
    prop::collection::vec(prop::sample::select(&PARTS[..]), 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_mutant_differs_and_by_one_line_where_it_alters_one(
        before in prop::option::of(source()),
        now in source(),
        extension in prop::sample::select(&["js", "rs", "py", "go", "java", "rb"][..]),
        most in 0_usize..20,
    ) {
        let file = ChangedFile { path: format!("a.{extension}"), before, now: now.clone() };
        let all = mutants(std::slice::from_ref(&file), most);
        prop_assert!(all.len() <= most);
        prop_assert_eq!(&all, &mutants(&[file], most), "the same for the same files");
        let lines: Vec<&str> = now.split_inclusive('\n').collect();
        for one in all {
            prop_assert!(one.text != now);
            prop_assert!(one.line as usize <= lines.len() + 1);
            if one.change.starts_with('`') {
                let others: Vec<&str> = one.text.split_inclusive('\n').collect();
                let differ = lines.iter().zip(&others).filter(|(a, b)| a != b).count();
                prop_assert_eq!(differ + lines.len().abs_diff(others.len()), 1);
            }
        }
    }

    #[test]
    fn nothing_in_comments_and_texts_is_altered(words in "[a-z0-9 +=<>&|]{1,40}") {
        let js = format!("// {words}\nconst a = \"{words}\";\nconst b = '{words}';\nconst c = `{words}`;\n/* {words}\n{words} */\n");
        prop_assert!(mutants(&[new("a.js", &js)], 100).is_empty());
        let python = format!("# {words}\na = \"{words}\"\nb = '{words}'\n'''{words}\n{words}'''\n");
        prop_assert!(mutants(&[new("a.py", &python)], 100).is_empty());
    }
}
