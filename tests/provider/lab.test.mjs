import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "./lab.mjs";
import { stepFor } from "./script.mjs";

/** @param {...string} questions @returns {import("./script.mjs").ModelRequest} */
function asked(...questions) {
  return {
    model: "m",
    n: 0,
    messages: questions.map((content) => ({ role: "user", content, toolCalls: [] })),
    system: "",
    user: questions.at(-1) ?? "",
    tools: [],
    temperature: undefined,
  };
}

/** @param {string} label @param {Partial<lab.Design>} own */
const shown = (label, own) => `<design id="${label}">\n${JSON.stringify(lab.design(own))}\n</design>`;

const DESIGN = "type Design = {\n  title: string;\n  architecture_overview: string;\n};";
const REVIEW = `Each design stands between <design id="…"> and </design>.\n${shown("K", { title: "short" })}\n${shown("B", { components: [] })}`;
const SCORES = 'Now the scores: type Scores = {\n  evaluations: {\n    design_id: "K" | "B";\n  }[];\n};';

/** @type {[lab.Phase, string[]][]} */
const PHASES = [
  ["topic", ["Name this task in three words."]],
  ["design", [DESIGN]],
  ["design", [DESIGN, "/components/0 is missing: send the whole object again."]],
  ["review", [REVIEW]],
  ["scores", [REVIEW, SCORES]],
  ["scores", [REVIEW, SCORES, "/0/design_id is not one of K, B."]],
];
for (const [phase, questions] of PHASES) {
  test(`"${questions.at(-1)?.slice(0, 30)}" after ${questions.length - 1} others asks for: ${phase}`, () => {
    assert.equal(lab.phaseOf(asked(...questions)), phase);
  });
}

test("every design shown is scored under its label, by what it says", () => {
  const { evaluations } = lab.evaluations(asked(REVIEW, SCORES));
  assert.deepEqual(
    evaluations.map((evaluation) => evaluation.design_id),
    ["K", "B"],
  );
  const [k, b] = evaluations.map((evaluation) => evaluation.quantitative);
  assert.equal(k?.scalability, 6);
  assert.equal(b?.scalability, 4);
  assert.deepEqual(Object.keys(k ?? {}), [...lab.DIMENSIONS, "overall", "justification"]);
});

test("the dimensions are those that the prompt asks for", () => {
  const form =
    'type Scores = {\n  evaluations: {\n    quantitative: {\n      "speed": number; // 1 to 5\n      "cost": number; // 1 to 5\n      overall: number;\n    };\n  }[];\n};';
  assert.deepEqual(lab.askedDimensions(asked(REVIEW, form)), ["speed", "cost"]);
  const { evaluations } = lab.evaluations(asked(REVIEW, form), { score: () => 3 });
  assert.deepEqual(evaluations[0]?.quantitative.cost, 3);
});

test("a form that asks for evidence gets a reason before each score, and quotes", () => {
  const form =
    'type Scores = {\n  evaluations: {\n    quantitative: { // the reason first\n      "speed": { reason: string; score: number }; // 1 to 5\n    };\n  }[];\n};';
  const { evaluations } = lab.evaluations(asked(REVIEW, form), { score: () => 3 });
  const [first] = evaluations;
  assert.deepEqual(Object.keys(first?.quantitative ?? {}), ["speed"]);
  assert.deepEqual(Object.keys(/** @type {any} */ (first?.quantitative.speed)), ["reason", "score"]);
  for (const { qualitative } of evaluations) {
    assert.ok(qualitative.weaknesses.every((one) => typeof one === "object" && (one.quote || one.missing)));
  }
});

test("a form that asks about constraints gets an answer for each", () => {
  const form =
    'type Scores = {\n  evaluations: {\n    constraints: {\n      constraint: number; // as the task numbers them, 1 to 2\n    }[];\n    quantitative: {\n      "speed": { reason: string; score: number };\n    };\n  }[];\n};';
  const { evaluations } = lab.evaluations(asked(REVIEW, form), { score: () => 3 });
  const said = evaluations.map(({ constraints = [] }) =>
    constraints.map(({ constraint, state }) => [constraint, state]),
  );
  assert.deepEqual(said, [
    [
      [1, "met"],
      [2, "partly"],
    ],
    [
      [1, "met"],
      [2, "partly"],
    ],
  ]);
});

test("a test decides the scores where it wants to", () => {
  const { evaluations } = lab.evaluations(asked(REVIEW, SCORES), {
    dimensions: ["speed"],
    score: (design, _label, place) => (design.title === "short" ? 9 : place),
  });
  assert.deepEqual(
    evaluations.map(({ quantitative }) => quantitative.speed),
    [9, 2],
  );
});

test("one model plays every part", () => {
  const script = lab.model({
    topic: "rate limiter",
    design: { title: "Mine" },
    wrap: (json) => `Sure:\n${json}`,
  });
  const say = (/** @type {string[]} */ ...questions) => {
    const step = stepFor(script, asked(...questions), new Map());
    assert.equal(step.kind, "reply");
    return "text" in step ? step.text : "";
  };
  assert.equal(say("Name this task."), "rate limiter");
  assert.match(say(DESIGN), /^Sure:\n\{\n {2}"title": "Mine"/);
  assert.match(say(REVIEW), /^## K\n[\s\S]*\n## B\n/);
  assert.equal(JSON.parse(say(REVIEW, SCORES)).evaluations.length, 2);
});
