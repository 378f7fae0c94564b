// The answers of the demo's models. They are scripted: three designers and two reviewers for one task, written by
// hand so that a reader finds real differences to weigh.

import { byPhase, shownDesigns } from "./lab.mjs";
import { callTool, rateLimited, reply } from "./script.mjs";

/** @typedef {import("./lab.mjs").Design} Design */
/** @typedef {import("./lab.mjs").Scores} Scores */
/** @typedef {import("./script.mjs").ModelRequest} ModelRequest */

/**
 * One reviewer's opinion of one design.
 * @typedef {object} Opinion
 * @property {Scores} scores
 * @property {string[]} strengths
 * @property {string[]} weaknesses
 * @property {string[]} missing
 * @property {"low" | "medium" | "high"} risk
 * @property {string} judgement
 */

export const TASK = `Design a rate limiter for our public HTTP API.

Constraints:
- 40 gateway instances in 3 regions, 60,000 requests per second at peak
- at most 2 ms added to a request at the 99th percentile
- three plans, with limits per API key; enterprise customers have their own limits

Non-functional requirements:
- a customer is never charged for, nor blocked by, another customer's traffic
- losing any single component must not take the API down
- limits can be changed without a deployment`;

/** @type {Design} */
const CENTRAL = {
  title: "Central token buckets in Redis, asked by every gateway",
  summary:
    "Every gateway asks a sharded Redis cluster in its region before it lets a request through. One Lua script per key runs the generic cell rate algorithm (GCRA), so a decision costs one round trip and one 16-byte value, is exact within the region, and smooths bursts instead of resetting at a window's edge.\n\nGateways keep a small local bucket per key for the time when Redis does not answer within 1.5 ms: the API then stays up with limits that are a little too generous instead of failing.",
  assumptions: [
    "A customer's traffic arrives in one region at a time; a key used in two regions may get up to its limit in each",
    "A round trip to Redis in the same zone takes less than 0.5 ms at the median",
    "60,000 requests per second are about 20,000 per region, which three Redis shards carry with room to spare",
  ],
  architecture_overview:
    "A filter in the gateway maps a request to a key and a policy, hashes the key to one of the region's Redis shards and runs the GCRA script there. Policies live in a small configuration store and reach gateways as a versioned snapshot within five seconds. Regions share policies, never counters.",
  components: [
    {
      name: "Gateway filter",
      description: "A filter in the existing gateway, in process.",
      responsibilities: [
        "Finds API key, plan and cost of the request",
        "Asks the shard and waits 1.5 ms at most",
        "Adds RateLimit headers and answers 429 with Retry-After",
      ],
      dependencies: ["Counter shards", "Policy snapshot"],
    },
    {
      name: "Counter shards",
      description: "Three Redis primaries per region, each with a replica in another zone.",
      responsibilities: ["Run GCRA atomically", "Expire idle keys after twice their period"],
    },
    {
      name: "Policy service",
      description: "A table of plans and exceptions with an audit log, published as a snapshot.",
      responsibilities: [
        "Validates changes",
        "Publishes versioned snapshots",
        "Rolls back to any earlier version",
      ],
    },
    {
      name: "Fallback bucket",
      description: "A bounded in-process table, used only while a shard is silent.",
      responsibilities: ["Allows each key the limit divided by the number of gateways, times three"],
    },
  ],
  data_flow:
    "Request → filter resolves key and policy from memory → EVALSHA on the shard → allow, or 429 with the time of the next free slot → counters stay in Redis until idle. Policy change → service → snapshot in object storage → gateways poll every five seconds and swap atomically.",
  tradeoffs: [
    {
      aspect: "Where the decision is made",
      options: ["In a central store", "In each gateway", "In a sidecar service"],
      chosen: "In a central store",
      rationale:
        "Limits are exact within a region and the code is small; the price is a network hop on every request.",
    },
    {
      aspect: "Algorithm",
      options: ["Fixed window", "Sliding log", "Token bucket by GCRA"],
      chosen: "Token bucket by GCRA",
      rationale: "One timestamp per key, no burst of twice the limit at a window's edge.",
    },
    {
      aspect: "When the store is silent",
      options: ["Refuse", "Allow everything", "Allow a local share"],
      chosen: "Allow a local share",
      rationale: "Availability comes first, and a runaway client is still slowed down.",
    },
  ],
  risks: [
    {
      risk: "The slowest percent of Redis calls uses up the budget of 2 ms",
      impact: "high",
      mitigation: "Time-out at 1.5 ms, pinned connections, shards in the gateway's own zone, alarm at 1 ms",
    },
    {
      risk: "One very hot key overloads its shard",
      impact: "medium",
      mitigation: "Gateways remember a refusal until its Retry-After has passed and don't ask again",
    },
    {
      risk: "A shard fails over and loses its last second of counts",
      impact: "low",
      mitigation: "Accepted: a customer may get one second's allowance twice",
    },
  ],
  open_questions: [
    "Do enterprise contracts promise one global limit, or one per region?",
    "Should refused requests count against the limit?",
  ],
  claims: [
    { text: "Every request passes `take`.", kind: "symbol", name: "Limiter.take", state: "exists" },
    { text: "The project talks to Redis already.", kind: "dependency", name: "redis", state: "exists" },
    { text: "The script for one key is new.", kind: "file", name: "src/gcra.lua", state: "to_be_made" },
  ],
};

