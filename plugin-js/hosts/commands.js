/** The slash commands of the three workflows, and what performs them. */
import { cancel } from "../design-lab/cancel.js";
import { design, opened } from "../design-lab/design.js";
import { doctor } from "../design-lab/doctor.js";
import { built, merge, refine } from "../design-lab/follow-up.js";
import { init } from "../design-lab/init.js";
import { rerank } from "../design-lab/rerank.js";
import { resume } from "../design-lab/resume.js";
import { review } from "../design-lab/review.js";
import { status } from "../design-lab/status.js";
import { vendors } from "../design-lab/vendors.js";
import { auto as flowAuto } from "../flow/auto.js";
import { cancel as flowCancel } from "../flow/cancel.js";
import { choose as flowSession } from "../flow/choose.js";
import { feedback as flowFeedback } from "../flow/feedback.js";
import { history as flowHistory } from "../flow/history.js";
import { plan as flowPlan } from "../flow/plan.js";
import { pullRequest as flowPr } from "../flow/pull-request.js";
import { race as flowRace } from "../flow/race.js";
import { reset as flowReset } from "../flow/reset.js";
import { resume as flowResume } from "../flow/resume.js";
import { run as flowRun } from "../flow/run.js";
import { status as flowStatus } from "../flow/status.js";
import { takeResult as flowTake } from "../flow/take.js";
import { cancel as validateCancel } from "../validation/cancel.js";
import { decide as validateDecide } from "../validation/decide.js";
import { init as validateInit } from "../validation/init.js";
import { resume as validateResume } from "../validation/resume.js";
import { status as validateStatus } from "../validation/status.js";
import { validate, validateFlows, validateWork } from "../validation/validate.js";

/** @typedef {keyof typeof DESIGN_LAB | keyof typeof FLOW | keyof typeof VALIDATION} Command */

export const DESIGN_LAB = {
  "design-lab": design,
  "design-lab-cancel": cancel,
  "design-lab-doctor": doctor,
  "design-lab-init": init,
  "design-lab-merge": merge,
  "design-lab-rank": rerank,
  "design-lab-refine": refine,
  "design-lab-resume": resume,
  "design-lab-review": review,
  "design-lab-status": status,
  "design-lab-vendors": vendors,
};

export const FLOW = {
  "flow-auto": flowAuto,
  "flow-cancel": flowCancel,
  "flow-feedback": flowFeedback,
  "flow-history": flowHistory,
  "flow-plan": flowPlan,
  "flow-pr": flowPr,
  "flow-race": flowRace,
  "flow-reset": flowReset,
  "flow-resume": flowResume,
  "flow-run": flowRun,
  "flow-session": flowSession,
  "flow-status": flowStatus,
  "flow-take": flowTake,
};

export const VALIDATION = {
  validate,
  "validate-cancel": validateCancel,
  "validate-decide": validateDecide,
  "validate-flows": validateFlows,
  "validate-init": validateInit,
  "validate-resume": validateResume,
  "validate-status": validateStatus,
  "validate-work": validateWork,
};

/**
 * How the runs that commands start are opened.
 * @type {Record<string, (request: Parameters<typeof design>[0]) => ReturnType<typeof built>>}
 */
export const BEGINNINGS = {
  "design-lab": opened,
  "design-lab-merge": (request) => built("merge", request),
  "design-lab-refine": (request) => built("refine", request),
  "design-lab-review": (request) => built("review", request),
};

/** @param {string} command @returns {command is keyof typeof DESIGN_LAB} */
export function isDesignLab(command) {
  return Object.hasOwn(DESIGN_LAB, command);
}

/** @param {string} command @returns {command is keyof typeof FLOW} */
export function isFlow(command) {
  return Object.hasOwn(FLOW, command);
}

/** @param {string} command @returns {command is keyof typeof VALIDATION} */
export function isValidation(command) {
  return Object.hasOwn(VALIDATION, command);
}

/** @param {string} command @returns {command is Command} */
export function isCommand(command) {
  return isDesignLab(command) || isFlow(command) || isValidation(command);
}

/** Returns the name by which the user knows the workflow of a command. @param {string} command */
export function brandOf(command) {
  if (isFlow(command)) return "Flow";
  return isValidation(command) ? "Validation" : "Design Lab";
}
