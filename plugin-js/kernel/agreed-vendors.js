/**
 * The vendors that the user allows to receive a project's files. One file per project, in the user's state directory, so that
 * no clone of a project brings the permission along.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "./door.js";
import { readPlainIfThere } from "./plain-file.js";
import { stateDirectory } from "./state-directory.js";
import { replaceFile } from "./whole-file.js";

/** Larger than any such file, in bytes. */
const LONGEST = 1 << 16;

/** @param {string} project absolute */
function fileOf(project) {
  const name = createHash("sha256").update(project).digest("hex").slice(0, 32);
  return path.join(stateDirectory(), "vendors", `${name}.json`);
}

/**
 * The ids of their providers; empty if there is no such file or it is broken: then the user is asked again.
 * @param {string} project absolute
 * @returns {string[]}
 */
export function agreedVendors(project) {
  try {
    const noted = JSON.parse(readPlainIfThere(fileOf(project), LONGEST) ?? "{}");
    const { providers } = noted.project === project ? noted : {};
    return Array.isArray(providers) ? providers.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Records that the user allows these, and no others, to receive a project's files.
 * @param {string} project absolute
 * @param {string[]} providers
 */
export async function noteAgreedVendors(project, providers) {
  const file = fileOf(project);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await replaceFile(file, `${JSON.stringify({ project, providers })}\n`);
  } catch (error) {
    throw new StoreError(file, error);
  }
}

/**
 * Adds to the recorded providers.
 * @param {string} project absolute
 * @param {string[]} providers
 */
export async function agreeToVendors(project, providers) {
  if (providers.length === 0) return;
  await noteAgreedVendors(project, [...new Set([...agreedVendors(project), ...providers])]);
}