/** @type {Design} */
const LEASED = {
  title: "Leased quotas: gateways decide alone, a ledger settles",
  summary:
    "No request waits for the network. Each gateway holds leases: small slices of a key's allowance, fetched ahead of need from a regional ledger and spent locally. A lease is sized by recent demand and lasts one second, so what the fleet can overspend is bounded by the leases outstanding and is known in advance.\n\nThe ledger is the only place that knows the whole picture. It hands out slices, takes back what was not spent, and settles allowances between the regions every few seconds. If it disappears, gateways live on their last lease rate, and the error stays bounded.",
  assumptions: [
    "An overshoot of up to 5 % within a second is acceptable, except for keys marked strict",
    "A few thousand keys make up most of the traffic; the long tail sends less than one request per second and gateway",
    "Clocks of the gateways differ by less than 50 ms",
  ],
  architecture_overview:
    "Three layers: gateways spend leases in memory; a ledger per region, partitioned by key and replicated by Raft over three zones, grants them; a settlement job moves allowance between regions. The hot path is a hash look-up and an atomic subtraction.",
  components: [
    {
      name: "Lease cache",
      description: "An in-process table of leases with lock-free counters.",
      responsibilities: [
        "Spends locally",
        "Asks for the next lease at 30 % left",
        "Returns what expires unspent",
      ],
      dependencies: ["Regional ledger"],
    },
    {
      name: "Regional ledger",
      description: "Twelve partitions, three replicas each.",
      responsibilities: [
        "Grants, shrinks and revokes leases",
        "Guarantees that leases never add up to more than the allowance plus 5 %",
        "Serves strict keys synchronously",
      ],
      dependencies: ["Policy store"],
    },
    {
      name: "Settlement",
      description: "A job that rebalances allowances between regions.",
      responsibilities: ["Follows demand with a lag of five seconds", "Leaves every region at least a tenth"],
    },
    {
      name: "Policy store",
      description: "Plans and exceptions as versioned records, watched by the ledgers.",
      responsibilities: ["Rejects a policy that would cut off a paying customer", "Keeps every version"],
    },
    {
      name: "Simulator",
      description: "Replays a day of access logs against a policy.",
      responsibilities: ["Says who would have been refused before a change goes live"],
    },
  ],
  data_flow:
    "Request → lease cache subtracts its cost → allow, or 429 with the time of the next lease. In the background: low lease → ledger partition grants a slice sized by an average of recent demand → cache. Every five seconds the ledgers report use and settlement moves allowances.",
  tradeoffs: [
    {
      aspect: "Exactness against latency",
      options: ["Exact with a hop per request", "Bounded error with none"],
      chosen: "Bounded error with none",
      rationale: "2 ms at the 99th percentile leaves no room for a hop; 5 % within a second hurts nobody.",
    },
    {
      aspect: "Size of a lease",
      options: ["Fixed", "By demand"],
      chosen: "By demand",
      rationale: "A fixed slice starves busy gateways or strands allowance on idle ones.",
    },
    {
      aspect: "Ledger's consistency",
      options: ["Eventually consistent counters", "Raft per partition"],
      chosen: "Raft per partition",
      rationale: "The bound on overshoot is a promise only if grants are linearisable.",
    },
    {
      aspect: "Several regions",
      options: ["One global ledger", "Independent regions", "Settled allowances"],
      chosen: "Settled allowances",
      rationale: "One limit for the customer without traffic between regions on the hot path.",
    },
  ],
  risks: [
    {
      risk: "The lease protocol has a subtle fault and the bound does not hold",
      impact: "high",
      mitigation:
        "A model checked in TLA+, a property test of the ledger, and a counter that alarms on any breach",
    },
    {
      risk: "A sudden burst at a gateway without a lease is refused wrongly",
      impact: "medium",
      mitigation: "The first request of an unknown key gets a small automatic lease",
    },
    {
      risk: "The team has to run a replicated service of its own",
      impact: "medium",
      mitigation: "Build on an existing Raft library; roll out region by region in shadow mode",
    },
    {
      risk: "A ledger partition loses its quorum",
      impact: "low",
      mitigation: "Gateways keep spending at their last rate for 30 seconds, then at the plan's floor",
    },
  ],
  open_questions: [
    "Which customers need strict limits, and may those requests take 3 ms?",
    "Who owns the ledger on call?",
  ],
  claims: [
    { text: "Each gateway counts in this module.", kind: "file", name: "src/limiter.js", state: "exists" },
    { text: "The ledger is new.", kind: "file", name: "src/ledger.js", state: "to_be_made" },
  ],
};

