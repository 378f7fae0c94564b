/**
 * The user's consent to a model's call. A plugin of OpenCode 2 can't ask for a permission (seen on 2.0.15), but it can call the tool by
 * which models ask questions. If there is no such tool, the call is refused, and the user can type the command.
 */

/** @typedef {import("./context.js").ToolCallContext} ToolCallContext */

const ALLOW = "Allow";

/**
 * Resolves if the user permits it.
 * @param {import("./context.js").Context} ctx
 * @param {ToolCallContext} context of the model's call
 * @param {string} what what is permitted, with its expected cost
 * @param {string} command as the user would type it
 * @param {Pick<import("./shells.js").Shells, "haveCalled" | "watch">} shells a program of a model's shell could answer in
 *   the user's name
 */
export async function agreed(ctx, context, what, command, shells) {
  const tools = await ctx.tool.list();
  const question = tools.find(({ id }) => id === "question");
  const refusal = new Error(`The user has to permit this. Ask the user to type: ${command}`);
  if (!question) throw refusal;
  const options = [
    { label: ALLOW, description: "Start it now" },
    { label: "Refuse", description: "Don't start it" },
  ];
  const input = { questions: [{ header: "Design Lab", question: `Allow this call? ${what}`, options }] };
  const hasShellRun = shells.watch();
  const answer = question.execute(input, { ...context, progress: () => {} });
  const { output } = await Promise.race([answer, whenAborted(context.signal)]);
  if (output?.answers?.[0]?.[0] !== ALLOW) throw refusal;
  // The model could have sent the answer itself.
  if (shells.haveCalled || hasShellRun()) throw refusal;
}

/** @param {AbortSignal | undefined} signal @returns {Promise<never>} */
function whenAborted(signal) {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new Error("The user stopped the turn.")), { once: true });
  });
}
