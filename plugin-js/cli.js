#!/usr/bin/env node
/**
 * The command line: what needs neither a model nor OpenCode. The result goes to stdout and nothing else does; problems
 * go to stderr, place first.
 *
 * Exit codes: 0 all is well, 1 a file can't be read or what it holds is wrong, 2 the command line is wrong.
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
import { Folder, StoreError } from "./kernel/door.js";
import { repository } from "./kernel/git.js";
import { readPlainBytes } from "./kernel/plain-file.js";
import { look, survey } from "./kernel/runs.js";
import { savedText } from "./kernel/saved-text.js";
import { replaceFile } from "./kernel/whole-file.js";
import { setupOf } from "./validation/check.js";
import { runsDirectory } from "./validation/runs.js";
import { report as reportAgain, verify as verifyEvidence } from "./validation/verify.js";

/** @typedef {import("./core/types.js").Problem} Problem */
/** @typedef {import("./core/types.js").NamedText} NamedText */

const HELP = `Design Lab: choose a software design by evidence.

usage: npx opencode-design-lab <command>

  rank FILE|RUN [--scale 1-5] [--rubric CONFIG] [--json]
                                rank scores or comparisons, no model asked
  report RUN [--out FILE]       make a run's report.html again
  open [RUN]                    show a run's report.html in the browser
  export [RUN] adr|markdown [--out FILE]
                                print the decision that a run leads to
  history [--json]              what all runs tell together: who designs well, who judges how, what it costs
  validate FILE… [--as KIND] [--scale 1-5]
                                check files
  schema [NAME]                 print a JSON Schema, or the names of all
  init [--models A,B,…]         write a commented configuration for the project in this directory
  flow status|show|verify [--session NAME] [--head HASH] [--run]
                                a session of Flow, and whether all is as its journal says
  validation status|report|verify [RUN] [--head HASH]
                                a run of Validation, its reports, and whether its evidence is what was seen
  validation check              what is wrong with .opencode/validation.jsonc, and what this machine lacks for it

  --help      this text, or more on a command: rank --help
  --version   the version

exit codes: 0 all is well; 1 a file can't be read, or what it holds is wrong; 2 this command line is wrong

Runs themselves start in OpenCode: /design-lab <task>.
`;