/** @type {Design} */
const CONTRACT = {
  title: "Policy as data: window counters at the edge behind one clear contract",
  summary:
    "Begins with what a client sees: documented RateLimit headers on every answer, a problem document on 429 that names the limit that was hit, and a dry-run header that tells what a request would cost. Behind it each gateway counts in sliding windows and gossips its counts to its neighbours four times a second.\n\nPolicies are small documents, versioned in a repository and compiled into a decision table, so that a change is reviewed like code and live within a minute.",
  assumptions: [
    "Clients adapt once the contract tells them how",
    "Counts that are up to 250 ms old are good enough for limits per minute",
  ],
  architecture_overview:
    "One library in every gateway: a compiled decision table, two counters per key and window, and a gossip channel within the region. There is no central store. A policy compiler checks documents for overlaps and gaps before they can be published.",
  components: [
    {
      name: "Limiter library",
      description: "Linked into the gateway.",
      responsibilities: [
        "Matches requests to policies",
        "Keeps the current and the previous window",
        "Writes the headers",
      ],
    },
    {
      name: "Gossip channel",
      description: "Counts spread between the gateways of a region over UDP.",
      responsibilities: ["Sends the keys that changed", "Drops what is older than a window"],
      dependencies: ["Limiter library"],
    },
    {
      name: "Policy compiler",
      description: "A command that turns policy documents into a decision table.",
      responsibilities: ["Rejects overlaps", "Shows which customers a change touches"],
    },
  ],
  data_flow:
    "Request → decision table → sum of own and gossiped counts of the window, the previous one weighted → allow or 429. Every 250 ms changed counts go to all neighbours. Policy document → review → compiler → table → gateways.",
  tradeoffs: [
    {
      aspect: "Shared state",
      options: ["A store", "Gossip"],
      chosen: "Gossip",
      rationale: "Nothing to run and nothing that can fail alone.",
    },
    {
      aspect: "What a client learns on refusal",
      options: ["Status only", "A problem document"],
      chosen: "A problem document",
      rationale: "Clients that know when to return cost less than clients that guess.",
    },
  ],
  risks: [
    {
      risk: "A key that bursts on all gateways at once exceeds its limit before counts have spread",
      impact: "high",
      mitigation: "Per-gateway ceilings for keys above 100 requests per second",
    },
    {
      risk: "Gossip grows with the square of the fleet",
      impact: "medium",
      mitigation: "A tree instead of a mesh above 60 gateways",
    },
  ],
  open_questions: [
    "Do limits per second exist in any contract?",
    "Is a minute fast enough for an emergency change?",
  ],
  claims: [
    { text: "Windows replace the class that exists.", kind: "symbol", name: "Limiter", state: "exists" },
    { text: "The server reads it at its start.", kind: "file", name: "server.js", state: "exists" },
  ],
};

