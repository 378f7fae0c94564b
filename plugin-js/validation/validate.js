/**
 * `/validate [what]`: proves that what was built runs. `/validate --again` repeats the tests of an earlier run; `--keep` makes them
 * the project's own. `/validate-work [what]` and `/validate-flows [what]` only have a model read the work, and test nothing.
 */
import { randomBytes } from "node:crypto";
import { DesignLabError } from "../core/load.js";
import { Folder, StoreError } from "../kernel/door.js";
import { look, survey } from "../kernel/runs.js";
import { obstacleOf } from "./check.js";
import { earlierTests, keep } from "./earlier-tests.js";
import { leftOf } from "./left.js";
import { availableTo } from "./request.js";
import { runsDirectory, settingsOf } from "./runs.js";
import { beginRun } from "./session.js";
import { findFastCheck } from "./tools.js";

/** @typedef {import("./request.js").Request} Request */

/** @param {Request} request */
export function validate(request) {
  return begin(request, "full");
}

/** @param {Request} request */
export function validateWork(request) {
  return begin(request, "work");
}

/** @param {Request} request */
export function validateFlows(request) {
  return begin(request, "flows");
}

/**
 * @param {Request} request
 * @param {import("../core/types.js").ValidationScope} scope
 */
async function begin(request, scope) {
  const { core, project } = request;
  const settings = settingsOf(request, scope, request.configuration());
  const subject = await subjectOf(request);
  if (typeof subject === "string") return subject;
  const found = await survey(core, runsDirectory(project));
  const opening = core.begin({
    package: core.version,
    stamp: stampOf(new Date()),
    suffix: randomBytes(2).toString("hex"),
    subject,
    scope,
    available: await availableTo(request),
    settings,
    left: await leftOf(project, found),
    // A check of pages reports what it lacks itself; nothing else depends on it.
    obstacle: scope === "full" ? obstacleOf(project, { ...settings, a11y: false }) : null,
    fast_check: findFastCheck({ project, settings: settings.playwright })?.version ?? null,
  });
  return beginRun(request, await compared(request, core.foreseen(opening, found)));
}

/**
 * The opening with what the run before saw, which the core has chosen. A run that can't be read is no obstacle to this one.
 * @param {Pick<Request, "core" | "project">} request
 * @param {import("../core/types.js").ValidationOpening} opening
 */
async function compared({ core, project }, { before: named, ...opening }) {
  if (!named) return opening;
  try {
    const { run: name, subject } = named;
    const before = await look(core, runsDirectory(project), name, (run) => core.before(run, name, subject));
    return before ? { ...opening, before } : opening;
  } catch (error) {
    if (error instanceof DesignLabError || error instanceof StoreError) return opening;
    throw error;
  }
}

/**
 * What to validate, as far as the shell has to find it; or a message for the user if there is nothing.
 * @param {Request} request
 * @returns {Promise<import("../core/types.js").ValidationSubjectInput | string>}
 */
async function subjectOf({ core, project, text, flow, handover }) {
  const asked = core.command(text);
  switch (asked.kind) {
    case "text":
      return asked;
    case "file":
      return { kind: "file", path: asked.path, text: await textOf(project, asked.path) };
    case "tests": {
      const repeat = await earlierTests(core, project, asked.named);
      const wording = asked.keep === null ? "" : await keep(core, project, repeat, asked.keep);
      return asked.again ? { kind: "tests", repeat, seed: asked.seed } : wording;
    }
    case "run":
      return { kind: "run", handover: await handover(asked.named) };
    case "flow":
    case "latest": {
      const subject = await flow(asked.kind === "flow" ? asked.session : null);
      if (!subject) throw new DesignLabError([core.noSubject()]);
      return { kind: "flow", subject };
    }
  }
}

/**
 * A file of the project.
 * @param {string} project
 * @param {string} file as the user named it
 */
async function textOf(project, file) {
  return (await new Folder(project).read(file.replace(/^\.\//, ""))).toString("utf8");
}

/** A time in the format in which a run's name has it: `YYYYMMDDTHHMMSSZ`. @param {Date} now */
function stampOf(now) {
  return `${now.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}