/** @type {Record<string, string>} */
const COMMAND_HELP = {
  rank: `usage: npx opencode-design-lab rank FILE|RUN [--scale 1-5] [--rubric CONFIG] [--json]

Ranks designs by what reviewers gave, people included, and says how sure the order is.

  FILE         CSV with the columns design,reviewer,repeat,dimension,score,
               or reviewer,repeat,first,second,verdict (first, second or tie); repeat may be left out;
               or a JSON array of objects with these keys; - reads standard input.
               A further column, author, says whose each design is, as the reviewers are called
  RUN          a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a part of its name
               that no other run has, such as rate-lim
  --scale A-B  the lowest and the highest score that FILE's reviewers could give; 0-10 where it isn't given
  --rubric CONFIG
               a configuration by whose scoring_criteria FILE was scored: what each dimension goes from and to, and its weight
  --json       print what a run writes into results/ranking.json

What a reviewer gives its own design does not count in the means. Without the column author, a reviewer with the id of a
design is taken for its author.

example: npx opencode-design-lab rank scores.csv --json
`,
  report: `usage: npx opencode-design-lab report RUN [--out FILE]

Makes the page on a run again, from its journal, and prints where it is. No model is asked and nothing else is changed.

  RUN         a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a part of its name that no
              other run has; it need not be over: the page then shows what the reviews so far say
  --out FILE  where it goes, - prints it; results/report.html of the run where it isn't given

example: npx opencode-design-lab report rate-limiter --out report.html
`,
  open: `usage: npx opencode-design-lab open [RUN]

Prints the address of the page on a run and has the system's browser show it. A page that isn't there, or isn't the one that the
journal gives, is made first.

  RUN  a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a part of its name that no other run has;
       the latest run where it isn't given

example: npx opencode-design-lab open rate-limiter
`,
  export: `usage: npx opencode-design-lab export [RUN] adr|markdown [--out FILE]

Prints the decision that a ranked run leads to, as a proposal for a project's records: what was asked, the designs, which came first
and why, how sure that is, what follows from it, and who disagrees. No model is asked.

  RUN         a run's directory, such as .design-lab/2026-11-20-rate-limiter, or a part of its name that no other run has;
              the latest run where it isn't given
  adr         an Architecture Decision Record, in the form of MADR 4
  markdown    the same, and below it the design that came first, whole
  --out FILE  where it goes

example: npx opencode-design-lab export rate-limiter adr --out docs/decisions/0007-rate-limiter.md
`,
  history: `usage: npx opencode-design-lab history [--json]

Tells what all runs of the project in this directory say of their models: who designs well, which reviewers agree with one another and
with people, who favours its own, what fails, what a job costs and takes. Each number has its interval at 95% and how much it is made
of. From five tasks on it proposes a panel. It changes nothing, and no model is asked.

  --json  for programs; \`version\` says of which format it is. Null is what the runs don't show

example: npx opencode-design-lab history
`,
  validate: `usage: npx opencode-design-lab validate FILE… [--as KIND] [--scale 1-5]

Checks files and says what is wrong: file:line:column, what was found, what is allowed, what to do.

  FILE         a configuration, a form that somebody filled in, or what a run writes; - reads standard input
  --as KIND    config, design, form, journal, ranking, review, score, table or task; by its content where it isn't given
  --scale A-B  the lowest and the highest score that a table may hold; 0-10 where it isn't given

A form is checked by the journal of its run where it lies in the run's directory; elsewhere only its shape can be checked.

example: npx opencode-design-lab validate .opencode/design-lab.jsonc
`,
  schema: `usage: npx opencode-design-lab schema [NAME]

Prints the JSON Schema of that name, for an editor or a program; without a name, the names of all.

example: npx opencode-design-lab schema config
`,
  init: `usage: npx opencode-design-lab init [--models A,B,…]

Writes .opencode/design-lab.jsonc: every setting, explained, with the value that holds anyway. An existing configuration is
never touched. In OpenCode, /design-lab-init does the same from the models that are connected there.

  --models A,B,…  who designs, by the names that \`opencode models\` prints; one alone designs under three briefs.
                  Left out, there is a place to fill them in, and until then they are chosen when a run begins

example: npx opencode-design-lab init --models anthropic/claude-opus-4-5,openai/gpt-5.1
`,
  flow: `usage: npx opencode-design-lab flow status|show|verify [--session NAME] [--head HASH] [--run]

Tells of a session of Flow in this directory's project, from its journal. No model is asked.

  status  where it stands
  show    its plan, evidence, reviews and history, as docs/index.md of the session has them
  verify  whether the journal is whole and each of its lines follows from those before it, whether the outputs of checks
          are those that were seen, and, once every feature is complete, whether the files here are those that were checked.
          Exit code 1 tells what differs

  --session NAME  the session, or a part of its name that no other has; the active one where it isn't given
  --head HASH     with verify: a head of the journal that somebody has noted; the journal has to go on from there
  --run           with verify, once every feature is complete: also runs every check of the plan again, in a clean copy of
                  these files, and tells what each showed then and shows now. The session stays as it is, and the copy goes.
                  It runs the commands that the journal names, as you: read them in a session that isn't yours

example: npx opencode-design-lab flow verify --head 3fa91c02d4b8a6e1 --run
`,
  validation: `usage: npx opencode-design-lab validation status|report|verify [RUN] [--head HASH]
       npx opencode-design-lab validation check

Tells of a run of Validation, from its journal, and of the settings. No model is asked, and nothing is started.

  status  where it stands
  report  makes FINAL-VALIDATION.md, FINAL-VALIDATION.json and report.html again, and prints where they are
  verify  whether the journal is whole and each of its lines follows from those before it, and whether the files of evidence
          are those that the run recorded, by their digests; and the verdict, computed again. Exit code 1 tells what differs
  check   what is wrong with .opencode/validation.jsonc of this directory, and whether Playwright Test and a browser are there

  RUN          a run's directory, such as .design-lab/validation/validate-20261122t223110z-a1b2, or a part of its name that no
               other run of this directory's project has; the latest where it isn't given
  --head HASH  with verify: a head of the journal that somebody has noted; the journal has to go on from there

example: npx opencode-design-lab validation verify a1b2 --head 3fa91c02d4b8a6e1
`,
};

