/**
 * Progress for `opencode run`, which shows nothing of the live message: lines on standard error as things happen, the
 * result on standard output. In the TUI and in a server both belong to OpenCode, and nothing is written.
 */
import { isMainThread } from "node:worker_threads";

export class Terminal {
  #json;

  /** @param {string[]} argv */
  constructor(argv) {
    this.#json = argv.some(
      (word, index) => word === "--format=json" || (word === "json" && argv[index - 1] === "--format"),
    );
  }

  /** The terminal of this process, if it is `opencode run`'s. */
  static find() {
    return isMainThread && process.argv[2] === "run" ? new Terminal(process.argv) : undefined;
  }

  /** @param {string} line */
  progress(line) {
    process.stderr.write(`${line}\n`);
  }

  /** The command failed, and `opencode run` is to say so by its exit code. */
  failed() {
    process.exitCode = 1;
  }

  /**
   * With `--format json` standard output is for OpenCode's events alone.
   * @param {string} text
   */
  result(text) {
    (this.#json ? process.stderr : process.stdout).write(`\n${text}\n\n`);
  }
}
