/** The package's entry for terminals: OpenCode 1.x calls `tui`, OpenCode 2.x calls `setup`. */
import { tui } from "./opencode1-tui/index.js";
import { setup } from "./opencode2-tui/index.js";

export default { id: "opencode-design-lab", tui, setup };
