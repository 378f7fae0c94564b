/**
 * The input of a Flow command.
 *
 * @typedef {object} Request
 * @property {import("../core/flow.js").FlowCore} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute
 * @property {string} text the command's arguments
 * @property {boolean} [byModel] whether a model called the command through its tool: then no person sees its output
 * @property {AbortSignal} [signal] stops what the command does
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {() => string[] | null} agreed the providers that the user allows to receive the project's files; null if the user
 *   doesn't want to be asked
 * @property {{planner: string | null, worker: string | null, reviewer: string | null, examiner: string | null}} configured the models that the
 *   user's settings name for the agents
 * @property {(named: string) => Promise<import("../core/types.js").Handover>} handover loads the named ranked design
 * @property {(run: string, designs: string[]) => Promise<import("../core/types.js").Handover[]>} handovers loads these designs of the
 *   named run, or those that may be the best
 * @property {(named: string) => Promise<import("../core/types.js").ValidationToFix>} toFix loads the findings of the named validation
 * @property {() => import("../core/types.js").FlowSettings} settings Flow's settings from the configuration; throws a
 *   `DesignLabError` if it is broken
 * @property {string[]} outputs absolute: directories of this package that don't count as project files, without `.flow/`
 * @property {import("../kernel/environment.js").Keys} keys of the providers
 * @property {Set<import("../kernel/run.js").RunShell>} running the sessions that are running in this process
 * @property {Set<string>} shown the hashes of plans that this process has shown the user
 * @property {(place: Place) => () => void} guard restricts the sessions of models; returns a function that lifts the restrictions
 * @property {(reported: () => void) => Pick<Request, "host" | "guard" | "running">} [alongside] returns what a further session needs
 *   that runs at the same time and shows nothing; a host that can't do that has none
 *
 * @typedef {object} Place of a session
 * @property {string[]} kept absolute: directories that no model's session may change
 * @property {() => string} workMark `NAME=value`: the mark of the processes of a worker's shells
 * @property {() => string} reviewed absolute: the reviewer's copy of the files, if there is one
 * @property {() => Lane | undefined} lane where workers work; undefined if that is the project. Throws if it isn't known
 * @property {() => Promise<string>} top absolute, with links resolved: the source of that copy
 * @property {(file: string) => Promise<string | null>} before the content of a file before the reviewed change; null if it
 *   didn't exist. The path is relative to the top
 *
 * @typedef {object} Lane
 * @property {string} root absolute: the only directory that workers may change
 * @property {string} directory absolute: the project's directory in the lane
 * @property {string[]} kept absolute: what no worker may change there
 */
export {};
