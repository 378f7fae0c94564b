// In the place of `node:fs/promises`: directories are listed in another order.

import * as fs from "node:fs/promises";
import { shuffled } from "./shuffled.mjs";

export * from "node:fs/promises";

/** @param {any} place @param {any} [options] @returns {Promise<any>} */
export async function readdir(place, options) {
  return shuffled(/** @type {any[]} */ (await fs.readdir(place, options)), place);
}
