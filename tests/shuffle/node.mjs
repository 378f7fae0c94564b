// Loaded by Node before anything else (`node --import`): every directory is listed in another order.

import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { shuffled } from "./shuffled.mjs";

const { readdirSync } = fs;
const { readdir } = promises;

/** @type {any} */ (fs).readdirSync = (/** @type {any} */ place, /** @type {any} */ options) =>
  shuffled(/** @type {any[]} */ (readdirSync(place, options)), place);
/** @type {any} */ (promises).readdir = async (/** @type {any} */ place, /** @type {any} */ options) =>
  shuffled(/** @type {any[]} */ (await readdir(place, options)), place);
syncBuiltinESMExports();
