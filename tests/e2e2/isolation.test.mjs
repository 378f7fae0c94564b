// A designer that tries everything, in the real OpenCode 2. What counts is what its model receives: each call is answered, and no answer
// and no other message may contain a word from the output directories.

import assert from "node:assert/strict";
import { ATTACKS, answers, FILES, LEGITIMATE, plant, RIVAL, SECRETS, TASK, turns } from "../e2e/attacks.mjs";
import * as lab from "../provider/lab.mjs";
import { reply } from "../provider/script.mjs";
import { test2, withOpencode2 } from "./harness.mjs";

/** @typedef {import("../e2e/attacks.mjs").Where} Where */

/** What a model reads of a call that is refused, by this package or by OpenCode. */
const REFUSED = /not available in this session|not valid|Permission denied|not available|Invalid|error/i;

/**
 * Returns a call with the names of OpenCode 2's arguments.
 * @param {string} tool
 * @param {any} args
 */
const here = (tool, args) => (/** @type {Where} */ where) => {
  const { filePath, ...given } = typeof args === "function" ? args(where) : args;
  const takesPath = ["read", "edit", "write"].includes(tool.toLowerCase()) && filePath !== undefined;
  return takesPath
    ? { ...given, path: filePath }
    : { ...given, ...(filePath === undefined ? {} : { filePath }) };
};

test2(
  "a designer that tries everything learns nothing of others' designs, and works on undisturbed",
  async () => {
    /** @type {Where} */
    const where = { project: "", home: "", url: "", session: () => "ses_0" };
    const attacks = ATTACKS.filter(([, tool]) => tool !== "");
    const calls = [...attacks, ...LEGITIMATE].map(
      ([name, tool, args]) => /** @type {[string, string, any]} */ ([name, tool, here(tool, args)]),
    );
    const models = {
      "brisk-10": lab.model({
        topic: "Rate limiter",
        design: { title: "Sliding window", summary: "As brisk-10 of lab would build it." },
      }),
      "zeph-3": lab.model({ topic: "Rate limiter", design: { title: "Leaky pail" } }),
      "quill-4": lab.byPhase({
        // Four at once: a model's call may have at most 100 steps.
        design: [...turns(where, calls, 4), reply(lab.design({ title: "Token bucket" }))],
      }),
      "judge-1": lab.model({ score: (design) => (design.title?.length ?? 5) - 5 }),
    };
    const designLab = {
      design_models: ["lab/zeph-3", "lab/brisk-10", "lab/quill-4"],
      review_models: ["lab/judge-1"],
      // One after another, so that the others' designs are on disk when the attacks begin.
      concurrency: 1,
      timeouts: { call_ms: 900_000 },
    };
    await withOpencode2({ scenario: { models }, designLab, files: FILES }, async (opencode) => {
      const { provider, project, home, serve } = opencode;
      await plant(opencode);
      Object.assign(where, { project: project.directory, home, url: provider.baseURL });
      where.session = () => provider.requestsOf("brisk-10").at(-1)?.headers["x-session-id"] ?? "ses_0";
      const { command } = await (await serve()).session();
      assert.match(await command("design-lab", TASK), /ranked/);
      assert.ok(await project.exists(RIVAL), "there was something to find");
      const requests = provider.requestsOf("quill-4");
      for (const request of requests) assert.deepEqual(request.tools, ["glob", "grep", "read"]);
      const results = answers(requests, calls.length);
      /** @type {string[]} */
      const faults = [];
      for (const [at, [name, tool, args, kind]] of attacks.entries()) {
        const result = results[at] ?? "";
        // An error may repeat the call's own words.
        const said = JSON.stringify(here(tool, args)(where)).toLowerCase();
        const holds = (/** @type {string} */ secret) => result.toLowerCase().includes(secret.toLowerCase());
        const told = SECRETS.filter((secret) => holds(secret) && !said.includes(secret.toLowerCase()));
        if (told.length > 0) faults.push(`${tool}, ${name}, tells ${told.join(", ")}:\n${result}`);
        if (kind !== undefined && !REFUSED.test(result))
          faults.push(`${tool}, ${name}, isn't refused:\n${result}`);
      }
      assert.deepEqual(faults, [], faults.join("\n\n"));
      for (const [at, [name, tool, , expected]] of LEGITIMATE.entries())
        assert.match(results[attacks.length + at] ?? "", expected, `${tool}: ${name}`);
      // OpenCode itself adds instruction files near those that were read: one of them is a link to a design.
      const others = (requests.at(-1)?.messages ?? []).filter(({ role }) => role !== "tool");
      for (const { role, content } of others)
        for (const secret of SECRETS) assert.ok(!content.includes(secret), `${role}: ${secret}`);
      assert.ok(!(await project.exists("leak.md")));
    });
  },
);