/** @type {Record<string, Record<string, Opinion>>} by reviewer, by title */
const OPINIONS = {
  quartz: {
    [CENTRAL.title]: {
      scores: { clarity: 9, feasibility: 9, scalability: 5, maintainability: 8, completeness: 6 },
      strengths: [
        "One round trip and one value per key: a team can build and reason about this in weeks",
        "Says what happens when the store is silent, with numbers",
      ],
      weaknesses: [
        "A network hop on every request leaves 0.5 ms of the 2 ms budget for everything else",
        "A key used in two regions gets its limit twice, which an enterprise contract may not allow",
      ],
      missing: ["How limits are tested before they go live"],
      risk: "medium",
      judgement:
        "The plainest of the three and the quickest to ship; its latency budget is tight by its own numbers.",
    },
    [LEASED.title]: {
      scores: { clarity: 8, feasibility: 7, scalability: 10, maintainability: 7, completeness: 9 },
      strengths: [
        "No network on the hot path, so the latency constraint is met by construction",
        "The error is bounded and the bound is stated, instead of hoped for",
        "A simulator shows who would be refused before a policy goes live",
      ],
      weaknesses: [
        "A replicated ledger of one's own is a lot to operate",
        "The first seconds of a new key are guesswork",
      ],
      missing: ["What the migration costs and how long both limiters run side by side"],
      risk: "medium",
      judgement: "The only design whose numbers fit every constraint; it pays in machinery.",
    },
    [CONTRACT.title]: {
      scores: { clarity: 8, feasibility: 7, scalability: 5, maintainability: 8, completeness: 5 },
      strengths: [
        "The best contract for clients: headers, problem document, dry run",
        "Policies reviewed like code, with overlaps rejected",
      ],
      weaknesses: [
        "Counts 250 ms old cannot enforce a limit per second at this load",
        "Leaves out limits across regions",
      ],
      missing: ["Overshoot in numbers", "Behaviour when the network between gateways splits"],
      risk: "high",
      judgement: "A good face on a weak engine.",
    },
  },
  slate: {
    [CENTRAL.title]: {
      scores: { clarity: 8, feasibility: 8, scalability: 7, maintainability: 8, completeness: 7 },
      strengths: [
        "Known parts only: Redis, a Lua script, a snapshot file",
        "Remembering refusals keeps a hot key off its shard",
      ],
      weaknesses: [
        "Depends on the tail latency of a shared store",
        "The fallback lets a customer take three times its share",
      ],
      missing: ["Capacity after the loss of one shard"],
      risk: "low",
      judgement: "Solid, ordinary engineering; most teams would be content with it.",
    },
    [LEASED.title]: {
      scores: { clarity: 7, feasibility: 7, scalability: 10, maintainability: 8, completeness: 9 },
      strengths: [
        "Isolation between customers follows from the leases and needs no tuning",
        "Each failure has an answer that keeps the API up",
      ],
      weaknesses: [
        "Five moving parts, of which one is a consensus system",
        "Settlement lags five seconds behind demand",
      ],
      missing: ["Operating cost of the ledger"],
      risk: "medium",
      judgement: "Meets the requirements most fully; only worth its weight at this scale.",
    },
    [CONTRACT.title]: {
      scores: { clarity: 9, feasibility: 7, scalability: 5, maintainability: 7, completeness: 6 },
      strengths: ["Clients learn what they need in order to behave", "No store to run"],
      weaknesses: [
        "Overshoot is unbounded for keys that burst everywhere at once",
        "A change takes a minute, too long in an emergency",
      ],
      missing: ["How a customer is protected from a neighbour on the same gateway"],
      risk: "high",
      judgement: "Worth taking its contract, not its counters.",
    },
  },
};

