import assert from "node:assert/strict";
import { test } from "node:test";
import { unquoted } from "./arguments.js";

test("one quoted word is the whole task, and anything else stays as it is", () => {
  const cases = [
    ["", ""],
    ["a rate limiter", "a rate limiter"],
    ['"a rate limiter"', "a rate limiter"],
    [' "a rate limiter" ', "a rate limiter"],
    ['"say \\"hello\\" twice"', 'say "hello" twice'],
    ['"two lines\nof text"', "two lines\nof text"],
    ['"two words" plain "and more"', '"two words" plain "and more"'],
    ['"never closed', '"never closed'],
    ['a "quoted" word', 'a "quoted" word'],
  ];
  for (const [given, expected] of cases) assert.equal(unquoted(given ?? ""), expected);
});
