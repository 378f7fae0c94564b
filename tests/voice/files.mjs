// The files whose texts are checked: those of the project, committed or not.

import { execFileSync } from "node:child_process";

/** @param {string[]} patterns git's path patterns; if none, all files */
export const files = (...patterns) =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...patterns], {
    encoding: "utf8",
  })
    .split("\0")
    .filter((file) => file !== "");
