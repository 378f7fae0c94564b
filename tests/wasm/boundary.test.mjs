// The boundary as JavaScript sees it: the results for bad input, and what remains usable after a panic. The core is the real one except
// for an additional export that makes the next access to a run or to rules panic (`cargo xtask test wasm` builds it).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, beforeEach, test } from "node:test";

const FAULTY = new URL("../../target/faulty/", import.meta.url);
const ISOLATION = { enforce_design_isolation: true, blocked_patterns: [], allowed_tools: ["read"] };
const PLACES = { project: "/p", worktree: null, outputs: ["/p/.design-lab"], host: [] };

/** @type {any} */
let core;

before(async () => {
  core = await import(new URL("core.js", FAULTY).href);
  core.initSync({ module: readFileSync(new URL("core_bg.wasm", FAULTY)) });
});

beforeEach(() => core.takePanic());

/** @param {string} text */
const ok = (text) => JSON.parse(text).ok;
/** @param {string} text */
const code = (text) => JSON.parse(text).problems?.[0].code;
const openRules = () => ok(core.openRules(JSON.stringify(ok(core.rules(...asText(ISOLATION, PLACES))))));
/** @param {...unknown} values */
const asText = (...values) => values.map((value) => JSON.stringify(value));

test("a run begins and is replayed from its line", () => {
  const opening = ok(
    core.begin(
      JSON.stringify({
        package: "0.1.0",
        date: "2026-11-20",
        text: "Design it",
        attachments: [],
        sources: [],
        files: [],
        available: { models: ["one", "two"].map((model) => ({ provider: "acme", model })) },
      }),
    ),
  );
  const run = core.openRun();
  const line = ok(core.seal(run, JSON.stringify({ ...opening, event: "opened", at: 1_795_167_000_000 })));
  assert(
    ok(core.apply(run, line)).some(
      (/** @type {{ command: string }} */ one) => one.command === "open_session",
    ),
  );
  assert.equal(ok(core.panel(run, 1_795_167_001_000, "[]")).rows[0].figures, "1 s");

  assert.equal(ok(core.replayRun(`${line}{"n":2,"crc":`)).whole, line.length);
  core.closeRun(run);
  assert.equal(code(core.apply(run, line)), "internal.lost-run");
});

test("a panic in a reader loses neither the run nor the rules", () => {
  const [run, rules] = [core.openRun(), openRules()];
  for (const _ of [1, 2]) {
    for (const read of [() => core.summary(run), () => core.inquire(rules, "bash", "{}")]) {
      core.panicNext();
      assert.throws(read, WebAssembly.RuntimeError);
      assert.match(core.takePanic(), /a panic on purpose/);
    }
    assert.equal(ok(core.summary(run)), null, "it is still there");
    assert.equal(ok(core.inquire(rules, "bash", "{}")).kind, "deny");
    // The run can still be changed, and others opened and closed.
    assert.notEqual(code(core.apply(run, "{}")), "internal.lost-run");
    core.closeRun(core.openRun());
    core.closeRules(openRules());
  }
  core.panicNext();
  assert.throws(() => core.apply(run, "{}"), WebAssembly.RuntimeError);
  assert.equal(code(core.summary(run)), "internal.lost-run", "it was being changed");
  core.closeRules(rules);
  assert.equal(code(core.inquire(rules, "bash", "{}")), "internal.lost-rules");
});

test("a panic in a reader doesn't lose a session of Flow either", () => {
  const session = core.flowOpen();
  core.panicNext();
  assert.throws(() => core.flowSummary(session), WebAssembly.RuntimeError);
  assert.equal(ok(core.flowSummary(session)), null, "it is still there");
  core.panicNext();
  assert.throws(() => core.flowApply(session, "{}"), WebAssembly.RuntimeError);
  assert.equal(code(core.flowSummary(session)), "internal.lost-run", "it was being changed");
});

test("whatever the shell sends comes back as a problem", () => {
  for (const text of ["", "null", "[1", '{"sources": 3}', "\0"]) {
    const { references, register, begin, rules, openRules } = core;
    for (const call of [references, register, begin, rules, openRules]) {
      assert.equal(code(call(text, text)), "internal.protocol", `${call.name}: ${JSON.stringify(text)}`);
    }
    assert.match(core.describe("Flow", text), /internal\.protocol/);
    assert.match(code(core.replayRun(text)), /^journal\./);
  }
  assert.equal(code(core.verdict(99, "read", "{}", "{}")), "internal.lost-rules");
  assert.equal(core.takePanic(), undefined, "nothing panicked");
});

test("a call is judged by rules that are kept", () => {
  const rules = openRules();
  assert.equal(ok(core.inquire(rules, "bash", "{}")).kind, "deny");
  assert.equal(ok(core.inquire(rules, "read", '{"filePath": "src/a.rs"}')).kind, "ask");
  core.closeRules(rules);
});
