// The documentation, the prompts and the messages pass Harper, a grammar checker that runs offline.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Dialect, LocalLinter } from "harper.js";
import { binary } from "harper.js/binary";
import { files } from "./files.mjs";

/** Words and names that Harper's dictionary lacks, one on each line. */
const WORDS = readFileSync(new URL("words.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/**
 * The checked rules of Harper: those of grammar and spelling. Its hundreds of idiom rules take most of the time, and some rules read
 * units, code and table cells as if they were prose.
 */
const RULES = [
  "SpellCheck RepeatedWords LongSentences Spaces TransposedSpace UnclosedQuotes EllipsisLength CommaFixes",
  "PronounVerbAgreement PronounInflectionBe PronounAre SubjectPronoun CompoundSubjectI IAmAgreement ThereIsAgreement HeDos",
  "NounVerbConfusion DidPast DoubleModal ModalOf ModalBeAdjective ModalSeem WillNonLemma SimplePastToPastParticiple RegularIrregulars",
  "InflectedVerbAfterTo ProgressiveNeedsBe IsBeenAuxSequence WouldNeverHave HavePassed CanBeSeen ShutdownVerb LayoutVerb",
  "QuantifierNumeralConflict QuantifierNeedsOf OneOfTheSingular CriteriaPhenomena CorrectNumberSuffix MoreBetter MoreAdjective",
  "AdjectiveDoubleDegree RedundantAdditiveAdverbs RedundantThat RedundantProgressiveComparative RedundantSuperlatives LessWorse",
  "TheTheToThatThe TheAnother TheMy AnAnother AnotherAn InThe ToTo ThenThan ThatThan ThatThis ThesesThese DefiniteArticle",
  "DespiteOf DespiteItIs ComprisesOf WasComprisedOf Discuss NeedToNoun NotOnlyInversion NotBeAfterNot WrongNegative DoubleNegative",
  "AllowTo AvoidAndAlso AspireTo ArriveTo InterestedIn InsteadOf ApartFrom ExceptOf InspiredBy LookForwardTo SupposedTo GetUsedTo",
  "UseToUsedTo HowItLooksLike AsHow SameAs SimilarLike KnowNothingVerb DontCan YourPredicateAdjective WereWhere LetsConfusion",
].flatMap((rules) => rules.split(" "));

/** Rules with false alarms in sentences of code, where a value replaces the pronoun. */
const NOT_IN_CODE = [
  "Spaces",
  "LongSentences",
  "OneOfTheSingular",
  "PronounInflectionBe",
  "PronounVerbAgreement",
  "CommaFixes",
];

test("Harper finds nothing to correct in the documentation", async () => {
  const pages = files("*.md", ":!tests", ":!prompts", ":!schemas");
  assert.ok(pages.includes("README.md") && pages.includes("docs/guide.md"), pages.join(" "));
  assert.equal((await findings(pages, (text) => text)).join("\n"), "");
});

test("Harper finds nothing to correct in prompts and messages", async () => {
  const prompts = files("prompts/*.md", ":!prompts/*-form.md");
  const code = files(
    "src/*.rs",
    "kernel/src/*.rs",
    "wasm/src/*.rs",
    ":!src/**/tests/*",
    ":!src/**/tests.rs",
    ":!src/design_lab/anonymity",
  );
  assert.ok(
    prompts.length > 40 && code.length > 200,
    `${prompts.length} prompts, ${code.length} files of code`,
  );
  const found = [
    ...(await findings(prompts, (text) => text.replaceAll(/\{\{\w+\}\}/g, " it "), NOT_IN_CODE)),
    ...(await findings(code, sentences, NOT_IN_CODE)),
  ];
  assert.equal(found.join("\n"), "");
});

/**
 * Returns the sentences among the strings of Rust code, each on the line where it begins.
 *
 * @param {string} code
 */
function sentences(code) {
  const [shipped = ""] = code.split("#[cfg(test)]\nmod tests {");
  const bare = shipped.replaceAll(/^[ \t]*\/\/.*$/gm, "");
  /** @type {string[]} */
  const lines = [];
  for (const { index, 1: text = "" } of bare.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)) {
    const sentence = text
      .replaceAll(/\\\n\s*|\\n/g, " ")
      .replaceAll(/\{[^}]*\}/g, " it ")
      .replaceAll('\\"', "");
    if (!/^[A-Z].*\S \S+ \S+.*[.:]$/.test(sentence)) continue;
    const line = bare.slice(0, index).split("\n").length;
    while (lines.length < line - 1) lines.push("");
    lines.push(sentence, "");
  }
  return lines.join("\n");
}

/**
 * @param {string[]} paths
 * @param {(text: string) => string} read returns the part of a file to check, line by line
 * @param {string[]} [off] rules that are not checked here
 */
async function findings(paths, read, off = []) {
  const linter = new LocalLinter({ binary, dialect: Dialect.British });
  await linter.setup();
  const config = await linter.getDefaultLintConfig();
  for (const rule of RULES) assert.ok(rule in config, `Harper has no rule ${rule}`);
  for (const rule of Object.keys(config)) config[rule] = RULES.includes(rule) && !off.includes(rule);
  await linter.setLintConfig(config);
  await linter.importWords(WORDS);
  const found = [];
  for (const file of paths) {
    const text = read(readFileSync(file, "utf8"));
    for (const [rule, lints] of Object.entries(await linter.organizedLints(text, { language: "markdown" }))) {
      for (const lint of lints) {
        const line = text.slice(0, lint.span().start).split("\n").length;
        found.push(`${file}:${line}: “${lint.get_problem_text()}”: ${lint.message()} [${rule}]`);
      }
    }
  }
  return found;
}
