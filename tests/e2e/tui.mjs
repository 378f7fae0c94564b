// The TUI in a tmux session of its own: keys in, screens out.

import { execFile, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "./leftovers.mjs";

const execute = promisify(execFile);
let started = 0;

/** Why TUI tests can't run here, for node:test's `skip`; false when they can. */
export const tuiMissing = (process.env.PATH ?? "").split(delimiter).some((directory) => {
  try {
    accessSync(join(directory, "tmux"), constants.X_OK);
    return true;
  } catch {
    return false;
  }
})
  ? false
  : "tmux is not installed: apt-get install tmux";

/**
 * @param {string[]} commandLine
 * @param {{ cwd: string, env: Record<string, string>, columns?: number, rows?: number }} options
 */
export async function startTui(commandLine, { cwd, env, columns = 120, rows = 40 }) {
  // A server of its own, so that ending it ends everything in it and nothing else.
  const socket = `design-lab-${process.pid}-${started++}`;
  const tmux = async (/** @type {string[]} */ ...args) => {
    const { stdout } = await execute("tmux", ["-L", socket, "-f", "/dev/null", ...args], { cwd, env });
    return stdout;
  };
  const callOff = atExit(() => spawnSync("tmux", ["-L", socket, "kill-server"]));
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", "-s", "tui", ...size, commandLine.map(quoted).join(" "));

  /** What is on the screen, as text. */
  const screen = () => tmux("capture-pane", "-p", "-t", "tui");

  return {
    screen,

    /** Presses keys by their tmux names: `Enter`, `Escape`, `C-c`, `Up`. @param {...string} keys */
    press: (...keys) => tmux("send-keys", "-t", "tui", ...keys),

    /** Types text as it stands. @param {string} text */
    type: (text) => tmux("send-keys", "-t", "tui", "-l", text),

    /** Gives the terminal another size. @param {number} columns @param {number} rows */
    resize: (columns, rows) => tmux("resize-window", "-t", "tui", "-x", String(columns), "-y", String(rows)),

    /**
     * Waits until the screen shows this, and gives the screen.
     * @param {RegExp | ((screen: string) => boolean)} shown
     * @param {{ timeoutMs?: number }} [options]
     */
    async waitFor(shown, { timeoutMs = 90_000 } = {}) {
      const holds = typeof shown === "function" ? shown : (/** @type {string} */ text) => shown.test(text);
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const text = await screen();
        if (holds(text)) return text;
        if (Date.now() > deadline) throw new Error(`the screen never showed ${shown}; it shows:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },

    async stop() {
      await tmux("kill-server").catch(() => "");
      callOff();
    },
  };
}

/** @param {string} argument */
const quoted = (argument) => `'${argument.replaceAll("'", "'\\''")}'`;
