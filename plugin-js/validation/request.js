/**
 * The input of a command of Validation.
 *
 * @typedef {object} Request
 * @property {import("../core/validation.js").ValidationCore} core
 * @property {import("../host.js").Host} host
 * @property {string} project absolute
 * @property {string} text the command's arguments
 * @property {string | null} currentModel the session's model: `provider/model`
 * @property {() => string[] | null} agreed the providers that the user allows to receive the project's files; null when the user
 *   doesn't want to be asked
 * @property {(named: string | null) => Promise<import("../core/types.js").ValidationSubject | null>} flow the goal of a session of
 *   Flow, by default of the current one or else of the last one; null if there is none
 * @property {(named: string) => Promise<import("../core/types.js").Handover>} handover the named ranked design
 * @property {() => import("../core/types.js").Source[]} configuration the texts of Design Lab's configuration, which contains the
 *   prices of models; throws a `StoreError` if one can't be read
 * @property {import("../kernel/environment.js").Keys} keys of the providers
 * @property {Set<import("../kernel/run.js").RunShell>} running the runs that are running in this process
 * @property {Set<string>} shown the hashes of commands that this process has shown the user
 * @property {() => Promise<() => Promise<void>>} guard restricts the sessions of models to reading the project; the function that it
 *   returns lifts this again, and never rejects
 */
/**
 * The models that a run may ask.
 * @param {Request} request
 * @returns {Promise<import("../core/types.js").AvailableModels>}
 */
export async function availableTo({ host, currentModel, agreed }) {
  return { models: await host.models(), current: currentModel, agreed: agreed() };
}
