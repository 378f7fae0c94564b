//! The test runner that a command is.

use super::runners::Runner;

/// Words after which a runner runs no test, or runs forever.
const NO_RUN: [&str; 16] = [
    "--help",
    "-h",
    "--version",
    "-V",
    "--no-run",
    "--list",
    "--listTests",
    "--showConfig",
    "--init",
    "--clearCache",
    "--collect-only",
    "--co",
    "--fixtures",
    "--markers",
    "--watch",
    "--watchAll",
];

/// The runner that a command names and that prints a summary of its tests; `None` when the command names none, or asks for output
/// without a summary, or runs no test. The runner behind `npm test` and other scripts isn't known.
pub(crate) fn summarising(argv: &[String]) -> Option<Runner> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    let (runner, rest) = named(&words)?;
    let asks = |words: &[&str]| rest.iter().any(|word| words.contains(word));
    let is_told = match runner {
        Runner::Node => {
            reports(rest, &["--test-reporter"], &["spec", "tap", "junit"])
                && !rest.iter().any(|word| word.starts_with("--test-reporter-destination"))
        }
        Runner::Vitest => {
            let shown = ["default", "verbose", "dot", "basic", "tree", "minimal"];
            !matches!(rest.first(), Some(&("bench" | "list" | "init" | "watch" | "dev")))
                && reports(rest, &["--reporter"], &shown)
        }
        Runner::Jest => reports(rest, &["--reporters"], &["default", "summary"]),
        Runner::Mocha => {
            let shown = ["spec", "dot", "list", "min", "nyan", "progress", "landing"];
            reports(rest, &["--reporter", "-R"], &shown)
        }
        Runner::Pytest => {
            let quiet = |word: &&str| match word.strip_prefix('-') {
                Some("-quiet") => 1,
                Some(letters) if letters.bytes().all(|letter| letter == b'q') => letters.len(),
                _ => 0,
            };
            rest.iter().map(quiet).sum::<usize>() < 2
                && !rest.iter().any(|word| word.ends_with("no:terminal"))
        }
        Runner::Cargo => reports(rest, &["--format"], &["pretty", "terse"]),
        Runner::Nextest => !rest.iter().any(|word| word.starts_with("--message-format")),
        Runner::Go => !asks(&["-json", "-c", "-list"]),
        _ => true,
    };
    (is_told && !asks(&NO_RUN)).then_some(runner)
}

/// Whether these options ask for the summary; without any of them it is printed.
fn reports(words: &[&str], options: &[&str], shown: &[&str]) -> bool {
    let mut asked = words.iter().enumerate().filter_map(|(index, word)| {
        let (option, value) =
            word.split_once('=').map_or((*word, None), |(option, value)| (option, Some(value)));
        options.contains(&option).then(|| value.or_else(|| words.get(index + 1).copied()).unwrap_or_default())
    });
    asked.clone().next().is_none() || asked.any(|value| shown.contains(&value))
}

/// The runner, and the words after its name.
fn named<'a, 'b>(words: &'a [&'b str]) -> Option<(Runner, &'a [&'b str])> {
    let (program, rest) = words.split_first()?;
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = [".exe", ".cmd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let runner = match name {
        "node" if rest.contains(&"--test") => Runner::Node,
        "vitest" => Runner::Vitest,
        "jest" => Runner::Jest,
        "mocha" => Runner::Mocha,
        "pytest" | "py.test" => Runner::Pytest,
        "npx" => {
            let at = rest
                .iter()
                .position(|word| !matches!(*word, "--no-install" | "--no" | "--yes" | "-y" | "--"))?;
            let rest = rest.get(at..)?;
            let is_a_package = matches!(rest.first(), Some(&("vitest" | "jest" | "mocha")));
            return is_a_package.then(|| named(rest)).flatten();
        }
        "cargo" => {
            let rest = rest.get(usize::from(rest.first().is_some_and(|word| word.starts_with('+')))..)?;
            return match rest {
                ["test" | "t", rest @ ..] => Some((Runner::Cargo, rest)),
                ["nextest", "run" | "r", rest @ ..] => Some((Runner::Nextest, rest)),
                _ => None,
            };
        }
        "go" => return rest.strip_prefix(&["test"]).map(|rest| (Runner::Go, rest)),
        name if name
            .strip_prefix("python")
            .is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')) =>
        {
            return match rest {
                ["-m", "pytest", rest @ ..] => Some((Runner::Pytest, rest)),
                ["-m", "unittest", rest @ ..] => Some((Runner::Unittest, rest)),
                _ => None,
            };
        }
        _ => return None,
    };
    Some((runner, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<Runner> {
        summarising(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_command_that_names_a_runner_is_that_runner() {
        for (line, runner) in [
            ("node --test", Runner::Node),
            ("node --import tsx --test src/a.test.ts", Runner::Node),
            ("node --test --test-reporter spec", Runner::Node),
            ("node --test --test-reporter=dot --test-reporter=spec", Runner::Node),
            ("/usr/bin/node --test", Runner::Node),
            ("npx vitest run", Runner::Vitest),
            ("npx --no-install -- jest src", Runner::Jest),
            ("./node_modules/.bin/mocha --reporter dot", Runner::Mocha),
            (r"node_modules\.bin\mocha.cmd", Runner::Mocha),
            ("vitest run --reporter=json --reporter=default", Runner::Vitest),
            ("jest -c jest.unit.js", Runner::Jest),
            ("pytest -q tests", Runner::Pytest),
            (".venv/bin/python -m pytest", Runner::Pytest),
            ("python3.12 -m unittest discover", Runner::Unittest),
            ("cargo test -p kernel", Runner::Cargo),
            ("cargo +nightly t", Runner::Cargo),
            ("cargo nextest run", Runner::Nextest),
            ("go test ./...", Runner::Go),
        ] {
            assert_eq!(of(line), Some(runner), "{line}");
        }
    }

    #[test]
    fn of_other_commands_no_summary_is_expected() {
        for line in [
            "",
            "npm test",
            "npm run test -- --reporter spec",
            "make test",
            "sh -c pytest",
            "node test.js",
            "node --test --test-reporter=dot",
            "node --test --test-reporter dot",
            "node --test --test-reporter-destination=out.txt --test-reporter=spec",
            "npx playwright test",
            "npx --package vitest vitest run",
            "vitest run --reporter=junit",
            "vitest bench",
            "jest --listTests",
            "jest --reporters=jest-junit",
            "mocha -R json",
            "pytest -qq",
            "pytest -q --quiet",
            "pytest --collect-only",
            "pytest -p no:terminal",
            "python -m pip install x",
            "python script.py",
            "cargo test --no-run",
            "cargo test -- --list",
            "cargo test -- -Z unstable-options --format json",
            "cargo build",
            "cargo nextest list",
            "cargo",
            "go test -json ./...",
            "go test -c",
            "go vet",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
