// The faults that can be planted in an application: real servers, a real browser, the real core's verdict. All tests run in one start
// of Playwright: each fault alone with the test that it breaks, and each half of the faults together with the tests that the other half
// breaks. When a test fails, Playwright starts another browser, so no test fails twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BREAKS, CRITERIA, ofEach } from "../../tests/validation/suites.mjs";
import { each, run, server } from "./test/run.js";
import { concluded } from "./test/verdict.js";

const APP = fileURLToPath(new URL("../../tests/validation/app/server.mjs", import.meta.url));

const FAULTS = Object.keys(BREAKS);
const brokenBy = (/** @type {string[]} */ faults) => faults.map((fault) => BREAKS[fault] ?? "");
const half = FAULTS.filter((_, index) => index % 2 === 0);
const otherHalf = FAULTS.filter((_, index) => index % 2 === 1);

/** @type {{name: string, faults: string[], criteria: string[]}[]} */
const APPLICATIONS = [
  { name: "half", faults: half, criteria: brokenBy(otherHalf) },
  { name: "other-half", faults: otherHalf, criteria: brokenBy(half) },
  ...FAULTS.map((name) => ({ name, faults: [name], criteria: brokenBy([name]) })),
];

test("each fault fails the criterion that it breaks, and no other", async () => {
  const used = await run();
  const { servers } = await used.start(
    ...APPLICATIONS.map(({ name, faults }) =>
      server({
        name,
        command: [process.execPath, APP],
        env: { FAULT: faults.join(" ") },
        ready: { url: "/", status: 200, port: false, log: null },
      }),
    ),
  );
  const urls = each(servers, "url");
  used.write("tests/app.spec.ts", ofEach(APPLICATIONS.map((one, index) => ({ ...one, url: urls[index] }))));
  const { ran } = await used.test(urls[0], { timeout_ms: 600_000 });
  await used.tearDown();

  for (const { name, faults, criteria } of APPLICATIONS) {
    const begin = `${name} › `;
    const seen = ran.tests
      .filter((/** @type {any} */ { title }) => title.startsWith(begin))
      .map((/** @type {any} */ seen) => ({ ...seen, title: seen.title.slice(begin.length) }));
    const fails = criteria.some((id) => brokenBy(faults).includes(id));
    const verdicts = Object.fromEntries(criteria.map((id) => [id, fails ? "not_met" : "met"]));
    const asked = CRITERIA.filter(({ id }) => criteria.includes(id));
    assert.deepEqual(
      concluded(asked, seen),
      { outcome: fails ? "failed" : "validated", verdicts },
      `${name}: ${each(seen, "error")}`,
    );
  }
  const { console, error } = ran.tests.find((/** @type {any} */ { title }) =>
    title.startsWith("console-error › "),
  );
  const isTold = (/** @type {any} */ { level, text }) =>
    level === "pageerror" && /counter is broken/.test(text);
  assert.ok(console.some(isTold), "what the page said is told");
  assert.ok(error.length > 0 && !error.includes("\u001b"));
});
