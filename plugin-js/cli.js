#!/usr/bin/env node
/**
 * The command line: everything that needs neither a model nor OpenCode. Only results go to stdout; problems go to stderr, location
 * first.
 *
 * Exit codes: 0 success, 1 a file can't be read or is wrong, 2 the command line is wrong.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Core } from "./core/design-lab.js";
import { FlowCore } from "./core/flow.js";
import { DesignLabError } from "./core/load.js";
import { ValidationCore } from "./core/validation.js";
import { outputDirectoryOrUsual, readableSetup, wholeSetup } from "./design-lab/configuration.js";
import { writeStarter } from "./design-lab/init.js";
import { activeSession, sessionsDirectory } from "./flow/sessions.js";
import { verify } from "./flow/verify.js";
import { CiFiles, prefixOf } from "./kernel/ci-files.js";
import { Folder, StoreError } from "./kernel/door.js";
import { repository } from "./kernel/git.js";
import { readPlainBytes } from "./kernel/plain-file.js";
import { problemsOf } from "./kernel/problems.js";
import { look, survey } from "./kernel/runs.js";
import { savedText } from "./kernel/saved-text.js";
import { replaceFile } from "./kernel/whole-file.js";
import { setupOf } from "./validation/check.js";
import { runsDirectory } from "./validation/runs.js";
import { report as reportAgain, verify as verifyEvidence } from "./validation/verify.js";

/** @typedef {import("./core/types.js").Problem} Problem */
/** @typedef {import("./core/types.js").NamedText} NamedText */
/** @typedef {import("./kernel/ci-files.js").Names} CiNames */

const HELP = `Design Lab compares software designs, builds the one you choose, and tests it.

usage: npx opencode-design-lab <command>

  rank FILE|RUN [--scale 1-5] [--rubric CONFIG] [--json]
                                rank scores or comparisons
  report RUN [--out FILE]       write a run's report.html again
  open [RUN]                    show a run's report.html in the browser
  export [RUN] adr|markdown [--out FILE]
                                print the decision of a run
  history [--json]              show what the runs say about their models: who designs well, how reviewers judge, what calls cost
  validate FILE… [--as KIND] [--scale 1-5]
                                check files
  schema [NAME]                 print a JSON Schema, or list the names of all schemas
  init [--models A,B,…]         write a commented configuration for the project in this directory
  flow status|show|verify [--session NAME] [--head HASH] [--run] [--junit FILE] [--sarif FILE] [--summary FILE]
                                show a Flow session, or check it against its journal
  validation status|report|verify [RUN] [--head HASH] [--junit FILE] [--sarif FILE] [--summary FILE]
                                show a validation, write its reports again, or check its evidence
  validation check              check .opencode/validation.jsonc, and whether this machine has what a validation needs

  --help      print this text, or more about a command: rank --help
  --version   print the version

exit codes: 0 success; 1 a file can't be read or is wrong; 2 the command line is wrong

No command here calls a model. Runs start in OpenCode: /design-lab <task>.
`;

/** The options of `verify` for build servers, in the help of its commands. */
const CI_OPTIONS = `  --junit FILE    with verify: also writes JUnit XML, with each criterion and check as a test
  --sarif FILE    with verify: also writes SARIF 2.1.0, with a result for each failure and difference
  --summary FILE  with verify: also writes Markdown with a table of the criteria, such as for the summary of a GitHub step
`;

/** @typedef {keyof typeof COMMAND_HELP} Command */

