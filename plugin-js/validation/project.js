/**
 * Reads what indicates a project's servers near its root: names of files, and the texts of a few small ones. No link is followed, and
 * unreadable files are skipped. The core interprets them.
 */
import { Folder, StoreError } from "../kernel/door.js";

/** The maximum number of parts in a file's path. */
const DEEPEST = 4;

/** The maximum number of files that are named, the nearest first. */
const MOST = 4_000;

/** The maximum size of a file that is read, in bytes. */
const LONGEST = 1 << 16;

/** Python's own folder, the only one searched whose name begins with a dot. */
const PYTHON = ".venv";

/**
 * @param {Pick<import("./request.js").Request, "core" | "project">} request
 * @returns {Promise<import("../core/types.js").ValidationProject>}
 */
export async function lookAt({ core, project }) {
  const root = new Folder(project);
  const files = await filesOf(root);
  /** @type {Record<string, string>} */
  const texts = {};
  for (const file of core.toRead(files)) {
    const text = await textOf(root, file).catch(unlessDisk);
    if (text !== undefined) texts[file] = text;
  }
  return { files, texts };
}

/** @param {Folder} root */
async function filesOf(root) {
  /** @type {string[]} */
  const files = [];
  let level = [""];
  for (let depth = 1; depth <= DEEPEST && files.length < MOST; depth += 1) {
    /** @type {string[]} */
    const below = [];
    for (const folder of level) {
      const inside = folder === "" ? root : root.folder(folder.slice(0, -1));
      for (const entry of (await inside.entries().catch(unlessDisk)) ?? []) {
        if (entry.isFile()) files.push(`${folder}${entry.name}`);
        if (entry.isDirectory() && isOfInterest(entry.name)) below.push(`${folder}${entry.name}/`);
      }
      if (files.length >= MOST) break;
    }
    level = below;
  }
  return files.slice(0, MOST);
}

/** @param {string} folder */
function isOfInterest(folder) {
  return folder === PYTHON || !(folder.startsWith(".") || folder === "node_modules");
}

/**
 * @param {Folder} root
 * @param {string} name
 */
async function textOf(root, name) {
  const file = await root.open(name, "read");
  try {
    const { size } = await file.stat();
    return size > LONGEST ? undefined : (await file.readFile()).toString("utf8");
  } finally {
    await file.close();
  }
}

/** @param {unknown} error @returns {undefined} */
function unlessDisk(error) {
  if (!(error instanceof StoreError)) throw error;
}
