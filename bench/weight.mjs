// Where the bytes of the core are: `cargo xtask bench weight`. Measures the shipped module, but with function names kept: the sections
// by size, then the functions by part, by room, and the largest by name.

import { readFileSync } from "node:fs";
import { print, smoke } from "./table.mjs";

const MODULE = new URL("../target/bench/named/core_bg.wasm", import.meta.url);
const LARGEST = smoke ? 3 : 25;
/** The rooms of the core and its crates, recognised by the start of a function's path. */
const OURS =
  /\b(lab_core(?:::(?:boundary|design_lab|flow|validation|shared|opencode|cli))?|design_lab_kernel|design_lab_numerics|design_lab_wasm)\b(?:::([a-z_0-9]+))?/;

/** Section ids of the WebAssembly core specification, 5.5.2. */
const [CUSTOM, IMPORT, CODE, DATA] = [0, 2, 10, 11];
const FUNCTION_NAMES = 1;

const bytes = readFileSync(MODULE);
let at = 8;

/** An unsigned LEB128 number. */
function number() {
  let [value, shift] = [0, 0];
  for (;;) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
    shift += 7;
  }
}

function name() {
  const length = number();
  at += length;
  return bytes.toString("utf8", at - length, at);
}

/** @type {number[]} */
const sizes = [];
/** @type {Map<number, string>} */
const names = new Map();
const sections = { code: 0, data: 0, other: 0 };
let imported = 0;

while (at < bytes.length) {
  const [id, length] = [number(), number()];
  const end = at + length;
  if (id === CODE) {
    sections.code = length;
    for (let left = number(); left > 0; left -= 1) {
      const size = number();
      sizes.push(size);
      at += size;
    }
  } else if (id === DATA) {
    sections.data = length;
  } else if (id === IMPORT) {
    // Only functions are imported (a test asserts which).
    imported = number();
    sections.other += length;
  } else if (id === CUSTOM && name() === "name") {
    while (at < end) {
      const [kind, size] = [number(), number()];
      const after = at + size;
      if (kind === FUNCTION_NAMES) {
        for (let left = number(); left > 0; left -= 1) names.set(number(), name());
      }
      at = after;
    }
  } else if (id !== CUSTOM) {
    sections.other += length;
  }
  at = end;
}

const functions = sizes.map((size, index) => ({ size, name: names.get(imported + index) ?? "unknown" }));

/** Returns our room to which a function belongs, else its crate. @param {string} name */
function room(name) {
  const ours = OURS.exec(name);
  if (ours) return [ours[1], ours[2]].filter(Boolean).join("::");
  return /([a-z_0-9]+)::/.exec(name)?.[1] ?? "glue";
}

/** Returns our workflow or crate to which a function belongs. @param {string} name */
const part = (name) => OURS.exec(name)?.[1] ?? "libraries and glue";

/** @param {(name: string) => string} of @returns {[string, number][]} the functions' bytes, largest first */
function summed(of) {
  const sums = new Map();
  for (const { name, size } of functions) sums.set(of(name), (sums.get(of(name)) ?? 0) + size);
  return [...sums].sort(bySize);
}

const kilobytes = (/** @type {number} */ size) => (size / 1000).toFixed(1);
const bySize = (/** @type {[string, number]} */ a, /** @type {[string, number]} */ b) => b[1] - a[1];
const table = (/** @type {[string, number][]} */ entries) =>
  entries.map(([name, size]) => [name, kilobytes(size)]);

print(["section", "KB"], table(Object.entries(sections)));
print(["part", "KB"], table(summed(part)));
print(["room or crate", "KB"], table(summed(room).slice(0, smoke ? 3 : 40)));
const largest = functions.map(({ name, size }) => /** @type {[string, number]} */ ([name, size]));
print(["function", "KB"], table(largest.sort(bySize).slice(0, LARGEST)));
