// Runs the TUI in a separate tmux session: keys in, screens out.

import { execFile, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "./leftovers.mjs";

const execute = promisify(execFile);
let started = 0;

/** Why TUI tests can't run here, for node:test's `skip`; false if they can. */
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
  // A separate server, so that stopping it ends everything in it and nothing else.
  const socket = `design-lab-${process.pid}-${started++}`;
  const tmux = async (/** @type {string[]} */ ...args) => {
    const { stdout } = await execute("tmux", ["-L", socket, "-f", "/dev/null", ...args], { cwd, env });
    return stdout;
  };
  const callOff = atExit(() => spawnSync("tmux", ["-L", socket, "kill-server"]));
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", "-s", "tui", ...size, commandLine.map(quoted).join(" "));

  /** Returns the text on the screen. */
  const screen = () => tmux("capture-pane", "-p", "-t", "tui");

  const terminal = {
    /** Presses keys by their tmux names: `Enter`, `Escape`, `C-c`, `Up`. @param {...string} keys */
    press: (...keys) => tmux("send-keys", "-t", "tui", ...keys),

    /** Types text literally. @param {string} text */
    type: (text) => tmux("send-keys", "-t", "tui", "-l", "--", text),

    /** Resizes the terminal. @param {number} columns @param {number} rows */
    resize: (columns, rows) => tmux("resize-window", "-t", "tui", "-x", String(columns), "-y", String(rows)),

    /**
     * Waits until the screen shows all of `shown` and none of `without`, and returns the screen. A terminal is drawn piece by piece,
     * and a client receives one event after another: when one part of a change is visible, the rest may be missing, and the old text
     * still there.
     * @param {RegExp | RegExp[]} shown
     * @param {{ without?: RegExp[], part?: (screen: string) => string, timeoutMs?: number }} [options] `part`: the part to check
     */
    async waitFor(shown, { without = [], part = (screen) => screen, timeoutMs = 90_000 } = {}) {
      const wanted = [shown].flat();
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const whole = await screen();
        const text = part(whole);
        const missing = wanted.filter((one) => !one.test(text));
        const left = without.filter((one) => one.test(text));
        if (missing.length + left.length === 0) return text;
        if (Date.now() > deadline) {
          const what = [
            ...missing.map((one) => `never showed ${one}`),
            ...left.map((one) => `still shows ${one}`),
          ];
          throw new Error(`the screen ${what.join(" and ")}:\n${whole}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },

    /**
     * Types a slash command and sends it. The list of commands has to be visible, or the text would be sent to the model; and it has to
     * be closed again before more than the space is typed, or OpenCode empties the prompt when it closes the list (seen on 1.18.33).
     * @param {string} name
     * @param {string} text
     * @param {RegExp} ready what the screen shows when it accepts a command; by default the usual model
     */
    async command(name, text, ready = /Ask anything|host/) {
      const listed = new RegExp(`/${name} {2,}\\w`);
      await terminal.waitFor(ready);
      await terminal.type(`/${name}`);
      await terminal.waitFor(listed);
      await terminal.type(" ");
      await terminal.waitFor(new RegExp(`/${name}`), { without: [listed] });
      await terminal.type(text);
      // The screen doesn't show a space at the end of a line.
      await terminal.waitFor(new RegExp(`/${name} ${text}`.trimEnd()));
      await terminal.press("Enter");
    },

    /** Captures the screen with its colours at this interval until it is stopped. @param {number} everyMs */
    record(everyMs) {
      /** @type {import("./recording.mjs").Frame[]} */
      const frames = [];
      const from = Date.now();
      let isOver = false;
      const done = (async () => {
        while (!isOver) {
          const screen = await tmux("capture-pane", "-p", "-e", "-N", "-t", "tui");
          frames.push({ at: Date.now() - from, screen });
          await new Promise((resolve) => setTimeout(resolve, everyMs));
        }
      })();
      return {
        async stop() {
          isOver = true;
          await done;
          return frames;
        },
      };
    },

    async stop() {
      await tmux("kill-server").catch(() => "");
      callOff();
    },
  };
  return terminal;
}

/** @param {string} argument */
const quoted = (argument) => `'${argument.replaceAll("'", "'\\''")}'`;
