/**
 * What a command of Design Lab is handed.
 *
 * @typedef {object} Request
 * @property {import("../core/design-lab.js").Core} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute: where relative paths of the configuration start
 * @property {string} worktree absolute: how far up a project's configuration is looked for
 * @property {unknown} options the plugin's options in opencode.json
 * @property {string} text the command's arguments
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {() => string[] | null} agreed the providers that the user lets have the project's files; null when the user doesn't want to be
 *   asked
 * @property {import("../core/types.js").FlowConfiguredModels} configured the models that the user's settings name for Flow's agents
 * @property {Set<import("../kernel/run.js").RunShell>} running the runs that are running in this process
 * @property {() => Promise<import("../core/types.js").ValidationSetup | null>} validation the settings of Validation, and what this machine
 *   lacks for them; null if there are none. Throws a `StoreError` where they can't be read
 * @property {(isolation: import("../core/types.js").Isolation, outputs: string[]) => Promise<() => void>} isolate
 *   puts the isolation in force; what it returns lifts it again
 * @property {boolean} [byModel] whether a model called the command: what it is given quotes nobody
 * @property {AbortSignal} [signal] stops the run, which can be resumed then
 */
export {};
