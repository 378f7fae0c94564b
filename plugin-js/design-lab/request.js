/**
 * The input of every Design Lab command.
 *
 * @typedef {object} Request
 * @property {import("../core/design-lab.js").Core} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute: the directory from which relative paths of the configuration are resolved
 * @property {string} worktree absolute: the topmost directory in which a project's configuration is looked for
 * @property {unknown} options the plugin's options in opencode.json
 * @property {string} text the command's arguments
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {() => string[] | null} agreed the providers that the user allows to get the project's files; null if the user doesn't want
 *   to be
 *   asked
 * @property {import("../core/types.js").FlowConfiguredModels} configured the models that the user's settings name for Flow's agents
 * @property {Set<import("../kernel/run.js").RunShell>} running the active runs of this process
 * @property {() => Promise<import("../core/types.js").ValidationSetup | null>} validation the settings of Validation, and what this
 *   machine lacks for them; null if there are none. Throws a `StoreError` if they can't be read
 * @property {(isolation: import("../core/types.js").Isolation, outputs: string[]) => Promise<() => void>} isolate
 *   puts the isolation in force; the returned function ends it
 * @property {boolean} [byModel] whether a model called the command: then the result quotes nothing that models or people wrote
 * @property {AbortSignal} [signal] stops the run, which can be resumed later
 */
export {};
