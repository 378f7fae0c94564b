//! The classes in `plugin-js/core/`, generated from the lists of calls. A test compares with the committed files.

use super::durable::EventOf;
use super::values::{Argument, Bytes, Held, Moment, Problems, Shown, Text, Verbatim};
use kernel::protocol::EventKind;
use kernel::run::Durable;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use ts_rs::TS;

/// The longest line that the formatter leaves as it is.
const WIDTH: usize = 110;

/// A list of calls.
pub(crate) struct List {
    pub(crate) name: &'static str,
    pub(crate) class: &'static str,
    pub(crate) purpose: &'static [&'static str],
    /// Short names of types.
    pub(crate) short: Vec<(&'static str, String)>,
    pub(crate) calls: Vec<Described>,
}

/// A call.
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static [&'static str],
    pub(crate) arguments: Vec<DescribedArgument>,
    pub(crate) result: String,
    /// Whether it has an export of its own.
    pub(crate) is_direct: bool,
}

pub(crate) struct DescribedArgument {
    name: &'static str,
    kind: String,
    as_it_is: bool,
}

/// What JavaScript knows of a type.
pub(crate) trait Typed {
    fn typed() -> String;
}

impl<T: TS> Typed for T {
    fn typed() -> String {
        T::name(&ts_rs::Config::new().with_large_int("number"))
    }
}

macro_rules! typed {
    ($($kind:ty => $name:literal,)*) => {
        $(impl Typed for $kind {
            fn typed() -> String {
                $name.to_owned()
            }
        })*
    };
}

typed! {
    Bytes<'_> => "Uint8Array",
    Moment => "number",
    Problems => "Array<Problem>",
    Shown => "string",
    Text<'_> => "string",
}

impl<T> Typed for Held<T> {
    fn typed() -> String {
        "number".to_owned()
    }
}

impl<R: Durable<Opening: TS, Decision: TS>> Typed for EventOf<R> {
    fn typed() -> String {
        format!("{{at: number}} & {}", <EventKind<R::Opening, R::Decision> as Typed>::typed())
    }
}

impl<T: TS> Typed for Verbatim<T> {
    fn typed() -> String {
        <T as Typed>::typed()
    }
}

pub(super) fn argument<C, T: Argument<C> + Typed>(name: &'static str) -> DescribedArgument {
    DescribedArgument { name, kind: T::typed(), as_it_is: T::AS_IT_IS }
}

pub(super) fn result<T: Typed>() -> String {
    T::typed()
}

impl List {
    /// The path of the class.
    pub(crate) fn path(&self) -> String {
        format!("plugin-js/core/{}.js", self.name.replace('_', "-"))
    }

    /// The types that the class names.
    pub(crate) fn types(&self) -> BTreeSet<&str> {
        let of_calls = self
            .calls
            .iter()
            .flat_map(|call| call.arguments.iter().map(|argument| &argument.kind).chain([&call.result]));
        let kinds = of_calls.chain(self.short.iter().map(|(_, kind)| kind));
        let words = kinds.flat_map(|kind| kind.split(|letter: char| !letter.is_alphanumeric()));
        let names = words.filter(|word| word.starts_with(char::is_uppercase));
        // These two are JavaScript's own.
        names.filter(|name| !["Array", "Uint8Array"].contains(name)).collect()
    }

    /// The class in JavaScript.
    pub(crate) fn javascript(&self) -> String {
        let List { name, class, .. } = self;
        let mut out = format!("// Generated from src/boundary/{name}.rs by `cargo xtask update`.\n\n");
        let calls = self.calls.iter().map(|call| call.javascript(name)).collect::<Vec<_>>().concat();
        let outcome = if calls.contains("outcome(") { "outcome, " } else { "" };
        let _ = writeln!(out, "import {{ call, json, {outcome}packageVersion }} from \"./load.js\";\n\n/**");
        let types: Vec<&str> = self.types().into_iter().collect();
        let _ = writeln!(out, " * @import {{ {} }} from \"./types.js\"", types.join(", "));
        for (short, kind) in &self.short {
            let _ = writeln!(out, " * @typedef {{{kind}}} {short}");
        }
        out.push_str(" */\n\n");
        out.push_str(&comment("", &trimmed(self.purpose)));
        let _ = write!(
            out,
            "export class {class} {{\n  /** The package's version. */\n  get version() {{\n    return packageVersion();\n  }}\n{calls}}}\n"
        );
        out
    }
}

impl Described {
    fn javascript(&self, list: &str) -> String {
        let arguments = &self.arguments;
        // Trailing arguments that may be null may also be left out.
        let needed =
            arguments.iter().rposition(|one| !one.kind.ends_with(" | null")).map_or(0, |last| last + 1);
        let mut doc = trimmed(self.doc);
        let mut named = Vec::new();
        for (index, DescribedArgument { name, kind, .. }) in arguments.iter().enumerate() {
            let name = camel(name);
            let is_needed = index < needed;
            let shown = if is_needed { name.clone() } else { format!("[{name}]") };
            let name = if is_needed { name } else { format!("{name} = null") };
            doc.push(format!("@param {{{kind}}} {shown}"));
            named.push(name);
        }
        let returns = if self.result == "null" { "" } else { "return " };
        if !returns.is_empty() {
            doc.push(format!("@returns {{{}}}", self.result));
        }
        let passed = arguments.iter().map(|argument| {
            let name = camel(argument.name);
            if argument.as_it_is { name } else { format!("json({name})") }
        });
        let body = if self.is_direct {
            let passed: Vec<String> = passed.collect();
            format!("    {returns}outcome((core) => core.{}({}));", camel(self.name), passed.join(", "))
        } else {
            let passed: Vec<String> =
                [format!("\"{list}.{}\"", self.name)].into_iter().chain(passed).collect();
            let line = format!("    {returns}call({});", passed.join(", "));
            if line.len() <= WIDTH {
                line
            } else {
                let lines: Vec<String> = passed.iter().map(|one| format!("      {one},\n")).collect();
                format!("    {returns}call(\n{}    );", lines.concat())
            }
        };
        format!("\n{}  {}({}) {{\n{body}\n  }}\n", comment("  ", &doc), camel(self.name), named.join(", "))
    }
}

fn trimmed(doc: &[&str]) -> Vec<String> {
    doc.iter().map(|line| line.trim().to_owned()).collect()
}

/// A comment of these lines.
fn comment(indent: &str, lines: &[String]) -> String {
    if let [line] = lines {
        return format!("{indent}/** {line} */\n");
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
    format!("{indent}/**\n{}{indent} */\n", lines.concat())
}

/// `plan_command` as `planCommand`. What begins with an underscore isn't read.
fn camel(name: &str) -> String {
    let (unread, name) = name.strip_prefix('_').map_or(("", name), |name| ("_", name));
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default();
    let rest = words.map(|word| word[..1].to_uppercase() + &word[1..]);
    [unread, first].into_iter().map(str::to_owned).chain(rest).collect()
}

#[test]
fn every_call_answers_whatever_is_sent() {
    for list in super::described() {
        for call in list.calls.iter().filter(|call| !call.is_direct) {
            for text in ["", "\0", "null", "0", "-1", "\"\"", "[]", "[null]", "{}", "{\"kind\":\"\"}"] {
                let name = format!("{}.{}", list.name, call.name);
                let answer = super::Core::default().call(&name, &[text; 5]);
                let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
                let code = &answer["problems"][0]["code"];
                assert!(answer.get("ok").is_some() || code.is_string(), "{name}: {text:?}: {answer}");
            }
        }
    }
}
