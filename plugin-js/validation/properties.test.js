// Rules that the real fast-check tries, mostly in a real browser: with the run's seed, few inputs, and as long as the test has time.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as fastCheck from "fast-check";
import { RULE } from "../../tests/validation/suites.mjs";
import { beginRules, bounded, triedRules } from "./properties.js";
import { each, ROOT, run, server } from "./test/run.js";
import { findFastCheck } from "./tools.js";

const APP = fileURLToPath(new URL("../../tests/validation/app/sum.mjs", import.meta.url));
const FILE = "tests/app.spec.ts";

/** @param {string} fault */
const app = (fault) =>
  server({
    command: [process.execPath, APP],
    env: { FAULT: fault },
    ready: { url: "/", status: 200, port: false, log: null },
  });

/** A test of one rule, whose inputs are `amount`s. @param {string} title @param {string} body @param {string} [further] */
const rule = (title, body, further = "") => `test("${title}", { tag: "@C1" }, async ({ page }) => {
  const amounts = fc.record({ amount: fc.integer({ min: 1, max: 500 }) });
  await fc.assert(fc.asyncProperty(amounts, async ({ amount }) => { ${body} })${further});
});
`;

const holds = "await page.goto('/?amount=' + amount); await expect(page).toHaveTitle('Sum');";
const HEAD = 'import * as fc from "fast-check";\nimport { expect, test } from "./validation";\n';

/** The amounts that a test filled in. @param {any} seen */
const filled = (seen) => seen.steps.filter((/** @type {string} */ step) => step.startsWith("Fill"));

test("the smallest input for which a rule fails is named, and each pass tries the same ones", async () => {
  const used = await run();
  used.write(FILE, RULE);
  const { servers } = await used.start(app("large-amounts"));
  const [base_url] = each(servers, "url");
  const of = async (/** @type {object} */ wanted) => {
    const { ran, message } = await used.test(base_url, wanted);
    assert.equal(message, undefined);
    return ran.tests[0];
  };
  const [first, second] = [await of({ rule_seed: 42 }), await of({ rule_seed: 42, pass: 2 })];
  assert.equal(first.status, "failed");
  assert.match(
    first.error,
    /^Error: Property failed after \d+ tests\n\{ seed: 42, [^\n]*\nCounterexample: \[\{[^\n]*"amount":100\}\]\nShrunk [1-9]/,
  );
  assert.match(first.error, /\nGot error: expect\(locator\)\.toHaveText/);
  assert.ok(first.rules.length === 1 && !first.rules[0].interrupted);
  const said = (/** @type {any} */ { error }) => error.split("\n").slice(0, 4);
  assert.deepEqual([filled(second), said(second)], [filled(first), said(first)]);
  await used.stop();

  const control = await of({ against: "frozen", rule_seed: 7, wait_ms: 10_000 });
  assert.match(control.error, /Shrunk 0 time/, "the first input is enough there");
  assert.notEqual(filled(control)[0], filled(first)[0], "another seed gives another input");
  assert.deepEqual([control.status, control.trail.at(-1).kind, control.expects], ["failed", "expect", 1]);
});

test("a test has at most 20 inputs and those that it gives, and none that it rejects", async () => {
  const used = await run();
  used.write(
    FILE,
    HEAD +
      rule("many", holds, ", { numRuns: 1000, seed: 1, endOnFailure: true, path: '3' }") +
      rule("none", holds, ", { numRuns: 0 }") +
      rule("given", holds, ", { numRuns: 2, examples: [[{ amount: 7 }]] }") +
      rule("rejected", `fc.pre(amount > 500); ${holds}`),
  );
  const { servers } = await used.start(app(""));
  const [base_url] = each(servers, "url");
  const { ran } = await used.test(base_url, { rule_seed: 42 });
  const whole = (/** @type {number} */ inputs) => [{ inputs, interrupted: false }];
  assert.deepEqual(each(ran.tests, "status", "rules"), [
    ["passed", whole(20)],
    ["passed", whole(1)],
    ["passed", whole(2)],
    ["failed", whole(0)],
  ]);
  assert.match(ran.tests[2].visited[0], /amount=7$/);
  assert.match(ran.tests[3].error, /too many pre-condition failures[\s\S]*Ran 0 time/);
});

test("when a test's time is up, the input under way decides, too", async () => {
  const fc = bounded(fastCheck);
  /** The message of a rule whose second input ends like this, once no time is left for a third. @param {() => unknown} second */
  const tried = async (second) => {
    beginRules({ seed: 42, control: false, timeout: () => 1_000 });
    const until = performance.now() + 800;
    let inputs = 0;
    const property = fc.asyncProperty(fc.integer(), async () => {
      inputs += 1;
      if (inputs === 1) return;
      await new Promise((resolve) => setTimeout(resolve, until - performance.now()));
      second();
    });
    const said = await fc.assert(property).then(() => "", String);
    return [said, triedRules()];
  };
  const cut = [{ inputs: 1, interrupted: true }];
  assert.deepEqual(await tried(() => {}), ["", cut]);
  const fail = () => assert.fail("it is something else");
  assert.deepEqual(await tried(fail), ["AssertionError [ERR_ASSERTION]: it is something else", cut]);
  beginRules({ seed: 42, control: false, timeout: () => 1 });
  const stuck = fc.asyncProperty(fc.integer(), () => new Promise(() => {}));
  await assert.rejects(fc.assert(stuck), /^Error: Property interrupted after 0 tests/);
  assert.deepEqual(triedRules(), [{ inputs: 0, interrupted: true }]);
});

test("fast-check is found where Playwright Test is, or not at all", () => {
  const { version } = JSON.parse(
    readFileSync(path.join(ROOT, "node_modules/fast-check/package.json"), "utf8"),
  );
  const found = (/** @type {string | null} */ directory) =>
    findFastCheck({ project: "/", settings: { directory } });
  assert.deepEqual(found(ROOT), { from: path.join(ROOT, "package.json"), version });
  assert.equal(found(null), undefined);
});
