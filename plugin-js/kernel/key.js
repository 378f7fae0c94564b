/**
 * The key by which this machine recognises the runs that were begun on it: 32 random bytes that no project ever holds. What it vouches
 * for is the core's business (kernel/src/origin.rs).
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
import { holdKey } from "../core/load.js";
import { StoreError } from "./door.js";
import { stateDirectory } from "./state-directory.js";

const LENGTH = 32;

/**
 * The key in hex. It is made when it is asked for first; throws a `StoreError` where it can be neither read nor made.
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
 * Has the core know the runs of this machine. For what only looks: where there is no key, none is made, and no run is this machine's.
 * @returns {string} the key in hex; empty where there is none
 */
export function recogniseRuns() {
  let key;
  try {
    key = kept(path.join(stateDirectory(), "key"));
  } catch {
    // One that can't be read is none.
  }
  return held(key?.toString("hex") ?? "");
}

/**
 * The same for what appends to runs. Where no key can be made, they count as begun elsewhere from here on, and the user is asked before
 * they are continued.
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
  holdKey(key);
  return key;
}

/** @param {string} file */
function kept(file) {
  const status = lstatSync(file, { throwIfNoEntry: false });
  // A link, or what is no key, is replaced.
  return status?.isFile() && status.size === LENGTH ? readFileSync(file) : undefined;
}

/**
 * Several processes may be at this at once: all of them have the same key in the end.
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
    // Unlike a rename, this fails where another process was first.
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
