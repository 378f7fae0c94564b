/**
 * The files of evidence of a run: secrets are removed from text files, long logs are cut, and a digest of each file is computed.
 * Traces and pictures are kept as they are: they contain what the browser saw.
 */
import { createHash } from "node:crypto";
import { bytesOf } from "./logs.js";

/**
 * @typedef {import("../kernel/door.js").Folder} Folder
 * @typedef {import("../core/types.js").ValidationEvidenceFile} EvidenceFile
 */

/** The folders that the shell has written, relative to the run's directory; and that of the tests, which the core writes. */
const WRITTEN = ["checks", "servers", "playwright"];
const TESTS = "tests";

/** Text files. */
const TEXT = /\.(?:log|json|xml|txt|md|html)$/;

/** How much of a log's beginning and of its end is kept, in bytes each. */
const KEPT = 8 << 20;

/** How much of a file is read at once, in bytes. */
const PIECE = 1 << 20;

/**
 * @param {Folder} run
 * @param {(text: string) => string} redact
 * @returns {Promise<EvidenceFile[]>} by path
 */
export async function gather(run, redact) {
  for (const folder of WRITTEN) {
    for (const file of await filesIn(run, folder)) if (TEXT.test(file)) await clean(run, file, redact);
  }
  return digests(run);
}

/**
 * The files of evidence as they are on disk.
 * @param {Folder} run
 * @returns {Promise<EvidenceFile[]>} by path
 */
export async function digests(run) {
  const evidence = [];
  for (const folder of [...WRITTEN, TESTS].sort())
    for (const file of await filesIn(run, folder)) evidence.push(await digestOf(run, file));
  return evidence;
}

/**
 * @param {Folder} run
 * @param {string} file
 * @param {(text: string) => string} redact
 */
async function clean(run, file, redact) {
  const handle = await run.open(file, "read");
  let text;
  try {
    const { size } = await handle.stat();
    const whole = size <= 2 * KEPT || !file.endsWith(".log");
    const parts = whole
      ? [await bytesOf(handle, 0, size)]
      : [await bytesOf(handle, 0, KEPT), await bytesOf(handle, size - KEPT, size)];
    text = parts.map((part) => part.toString("utf8")).join(`\n[${size - 2 * KEPT} bytes left out]\n`);
    if (whole && redact(text) === text) return;
  } finally {
    await handle.close();
  }
  await run.write(file, redact(text));
}

/**
 * @param {Folder} run
 * @param {string} file
 * @returns {Promise<EvidenceFile>}
 */
async function digestOf(run, file) {
  const hash = createHash("sha256");
  const handle = await run.open(file, "read");
  let bytes = 0;
  try {
    for (;;) {
      const piece = await bytesOf(handle, bytes, bytes + PIECE);
      hash.update(piece);
      bytes += piece.length;
      if (piece.length < PIECE) break;
    }
  } finally {
    await handle.close();
  }
  return { path: file, bytes, sha256: hash.digest("hex") };
}

/**
 * The regular files at or below a folder, by path; no links, and nothing behind one.
 * @param {Folder} run
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function filesIn(run, folder) {
  const files = [];
  for (const entry of await run.folder(folder).entries()) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await filesIn(run, name)));
    else if (entry.isFile()) files.push(name);
  }
  return files;
}
