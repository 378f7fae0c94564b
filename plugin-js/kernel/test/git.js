// Git for tests: nobody's settings, one author, and no maintenance in the background that would change what a test looks at.

import { execFileSync } from "node:child_process";

export const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false",
  GIT_AUTHOR_NAME: "user",
  GIT_AUTHOR_EMAIL: "user@example.org",
  GIT_COMMITTER_NAME: "user",
  GIT_COMMITTER_EMAIL: "user@example.org",
};

/**
 * Runs git.
 * @param {string} cwd absolute
 * @param {string[]} args
 * @returns {string} its output
 */
export const git = (cwd, ...args) => execFileSync("git", args, { cwd, env: ENVIRONMENT, encoding: "utf8" });
