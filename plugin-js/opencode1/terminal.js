/**
 * Progress for `opencode run`, which doesn't show the live message: writes lines to standard error as things happen, and the
 * result to standard output. In the TUI and in a server both streams belong to OpenCode, and nothing is written.
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

  /** Returns the terminal of this process if it is `opencode run`. */
  static find() {
    return isMainThread && process.argv[2] === "run" ? new Terminal(process.argv) : undefined;
  }

  /** @param {string} line */
  progress(line) {
    process.stderr.write(`${line}\n`);
  }

  /** Makes `opencode run` report a failed command with its exit code. */
  failed() {
    process.exitCode = 1;
  }

  /**
   * Writes a result. With `--format json`, standard output is reserved for OpenCode's events.
   * @param {string} text
   */
  result(text) {
    (this.#json ? process.stderr : process.stdout).write(`\n${text}\n\n`);
  }
}
