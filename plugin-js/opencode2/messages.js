/**
 * Translates what OpenCode 2 lists of a session to the form of OpenCode 1, which the rest of the shell reads (../hosts/replies.js).
 * Shapes are those of 2.0.15.
 */

/**
 * @typedef {import("./context.js").Message} Message
 * @typedef {import("./context.js").Failure} Failure
 */

/** How OpenCode 1 names the failures that the core treats in a way of their own; all others are errors of the provider. */
const NAMES = new Map([
  ["aborted", "MessageAbortedError"],
  ["provider.content-filter", "ContentFilterError"],
  ["provider.timeout", "HostTimeout"],
  ["unknown", "UnknownError"],
]);

/** Failures that a further request would repeat. */
const LASTING = [
  "provider.auth",
  "provider.invalid-request",
  "provider.no-route",
  "provider.quota",
  "provider.unsupported-operation",
];

/**
 * Returns a failure in the form of OpenCode 1.
 * @param {Failure} failure
 */
export function knownError({ type = "unknown", message = "", status }) {
  const isRefusedKey = type === "provider.auth" && status === undefined;
  const name = NAMES.get(type) ?? (isRefusedKey ? "ProviderAuthError" : "APIError");
  // A stream that broke off reports the status with which it started.
  const statusCode = hasBegun({ status }) ? undefined : status;
  return { name, data: { message, statusCode, isRetryable: !LASTING.includes(type) } };
}

/**
 * Whether an answer had begun when it failed: then the provider had accepted the request. What arrived of it may be missing.
 * @param {Failure | undefined} failure
 */
export function hasBegun(failure) {
  return failure?.status !== undefined && failure.status < 400;
}

/**
 * Returns a rejection of OpenCode 2's interface in the form of OpenCode 1. Its errors have tags and sometimes no message.
 * @param {any} error
 */
export function knownRejection(error) {
  const tag = String(error?._tag ?? error?.name ?? "UnknownError");
  const name = /Session\.?NotFound/.test(tag) ? "NotFoundError" : tag;
  return { name, message: error?.message || tag };
}

/**
 * Returns a session's messages in the form of OpenCode 1.
 * @param {Message[]} messages
 * @returns {import("../hosts/replies.js").Message[]}
 */
export function knownMessages(messages) {
  return messages.map((message) => {
    if (message.type === "assistant") return step(message);
    const info = { role: message.type, id: message.id, time: message.time ?? { created: 0 } };
    const parts = message.text === undefined ? [] : [{ type: "text", text: message.text }];
    return /** @type {any} */ ({ info, parts });
  });
}

/** @param {Message} message one step of an answer */
function step({ id, time, finish, error, model, cost, tokens, content = [] }) {
  const parts = content.map((item) =>
    item.type === "tool"
      ? {
          type: "tool",
          tool: item.name,
          callID: item.id,
          state: item.state ?? {},
          metadata: { providerExecuted: item.executed === true },
        }
      : { type: item.type, text: item.text ?? "" },
  );
  // Usage is reported at the end of an answer: one that has begun and has none broke off.
  if ((content.length > 0 || hasBegun(error)) && tokens === undefined)
    parts.unshift(/** @type {any} */ ({ type: "step-start" }));
  const info = {
    role: "assistant",
    id,
    time: time ?? { created: 0 },
    finish,
    error: error && knownError(error),
    providerID: model?.providerID,
    modelID: model?.id,
    cost,
    tokens,
  };
  return /** @type {any} */ ({ info, parts });
}
