/** The package's only entry: OpenCode 1.x calls `server`, OpenCode 2.x calls `setup`. */
import { server } from "./opencode1/server.js";
import { setup } from "./opencode2/setup.js";

export default { id: "opencode-design-lab", server, setup };
