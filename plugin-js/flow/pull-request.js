/**
 * `/flow-pr [--create]`: shows the pull request of the active session, or creates it with the client that the user has installed.
 * Looks at the files, the branch and its remote; the core decides. No model is called, nothing is committed and nothing is pushed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { Folder } from "../kernel/door.js";
import { git, repository } from "../kernel/git.js";
import { ownerOf } from "../kernel/lock.js";
import { isBelow, locate } from "../kernel/real-path.js";
import { look } from "../kernel/runs.js";
import { Trees } from "../kernel/tree.js";
import { programOnPath, runClient } from "./client.js";
import { pathsThatDiffer } from "./effects.js";
import { activeSession, leftOutOf, sessionsDirectory } from "./sessions.js";

/** @typedef {import("./request.js").Request} Request */

/** The clients for pull requests. */
const CLIENTS = /** @type {const} */ (["gh", "glab"]);

/** How long a remote may take to name the commit of a branch, in ms. */
const REMOTE_MS = 30_000;

/**
 * @param {Request} request
 * @returns {Promise<string>} what is shown
 */
export async function pullRequest(request) {
  const { core, host, project, text, keys, signal, byModel = false } = request;
  const command = core.pullRequestCommand(text);
  const sessions = sessionsDirectory(project);
  const name = await activeSession(core, project);
  const folder = new Folder(sessions, name);
  const owner = await ownerOf(folder);
  if (owner.kind === "process") throw new DesignLabError([core.locked(name, owner.name)]);
  const agents = await host.agents();
  const rules = agents && core.shellRules(agents);
  const { tree } = await look(core, sessions, name, (session) => core.toVerify(session));
  const facts = await factsOf(request, folder, tree, command.create);
  const made = await look(core, sessions, name, (session) => {
    if (rules) core.knowRules(session, rules);
    return core.pullRequest(session, command, facts, byModel);
  });
  const [file, body] = made.file;
  await folder.write(file, body);
  if (!made.run) return made.text;
  const [[client = "", ...args], timeout_ms] = made.run;
  const program = programOnPath(client, repository(project));
  const run = { cwd: project, timeout_ms, keys, ...(signal && { signal }) };
  const { end, printed } = await runClient([program ?? client, ...args], run);
  return core.pullRequestCreated(client, end, printed);
}

/**
 * @param {Request} request
 * @param {Folder} folder the session's
 * @param {string | null} completed the tree with which the session was completed; null before it is
 * @param {boolean} create whether the remote has to be asked
 * @returns {Promise<import("../core/types.js").FlowPullRequestFacts>}
 */
async function factsOf(request, folder, completed, create) {
  const { project, outputs } = request;
  if (completed === null) return { tree: null, changed: [], git: null, clients: [] };
  const leftOut = leftOutOf(project, outputs);
  const trees = new Trees({ project, store: { folder }, leftOut });
  const { id, kind } = await trees.take();
  const top = repository(project);
  return {
    tree: id,
    changed: await pathsThatDiffer(trees, completed, id),
    git: kind === "git" ? await gitFacts(request, await trees.top(), leftOut, create) : null,
    clients: CLIENTS.filter((name) => programOnPath(name, top) !== undefined),
  };
}

/**
 * @param {Request} request
 * @param {string} top absolute: the root of the repository
 * @param {string[]} leftOut absolute
 * @param {boolean} create
 * @returns {Promise<import("../core/types.js").FlowGit>}
 */
async function gitFacts(request, top, leftOut, create) {
  const branch = await word(top, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const commit = await word(top, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const ref = `refs/heads/${branch}`;
  const configured = branch && (await word(top, ["for-each-ref", "--format=%(push:remotename)", ref]));
  const remote = configured || "origin";
  const address = await word(top, ["remote", "get-url", "--push", "--", remote]);
  const uncommitted = commit === null ? [] : await differing(top, leftOut);
  const asks = create && branch !== null && address !== null;
  const pushed = asks ? await commitOn(request, remote, ref) : null;
  return { branch, commit, uncommitted, remote, address, pushed };
}

/**
 * The paths at which the files differ from the current commit. The index is our own, because the user's may overlook a change.
 * @param {string} top absolute
 * @param {string[]} leftOut absolute
 */
async function differing(top, leftOut) {
  const scratch = await mkdtemp(path.join(tmpdir(), "flow-pr-"));
  try {
    const env = { GIT_INDEX_FILE: path.join(scratch, "index") };
    await git(top, ["read-tree", "HEAD"], { env });
    const how = ["--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"];
    const output = await git(top, ["status", ...how], { env });
    const paths = output
      .toString("utf8")
      .split("\0")
      .map((entry) => entry.slice(3));
    const ours = leftOut.map((place) => locate(place).real);
    const isOurs = (/** @type {string} */ file) => ours.some((place) => isBelow(path.join(top, file), place));
    return paths.filter((file) => file !== "" && !isOurs(file));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * The commit of a branch on a remote, as the remote reports it; null if it has no such branch or doesn't answer.
 * @param {Request} request
 * @param {string} remote
 * @param {string} ref
 */
async function commitOn({ project, keys, signal }, remote, ref) {
  const how = { cwd: project, timeout_ms: REMOTE_MS, keys, ...(signal && { signal }) };
  const { printed } = await runClient(["git", "ls-remote", "--heads", "--", remote, ref], how);
  const line = printed.split("\n").find((one) => one.endsWith(`\t${ref}`));
  return /^([0-9a-f]{40,64})\t/.exec(line ?? "")?.[1] ?? null;
}

/**
 * @param {string} directory absolute
 * @param {string[]} args
 * @returns {Promise<string | null>} what git prints; null if it fails or prints nothing
 */
async function word(directory, args) {
  const output = await git(directory, args).catch(() => null);
  return output?.toString("utf8").trim() || null;
}
