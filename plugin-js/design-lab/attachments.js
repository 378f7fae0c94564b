/**
 * Reads the user's attachments. The core decides where to look, what is read, and what is refused (src/design_lab/attachments.rs): a
 * file's metadata is inspected first, and the file is read only once it is known that it may be.
 */
import { constants } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { git } from "../kernel/git.js";
import { hiddenOutputs } from "./outputs.js";

/**
 * @typedef {import("../core/types.js").Attached} Attached
 * @typedef {import("../core/types.js").Attachment} Attachment
 * @typedef {import("../core/design-lab.js").Core} Core
 *
 * @typedef {object} Named an attachment, as a host names it
 * @property {string} name as the user named it
 * @property {string} mime the media type according to the host
 * @property {string} [file] its absolute path, if it is on this machine
 * @property {Buffer} [bytes] its content, if it came with the command
 * @property {import("../core/types.js").Lines | null} lines the selected lines
 * @property {boolean} [own] whether it is one of the user's own designs
 *
 * @typedef {Map<string, Buffer>} Images their bytes, by digest
 */

/** Windows has no such flag: there, a link that replaces a file after the inspection is followed. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** Opens a pipe that has replaced a file at once, instead of waiting for a writer. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * @param {Core} core
 * @param {Named[]} named
 * @param {{project: string, worktree: string}} where absolute
 * @returns {Promise<{attachments: Attachment[], images: Images}>} rejects with a `DesignLabError` if an attachment is refused
 */
export async function readAttachments(core, named, { project, worktree }) {
  /** @type {Images} */
  const images = new Map();
  if (named.length === 0) return { attachments: [], images };
  const roots = [project, ...repository(worktree)];
  const outputs = await spellings(hiddenOutputs(core, { project, worktree }));
  const attached = await Promise.all(named.map((one) => look(core, one, outputs)));
  const wanted = core.screen(attached, await spellings(roots), outputs);
  const attachments = await Promise.all(
    attached.map(async (one, index) => {
      const read = [];
      for (const below of wanted[index] ?? []) {
        const bytes = named[index]?.bytes ?? (await contents(one.content, below).catch(() => undefined));
        const image = bytes && below === "" && !one.own ? core.image(bytes) : null;
        if (bytes && image) images.set(image.file.sha256, bytes);
        read.push({ path: below, text: image ? null : text(bytes), image });
      }
      return { attached: one, read };
    }),
  );
  return { attachments, images };
}

/**
 * Returns the project as an attached folder, with those of its files that the core needs for its digest.
 * @param {Core} core
 * @param {import("../core/types.js").OpeningInput} beginning
 * @param {{project: string, worktree: string}} where absolute
 * @returns {Promise<Attachment>}
 */
export async function readBrief(core, beginning, { project, worktree }) {
  const attached = await listProject(core, { project, worktree });
  const read = [];
  for (const below of core.filesForBrief(beginning, attached)) {
    const bytes = await contents(attached.content, below).catch(() => undefined);
    read.push({ path: below, text: text(bytes), image: null });
  }
  return { attached, read };
}

/**
 * Returns the project as an attached folder.
 * @param {Core} core
 * @param {{project: string, worktree: string}} where absolute
 * @param {number} [most] of its files and folders, if not as many as of an attachment
 * @param {(folder: string) => void} [before] called with the absolute path of each folder before it is listed
 */
export async function listProject(core, { project, worktree }, most, before) {
  const outputs = await spellings(hiddenOutputs(core, { project, worktree }));
  return look(core, { name: ".", mime: "", file: project, lines: null }, outputs, most, before);
}

/**
 * Returns the user's own designs, as named in the command's arguments.
 * @param {Core} core
 * @param {string} text
 * @param {{project: string, worktree: string}} where absolute
 * @returns {Named[]}
 */
export function ownDesigns(core, text, { project, worktree }) {
  const [root = project] = repository(worktree);
  return core.ownDesigns(text).map(({ path: name, mentioned }) => {
    // OpenCode resolves names with `@` from the root of the repository.
    const file = path.resolve(mentioned ? root : project, name.replace(/^~(?=\/)/, homedir()));
    return { name, mime: "", file, lines: null, own: true };
  });
}

/**
 * Returns the paths of the project and its repository, including their real paths.
 * @param {{project: string, worktree: string}} where absolute
 */
export async function places({ project, worktree }) {
  return { project: await spellings([project]), worktree: await spellings(repository(worktree)) };
}

/** Returns the repository's root; empty if there is none: then the worktree is the whole file system. @param {string} worktree */
function repository(worktree) {
  return path.dirname(worktree) === worktree ? [] : [worktree];
}