const COMMAND_HELP = {
  rank: `usage: npx opencode-design-lab rank FILE|RUN [--scale 1-5] [--rubric CONFIG] [--json]

Ranks designs by reviewers' scores or comparisons, and shows how certain the order is.

  FILE         a CSV file, a JSON array of objects with the same keys, or - for standard input.
               Columns for scores: design,reviewer,dimension,score.
               Columns for comparisons: reviewer,first,second,verdict (first, second or tie).
               Optional: repeat, and author, the reviewer who wrote the design
  RUN          a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a unique part of its name,
               such as rate-lim
  --scale A-B  the lowest and the highest possible score in FILE; 0-10 by default
  --rubric CONFIG
               the configuration with the scoring_criteria that these scores follow: the range and weight of each dimension
  --json       print what a run writes to results/ranking.json

The means leave out a reviewer's scores for its own design. Without the column author, a reviewer with the id of a design counts
as its author.

example: npx opencode-design-lab rank scores.csv --json
`,
  report: `usage: npx opencode-design-lab report RUN [--out FILE]

Writes the page of a run again, from its journal, and prints its path. Changes nothing else.

  RUN         a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a unique part of its name;
              the page of an unfinished run shows the reviews so far
  --out FILE  the file to write, or - to print the page; results/report.html of the run by default

example: npx opencode-design-lab report rate-limiter --out report.html
`,
  open: `usage: npx opencode-design-lab open [RUN]

Prints the address of a run's page and opens it in the system's browser. Writes the page first if it is missing or differs from the
journal.

  RUN  a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a unique part of its name; the latest run by default

example: npx opencode-design-lab open rate-limiter
`,
  export: `usage: npx opencode-design-lab export [RUN] adr|markdown [--out FILE]

Prints the decision of a ranked run, as a proposal for a project's records: the task, the designs, which one came first and why, how
certain that is, the consequences, and who disagrees.

  RUN         a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a unique part of its name; the latest run by default
  adr         an Architecture Decision Record, in the form of MADR 4
  markdown    the same, followed by the complete winning design
  --out FILE  the file to write; without this option, the decision is printed

example: npx opencode-design-lab export rate-limiter adr --out docs/decisions/0007-rate-limiter.md
`,
  history: `usage: npx opencode-design-lab history [--json]

Shows what all runs of the project in this directory say about their models: who designs well, which reviewers agree with each other and
with people, who favours its own vendor, what fails, and what a job costs. Each number has a 95% interval and the number of cases behind
it. After five tasks, the history also proposes designers and reviewers. Changes nothing.

  --json  print JSON; \`version\` is the version of its format. A value is null if no run shows it

example: npx opencode-design-lab history
`,
  validate: `usage: npx opencode-design-lab validate FILE… [--as KIND] [--scale 1-5]

Checks files and prints each problem with its place, what was found, what is allowed, and often what to do.

  FILE         a configuration, a completed form, or a file of a run; - reads standard input
  --as KIND    config, design, form, journal, map, ranking, review, score, table or task; by default, detected from the content
  --scale A-B  the lowest and the highest possible score in a table; 0-10 by default

A form in its run's directory is checked against the run's journal; elsewhere only its format can be checked.

example: npx opencode-design-lab validate .opencode/design-lab.jsonc
`,
  schema: `usage: npx opencode-design-lab schema [NAME]

Prints the JSON Schema with this name, for an editor or a program. Without a name, lists the names of all schemas.

example: npx opencode-design-lab schema config
`,
  init: `usage: npx opencode-design-lab init [--models A,B,…]

Writes .opencode/design-lab.jsonc: every setting, explained, with its default value. Never changes an existing configuration. In
OpenCode, /design-lab-init does the same with the connected models.

  --models A,B,…  the designers, by the names that \`opencode models\` prints; a single model writes three designs, each with its own brief.
                  Without this option, the file leaves the models open, and each run chooses them when it starts

example: npx opencode-design-lab init --models anthropic/claude-opus-4-5,openai/gpt-5.1
`,
  flow: `usage: npx opencode-design-lab flow status|show|verify [--session NAME] [--head HASH] [--run]
                                    [--junit FILE] [--sarif FILE] [--summary FILE]

Shows a Flow session of the project in this directory, from its journal.

  status  shows the session's state
  show    prints the session's docs/index.md: its plan, evidence, reviews and history
  verify  checks that the journal is complete and each line is chained to the one before, that the outputs of checks are unchanged,
          and, once every feature is complete, that the files here are the ones that were checked. Exits with code 1 if anything differs

  --session NAME  the session, or a unique part of its name; the active one by default
  --head HASH     with verify: a hash of the journal that you noted earlier; fails if the journal doesn't continue from it
  --run           with verify, once every feature is complete: also runs every check of the plan again, in a clean copy of these
                  files, and compares the results. The session stays unchanged, and the copy is removed.
                  This runs the commands in the journal with your rights: read them first if the session isn't yours
${CI_OPTIONS}
example: npx opencode-design-lab flow verify --head 3fa91c02d4b8a6e1 --run --junit results.xml
`,
  validation: `usage: npx opencode-design-lab validation status|report|verify [RUN] [--head HASH]
                                          [--junit FILE] [--sarif FILE] [--summary FILE]
       npx opencode-design-lab validation check

Shows a validation from its journal, or checks the settings. Starts nothing.

  status  shows the validation's state
  report  writes FINAL-VALIDATION.md, FINAL-VALIDATION.json and report.html again, and prints their paths
  verify  checks that the journal is complete, each line is chained to the one before, and the evidence is unchanged. Computes the
          verdict again.
          Exits with code 1 if anything differs
  check   checks .opencode/validation.jsonc of this directory, and whether Playwright Test and a browser are installed

  RUN          a run's directory, such as .design-lab/validation/validate-20261122t223110z-a1b2, or a unique part of its name;
               the latest run by default
  --head HASH  with verify: a hash of the journal that you noted earlier; fails if the journal doesn't continue from it
${CI_OPTIONS}
example: npx opencode-design-lab validation verify a1b2 --head 3fa91c02d4b8a6e1
`,
};

