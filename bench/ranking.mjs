// How long a ranking takes through WebAssembly: `cargo xtask bench ranking`, which adds the native times (examples/scale.rs).
//
// Processor time of one call, including parsing its rows and writing `ranking.json`, each in a separate process, as on the command
// line: before the engine has optimised any code. The fastest of all rounds, because other load only ever adds time.

import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Core } from "../plugin-js/core/design-lab.js";
import { print, smoke } from "./table.mjs";

/** Designs, reviewers and dimensions. */
const SIZES = smoke ? ["4 4 5"] : ["4 4 5", "20 20 5", "100 8 10", "8 100 10", "50 50 10", "100 100 10"];
const FORMS = ["csv", "json"];
const ROUNDS = smoke ? 1 : 5;
const [designs, reviewers, dimensions, form] = process.argv.slice(2);

if (form) {
  process.stdout.write(String(measure(Number(designs), Number(reviewers), Number(dimensions), form)));
} else {
  const rows = SIZES.map((size) => {
    const fastest = FORMS.map((name) => {
      const times = Array.from({ length: ROUNDS }, () => inProcess([...size.split(" "), name]));
      return Math.min(...times).toFixed(0);
    });
    return [...size.split(" "), ...fastest];
  });
  print(["designs", "reviewers", "dimensions", "rows as CSV, ms", "as JSON, ms"], rows);
  if (process.env.SCALE) natively(process.env.SCALE);
}

/** Runs the compiled examples/scale.rs, which prints a table as well. @param {string} program */
function natively(program) {
  const table = execFileSync(program, smoke ? ["9"] : [], { encoding: "utf8" });
  const [head = [], , ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.slice(2, -2).split(" | "));
  process.stdout.write("Natively (wall time):\n\n");
  print(head, rows);
}

/** @param {string[]} args */
function inProcess(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/**
 * Returns the milliseconds of processor time for a full table of scores from 2 to 8.
 * @param {number} designs
 * @param {number} judges
 * @param {number} criteria
 * @param {string} name the input format
 */
function measure(designs, judges, criteria, name) {
  let state = 7;
  const score = () => {
    state = (state * 48271) % 2147483647;
    return Number((2 + (6 * state) / 2147483647).toFixed(1));
  };
  const rows = [];
  for (let design = 0; design < designs; design += 1) {
    for (let judge = 0; judge < judges; judge += 1) {
      for (let criterion = 0; criterion < criteria; criterion += 1) {
        rows.push({
          design: `d${design}`,
          reviewer: `r${judge}`,
          repeat: 1,
          dimension: `q${criterion}`,
          score: score(),
        });
      }
    }
  }
  const header = Object.keys(rows[0] ?? {}).join(",");
  const text =
    name === "csv"
      ? [header, ...rows.map((row) => Object.values(row).join(","))].join("\n")
      : JSON.stringify(rows);
  const core = new Core();
  core.asksForCalls(""); // loads the module
  const before = process.cpuUsage();
  const ranking = JSON.parse(core.rank({ table: { name: `scores.${name}`, text } }).json);
  const { user, system } = process.cpuUsage(before);
  if (ranking.rankings.length !== designs) throw new Error("a design is missing");
  return (user + system) / 1000;
}
