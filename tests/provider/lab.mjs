// Scripted designers and reviewers for Design Lab: the answers of good models, derived from the prompt alone.

import { reply } from "./script.mjs";

/** @typedef {import("./script.mjs").ModelRequest} ModelRequest */
/** @typedef {import("./script.mjs").ReplyOptions} ReplyOptions */
/** @typedef {import("./script.mjs").Script} Script */

/**
 * @typedef {object} Design
 * @property {string} title
 * @property {string} summary
 * @property {string[]} assumptions
 * @property {string} architecture_overview
 * @property {{ name: string, description: string, responsibilities: string[], dependencies?: string[] }[]} components
 * @property {string} data_flow
 * @property {{ aspect: string, options: string[], chosen: string, rationale: string }[]} tradeoffs
 * @property {{ risk: string, impact: "low" | "medium" | "high", mitigation: string }[]} risks
 * @property {string[]} open_questions
 * @property {{ text: string, kind: string, name: string, state: string }[]} [claims]
 */

/** @typedef {"topic" | "rubric" | "design" | "claims" | "review" | "whole" | "scores" | "compare" | "map"} Phase */

/** @typedef {Record<string, number>} Scores one score per dimension */

export const DIMENSIONS = ["clarity", "feasibility", "scalability", "maintainability", "completeness"];

const DESIGN_BLOCK = /<design id="([^"]+)">([\s\S]*?)<\/design>/g;

/**
 * Returns a complete design; a test states only the parts that it cares about.
 * @param {Partial<Design>} [own]
 * @returns {Design}
 */
export function design(own = {}) {
  return {
    title: "One service and one table",
    summary: "A single stateless service in front of a relational database does the whole job.",
    assumptions: ["Traffic stays below 500 requests per second"],
    architecture_overview: "Requests pass a load balancer to identical instances that share one database.",
    components: [
      {
        name: "API",
        description: "The stateless HTTP service.",
        responsibilities: ["Validates requests", "Applies the business rules"],
        dependencies: ["Store"],
      },
      { name: "Store", description: "A relational database.", responsibilities: ["Keeps all state"] },
    ],
    data_flow: "Client to API, API to Store in one transaction, answer back to the client.",
    tradeoffs: [
      {
        aspect: "State",
        options: ["In the service", "In the database"],
        chosen: "In the database",
        rationale: "Instances can then be replaced at any time.",
      },
    ],
    risks: [{ risk: "The database fails", impact: "high", mitigation: "A standby with automatic failover" }],
    open_questions: ["How long must data be kept?"],
    claims: [{ text: "Orders are kept in a map.", kind: "file", name: "src/store.js", state: "exists" }],
    ...own,
  };
}

/**
 * Returns the phase that a conversation asks for, by the last of its messages that shows it. Designs are removed first,
 * because they are material, not the question.
 * @param {ModelRequest} request
 * @returns {Phase}
 */
