/**
 * The port between the shell and a host: all that the shell knows of OpenCode. An adapter per host implements it.
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
 *   requests broke off after the model had begun to answer
 * @typedef {Used & {requests: number}} Stepped the same over the steps of a call so far, and how many requests these were
 *
 * @typedef {{mime: string, bytes: Buffer}} File that is sent beside a prompt
 *
 * @typedef {object} Host
 * @property {(session: {role: Role, title: string}) => Promise<{session: string} | {failure: CallFailure}>} openSession
 *   Creates a child session of the user's.
 * @property {(ask: Ask, onStep?: (used: Stepped) => boolean, files?: File[]) => Promise<{reply: Reply} | {failure: CallFailure}>} ask
 *   Prompts a session and waits for the answer, at most until one of its deadlines: then the session is aborted. A step without a call of a
 *   tool is the answer, however it ends. Each time when the model has called tools, `onStep` hears what the call has used so far,
 *   and says whether the model is asked on.
 * @property {(ask: Ask, since: number) => Promise<{reply: Reply} | {failure: CallFailure}>} recover
 *   Looks for the answer to a prompt that an earlier process sent at `since` or later; a failure named `Lost` where there
 *   is none, `Unsent` where the model was never asked. What the session may still be doing is stopped.
 * @property {(session: string) => Promise<void>} abort
 *   Stops what a session is doing. Resolves when the host took notice; never rejects.
 * @property {(text: string, panel?: Panel | null) => Promise<void>} report
 *   Shows this text in the user's chat, in place of what was shown there for this run before; where the host has room
 *   beside the chat, the panel there, and without a panel nothing.
 * @property {Place | undefined} place
 *   Where that text is shown, for another process to find it again; undefined before it is.
 * @property {import("./core/types.js").Activity | null} [activity]
 *   What the models of the run are seen to do at this moment; none if the host doesn't say.
 * @property {(place: Place, text: string) => Promise<void>} amend
 *   Puts this text in the place of a live message that another process left there. Nothing happens where there is none any more;
 *   rejects where the host can't be reached.
 * @property {(tone: Tone, message: string, toast: boolean) => void} notify
 *   Tells the user in passing: by a toast, or where there are none as a line of progress.
 * @property {() => Promise<AvailableModel[]>} models
 *   The models of the connected providers.
 * @property {() => Promise<string | null>} version
 *   The host's own; null if it doesn't say.
 * @property {() => Promise<import("./core/types.js").HostAgent[] | null>} agents
 *   The host's agents with the rules that apply to them; null if it doesn't say.
 * @property {() => Promise<string[]>} plugins
 *   The specifiers of the host's plugins, as its settings name them; none if it doesn't say.
 */
export {};