/** Slow enough to watch, and fast enough to wait for. */
const PACE = { chunk: 400, delayMs: 300, chunkDelayMs: 60 };

/** @param {Design} design @param {(json: string) => string} wrap */
const written = (design, wrap) => reply(wrap(JSON.stringify(design, null, 2)), PACE);

/** @param {ModelRequest} request @param {string} reviewer */
function opinions(request, reviewer) {
  return [...shownDesigns(request)].map(([label, design]) => {
    const opinion = OPINIONS[reviewer]?.[design.title ?? ""];
    if (!opinion) throw new Error(`${reviewer} has no opinion on "${design.title}"`);
    return { label, opinion };
  });
}

/**
 * Returns the report of the user's own model about a run: the verdict and the path of the report, from the text that the plugin gave
 * it.
 * @param {string} given
 */
function announcement(given) {
  const paragraphs = given.split("\n\n");
  const table = paragraphs.findIndex((paragraph) => /^ +Rank /.test(paragraph));
  const verdict = paragraphs[table - 1]?.replace(/\s+/g, " ").trim();
  const report = /Report +(\S+)/.exec(given)?.[1];
  return verdict && report ? `${verdict} The report is in ${report}.` : given;
}

/** @param {string[]} items */
const list = (items) => items.map((item) => `- ${item}`).join("\n");

/** @param {string} reviewer @returns {import("./script.mjs").Script} */
function reviewer(reviewer) {
  return byPhase({
    review: (request) =>
      reply(
        opinions(request, reviewer)
          .map(
            ({ label, opinion }) =>
              `## ${label}\n\n${opinion.judgement}\n\n### Strong\n\n${list(opinion.strengths)}\n\n` +
              `### Weak\n\n${list(opinion.weaknesses)}\n\n### Missing\n\n${list(opinion.missing)}`,
          )
          .join("\n\n"),
        PACE,
      ),
    scores: (request) =>
      reply(
        {
          evaluations: opinions(request, reviewer).map(({ label, opinion }) => ({
            design_id: label,
            qualitative: {
              strengths: opinion.strengths,
              weaknesses: opinion.weaknesses,
              missing_considerations: opinion.missing,
              risk_assessment: opinion.risk,
            },
            quantitative: {
              ...opinion.scores,
              overall: Object.values(opinion.scores).reduce((sum, score) => sum + score, 0) / 5,
              justification: opinion.judgement,
            },
          })),
        },
        PACE,
      ),
  });
}

/** Models by provider. */
export const PROVIDERS = { forest: ["aspen", "birch", "cedar"], stone: ["quartz", "slate"] };

/** @type {import("./server.mjs").Scenario} */
export const SCENARIO = {
  models: {
    host: (request) => reply(announcement(request.user)),
    // Reads a file of the project first, as designers may.
    aspen: byPhase({
      topic: reply("public-api-rate-limiter", PACE),
      design: [
        callTool("read", { filePath: "README.md" }),
        written(CENTRAL, (json) => `Here is my design.\n\n\`\`\`json\n${json}\n\`\`\``),
      ],
    }),
    // Sends reasoning before its answer.
    birch: byPhase({
      design: reply(JSON.stringify(LEASED), {
        ...PACE,
        reasoning: "2 ms leave no room for a hop per request.",
      }),
    }),
    // Leaves a trailing comma, as models do.
    cedar: byPhase({ design: written(CONTRACT, (json) => json.replace(/\n\}$/, ",\n}")) }),
    quartz: reviewer("quartz"),
    // Is rate-limited at first.
    slate: firstThen(rateLimited(1), reviewer("slate")),
  },
};

/** @param {import("./script.mjs").Step} first @param {import("./script.mjs").Script} then @returns {import("./script.mjs").Script} */
function firstThen(first, then) {
  return (request) => (request.n === 0 ? first : then);
}
