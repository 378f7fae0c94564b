/**
 * The port between the shell and a host: everything that the shell knows of OpenCode. Each host has an adapter that implements it.
 *
 * @typedef {import("./core/types.js").Ask<Role>} Ask
 * @typedef {import("./core/types.js").Reply} Reply
 * @typedef {import("./core/types.js").CallFailure} CallFailure
 * @typedef {import("./core/types.js").Role | import("./core/types.js").FlowRole | import("./core/types.js").ValidationRole} Role
 * @typedef {import("./core/types.js").Tone} Tone
 * @typedef {import("./core/types.js").Panel} Panel
 * @typedef {import("./core/types.js").AvailableModel} AvailableModel
 *
 * @typedef {{session: string, message: string, part: string}} Place where a live message is shown
 *
 * @typedef {{cost: number, tokens: import("./core/types.js").Tokens, cut_off: number}} Used US dollars, tokens, and how many
 *   requests broke off after the model had started to answer
 * @typedef {Used & {requests: number}} Stepped the same over the steps of a call so far, and the number of their requests
 *
 * @typedef {{mime: string, bytes: Buffer}} File that is sent with a prompt
 *
 * @typedef {object} Host
 * @property {(session: {role: Role, title: string, directory?: string}) => Promise<{session: string} | {failure: CallFailure}>} openSession
 *   Creates a child session of the user's session, which works in this directory or in the project.
 * @property {(directory: string, model: string) => Promise<string | null>} [enters]
 *   Loads the host's configuration in another directory. Returns why sessions with this model couldn't work there under the same
 *   rules, in words; null if they could. A host without it can't work elsewhere.
 * @property {(directory: string) => Promise<void>} [leaves]
 *   Ends what the host has running in such a directory; never rejects.
 * @property {(reported: () => void) => Host} [alongside]
 *   Returns a host for a further run of the same chat, which shows nothing: it calls `reported` instead. A host without it can't drive
 *   several runs at once.
 * @property {(ask: Ask, onStep?: (used: Stepped) => boolean, files?: File[]) => Promise<{reply: Reply} | {failure: CallFailure}>} ask
 *   Prompts a session and waits for the answer, at most until one of its deadlines: then the session is aborted. A step without a
 *   tool call is the answer, however it ends. Each time the model has called tools, `onStep` gets what the call has used so far,
 *   and returns whether to ask the model again.
 * @property {(ask: Ask, since: number) => Promise<{reply: Reply} | {failure: CallFailure}>} recover
 *   Looks for the answer to a prompt that an earlier process sent at `since` or later. Returns a failure named `Lost` if there
 *   is none, `Unsent` if the model was never asked. Stops whatever the session may still be doing.
 * @property {(session: string) => Promise<void>} abort
 *   Stops what a session is doing. Resolves when the host has received the request; never rejects.
 * @property {(session: string) => Promise<void>} discard
 *   Deletes a session that nobody needs any more, if the host can; never rejects.
 * @property {(text: string, panel?: Panel | null) => Promise<void>} report
 *   Shows this text in the user's chat, replacing the run's previous text. If the host has room beside the chat, shows the panel
 *   there; without a panel, clears it.
 * @property {Place | undefined} place
 *   Where that text is shown, so that another process can find it again; undefined until it is shown.
 * @property {import("./core/types.js").Activity | null} [activity]
 *   The current activity of the run's models; null or undefined if the host doesn't report it.
 * @property {(place: Place, text: string) => Promise<void>} amend
 *   Replaces a live message that another process left with this text. Does nothing if the message no longer exists;
 *   rejects if the host can't be reached.
 * @property {(tone: Tone, message: string, toast: boolean) => void} notify
 *   Shows the user a passing notice: a toast, or a line of progress if the host has no toasts.
 * @property {() => Promise<AvailableModel[]>} models
 *   The models of the connected providers.
 * @property {() => Promise<{program: import("./core/types.js").HostProgram, version: string | null}>} program
 *   The host's name and version; null if it doesn't report one.
 * @property {() => Promise<import("./core/types.js").HostAgent[] | null>} agents
 *   The host's agents with the rules that apply to them; null if it doesn't report them.
 * @property {() => Promise<string[]>} plugins
 *   The specifiers of the host's plugins, as its settings name them; empty if it doesn't report them.
 */
export {};
