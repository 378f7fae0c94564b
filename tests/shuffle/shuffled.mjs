// A directory in another order than the one that the file system happens to have, and never in that of the names. Which
// one, `SHUFFLE` says: a number. The same names come in the same order each time. Where `SHUFFLE_LOG` names a file, each
// directory whose order was changed is added to it, a line each.

import { appendFileSync } from "node:fs";

/** @param {any} entry */
const nameOf = (entry) => String(entry.name ?? entry);

/** @template T @param {T[]} entries @param {unknown} place the directory @returns {T[]} */
export function shuffled(entries, place) {
  const sorted = [...entries].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  let state = Number(process.env.SHUFFLE ?? 1) >>> 0;
  for (const letter of sorted.map(nameOf).join("/")) {
    state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  const drawn = [...sorted];
  for (let left = drawn.length - 1; left > 0; left -= 1) {
    // The generator of the C standard's example; it only has to be the same each time.
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = (state >>> 8) % (left + 1);
    // The two entries change places.
    const taken = drawn.splice(other, 1, ...drawn.slice(left, left + 1));
    drawn.splice(left, 1, ...taken);
  }
  const inOrder = drawn.every((entry, index) => entry === sorted[index]);
  if (process.env.SHUFFLE_LOG && drawn.length > 1) appendFileSync(process.env.SHUFFLE_LOG, `${place}\n`);
  return inOrder ? drawn.reverse() : drawn;
}
