// A recorded terminal as a picture: how its colours, its screens and its text are drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { runs, svg } from "./recording.mjs";

const options = { columns: 10, rows: 2, longest: 1000, title: "A <title>" };

test("a line falls into runs of equal looks, each in its column", () => {
  const looks = runs("a\u001b[1mb\u001b[0m\u001b[38;2;1;2;3;48;5;236mc d\u001b[39m!\u001b[31m?").map(
    ({ text, column, color, background, bold }) => [text, column, color, background, bold],
  );
  assert.deepEqual(looks, [
    ["a", 0, "#eeeeee", "#0a0a0a", false],
    ["b", 1, "#eeeeee", "#0a0a0a", true],
    ["c d", 2, "#010203", "#303030", false],
    ["!", 5, "#eeeeee", "#303030", false],
    ["?", 6, "#cd3131", "#303030", false],
  ]);
});

test("equal screens are one, a long one is cut short, and equal lines are drawn once", () => {
  const screens = ["one\nsame", "one\nsame", "two\nsame", "three\nsame\nbelow the last row"];
  const picture = svg(
    screens.map((screen, index) => ({ at: index * 1500, screen })),
    options,
  );
  assert.equal(picture.match(/<g class="s"/g)?.length, 3);
  assert.match(picture, /animation:k0 7000ms/, "two screens of 1 s at most, and 5 s of the last");
  assert.equal(picture.match(/>same</g)?.length, 1);
  assert.doesNotMatch(picture, /below the last row/);
});

test("text is text", () => {
  const picture = svg([{ at: 0, screen: "a<b>&c" }], options);
  assert.match(picture, /<title>A &lt;title&gt;<\/title>/);
  assert.match(picture, />a&lt;b&gt;&amp;c</);
});