/** Below a run's directory. */
const PAGE = "results/report.html";

const SCHEMAS = new URL("../schemas/", import.meta.url);

/** The command line is wrong: told in a sentence. */
class UsageError extends Error {}

const core = new Core();
const flowCore = new FlowCore();
const validationCore = new ValidationCore();

/** @type {Record<string, (args: string[], options: {json?: boolean, as?: string, out?: string, models?: string, scale?: string, rubric?: string, session?: string, head?: string, run?: boolean}) => Promise<string>>} */
const COMMANDS = { rank, report, open, export: exported, history, validate, schema, init, flow, validation };

/** @type {Record<string, {type: "boolean" | "string"}>} */
const OPTIONS = {
  as: { type: "string" },
  head: { type: "string" },
  help: { type: "boolean" },
  json: { type: "boolean" },
  models: { type: "string" },
  out: { type: "string" },
  rubric: { type: "string" },
  run: { type: "boolean" },
  scale: { type: "string" },
  session: { type: "string" },
  version: { type: "boolean" },
};

/** The options that each command takes. @type {Record<string, string[]>} */
const TAKES = {
  rank: ["json", "scale", "rubric"],
  report: ["out"],
  open: [],
  export: ["out"],
  history: ["json"],
  validate: ["as", "scale"],
  schema: [],
  init: ["models"],
  flow: ["session", "head", "run"],
  validation: ["head"],
};

/**
 * @param {string[]} argv
 * @returns {Promise<string>} what belongs on stdout
 */
async function run(argv) {
  const { values, positionals } = parsed(argv);
  const [name, ...args] = positionals;
  if (values.version) return `${core.version}\n`;
  if (name === undefined) {
    if (values.help) return HELP;
    throw new UsageError("a command is missing");
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new UsageError(`there is no command called ${name}; there are ${Object.keys(COMMANDS).join(", ")}`);
  }
  if (values.help) return COMMAND_HELP[name];
  for (const option of Object.keys(values)) {
    if (!TAKES[name].includes(option)) throw new UsageError(`${name} has no option --${option}`);
  }
  return COMMANDS[name](args, values);
}

/** @param {string[]} argv */
function parsed(argv) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    // Node's own sentence changes from version to version.
    const [, option] = /'(--?[^' ]+)/.exec(message) ?? [];
    throw new UsageError(
      code === "ERR_PARSE_ARGS_UNKNOWN_OPTION"
        ? `there is no option ${option}`
        : `the option ${option} can't be given like that`,
    );
  }
}

/**
 * @param {string[]} args
 * @param {{json?: boolean, scale?: string, rubric?: string}} options
 */
async function rank(args, { json, scale, rubric: named }) {
  if (args.length !== 1) throw new UsageError("rank takes one file or run");
  const rubric = named === undefined ? undefined : await read(named);
  const { json: data, text: table, notes } = core.rank({ ...(await given(args[0])), scale, rubric });
  if (!json) return [table, ...(notes ? [notes] : [])].map((part) => `${part}\n`).join("\n");
  // A program reads what goes to stdout.
  if (notes) process.stderr.write(`${notes}\n`);
  return `${data}\n`;
}

/**
 * What a file or a run's directory gives to rank by.
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
      "it holds neither journal.jsonl nor results",
      "Name a directory below .design-lab, or a CSV file.",
    );
  }
  return { journal, config, table };
}

/**
 * @param {string[]} args
 * @param {{out?: string}} options
 */