/**
 * @param {Core} core
 * @param {Named} named
 * @param {string[]} outputs
 * @param {number} [most] of a folder's files and folders
 * @param {(folder: string) => void} [before]
 * @returns {Promise<Attached>}
 */
async function look(core, { name, mime, file, bytes, lines, own = false }, outputs, most, before) {
  /** @param {import("../core/types.js").Content} content */
  const attached = (content) => ({ name, mime, lines, own, content });
  if (bytes) return attached({ kind: "pasted", size: bytes.length });
  if (file === undefined) return attached({ kind: "other", what: "neither a file nor pasted text" });
  try {
    const real = await realpath(file);
    const status = await stat(real);
    if (status.isFile()) return attached({ kind: "file", path: file, real, size: status.size });
    if (!status.isDirectory()) return attached({ kind: "other", what: "neither a file nor a folder" });
    return attached({ kind: "folder", path: file, real, ...(await walk(core, real, outputs, most, before)) });
  } catch (error) {
    const code = codeOf(error);
    return attached({ kind: "other", what: code === "ENOENT" ? "missing" : `unreadable (${code})` });
  }
}

/**
 * Lists the files in a folder and its subfolders. Links and folders that can't be listed are left out.
 * @param {Core} core
 * @param {string} root absolute
 * @param {string[]} outputs
 * @param {number} [most]
 * @param {(folder: string) => void} [before]
 */
async function walk(core, root, outputs, most, before) {
  const ignored = await ignoredIn(root);
  /** @type {import("../core/types.js").Entry[]} */
  const files = [];
  let more = false;
  const leftOut = { keys: 0, ignored: 0 };
  /** Grows during the loop: breadth first, so that a deep folder doesn't use up the limit before its siblings are listed. */
  const folders = [""];
  for (const below of folders) {
    const folder = path.join(root, below);
    const nameOf = (/** @type {string} */ name) => (below === "" ? name : `${below}/${name}`);
    before?.(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const children = entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({
        name: entry.name,
        folder: entry.isDirectory(),
        ignored: ignored.has(nameOf(entry.name)),
      }));
    const known = files.length + folders.length - 1;
    const listing = core.listing({ path: folder, children, known, outputs, most });
    more ||= listing.more;
    leftOut.keys += listing.left_out.keys;
    leftOut.ignored += listing.left_out.ignored;
    for (const child of listing.children) {
      const name = nameOf(child.name);
      if (child.folder) folders.push(name);
      else {
        // A name that isn't text, or a file that is gone by now, can't be looked at.
        const status = await lstat(path.join(root, name)).catch(() => undefined);
        if (status) files.push({ path: name, size: status.size });
        else more = true;
      }
    }
  }
  return { files, more, left_out: leftOut };
}

/**
 * Returns what git ignores in a folder: files, and folders as a whole. Empty if there is no repository, or if git ignores the folder
 * itself: a user who names such a folder wants what is in it.
 * @param {string} root absolute
 * @returns {Promise<Set<string>>} paths relative to the folder
 */
async function ignoredIn(root) {
  const asked = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const output = await git(root, asked).catch(() => "");
  const names = output
    .toString()
    .split("\0")
    .map((name) => name.replace(/\/$/, ""));
  return new Set(names.includes(".") ? [] : names);
}

/**
 * @param {Buffer | undefined} bytes
 * @returns {string | null} null if it isn't UTF-8, or couldn't be read
 */
function text(bytes) {
  try {
    return bytes ? new TextDecoder("utf-8", { fatal: true }).decode(bytes) : null;
  } catch {
    return null;
  }
}

/**
 * Reads at most as many bytes of a file as it had when it was inspected, which was within the limit.
 * @param {import("../core/types.js").Content} content
 * @param {string} below
 */
async function contents(content, below) {
  if (content.kind !== "file" && content.kind !== "folder") throw new Error("nothing to read");
  const size =
    content.kind === "file" ? content.size : content.files.find(({ path }) => path === below)?.size;
  const file = await open(path.join(content.real, below), constants.O_RDONLY | NO_LINK | NO_WAIT);
  try {
    if (!(await file.stat()).isFile()) throw new Error("no longer a file");
    const bytes = Buffer.alloc(size ?? 0);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = (await file.read(bytes, length, bytes.length - length)).bytesRead;
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

/**
 * Returns directories as named, and their real paths if links make these differ.
 * @param {string[]} directories
 */
async function spellings(directories) {
  const real = await Promise.all(directories.map((directory) => realpath(directory).catch(() => directory)));
  return [...new Set([...directories, ...real])];
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? "unknown";
}
