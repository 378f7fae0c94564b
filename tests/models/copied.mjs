// Detects answers that are not answers: texts copied from the prompt, and answers that are the same byte for byte.

/** Shorter texts are common words. */
const SHORTEST = 16;

/** @param {unknown} value @returns {string[]} every text in it */
export function textsIn(value) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/**
 * Returns the texts of an accepted answer that also occur in the model's prompts, except those in the task itself.
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

/** @param {string[]} answers @returns {string[]} those that equal an earlier one, byte for byte */
export function repeated(answers) {
  return answers.filter((answer, index) => answer !== "" && answers.indexOf(answer) < index);
}

/**
 * Returns the answers that equal, byte for byte, the previous one in their own conversation: the model was shown its error and
 * repeats it. The sender of a conversation may trim its messages.
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