async function report(args, { out }) {
  if (args.length !== 1) throw new UsageError("report takes one run");
  const place = await placed(args[0]);
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
  if (args.length === 0 || args.length > 2) throw new UsageError("export takes a run and a form");
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
  if (args.length > 0) throw new UsageError("history takes no run: it is of all of them");
  const output = outputDirectoryOrUsual(core, readableSetup(here()), null);
  const told = core.history(await survey(core, path.resolve(output)), output);
  return `${json ? told.json : told.text}\n`;
}

/** The page on a run, from its journal. @param {string} place the run's directory */
async function pageOf(place) {
  return core.report(await journalOf(place));
}

/** @param {string} place the run's directory */
async function journalOf(place) {
  const journal = await readIfThere(place, "journal.jsonl");
  if (!journal) throw noRun(place, "it holds no journal.jsonl", "Name a directory below .design-lab.");
  return journal;
}

/** @param {string[]} args */
async function open(args) {
  if (args.length > 1) throw new UsageError("open takes one run");
  const place = await placed(args[0] ?? "");
  const run = new Folder(path.resolve(place));
  // What lies there may be anybody's: only the page that the journal gives is shown.
  const made = await pageOf(place);
  const there = (await run.status(PAGE)) ? (await run.read(PAGE)).toString("utf8") : undefined;
  if (there !== made) await run.write(PAGE, made);
  const page = run.file(PAGE);
  // Whatever becomes of the browser, a terminal makes it something to click on.
  process.stdout.write(`${pathToFileURL(page)}\n`);
  const why = await shown(page);
  if (why !== undefined) {
    const message = `No browser could be opened: ${why}.`;
    throw new DesignLabError([{ code: "cli.no-browser", message, next: "Open the address above yourself." }]);
  }
  return "";
}

/** What opens a file with the program that the user has for it. @type {Partial<Record<NodeJS.Platform, string[]>>} */
const OPENERS = { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] };

/**
 * Has the system's browser show a page. What it says goes to stderr.
 * @param {string} page absolute
 * @returns {Promise<string | undefined>} why it couldn't be; undefined where nothing is known against it
 */
