/**
 * The system's metadata of files, to detect whether a file was touched, even if its content was restored: its identity (device
 * and inode), its size, and when it was last written and changed. No user program can set the last of these times.
 *
 * A directory changes with each file that is created in it. So for a directory, only a replacement counts: a different inode,
 * or a change of the directory itself without a change of its entries.
 *
 * Limit: a directory that is swapped, and swapped back while files are created in it and next to it, looks like a directory in
 * which a program keeps its caches.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** @typedef {Map<string, string>} Stamps by path, including the parent directories */

/** @typedef {import("node:fs").BigIntStats} Status */

/**
 * @param {string} root absolute
 * @param {string[]} files relative to the root
 * @returns {Stamps}
 */
export function stampsOf(root, files) {
  return new Map(withDirectories(files).map((file) => [file, stampOf(path.join(root, file))]));
}

/**
 * The files that were touched since the stamps were taken.
 * @param {string} root absolute
 * @param {Stamps} before
 * @returns {string[]} sorted
 */
export function touchedSince(root, before) {
  const touched = [...before].filter(([file, stamp]) => isTouched(stamp, stampOf(path.join(root, file))));
  return touched.map(([file]) => file).sort();
}

/**
 * A digest of everything in a directory that only we write to: it changes as soon as anything in the directory is touched.
 * @param {string} root absolute
 */
export function sealOf(root) {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  const hash = createHash("sha256");
  for (const name of ["", ...names]) hash.update(`${name}\0${stampOf(path.join(root, name))}\0`);
  return hash.digest("hex");
}

/** @param {string[]} files */
function withDirectories(files) {
  const all = new Set(files);
  for (const file of files)
    for (let at = path.posix.dirname(file); at !== "." && !all.has(at); at = path.posix.dirname(at))
      all.add(at);
  return [...all];
}

/** @param {string} file absolute */
export function stampOf(file) {
  const status = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (!status) return "gone";
  const written = status.isDirectory() ? [status.mtimeNs] : [status.size, status.mtimeNs];
  return [
    status.isDirectory() ? "directory" : "file",
    status.dev,
    status.ino,
    status.mode,
    status.ctimeNs,
    ...written,
  ].join();
}

/**
 * @param {string} before
 * @param {string} now
 */
function isTouched(before, now) {
  if (before === now) return false;
  const [then, since] = [before, now].map((stamp) => stamp.split(","));
  const isSameDirectory =
    then?.[0] === "directory" && [0, 1, 2, 3].every((index) => then[index] === since?.[index]);
  return !isSameDirectory || then?.[5] === since?.[5];
}
