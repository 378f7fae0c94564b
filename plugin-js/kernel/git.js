/**
 * Runs git, without a shell and without anything in the environment that would change its behaviour: no other repository than
 * that of the directory, no user program that reports changed files, no prompts.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** Git failed. */
export class GitError extends Error {
  /**
   * @param {string[]} args
   * @param {string} stderr git's standard error
   * @param {string | number} code its exit code, or the system's code if it didn't run
   * @param {Buffer} [stdout] git's standard output
   */
  constructor(args, stderr, code, stdout = Buffer.alloc(0)) {
    super(
      `git ${args.find((arg) => !arg.startsWith("-") && !arg.includes("=")) ?? ""}: ${stderr.trim() || code}`,
    );
    this.name = "GitError";
    this.stderr = stderr;
    this.code = code;
    this.stdout = stdout;
  }
}

/**
 * The root of the repository around a directory; the directory itself outside of one.
 * @param {string} directory absolute
 */
export function repository(directory) {
  for (let at = directory; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at;
    if (at === path.dirname(at)) return directory;
  }
}

/** The variables that direct git to another repository, index or object store (`git rev-parse --local-env-vars`). */
const LEADS_ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|SHALLOW_FILE|IMPLICIT_WORK_TREE|INTERNAL_SUPER_PREFIX|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS|ATTR_SOURCE)$/;

/** Settings that keep git from missing a change or running a program while it checks. */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.ignoreStat=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.splitIndex=false",
  "core.sparseCheckout=false",
  "core.safecrlf=false",
  "core.hooksPath=/dev/null",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

/**
 * @param {string} directory absolute
 * @param {string[]} args
 * @param {{env?: Record<string, string>, input?: Buffer}} [options]
 * @returns {Promise<Buffer>} what git wrote on standard output; rejects with a {@link GitError}
 */
export function git(directory, args, { env = {}, input } = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !LEADS_ELSEWHERE.test(name));
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...SETTINGS, ...args], {
      cwd: directory,
      env: {
        ...Object.fromEntries(inherited),
        LC_ALL: "C",
        GIT_OPTIONAL_LOCKS: "0",
        GIT_TERMINAL_PROMPT: "0",
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    /** @type {Buffer[]} */
    const output = [];
    let complaint = "";
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    // Git may end before it has read everything: its exit code says why.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => {
      reject(
        new GitError(args, error.message, /** @type {NodeJS.ErrnoException} */ (error).code ?? "UNKNOWN"),
      );
    });
    child.on("close", (code, signal) => {
      const stdout = Buffer.concat(output);
      if (code === 0) resolve(stdout);
      else reject(new GitError(args, complaint, code ?? signal ?? "UNKNOWN", stdout));
    });
  });
}