/** The page's path within a run's directory. */
const PAGE = "results/report.html";

const SCHEMAS = new URL("../schemas/", import.meta.url);

/** An error in the command line; the message explains it in one sentence. */
class UsageError extends Error {}

const core = new Core();
const flowCore = new FlowCore();
const validationCore = new ValidationCore();

/** @type {Record<Command, (args: string[], options: {json?: boolean, as?: string, out?: string, models?: string, scale?: string, rubric?: string, session?: string, head?: string, run?: boolean, junit?: string, sarif?: string, summary?: string}) => Promise<string>>} */
const COMMANDS = { rank, report, open, export: exported, history, validate, schema, init, flow, validation };

/** @type {Record<string, {type: "boolean" | "string"}>} */
const OPTIONS = {
  as: { type: "string" },
  head: { type: "string" },
  help: { type: "boolean" },
  json: { type: "boolean" },
  junit: { type: "string" },
  models: { type: "string" },
  out: { type: "string" },
  rubric: { type: "string" },
  run: { type: "boolean" },
  sarif: { type: "string" },
  scale: { type: "string" },
  session: { type: "string" },
  summary: { type: "string" },
  version: { type: "boolean" },
};

/** The options of each command. @type {Record<Command, string[]>} */
const TAKES = {
  rank: ["json", "scale", "rubric"],
  report: ["out"],
  open: [],
  export: ["out"],
  history: ["json"],
  validate: ["as", "scale"],
  schema: [],
  init: ["models"],
  flow: ["session", "head", "run", "junit", "sarif", "summary"],
  validation: ["head", "junit", "sarif", "summary"],
};

/**
 * @param {string[]} argv
 * @returns {Promise<string>} the text for stdout
 */
async function run(argv) {
  const { values, positionals } = parsed(argv);
  const [name, ...args] = positionals;
  if (values.version) return `${core.version}\n`;
  if (name === undefined) {
    if (values.help) return HELP;
    throw new UsageError("name a command");
  }
  if (!isCommand(name)) {
    throw new UsageError(`there is no command ${name}; the commands are ${Object.keys(COMMANDS).join(", ")}`);
  }
  if (values.help) return COMMAND_HELP[name];
  for (const option of Object.keys(values)) {
    if (TAKES[name].includes(option)) continue;
    const its = TAKES[name].map((one) => `--${one}`).join(", ");
    throw new UsageError(
      its
        ? `${name} has no option --${option}; it has ${its}`
        : `${name} takes no options, but got --${option}`,
    );
  }
  return COMMANDS[name](args, values);
}

/** @param {string} name @returns {name is Command} */
function isCommand(name) {
  return Object.hasOwn(COMMANDS, name);
}

