/**
 * Reads the calls of runs in OpenCode 2's events: how much of an answer has arrived, and why a turn failed. The stream is that of
 * all projects; each instance of the plugin reads those of its own.
 */

/**
 * @typedef {import("./context.js").HostEvent} HostEvent
 * @typedef {import("../hosts/lab-sessions.js").LabSessions} LabSessions
 */

/**
 * Follows the events until the signal aborts. Never rejects: without events, a call only has its longer deadline.
 * @param {import("./context.js").Context} ctx
 * @param {{sessions: LabSessions, queued: Map<string, string>}} state
 * @param {AbortSignal} signal
 */
export async function follow(ctx, { sessions, queued }, signal) {
  try {
    for await (const event of ctx.event.subscribe({ signal })) {
      noteQueued(event, queued);
      const directory = event.location?.directory;
      const isElsewhere = directory !== undefined && directory !== ctx.location.directory;
      if (!sessions.idle && !isElsewhere) note(event, sessions);
    }
  } catch {
    // The stream ends with the location.
  }
}

/**
 * Keeps which prompts wait for the end of a turn.
 * @param {HostEvent} event
 * @param {Map<string, string>} queued their sessions, by the prompt
 */
export function noteQueued({ type, data }, queued) {
  if (!type.startsWith("session.inbox.")) return;
  if (type === "session.inbox.enqueued" && data.item?.delivery === "queue")
    queued.set(data.inboxID, data.sessionID);
  else queued.delete(data?.inboxID);
}

/**
 * @param {HostEvent} event
 * @param {LabSessions} sessions
 */
export function note({ type, data }, sessions) {
  const session = sessions.get(data?.sessionID);
  if (!session) return;
  const { incoming } = session;
  const tool = (/** @type {string} */ status) =>
    incoming?.see({ type: "tool", callID: data.id, state: { status } });
  switch (type) {
    case "session.text.delta":
    case "session.reasoning.delta":
      return incoming?.hear(String(data.delta ?? ""));
    case "session.step.started":
    case "session.text.started":
    case "session.reasoning.started":
      return incoming?.see({ type });
    case "session.tool.input.started":
    case "session.tool.called":
      return tool("running");
    case "session.tool.success":
      return tool("completed");
    case "session.tool.failed":
      return tool("error");
    case "session.step.ended":
      return incoming?.see({ type: "step-finish" });
    case "session.execution.failed":
      return session.onFailure?.(data.error);
    default:
  }
}
