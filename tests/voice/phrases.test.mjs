// No text of the project uses a phrase that tests/voice/phrases.txt refuses: strings, comments, prompts, documentation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { files } from "./files.mjs";
import { find, PHRASES, parse } from "./phrases.mjs";

/** What others wrote: replies of models, recorded journals and their exports, outputs of runners and mutators, inputs of fuzzers, and the list itself. */
const NOT_OURS =
  /^(tests\/(replies|runners|mutators|extraction|voice)|fuzz\/seeds)\/|^tests\/cli\/golden\/export-|proptest-regressions|(^|\/)(package-)?[Ll]ock|\.lock$|-lock\.json$|\.jsonl$/;

/** Control characters are in pictures and other binary files alone. */
const isText = (/** @type {Buffer} */ bytes) => !bytes.subarray(0, 8000).includes(0);

test("no file uses a refused phrase", () => {
  const ours = files().filter((file) => !NOT_OURS.test(file));
  assert.ok(ours.length > 500, `${ours.length} files`);
  const findings = ours.flatMap((file) => {
    const bytes = read(file);
    if (bytes === undefined || !isText(bytes)) return [];
    return find(bytes.toString()).map(
      ({ line, found, instead }) => `${file}:${line}: “${found}”; write: ${instead}`,
    );
  });
  assert.equal(findings.join("\n"), "");
});

/** @param {string} file; a file that was deleted but not yet committed is skipped. */
function read(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

test("a phrase is found in either case and across lines of a comment, with its line", () => {
  const text = "Fine.\n/// It was Gone\n/// on with later.\n";
  assert.deepEqual(find(text, parse("gone on with => continue")), [
    { line: 2, found: "Gone /// on with", instead: "continue" },
  ]);
});

test("a part of a word is no phrase", () => {
  assert.deepEqual(find("amended, canew, re-mend", parse("mend(ed)? => fix\nanew => again")), []);
});

test("a line without a replacement is refused with its number", () => {
  assert.throws(() => parse("# list\n\nanew"), /phrases\.txt:3: expected/);
});

test("the list has no phrase that its own replacements use", () => {
  const used = PHRASES.flatMap(({ instead }) => find(instead).map(({ found }) => `${found} in “${instead}”`));
  assert.deepEqual(used, []);
});
