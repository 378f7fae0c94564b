// The core, ready to call. Its wasm stands beside this file and is read at once: 3 to 6 ms, no fetch, no await.

import { readFileSync } from "node:fs";
import { initSync } from "./core.js";

initSync({ module: readFileSync(new URL("./core_bg.wasm", import.meta.url)) });

export * from "./core.js";