/** @param {string[]} argv */
function parsed(argv) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    // Node's own message changes from version to version.
    const [, option = ""] = /'(--?[^' ]+)/.exec(message) ?? [];
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw new UsageError(`there is no option ${option}`);
    const needs = OPTIONS[option.replace(/^--/, "")]?.type === "string" ? "needs a value" : "takes no value";
    throw new UsageError(`the option ${option} ${needs}`);
  }
}

/**
 * @param {string[]} args
 * @param {{json?: boolean, scale?: string, rubric?: string}} options
 */
async function rank(args, { json, scale, rubric: named }) {
  const [file, ...more] = args;
  if (file === undefined || more.length > 0) throw new UsageError("rank takes one file or run");
  const rubric = named === undefined ? undefined : await read(named);
  const { json: data, text: table, notes } = core.rank({ ...(await given(file)), scale, rubric });
  if (!json) return [table, ...(notes ? [notes] : [])].map((part) => `${part}\n`).join("\n");
  // Programs read stdout.
  if (notes) process.stderr.write(`${notes}\n`);
  return `${data}\n`;
}

/**
 * Returns the input for a ranking from a file or a run's directory.
 * @param {string} name
 * @returns {Promise<import("./core/types.js").RankInput>}
 */
async function given(name) {
  if (name === "-") return { table: await read(name) };
  const place = await placed(name);
  if (!(await isDirectory(place))) return { table: await read(place) };
  const [journal, config, scores, comparisons] = await Promise.all(
    ["journal.jsonl", "config.json", "results/scores.csv", "results/comparisons.csv"].map((file) =>
      readIfThere(place, file),
    ),
  );
  const table = scores ?? comparisons;
  if (!journal && !table) {
    throw noRun(
      place,
      "it contains neither journal.jsonl nor results",
      "Name a run, such as .design-lab/2026-11-20-rate-limiter, or a CSV file.",
    );
  }
  return { journal, config, table };
}

/**
 * @param {string[]} args
 * @param {{out?: string}} options
 */
async function report(args, { out }) {
  const [named, ...more] = args;
  if (named === undefined || more.length > 0) throw new UsageError("report takes one run");
  const place = await placed(named);
  const page = await pageOf(place);
  if (out === "-") return page;
  if (out !== undefined) {
    await write(out, page);
    return `${core.visible(out)}\n`;
  }
  await new Folder(path.resolve(place)).write(PAGE, page);
  return `${core.visible(path.join(place, PAGE))}\n`;
}

/**
 * @param {string[]} args
 * @param {{out?: string}} options
 */
async function exported(args, { out }) {
  const [form = "", name = ""] = args.toReversed();
  if (args.length === 0 || args.length > 2) throw new UsageError("export needs a format: adr or markdown");
  const { text: journal } = await journalOf(await placed(name));
  const { handle } = core.replayRun(journal);
  const [, decision] = core.decision(handle, form);
  if (out === undefined) return decision;
  await write(out, decision);
  return `${core.visible(out)}\n`;
}

/**
 * @param {string[]} args
 * @param {{json?: boolean}} options
 */
async function history(args, { json }) {
  if (args.length > 0) throw new UsageError("history takes no run: it covers all runs");
  const output = outputDirectoryOrUsual(core, readableSetup(here()), null);
  const wording = core.history(await survey(core, path.resolve(output)), output);
  return `${json ? wording.json : wording.text}\n`;
}

/** Returns the page of a run, from its journal. @param {string} place the run's directory */
async function pageOf(place) {
  return core.report(await journalOf(place));
}

/** @param {string} place the run's directory */
async function journalOf(place) {
  const journal = await readIfThere(place, "journal.jsonl");
  if (!journal)
    throw noRun(
      place,
      "it contains no journal.jsonl",
      "Name a run, such as .design-lab/2026-11-20-rate-limiter.",
    );
  return journal;
}

