// Tests of the application in app/, as a model writes them: honest ones, and such that only look as if they tested something.

/** @param {string[]} tests */
const file = (...tests) => `import { expect, test } from "./validation";\n\n${tests.join("\n\n")}\n`;

/** One for each criterion of `CRITERIA`. */
export const HONEST = file(
  `test("a note that is added is in the list", { tag: "@C1" }, async ({ page }) => {
  const note = \`buy milk \${test.info().workerIndex} \${Date.now()}\`;
  await page.goto("/");
  await page.getByLabel("Text").fill(note);
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("listitem").filter({ hasText: note })).toBeVisible();
});`,
  `test("an empty note is refused", { tag: "@C2" }, async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByRole("alert")).toHaveText("Write something first.");
});`,
  `test("a note that is ticked off stays so", { tag: "@C3" }, async ({ page }) => {
  const note = \`call home \${Date.now()}\`;
  await page.goto("/");
  await page.getByLabel("Text").fill(note);
  await page.getByRole("button", { name: "Add" }).click();
  const item = page.getByRole("listitem").filter({ hasText: note });
  await item.getByRole("button", { name: "Done" }).click();
  await expect(item.getByRole("button")).toHaveCount(0);
  await page.reload();
  await expect(item).toBeVisible();
  await expect(item.getByRole("button")).toHaveCount(0);
});`,
  `test("the page about it is linked", { tag: "@C4" }, async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "About" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("About");
});`,
);

/** What the application is to do. */
export const CRITERIA = [
  { id: "C1", text: "A note that is added by the form is in the list." },
  { id: "C2", text: "An empty note is refused with a message." },
  { id: "C3", text: "A note that is ticked off stays ticked off after a reload." },
  { id: "C4", text: "The page about the application is linked from the list." },
];

/** Tests that show nothing: called by what is wrong with them. */
const DECEPTIONS = [
  `test("no assertion", { tag: "@C1" }, async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Text").fill("x");
});`,
  `test("tautology", { tag: "@C2" }, async () => {
  expect(1 + 1).toBe(2);
});`,
  `test.skip("skipped", { tag: "@C3" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading")).toHaveText("Notes");
});`,
  `test.fixme("to be mended", { tag: "@C3" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading")).toHaveText("Notes");
});`,
  `test("caught", { tag: "@C4" }, async ({ page }) => {
  await page.goto("/");
  try {
    await expect(page.getByRole("heading")).toHaveText("Something else", { timeout: 100 });
  } catch {}
});`,
  `test("only a body", { tag: "@C1" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("body")).toBeAttached();
});`,
  `test("never waited for", { tag: "@C2" }, async ({ page }) => {
  await page.goto("/");
  expect(page.getByRole("heading")).toHaveText("Something else").catch(() => {});
});`,
  `test.fail("meant to fail", { tag: "@C3" }, async () => {
  expect(1).toBe(2);
});`,
  `test("tried until it holds", { tag: "@C4" }, async () => {
  let times = 0;
  await expect(() => expect(++times).toBe(3)).toPass({ intervals: [1] });
});`,
];

export const DECEIVING = file(...DECEPTIONS);

/** Without what is refused before it runs. */
export const DECEIVING_AS_TAKEN = file(...DECEPTIONS.filter((test) => !test.startsWith("test.fail(")));
