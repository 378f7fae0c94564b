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
/** @param {string} name @param {...unknown} values text crosses as it is */
const call = (name, ...values) => {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = texts;
  return core.call(name, first, second, third, fourth, fifth);
};
const rules = () => ok(call("design_lab.rules", ISOLATION, PLACES));
const openRules = () => ok(call("design_lab.open_rules", rules()));
/** @param {string} list */
const open = (list) => ok(call(`${list}.open_run`));

test("a run begins and is replayed from its line", () => {
  const opening = ok(
    call("design_lab.begin", {
      package: "0.1.0",
      date: "2026-11-20",
      text: "Design it",
      attachments: [],
      sources: [],
      files: [],
      available: { models: ["one", "two"].map((model) => ({ provider: "acme", model })) },
    }),
  );
  const run = open("design_lab");
  const line = ok(call("design_lab.seal", run, { ...opening, event: "opened", at: 1_795_167_000_000 }));
  const commands = ok(call("design_lab.apply", run, line));
  assert(commands.some((/** @type {{ command: string }} */ one) => one.command === "open_session"));
  assert.equal(ok(call("design_lab.panel", run, 1_795_167_001_000, null)).rows[0].figures, "1 s");

  assert.equal(ok(call("design_lab.replay_run", `${line}{"n":2,"crc":`)).whole, line.length);
  ok(call("design_lab.close_run", run));
  assert.equal(code(call("design_lab.apply", run, line)), "internal.lost-run");
});

test("a panic in a reader loses neither the run nor the rules", () => {
  const [run, rules] = [open("design_lab"), openRules()];
  const summary = () => call("design_lab.summary", run);
  const apply = () => call("design_lab.apply", run, "{}");
  for (const _ of [1, 2]) {
    for (const read of [summary, () => core.inquire(rules, "bash", "{}")]) {
      core.panicNext();
      assert.throws(read, WebAssembly.RuntimeError);
      assert.match(core.takePanic(), /a panic on purpose/);
    }
    assert.equal(ok(summary()), null, "it is still there");
    assert.equal(ok(core.inquire(rules, "bash", "{}")).kind, "deny");
    // The run can still be changed, and others opened and closed.
    assert.notEqual(code(apply()), "internal.lost-run");
    ok(call("design_lab.close_run", open("design_lab")));
    ok(call("design_lab.close_rules", openRules()));
  }
  core.panicNext();
  assert.throws(apply, WebAssembly.RuntimeError);
  assert.equal(code(summary()), "internal.lost-run", "it was being changed");
  ok(call("design_lab.close_rules", rules));
  assert.equal(code(core.inquire(rules, "bash", "{}")), "internal.lost-rules");
});

test("a panic in a reader doesn't lose a session of Flow either", () => {
  const session = open("flow");
  const summary = () => call("flow.summary", session);
  core.panicNext();
  assert.throws(summary, WebAssembly.RuntimeError);
  assert.equal(ok(summary()), null, "it is still there");
  core.panicNext();
  assert.throws(() => call("flow.apply", session, "{}"), WebAssembly.RuntimeError);
  assert.equal(code(summary()), "internal.lost-run", "it was being changed");
});

test("whatever the shell sends comes back as a problem", () => {
  for (const text of ["", "null", "[1", '{"sources": 3}', "\0"]) {
    for (const name of ["references", "register", "begin", "rules", "open_rules"]) {
      const result = call(`design_lab.${name}`, text, text);
      assert.equal(code(result), "internal.protocol", `${name}: ${JSON.stringify(text)}`);
    }
    assert.match(ok(call("design_lab.describe", text, null, false)), /internal\.protocol/);
    assert.match(code(call("design_lab.replay_run", text)), /^journal\./);
  }
  assert.equal(code(call("design_lab.nothing")), "internal.protocol");
  assert.equal(code(core.verdict(99, "read", "{}", "{}")), "internal.lost-rules");
  assert.equal(core.takePanic(), undefined, "nothing panicked");
});

test("a call is judged by rules that are kept", () => {
  const rules = openRules();
  assert.equal(ok(core.inquire(rules, "bash", "{}")).kind, "deny");
  assert.equal(ok(core.inquire(rules, "read", '{"filePath": "src/a.rs"}')).kind, "ask");
  ok(call("design_lab.close_rules", rules));
});