export function phaseOf(request) {
  const asked = request.messages.filter((message) => message.role === "user").reverse();
  for (const { content } of asked) {
    const question = content.replace(DESIGN_BLOCK, "");
    if (/\bevaluations"?:/.test(question)) {
      return question.includes("First write a review") ? "whole" : "scores";
    }
    if (/\bpreferred"?:/.test(question)) return "compare";
    if (question.includes("type Claims = ")) return "claims";
    if (question.includes("type DecisionMap = ")) return "map";
    if (question.includes("type Rubric = ")) return "rubric";
    if (/\barchitecture_overview"?:/.test(question)) return "design";
    if (question !== content) return "review";
  }
  return /\barchitecture_overview"?:/.test(request.system) ? "design" : "topic";
}

/**
 * Returns the designs shown in a conversation, by label, in the order in which they were last shown.
 * @param {ModelRequest} request
 * @returns {Map<string, Design>}
 */
export function shownDesigns(request) {
  const shown = new Map();
  for (const { role, content } of request.messages) {
    if (role !== "user") continue;
    for (const [, label, json = ""] of content.matchAll(DESIGN_BLOCK)) {
      const design = parsed(json);
      // The prompt may also name the delimiters in a sentence.
      if (!design) continue;
      shown.delete(label);
      shown.set(label, design);
    }
  }
  return shown;
}

/**
 * Returns the dimensions that a scores prompt asks for, from the form that it shows.
 * @param {ModelRequest} request
 * @returns {string[]}
 */
export function askedDimensions(request) {
  const forms = request.messages.map(
    ({ content }) => /\bquantitative"?: \{(?: \/\/.*)?\n([\s\S]*?)\n {4}\};/.exec(content)?.[1],
  );
  const form = forms.findLast((fields) => fields !== undefined);
  const names = [...(form ?? "").matchAll(/"([^"]+)":/g)].map(([, name = ""]) => name);
  return names.length > 0 ? names : DIMENSIONS;
}

/**
 * Scores a design by its content: more thought-through parts, higher scores.
 * @param {Partial<Design>} design
 * @returns {Scores}
 */
export function scoreByContent(design) {
  const upTo = (/** @type {number} */ most, /** @type {unknown[] | undefined} */ items) =>
    Math.min(most, items?.length ?? 0);
  return {
    // The title counts, too: a reviewer whose scores show no difference is left out of the ranking.
    clarity: 4 + Math.min(4, Math.floor((design.summary?.length ?? 0) / 60)) + titleShare(design),
    feasibility: 9 - upTo(5, design.components),
    scalability: 4 + upTo(5, design.components),
    maintainability: 4 + upTo(5, design.tradeoffs),
    completeness: 3 + upTo(3, design.risks) + upTo(3, design.open_questions),
  };
}

/** Returns less than a point, from the letters of the title. @param {Partial<Design>} design */
const titleShare = ({ title = "" }) =>
  ([...title].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 100) / 100;

/**
 * @typedef {object} ReviewerOptions
 * @property {(design: Partial<Design>, label: string, place: number) => number | Scores} [score] by default by content; a single number
 *   applies to every dimension; `place` is 1 for the design shown first
 * @property {string[]} [dimensions] by default those that the prompt asks for
 * @property {ReplyOptions} [options] how replies are sent
 */

/**
 * A model that plays every part: names the topic, writes its design, and reviews and scores the designs that it is shown.
 * @param {{ topic?: string, design?: Partial<Design>, wrap?: (json: string) => string } & ReviewerOptions} part
 * @returns {Script}
 */
export function model({ topic = "one service", design: own, wrap = (json) => json, ...reviewer }) {
  const written = JSON.stringify(design(own), null, 2);
  return byPhase({
    topic: reply(topic, reviewer.options),
    design: reply(wrap(written), reviewer.options),
    review: (request) => reply(writtenReview(request, reviewer), reviewer.options),
    whole: (request) =>
      reply(
        `${writtenReview(request, reviewer)}\n\n\`\`\`json\n${JSON.stringify(evaluations(request, reviewer))}\n\`\`\``,
        reviewer.options,
      ),
    scores: (request) => reply(evaluations(request, reviewer), reviewer.options),
    compare: (request) => reply(comparison(request, reviewer), reviewer.options),
    map: (request) => reply(decisionMap(request), reviewer.options),
  });
}

/**
 * Returns a script that chooses by phase.
 * @param {Partial<Record<Phase, Script>>} phases
 * @returns {Script}
 */
export function byPhase(phases) {
  /** @type {typeof phases} */
  const all = { claims: reply({ claims: [] }), ...phases };
  return {
    rules: Object.entries(all).map(([phase, script]) => ({
      when: (/** @type {ModelRequest} */ request) => phaseOf(request) === phase,
      script,
    })),
  };
}

/** @typedef {{ claim: string, quote?: string, missing?: true }} Weakness */

/**
 * @typedef {object} Evaluation
 * @property {string} design_id
 * @property {{ strengths: string[], weaknesses: (string | Weakness)[], missing_considerations: string[], risk_assessment: string }} qualitative
 * @property {{ constraint: number, state: string, where?: string }[]} [constraints]
 * @property {Record<string, unknown>} quantitative
 */

/**
 * Returns the scores reply: one evaluation for each design shown, with the evidence that the prompt asks for.
 * @param {ModelRequest} request
 * @param {ReviewerOptions} [options]
 * @returns {{ evaluations: Evaluation[] }}
 */
export function evaluations(request, options = {}) {
  const plain = plainEvaluations(request, options);
  if (!request.messages.some(({ content }) => /\{ reason\??: string; score: number \}/.test(content)))
    return plain;
  const shown = shownDesigns(request);
  return {
    evaluations: plain.evaluations.map(({ design_id, qualitative, quantitative }) => {
      const { overall: _, justification, ...scores } = quantitative;
      const reasoned = Object.entries(scores).map(([name, score]) => [
        name,
        { reason: justification, score },
      ]);
      return {
        design_id,
        qualitative: { ...qualitative, weaknesses: quoted(shown.get(design_id) ?? {}) },
        ...answers(request),
        quantitative: Object.fromEntries(reasoned),
      };
    }),
  };
}

/**
 * Returns an answer for each constraint of the task, if the form asks for them: the first is met, the second partly, and so on.
 * @param {ModelRequest} request
 * @returns {Pick<Evaluation, "constraints">}
 */
function answers(request) {
  const forms = request.messages.map(
    ({ content }) => /constraint: number; \/\/ .* 1 to (\d+)/.exec(content)?.[1],
  );
  const count = Number(forms.findLast((form) => form !== undefined) ?? 0);
  const states = ["met", "partly", "not", "unsaid"];
  const answer = (/** @type {number} */ index) => ({
    constraint: index + 1,
    state: states[index % states.length] ?? "unsaid",
    where: "data_flow",
  });
  return count > 0 ? { constraints: Array.from({ length: count }, (_, index) => answer(index)) } : {};
}

/**
 * Returns the scores reply in the form of earlier versions: no quotes, and one reason for all scores of a design.
 * @param {ModelRequest} request
 * @param {ReviewerOptions} [options]
 * @returns {{ evaluations: Evaluation[] }}
 */
export function plainEvaluations(request, options = {}) {
  return {
    evaluations: judged(request, options).map(({ label, design, scores }) => ({
      design_id: label,
      qualitative: {
        strengths: strengths(design),
        weaknesses: weaknesses(design),
        missing_considerations: missing(design),
        risk_assessment: (design.risks?.length ?? 0) < 2 ? "high" : "medium",
      },
      quantitative: { ...scores, overall: mean(scores), justification: justification(design, scores) },
    })),
  };
}

/**
 * Returns the reply to a comparison of two designs: evidence, then the verdict by their mean scores.
 * @param {ModelRequest} request
 * @param {ReviewerOptions} [options]
 */
export function comparison(request, options = {}) {
  const shown = judged(request, { dimensions: DIMENSIONS, ...options });
  const [first, second] = shown.map(({ label, scores }) => ({ label, score: mean(scores) }));
  if (!first || !second) throw new Error(`${request.model} is shown fewer than two designs to compare`);
  const better = first.score > second.score ? first : second;
  const preferred = first.score === second.score ? "tie" : better.label;
  const evidence = shown.map(({ label, design, scores }) => `${label}: ${justification(design, scores)}`);
  return `${evidence.join("\n")}\n\n${JSON.stringify({ justification: evidence.join(" "), preferred })}`;
}

/**
 * Returns a decision map of the designs: an agreement on how data flows, and a contradiction between their summaries.
 * @param {ModelRequest} request
 */
export function decisionMap(request) {
  const shown = [...shownDesigns(request)];
  const quote = (/** @type {string} */ design_id, text = "") => ({ design_id, quote: text });
  return {
    agreements: [
      {
        statement: "Every write is one transaction.",
        quotes: shown.map(([label, { data_flow }]) => quote(label, data_flow)),
      },
    ],
    contradictions: [
      {
        question: "What does the job?",
        tradeoff: "Fewer parts are easier to run, and more parts are easier to scale.",
        positions: shown.map(([label, { summary }]) => ({
          design_ids: [label],
          position: `${label} has its own answer.`,
          quotes: [quote(label, summary)],
        })),
      },
    ],
    only_one: shown.slice(0, 1).map(([label, { summary }]) => ({
      statement: `Only ${label} says so.`,
      ...quote(label, summary),
    })),
  };
}

/**
 * Returns the written review, in Markdown.
 * @param {ModelRequest} request
 * @param {ReviewerOptions} [options]
 */
export function writtenReview(request, options = {}) {
  const list = (/** @type {string[]} */ items) => items.map((item) => `- ${item}`).join("\n");
  return judged(request, options)
    .map(
      ({ label, design, scores }) =>
        `## ${label}\n\n${justification(design, scores)}\n\n` +
        `**Strengths**\n\n${list(strengths(design))}\n\n**Weaknesses**\n\n${list(weaknesses(design))}`,
    )
    .join("\n\n");
}

/**
 * @param {ModelRequest} request
 * @param {ReviewerOptions} options
 * @returns {{ label: string, design: Partial<Design>, scores: Scores }[]}
 */
function judged(request, { score = scoreByContent, dimensions = askedDimensions(request) }) {
  return [...shownDesigns(request)].map(([label, design], index) => {
    const given = score(design, label, index + 1);
    const scores = Object.fromEntries(
      dimensions.map((name) => {
        const one = typeof given === "number" ? given : given[name];
        if (one === undefined) throw new Error(`${label} gets no score for ${name}`);
        return [name, one];
      }),
    );
    return { label, design, scores };
  });
}

/** @param {Partial<Design>} design */
const strengths = (design) => [
  ...(design.tradeoffs ?? [])
    .slice(0, 2)
    .map((t) => `Decides on ${lower(t.chosen)} for ${lower(t.aspect)} and says why.`),
  `Separates ${(design.components ?? []).length} components with named responsibilities.`,
];

/** @param {Partial<Design>} design */
const weaknesses = (design) => [
  ...(design.open_questions ?? []).slice(0, 1).map((question) => `Leaves open: ${question}`),
  ...(design.risks ?? []).slice(0, 1).map((r) => `Depends on the answer to one risk: ${lower(r.risk)}.`),
];

/** The weaknesses, with the passages that show them. @param {Partial<Design>} design @returns {Weakness[]} */
const quoted = (design) => {
  const passages = [design.open_questions?.[0], design.risks?.[0]?.risk].filter((text) => text !== undefined);
  return weaknesses(design).map((claim, index) => {
    const quote = passages[index]?.split(/\s+/).slice(0, 15).join(" ");
    return quote ? { claim, quote } : { claim, missing: true };
  });
};

/** @param {Partial<Design>} design */
const missing = (design) => [
  ...((design.risks ?? []).length < 3 ? ["What happens to traffic while the store is unavailable"] : []),
  ...((design.assumptions ?? []).length < 3 ? ["The load that the numbers rest on"] : []),
];

/** @param {Partial<Design>} design @param {Scores} scores */
function justification(design, scores) {
  const [best] = Object.entries(scores).sort(([, a], [, b]) => b - a);
  const [worst] = Object.entries(scores).sort(([, a], [, b]) => a - b);
  if (!best || !worst) throw new Error("no dimension is scored");
  const parts = `${design.components?.length ?? 0} components, ${design.tradeoffs?.length ?? 0} decisions, ${design.risks?.length ?? 0} risks`;
  return `${parts}: strongest in ${best[0]} (${best[1]}), weakest in ${worst[0]} (${worst[1]}).`;
}

/** @param {Scores} scores */
const mean = (scores) => {
  const values = Object.values(scores);
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
};

/** @param {string} text */
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** @param {string} json @returns {Partial<Design> | undefined} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
