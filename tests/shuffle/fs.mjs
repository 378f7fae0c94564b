// In the place of `node:fs`: directories are listed in another order. For programs whose own modules can't be changed.

import * as fs from "node:fs";
import { shuffled } from "./shuffled.mjs";

export * from "node:fs";

/** @param {any} place @param {any} [options] @returns {any} */
export function readdirSync(place, options) {
  return shuffled(/** @type {any[]} */ (fs.readdirSync(place, options)), place);
}
