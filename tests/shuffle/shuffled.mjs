// A directory in another order than the one that the file system happens to have. Which one, `SHUFFLE` says: a number.

/** @template T @param {T[]} entries @param {string} place what the order depends on, beside the number */
export function shuffled(entries, place) {
  let state = Number(process.env.SHUFFLE ?? 1) >>> 0;
  for (const letter of place) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  const drawn = [...entries];
  for (let left = drawn.length - 1; left > 0; left -= 1) {
    // The generator of the C standard's example; it only has to be the same each time.
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = (state >>> 8) % (left + 1);
    [drawn[left], drawn[other]] = [drawn[other], drawn[left]];
  }
  return drawn;
}
