/**
 * The plugin as OpenCode 2 loads it, once for each project and again when its configuration changes. Every hook starts with a look-up
 * that skips the user's own sessions.
 */
import path from "node:path";
import { brandOf } from "../hosts/commands.js";
import { registerAgents } from "./agents.js";
import { called, judged, requested, withhold } from "./calls.js";
import { registerCommands } from "./commands.js";
import { follow } from "./events.js";
import { OpenCode2 } from "./host.js";
import { configuredModels } from "./models.js";
import { decideRetry, endIfIdle, labSession, prepare } from "./requests.js";
import { shared, workflowsOf } from "./state.js";
import { registerTools } from "./tools.js";

/**
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("./context.js").ToolEvent} ToolEvent
 */

/** What the terminal part of the package listens to. */
const CHANNEL = { id: "opencode-design-lab", methods: {}, events: { panel: { schema: { type: "object" } } } };

/** @param {Context} [ctx] */
export async function setup(ctx) {
  // OpenCode 1.18 calls this, too, if the plugin is a local file, with a context without sessions.
  if (!ctx?.session) return undefined;
  const { directory, project } = ctx.location;
  const worktree = project?.directory ?? directory;
  const state = shared();
  const { sessions, shells } = state;
  const workflows = workflowsOf({ directory, worktree, options: ctx.options });
  const registration = workflows.registration();
  // Without a channel, nothing is shown while a run is running.
  const channel = await ctx.rpc?.register(CHANNEL, {}).catch(() => undefined);

  const publish = (/** @type {object} */ data) => {
    // A terminal that can't be reached misses a picture, nothing else.
    channel?.events.emit("panel", data).catch(() => {});
  };
  const hostOf = (/** @type {string} */ parent, /** @type {string} */ command) =>
    new OpenCode2({ ctx, parent, sessions, brand: brandOf(command), registration, publish });
  const ofRun = (/** @type {string} */ id) => labSession(ctx, state, id);

  await ctx.session.hook("context", async (event) => {
    const session = await ofRun(event.sessionID);
    if (session) await prepare(event, session);
    else await endIfIdle(ctx, event, state.queued);
  });
  // Requests besides the conversation, such as those that keep a provider's cache warm, belong to no call of a run.
  await ctx.session.hook("generate", async (event) => {
    if (await ofRun(event.sessionID)) throw new Error("This session only answers the calls of its run.");
  });
  await ctx.session.hook("compaction", async (event) => {
    const session = await ofRun(event.sessionID);
    if (session) await hostOf("", "design-lab").compact(event.sessionID, session);
  });
  await ctx.session.hook("retry", (event) => decideRetry(event, sessions));

  await ctx.tool.hook("execute.before", async (/** @type {ToolEvent} */ event) => {
    const session = await ofRun(event.sessionID);
    const { tool, args } = judged(event.tool, event.input);
    if (session) {
      if (session.noTools) throw new Error("This session has no tools.");
      workflows.isolation.refresh();
      sessions.noteTool(event.sessionID, tool, args);
      await session.guard.before(tool, event.id, args, session.role);
      event.input = called(event.tool, args);
    } else if (tool === "task") {
      const verdict = workflows.core.taskVerdict(String(args.agent ?? ""));
      if (verdict.kind === "deny") throw new Error(verdict.message);
    }
    if (tool === "bash") shells.call(event.id, String(args.command ?? ""), session);
  });
  await ctx.tool.hook("execute.after", (event) => {
    shells.end(event.id);
    const session = sessions.get(event.sessionID);
    if (session && event.status === "completed") withhold(event, session.guard, directory);
  });
  await ctx.permission.hook("evaluate", (event) => {
    const session = sessions.get(event.sessionID);
    if (event.effect !== "ask" || !session) return;
    // Nobody watches the session: a question would keep it waiting until its deadline. So its call ends, and the user is told.
    session.refused ??= requested(event);
    event.effect = "deny";
    event.message = "This session may not ask for permission.";
  });
  await ctx.shell.hook("create.before", (event) => {
    Object.assign(event.env, shells.start(event.command));
  });

  await registerAgents(ctx, registration);
  // Resolves names as OpenCode 1 does; without a repository, its worktree is the whole file system.
  const root = path.dirname(worktree) === worktree ? directory : worktree;
  const parts = { ctx, registration, workflows, root, labSession: ofRun };
  await registerCommands({
    ...parts,
    hostOf,
    configure: async () => {
      workflows.configured = await configuredModels(ctx).catch(() => workflows.configured);
    },
  });
  await registerTools({ ...parts, hostOf, shells });

  // Killed runs may have left their files behind; loading doesn't wait for the cleanup.
  workflows.sweep(hostOf("", "design-lab")).catch(() => {});
  const over = new AbortController();
  follow(ctx, state, over.signal);
  return () => over.abort();
}