/** @param {string[]} args */
async function open(args) {
  if (args.length > 1) throw new UsageError("open takes one run");
  const place = await placed(args[0] ?? "");
  const run = new Folder(path.resolve(place));
  // An existing page may come from anyone: only the page that the journal yields is shown.
  const made = await pageOf(place);
  const there = (await run.status(PAGE)) ? (await run.read(PAGE)).toString("utf8") : undefined;
  if (there !== made) await run.write(PAGE, made);
  const page = run.file(PAGE);
  // Even if no browser opens, a terminal makes the address clickable.
  process.stdout.write(`${pathToFileURL(page)}\n`);
  const why = await shown(page);
  if (why !== undefined) {
    const message = `No browser could be opened: ${why}.`;
    throw new DesignLabError([{ code: "cli.no-browser", message, next: "Open the address above yourself." }]);
  }
  return "";
}

/** The system's command that opens a file with the user's default program. @type {Partial<Record<NodeJS.Platform, string[]>>} */
const OPENERS = { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] };

/**
 * Shows a page in the system's browser. The program's output goes to stderr.
 * @param {string} page absolute
 * @returns {Promise<string | undefined>} why it failed; `undefined` on success
 */
async function shown(page) {
  const [program = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(program, [...args, page], { stdio: ["inherit", process.stderr, "inherit"] });
  try {
    const [code, signal] = await once(opener, "exit");
    return code === 0
      ? undefined
      : `${program} ${signal ? `was ended by ${signal}` : `exited with code ${code}`}`;
  } catch (error) {
    return `${program} can't be run (${/** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN"})`;
  }
}

/**
 * Returns the path of a file or a run's directory if it exists, otherwise of the run with that name; for an empty name, the latest run.
 * @param {string} name
 */
async function placed(name) {
  if (name !== "" && (await exists(name))) return name;
  const output = outputDirectoryOrUsual(core, readableSetup(here()), null);
  const runs = await survey(core, path.resolve(output));
  return runs.length === 0 && name !== "" ? name : path.join(output, core.choose("file", name, runs).name);
}

/**
 * @param {string} place
 * @param {string} why
 * @param {string} next
 */
function noRun(place, why, next) {
  return new DesignLabError([
    { code: "cli.no-run", message: `${place} is not a run's directory: ${why}.`, next },
  ]);
}

/**
 * @param {string[]} args
 * @param {{as?: string, scale?: string}} options
 */
async function validate(args, { as, scale }) {
  if (args.length === 0) throw new UsageError("validate takes one or more files");
  let out = "";
  /** @type {Problem[]} */
  const problems = [];
  for (const name of args) {
    try {
      const file = await read(name);
      const kind = core.recognise(file, as);
      if (scale !== undefined && kind !== "table") {
        throw new UsageError(`--scale applies only to tables, and ${core.visible(name)} is a ${kind}`);
      }
      const found = core.validate(file, kind, scale ?? (await beside(name, kind)));
      if (found.length === 0) out += `${core.visible(name)}: ${kind}, valid\n`;
      problems.push(...found);
    } catch (error) {
      if (!(error instanceof DesignLabError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw Object.assign(new DesignLabError(problems), { out });
  return out;
}

/**
 * Returns what is needed to check a file: the schema of its kind, or, for a form, the journal of its run.
 * @param {string} name of the file, or - for standard input
 * @param {import("./core/types.js").Kind} kind
 */
async function beside(name, kind) {
  if (kind === "journal" || kind === "table") return "";
  if (kind !== "form") return readSchema(kind);
  if (name === "-") return "";
  const journal = await readIfThere(path.join(path.dirname(name), ".."), "journal.jsonl");
  return journal?.text ?? "";
}

/** @param {string[]} args */
async function schema(args) {
  const files = await readdir(SCHEMAS);
  const names = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5));
  names.sort();
  const [name] = args;
  if (args.length > 1) throw new UsageError("schema takes one name");
  if (name === undefined) return `${names.join("\n")}\n`;
  if (!names.includes(name)) {
    throw new UsageError(`there is no schema ${name}; the schemas are ${names.join(", ")}`);
  }
  return readSchema(name);
}

/**
 * @param {string[]} args
 * @param {{models?: string}} options
 */
async function init(args, { models = "" }) {
  if (args.length > 0) throw new UsageError("init takes no file; name models with --models");
  const place = here();
  return `${await writeStarter(core, place.project, wholeSetup(place), null, models)}\n`;
}

/**
 * @param {string[]} args
 * @param {{session?: string, head?: string, run?: boolean} & CiNames} options
 */
async function flow(args, options) {
  const { session, head, run = false } = options;
  const [what = "", ...more] = args;
  if (!["status", "show", "verify"].includes(what)) {
    throw new UsageError("flow needs one of status, show, verify");
  }
  if (more.length > 0) throw new UsageError(`flow ${what} takes no name; --session names a session`);
  if (what !== "verify") onlyOfVerify(`flow ${what}`, "flow verify", options);
  const { project } = here();
  const sessions = sessionsDirectory(project);
  const named = async () =>
    session === undefined
      ? activeSession(flowCore, project)
      : flowCore.toShow(session, await survey(flowCore, sessions));
  if (what === "verify") {
    const output = outputDirectoryOrUsual(core, readableSetup(here()), null);
    const place = { core: flowCore, project, outputs: [path.resolve(output)] };
    return forBuildServers("Flow", options, async (report) =>
      verify(place, await named(), { head, run, report }),
    );
  }
  return look(flowCore, sessions, await named(), (handle, found) => {
    if (what === "status") return `${flowCore.status(handle, found, Date.now(), false)}\n`;
    const files = new Map(flowCore.files(handle));
    return files.get("docs/index.md") ?? "";
  });
}

/**
 * @param {string[]} args
 * @param {{head?: string} & CiNames} options
 */
async function validation(args, options) {
  const { head } = options;
  const [what = "", named, ...more] = args;
  const isOfSettings = what === "check" && named === undefined;
  if ((!isOfSettings && !["status", "report", "verify"].includes(what)) || more.length > 0) {
    throw new UsageError(
      "validation needs one of status, report, verify, each with an optional RUN; or check",
    );
  }
  if (what !== "verify") onlyOfVerify(`validation ${what}`, "validation verify", options);
  if (isOfSettings) return `${core.visible(await checkSettings())}\n`;
  if (what === "verify") {
    return forBuildServers("Validation", options, async (report) => {
      const { place, name } = await validationNamed(named);
      return verifyEvidence(validationCore, path.resolve(place), name, head, report);
    });
  }
  const { place, name } = await validationNamed(named);
  const runs = path.resolve(place);
  if (what === "status") {
    return look(validationCore, runs, name, (run, found) => `${validationCore.status(run, found)}\n`);
  }
  const files = await reportAgain(validationCore, runs, name);
  return files.map((file) => `${core.visible(path.join(place, name, file))}\n`).join("");
}

/**
 * Refuses options that only `verify` has.
 * @param {string} command
 * @param {string} verifies the command that has them
 * @param {Record<string, unknown>} options
 */
function onlyOfVerify(command, verifies, options) {
  const option = ["head", "run", "junit", "sarif", "summary"].find((name) => options[name] !== undefined);
  if (option) throw new UsageError(`${command} has no option --${option}; ${verifies} has it`);
}

/**
 * Performs a verification and writes the files for build servers, even if it fails.
 * @param {"Flow" | "Validation"} workflow
 * @param {CiNames} options
 * @param {(report: (texts: import("./core/types.js").CiTexts) => Promise<void>) => Promise<string>} perform
 */
function forBuildServers(workflow, { junit, sarif, summary }, perform) {
  const files = new CiFiles({ junit, sarif, summary });
  if (files.twice) throw new UsageError(`--${files.twice} names the same file as another option`);
  if (!files.wanted) return perform(async () => {});
  return files.around(perform, (error) => {
    if (!(error instanceof DesignLabError || error instanceof StoreError)) return undefined;
    const problems = problemsOf(flowCore, error);
    const given = { problems, changed: [], prefix: prefixOf(process.cwd()), package: core.version };
    return core.ciOfProblems(workflow, given);
  });
}

/** Returns a summary of Validation's settings. Throws a `DesignLabError` with everything that is wrong. */
async function checkSettings() {
  return validationCore.check(await setupOf({ core: validationCore, project: here().project }));
}

/**
 * Finds a run of Validation by its directory or by a part of its name.
 * @param {string | undefined} named
 * @returns {Promise<{place: string, name: string}>} the directory that contains it, and its name there
 */
async function validationNamed(named) {
  if (named !== undefined && (await isDirectory(named))) {
    const whole = path.resolve(named);
    return { place: path.relative(".", path.dirname(whole)), name: path.basename(whole) };
  }
  const { project } = here();
  const place = path.relative(project, runsDirectory(project));
  // Refuses links on the way: output must stay in the project.
  await new Folder(project, place.replaceAll(path.sep, "/")).entries();
  return {
    place,
    name: validationCore.toShow(named ?? "", await survey(validationCore, path.resolve(place))),
  };
}

/** Returns where to look for configurations. */
function here() {
  const project = process.cwd();
  return { core, project, worktree: repository(project) };
}

/** @param {string} name */
function readSchema(name) {
  return readFile(new URL(`${name}.json`, SCHEMAS), "utf8");
}

/** A limit above the size of any file that these commands read, in bytes. */
const LONGEST_FILE = 256 << 20;

/** Why a file can't be read, by the system's error code or the reader's (kernel/plain-file.js). @type {Record<string, string>} */
const UNREADABLE = {
  ENOENT: "There is no such file",
  NOT_A_FILE: "This is a pipe, a socket or a device, not a file",
  TOO_LARGE: "The file is larger than 256 MB",
};

/** What to do then, if not to check the path. @type {Record<string, string>} */
const INSTEAD = {
  NOT_A_FILE: "Name a file, or - to read standard input.",
  TOO_LARGE: "Name a smaller file.",
};

/**
 * @param {string} name
 * @returns {Promise<NamedText>}
 */
async function read(name) {
  if (name === "-") return { name: "standard input", text: await text(process.stdin) };
  try {
    const bytes = readPlainBytes(name, LONGEST_FILE);
    return { name, text: name.endsWith(".csv") ? savedText(bytes) : bytes.toString("utf8") };
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN";
    const message = UNREADABLE[code] ?? `The file can't be read (${code})`;
    throw new DesignLabError([
      {
        code: "cli.unreadable",
        message: `${message}.`,
        file: name,
        next: INSTEAD[code] ?? "Check the path and its permissions.",
      },
    ]);
  }
}

/**
 * Replaces a file atomically, so that no reader sees half of it.
 * @param {string} file
 * @param {string} text
 */
async function write(file, text) {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await replaceFile(path.resolve(file), text);
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN";
    throw new DesignLabError([
      {
        code: "cli.unwritable",
        message: `The file can't be written (${code}).`,
        file,
        next: "Name another file with --out.",
      },
    ]);
  }
}

/**
 * Returns a file of a run, or `undefined` if it doesn't exist; the run may come from elsewhere.
 * @param {string} place the run's directory
 * @param {string} name
 * @returns {Promise<NamedText | undefined>}
 */
async function readIfThere(place, name) {
  const run = new Folder(path.resolve(place));
  if (!(await run.status(name))) return undefined;
  return { name: path.join(place, name), text: (await run.read(name)).toString("utf8") };
}

/** @param {string} name */
function exists(name) {
  return stat(name).then(
    () => true,
    () => false,
  );
}

/** @param {string} name */
function isDirectory(name) {
  return stat(name).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on("error", (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPIPE") throw error;
});

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  if (error instanceof UsageError) {
    const command = process.argv.slice(2).find(isCommand);
    const help = command ? `${command} --help` : "--help";
    process.stderr.write(
      `opencode-design-lab: ${core.visible(error.message)}\nSee npx opencode-design-lab ${help}.\n`,
    );
    process.exitCode = 2;
  } else if (error instanceof DesignLabError) {
    process.stdout.write(/** @type {{out?: string}} */ (error).out ?? "");
    process.stderr.write(`${core.diagnose(error.problems)}\n`);
    process.exitCode = 1;
  } else if (error instanceof StoreError) {
    process.stderr.write(`${core.diagnose([core.diskProblem(error.file, error.code, error.deed)])}\n`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
