/**
 * The key by which this machine recognises the runs that were started on it: 32 random bytes that no project ever contains. The
 * core decides what it vouches for (kernel/src/origin.rs).
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { SharedCore } from "../core/shared.js";
import { StoreError } from "./door.js";
import { stateDirectory } from "./state-directory.js";

const LENGTH = 32;

/**
 * The key in hex. It is created on first use; throws a `StoreError` if it can be neither read nor created.
 * @returns {string}
 */
export function machineKey() {
  const file = path.join(stateDirectory(), "key");
  try {
    return (kept(file) ?? make(file)).toString("hex");
  } catch (error) {
    throw new StoreError(file, error);
  }
}

/**
 * Lets the core recognise this machine's runs, for callers that only read. If there is no key, none is created, and no run
 * counts as this machine's.
 * @returns {string} the key in hex; empty if there is none
 */
export function recogniseRuns() {
  let key;
  try {
    key = kept(path.join(stateDirectory(), "key"));
  } catch {
    // An unreadable key counts as none.
  }
  return held(key?.toString("hex") ?? "");
}

/**
 * Does the same for callers that append to runs. If no key can be created, those runs count as started elsewhere from here on,
 * and the user is asked before they are continued.
 */
export function markRuns() {
  try {
    return held(machineKey());
  } catch {
    return held("");
  }
}

/** @param {string} key */
function held(key) {
  new SharedCore().holdKey(key);
  return key;
}

/** @param {string} file */
function kept(file) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  // A link, or a file that isn't a key, is replaced.
  return status?.isFile() && status.size === LENGTH ? readFileSync(file) : undefined;
}

/**
 * Creates the key. Several processes may do this at the same time: all of them end up with the same key.
 * @param {string} file
 */
function make(file) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  const key = randomBytes(LENGTH);
  const descriptor = openSync(temporary, "wx", 0o600);
  try {
    writeSync(descriptor, key);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    // Unlike a rename, this fails if another process was first.
    linkSync(temporary, file);
  } catch {
    const first = kept(file);
    if (first) return first;
    renameSync(temporary, file);
    return key;
  } finally {
    try {
      unlinkSync(temporary);
    } catch {
      // It was renamed.
    }
  }
  return key;
}
