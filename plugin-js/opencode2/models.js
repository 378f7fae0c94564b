/** The models and providers that OpenCode 2 lists, as facts for the core. */
import { hostNameOf, settingsIn } from "../hosts/provider-facts.js";

/** @typedef {import("./context.js").Context} Context */

/**
 * Returns the facts by which the core chooses and prices models, and nothing else, because the settings of a model also hold its key.
 * @param {Context} ctx
 * @returns {Promise<import("../core/types.js").AvailableModel[]>}
 */
export async function availableModels(ctx) {
  const { data } = await ctx.model.list();
  return data.filter((model) => model.enabled !== false).map(describe);
}

/** @param {any} model */
function describe(model) {
  // Prices above a certain length of the context have a tier.
  const price = (model.cost ?? []).find((/** @type {any} */ cost) => cost.tier === undefined);
  return {
    provider: model.providerID,
    model: model.id,
    name: model.name ?? model.id,
    context: model.limit?.context ?? 0,
    output: model.limit?.output ?? 0,
    cost_input: price?.input ?? 0,
    cost_output: price?.output ?? 0,
    reasoning: (model.variants ?? []).length > 0,
    tool_call: model.capabilities?.tools ?? true,
    // It isn't listed.
    temperature: true,
    images: model.capabilities?.input?.includes("image") ?? false,
    release_date: model.time?.released ? new Date(model.time.released).toISOString().slice(0, 10) : "",
    status: model.status ?? "",
    // The key that OpenCode gives its own provider if the user has none for it (seen on 2.0.15).
    brought_along: model.settings?.apiKey === "public",
    host: hostNameOf(model.settings?.baseURL),
  };
}

/**
 * Returns the settings of the providers, by name; these include their keys.
 * @param {Context} ctx
 * @returns {Promise<[string, string][]>}
 */
export async function settingsOf(ctx) {
  const { data } = await ctx.provider.list();
  return data.flatMap(({ id, settings }) => settingsIn(`provider.${id}`, settings));
}

/**
 * Returns the environment variables in which providers look for their keys, and the keys in the settings.
 * @param {Context} ctx
 * @returns {Promise<import("../kernel/environment.js").Keys>}
 */
export async function keysOf(ctx) {
  const [providers, integrations] = await Promise.all([ctx.provider.list(), ctx.integration.list()]);
  const methods = integrations.data.flatMap(({ methods = [] }) => methods);
  const names = methods.flatMap((method) => (method.type === "env" ? (method.names ?? []) : []));
  const values = providers.data.map(({ settings }) => settings?.apiKey);
  return { names, values: values.filter((value) => typeof value === "string") };
}

/**
 * Returns the models that the user's settings name for Flow's agents.
 * @param {Context} ctx
 * @returns {Promise<import("../flow/request.js").Request["configured"]>}
 */
export async function configuredModels(ctx) {
  const { data } = await ctx.agent.list();
  const model = (/** @type {string} */ role) => {
    const found = data.find(({ id }) => id === `flow-${role}`)?.model;
    return found ? `${found.providerID}/${found.id}` : null;
  };
  const [planner, worker] = [model("planner"), model("worker")];
  return { planner, worker, reviewer: model("reviewer"), examiner: model("examiner") };
}
