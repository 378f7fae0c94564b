// What a program in a copy's room sees of the user's environment, and what is left of the room.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { asNobody, NOBODY } from "../../tests/as-nobody.mjs";
import { FlowCore } from "../core/flow.js";
import { Folder } from "../kernel/door.js";
import { withRoom } from "./clean-room.js";
import { sweepTemporary } from "./temporary.js";

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "clean-room-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

const core = new FlowCore();

/** A user with a home directory and a session. */
function user() {
  const home = mkdtempSync(path.join(scratch, "home-"));
  const session = new Folder(scratch, path.basename(home));
  const environment = { PATH: process.env.PATH ?? "", HOME: home };
  const wanted = { core, session, environment, top: path.join(home, "app"), copy: path.join(home, "copy") };
  const put = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  };
  return { home, wanted, put };
}

/** What a program prints in a room. @param {Record<string, string>} env @param {string[]} argv */
const says = (env, [program = "", ...args]) =>
  execFileSync(program, args, { env, cwd: env.HOME, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

test("settings of the user's are not there, and what was downloaded is", async () => {
  const { home, wanted, put } = user();
  put(".npmrc", "script-shell=/bin/true\n");
  put(".gitconfig", "[user]\n\tname = Worker\n");
  put(".config/git/config", "[user]\n\temail = w@example.org\n");
  put(".profile", "exit 0\n");
  put(".cargo/config.toml", "[alias]\n");
  put(".cargo/credentials.toml", "");
  put(".cargo/registry/cache/x.crate", "crate");
  put(".rustup/settings.toml", "");
  assert.match(says(wanted.environment, ["npm", "config", "get", "script-shell"]), /true/);
  await withRoom(wanted, async (env) => {
    assert.equal(
      says(env, ["sh", "-c", 'ls -A "$HOME" "$TMPDIR"']),
      `${env.HOME}:\n.cargo\n\n${env.TMPDIR}:\n`,
    );
    assert.match(says(env, ["npm", "config", "get", "script-shell"]), /^null/);
    assert.equal(says(env, ["git", "config", "--list", "--name-only"]), "");
    assert.deepEqual(readdirSync(path.join(env.HOME ?? "", ".cargo")), ["registry"]);
    assert.equal(says(env, ["sh", "-c", "cat .cargo/registry/cache/*"]), "crate");
    assert.equal(env.RUSTUP_HOME, path.join(home, ".rustup"));
    assert.equal("PYENV_ROOT" in env, false, "what isn't there is not named");
  });
});

test("a room goes with all that was left in it, also where nobody may write to that", async () => {
  const { home, wanted } = user();
  if (process.getuid?.() === 0) chownSync(home, NOBODY, NOBODY);
  let room = "";
  await asNobody(() =>
    withRoom(wanted, async ({ TMPDIR = "" }) => {
      room = path.dirname(TMPDIR);
      mkdirSync(path.join(TMPDIR, "closed/deep"), { recursive: true });
      writeFileSync(path.join(TMPDIR, "closed/deep/file"), "");
      execFileSync("chmod", ["-R", "a-w", path.join(TMPDIR, "closed")]);
    }),
  );
  assert.equal(readdirSync(tmpdir()).includes(path.basename(room)), false);
});

test("what a process that was killed left is swept, and no other session's", async () => {
  const [mine, other] = [user().wanted, user().wanted];
  const rooms = () => readdirSync(tmpdir()).filter((name) => name.startsWith("flow-"));
  await withRoom(other, async ({ TMPDIR: theirs = "" }) => {
    await withRoom(mine, async ({ TMPDIR = "" }) => {
      await sweepTemporary(mine.session);
      assert.equal(rooms().includes(path.basename(path.dirname(TMPDIR))), false);
      assert.equal(rooms().includes(path.basename(path.dirname(theirs))), true);
    });
  });
});