async function shown(page) {
  const [program = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(program, [...args, page], { stdio: ["inherit", process.stderr, "inherit"] });
  try {
    const [code, signal] = await once(opener, "exit");
    return code === 0 ? undefined : `${program} ended ${signal ? `by ${signal}` : `with ${code}`}`;
  } catch (error) {
    return `${program} can't be run (${/** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN"})`;
  }
}

/**
 * A file or a run's directory, as named, or else the run that is meant; of nothing, the latest run.
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
    { code: "cli.no-run", message: `${place} is no run's directory: ${why}.`, next },
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
        throw new UsageError(`--scale is for tables, and ${core.visible(name)} is a ${kind}`);
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
 * What helps to check a file: the schema of its kind, or of a form the journal of its run.
 * @param {string} name of the file, or -
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
    throw new UsageError(`there is no schema called ${name}; there are ${names.join(", ")}`);
  }
  return readSchema(name);
}

/**
 * @param {string[]} args
 * @param {{models?: string}} options
 */
async function init(args, { models = "" }) {
  if (args.length > 0) throw new UsageError("init takes no file; name models by --models");
  const place = here();
  return `${await writeStarter(core, place.project, wholeSetup(place), null, models)}\n`;
}

/**
 * @param {string[]} args
 * @param {{session?: string, head?: string, run?: boolean}} options
 */
async function flow(args, { session, head, run = false }) {
  const [what, ...more] = args;
  if (!["status", "show", "verify"].includes(what) || more.length > 0) {
    throw new UsageError("flow takes one of status, show, verify");
  }
  if (what !== "verify") {
    if (head !== undefined) throw new UsageError(`flow ${what} has no option --head`);
    if (run) throw new UsageError(`flow ${what} has no option --run`);
  }
  const { project } = here();
  const sessions = sessionsDirectory(project);
  const name =
    session === undefined
      ? await activeSession(flowCore, project)
      : flowCore.toShow(session, await survey(flowCore, sessions));
  if (what === "verify") {
    const output = outputDirectoryOrUsual(core, readableSetup(here()), null);
    return verify({ core: flowCore, project, outputs: [path.resolve(output)] }, name, head, run);
  }
  return look(flowCore, sessions, name, (handle, found) => {
    if (what === "status") return `${flowCore.status(handle, found, Date.now(), false)}\n`;
    const files = new Map(flowCore.files(handle));
    return files.get("docs/index.md") ?? "";
  });
}

/**
 * @param {string[]} args
 * @param {{head?: string}} options
 */
async function validation(args, { head }) {
  const [what, named, ...more] = args;
  const isOfSettings = what === "check" && named === undefined;
  if ((!isOfSettings && !["status", "report", "verify"].includes(what)) || more.length > 0) {
    throw new UsageError("validation takes one of status, report, verify, and a run, or check");
  }
  if (what !== "verify" && head !== undefined) {
    throw new UsageError(`validation ${what} has no option --head`);
  }
  if (isOfSettings) return `${core.visible(await checkSettings())}\n`;
  const { place, name } = await validationNamed(named);
  const runs = path.resolve(place);
  switch (what) {
    case "status":
      return look(validationCore, runs, name, (run, found) => `${validationCore.status(run, found)}\n`);
    case "report": {
      const files = await reportAgain(validationCore, runs, name);
      return files.map((file) => `${core.visible(path.join(place, name, file))}\n`).join("");
    }
    default:
      return verifyEvidence(validationCore, runs, name, head);
  }
}

/** What is understood of the settings of Validation. Throws a `DesignLabError` with all that is wrong. */
async function checkSettings() {
  return validationCore.check(await setupOf({ core: validationCore, project: here().project }));
}

/**
 * A run of Validation, by its directory or by a part of its name.
 * @param {string | undefined} named
 * @returns {Promise<{place: string, name: string}>} the directory that it is in, and what it is called there
 */
async function validationNamed(named) {
  if (named !== undefined && (await isDirectory(named))) {
    const whole = path.resolve(named);
    return { place: path.relative(".", path.dirname(whole)), name: path.basename(whole) };
  }
  const { project } = here();
  const place = path.relative(project, runsDirectory(project));
  // Refuses links on the way: what is written goes into the project.
  await new Folder(project, place.replaceAll(path.sep, "/")).entries();
  return {
    place,
    name: validationCore.toShow(named ?? "", await survey(validationCore, path.resolve(place))),
  };
}

/** Where configurations are looked for. */
function here() {
  const project = process.cwd();
  return { core, project, worktree: repository(project) };
}

/** @param {string} name */
function readSchema(name) {
  return readFile(new URL(`${name}.json`, SCHEMAS), "utf8");
}

/** More than any file has that these commands read, in bytes. */
const LONGEST_FILE = 256 << 20;

/** Why a file can't be read, by the system's code or the reader's (kernel/plain-file.js). @type {Record<string, string>} */
const UNREADABLE = {
  ENOENT: "There is no such file",
  NOT_A_FILE: "This is a pipe, a socket or a device, not a file; - reads standard input",
  TOO_LARGE: "The file is larger than 256 MB",
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
    throw new DesignLabError([{ code: "cli.unreadable", message: `${message}.`, file: name }]);
  }
}

/**
 * Puts a file into its place at once, so that nobody opens half of it.
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
        next: "Name another by --out.",
      },
    ]);
  }
}

/**
 * What a run has under a name; the run may come from elsewhere.
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

// A reader that has seen enough, such as head, is no fault.
process.stdout.on("error", (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPIPE") throw error;
});

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(
      `opencode-design-lab: ${core.visible(error.message)}\nSee npx opencode-design-lab --help.\n`,
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
