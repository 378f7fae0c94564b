// Scripted reviewers and verifiers whose criteria are asked group by group: a test still scripts the whole answer, and each request
// gets the part that it asks for.

/** @typedef {import("./script.mjs").ModelRequest} ModelRequest */
/** @typedef {import("./script.mjs").Script} Script */

/** What shows that a request continues an answer. */
const CONTINUES = /\btype Judgement = |^Check this now, and nothing else\./m;

/**
 * Returns the criteria that a prompt asks for; undefined if it names none.
 * @param {string} prompt
 * @returns {string[] | undefined}
 */
export const askedCriteria = (prompt) => /\band no other: (.+)\.$/m.exec(prompt)?.[1]?.split(", ");

/**
 * The same script for a model that is asked in parts. The entries of an array are whole answers: a request that continues an answer
 * takes no further entry.
 * @param {Script} script
 * @returns {Script}
 */
export function inParts(script) {
  let turn = 0;
  /** @type {Script} */
  let current = script;
  return (request) => {
    if (Array.isArray(script) && !CONTINUES.test(request.user)) current = script[turn++] ?? [];
    const step = typeof current === "function" ? current(request) : current;
    return "kind" in step && step.kind === "reply"
      ? { ...step, text: partOf(step.text, request.user) }
      : step;
  };
}

/** @param {string} text @param {string} prompt */
function partOf(text, prompt) {
  const asked = askedCriteria(prompt);
  const answer = asked && parsed(text);
  if (!answer || !Array.isArray(answer.criteria)) return text;
  const criteria = answer.criteria.filter((/** @type {{id: string}} */ { id }) => asked.includes(id));
  return JSON.stringify({ criteria }, null, 2);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
