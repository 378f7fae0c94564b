/** The package's one entry: OpenCode 1.x calls `server`. */
import { server } from "./opencode1/server.js";

export default { id: "opencode-design-lab", server };
