/**
 * What a project holds near its root, as far as it tells which servers there are: names of files, and the texts of a few small ones.
 * No link is followed, and what can't be read is passed over. What it means is the core's business.
 */
import { Folder, StoreError } from "../kernel/door.js";

/** How many parts a file's path has at most. */
const DEEPEST = 4;

/** How many files are named at most, the nearest first. */
const MOST = 4_000;

/** How long a file may be that is read, in bytes. */
const LONGEST = 1 << 16;

/** The folder of Python's own, which only then is one of those that begin with a dot. */
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
