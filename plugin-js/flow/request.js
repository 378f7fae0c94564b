/**
 * What a command of Flow is handed.
 *
 * @typedef {object} Request
 * @property {import("../core/flow.js").FlowCore} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute
 * @property {string} text the command's arguments
 * @property {boolean} [byModel] whether a model called the command by its tool: what it shows, it shows no person
 * @property {AbortSignal} [signal] stops what the command does
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {() => string[] | null} agreed the providers that the user lets have the project's files; null when the user doesn't want to be
 *   asked
 * @property {{planner: string | null, worker: string | null, reviewer: string | null, examiner: string | null}} configured the models that the
 *   user's settings name for the agents
 * @property {(named: string) => Promise<import("../core/types.js").Handover>} handover the ranked design that is named
 * @property {(named: string) => Promise<import("../core/types.js").ValidationToFix>} toFix what the validation that is named
 *   found
 * @property {() => import("../core/types.js").FlowSettings} settings Flow's settings from the configuration; throws a
 *   `DesignLabError` if it is broken
 * @property {string[]} outputs absolute: directories of this package that aren't the project's files, `.flow/` apart
 * @property {import("../kernel/environment.js").Keys} keys of the providers
 * @property {Set<import("../kernel/run.js").RunShell>} running the sessions that are being worked on in this process
 * @property {Set<string>} shown the hashes of plans that this process has shown the user
 * @property {(place: Place) => () => void} guard what the sessions of models may do; what it returns lifts that again
 *
 * @typedef {object} Place of a session
 * @property {string[]} kept absolute: directories that no session of a model may change
 * @property {() => string} workMark `NAME=value`: what tells the processes of a worker's shells
 * @property {() => string} reviewed absolute: where a reviewer's copy of the files is, if there is one
 * @property {() => Promise<string>} top absolute, without links: of what that is a copy
 * @property {(file: string) => Promise<string | null>} before what a file held before what is reviewed; null if it was not there. The
 *   path is from the top
 */
export {};
