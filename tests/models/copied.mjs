// Whether a model's answer is an answer at all: texts that stand in the prompt already, and answers that are the same byte for byte.

/** Shorter texts are words that anybody uses. */
const SHORTEST = 16;

/** @param {unknown} value @returns {string[]} every text in it */
export function textsIn(value) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/**
 * The texts of an accepted answer that stand in what the model was asked, the task itself apart.
 * @param {unknown} accepted
 * @param {string[]} prompts
 * @param {string} task
 */
export function copied(accepted, prompts, task) {
  const asked = prompts.map(plain);
  const own = plain(task);
  return textsIn(accepted).filter((text) => {
    const said = plain(text);
    if (said.length < SHORTEST || own.includes(said)) return false;
    return asked.some((prompt) => prompt.includes(said));
  });
}

/** @param {string[]} answers @returns {string[]} those that are the same as one before, byte for byte */
export function repeated(answers) {
  return answers.filter((answer, index) => answer !== "" && answers.indexOf(answer) < index);
}

/**
 * The answers that are the same, byte for byte, as the one before in their own conversation: a model that was shown its error and
 * gives it again. Who sends a conversation may trim its messages.
 * @param {{messages: {role: string, content: string}[], text: string}[]} answered
 * @returns {string[]}
 */
export function saidAgain(answered) {
  const again = answered.filter(({ messages, text }) => {
    const before = messages.findLast(({ role }) => role === "assistant");
    return text !== "" && before?.content.trim() === text.trim();
  });
  return again.map(({ text }) => text);
}

/** @param {string} text */
const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();
