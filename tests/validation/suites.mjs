// Tests of the application in app/, as a model writes them: honest ones, and ones that only appear to test something.

/**
 * Returns a test file. Most tests fail in some application, so assertions wait less than usual.
 * @param {string[]} tests
 */
const file = (...tests) => `import { expect, test } from "./validation";

const soon = { timeout: 1_500 };

${tests.join("\n\n")}
`;

/**
 * The application's criteria, each with the fault that breaks it (app/server.mjs) and a test that decides it. No test needs
 * what another one tests.
 */
const PROMISES = [
  {
    fault: "broken-link",
    text: "The page about the application is linked from the list.",
    test: `test("the page about it is linked", { tag: "@C1" }, async ({ page }) => {
  await page.goto("/");
  const isPage = (answer) => answer.request().isNavigationRequest();
  const link = page.getByRole("link", { name: "About" });
  const [answer] = await Promise.all([page.waitForResponse(isPage), link.click()]);
  expect(answer.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("About", soon);
});`,
  },
  {
    fault: "wrong-text",
    text: "The page about the application says what it does.",
    test: `test("the page about it says what it does", { tag: "@C2" }, async ({ page }) => {
  await page.goto("/about");
  expect(await page.getByRole("paragraph").textContent()).toBe("It keeps notes.");
});`,
  },
  {
    fault: "console-error",
    text: "The list counts what is left to do, without an error.",
    test: `test("the list works without an error", { tag: "@C3" }, async ({ page }) => {
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto("/");
  expect(errors).toEqual([]);
  await expect(page.getByText(/^\\d+ to do$/)).toBeVisible();
});`,
  },
  {
    fault: "server-error",
    text: "The notes can be printed.",
    test: `test("there is a page for the printer", { tag: "@C4" }, async ({ page }) => {
  const answer = await page.goto("/print");
  expect(answer.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All notes", soon);
});`,
  },
  {
    fault: "dead-button",
    text: "A note is ticked off by its button.",
    test: `test("a note is ticked off", { tag: "@C5" }, async ({ page }) => {
  const note = \`call home \${Date.now()}\`;
  await page.request.post("/notes", { form: { text: note } });
  await page.goto("/");
  const item = page.getByRole("listitem").filter({ hasText: note });
  await item.getByRole("button", { name: "Done" }).click();
  await expect(item.getByRole("button")).toHaveCount(0, soon);
});`,
  },
  {
    fault: "missing-validation",
    text: "An empty note is refused with a message.",
    test: `test("an empty note is refused", { tag: "@C6" }, async ({ page }) => {
  await page.goto("/");
  const add = page.getByRole("button", { name: "Add" });
  const [answer] = await Promise.all([page.waitForResponse("**/notes"), add.click()]);
  expect(answer.status()).toBe(422);
  await expect(page.getByRole("alert")).toHaveText("Write something first.", soon);
});`,
  },
  {
    fault: "lost-state",
    text: "What is done stays hidden after a reload.",
    test: `test("what is done stays hidden", { tag: "@C7" }, async ({ page }) => {
  await page.goto("/");
  const hides = page.getByLabel("Hide what is done");
  await hides.check();
  await page.reload();
  expect(await hides.isChecked()).toBe(true);
});`,
  },
  {
    fault: "slow-start",
    text: "What is left to do is told within two seconds of the page's being there.",
    test: `test("the count is there in time", { tag: "@C8" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText(/^\\d+ to do$/)).toBeVisible({ timeout: 2_000 });
});`,
  },
  {
    fault: "no-label",
    text: "The field of the search has a name for those who can't see it.",
    test: `test("the field of the search has a name", { tag: "@C9" }, async ({ page }) => {
  await page.goto("/search");
  expect(await page.getByRole("searchbox", { name: "Look for" }).count()).toBe(1);
});`,
  },
  {
    fault: "wrong-redirect",
    text: "Whoever adds a note is back at the list, and the note is in it.",
    test: `test("a note that is added is in the list", { tag: "@C10" }, async ({ page }) => {
  const note = \`buy milk \${Date.now()}\`;
  await page.goto("/");
  await page.getByLabel("Text").fill(note);
  const add = page.getByRole("button", { name: "Add" });
  const [answer] = await Promise.all([page.waitForResponse("**/notes"), add.click()]);
  expect(await answer.headerValue("location")).toBe("/");
  await expect(page.getByRole("listitem").filter({ hasText: note })).toBeVisible(soon);
});`,
  },
];

/** The application's criteria. */
export const CRITERIA = PROMISES.map(({ text }, index) => ({ id: `C${index + 1}`, text }));

/** One test for each criterion. */
export const HONEST = file(...PROMISES.map(({ test }) => test));

/** The criterion that each fault breaks. */
export const BREAKS = Object.fromEntries(PROMISES.map(({ fault }, index) => [fault, `C${index + 1}`]));

/** Returns only the tests that these faults break. @param {string[]} faults */
export const honest = (...faults) =>
  file(...faults.map((name) => PROMISES.find(({ fault }) => fault === name)?.test ?? ""));

/**
 * Returns tests of several applications at once: each title starts with the application's name.
 * @param {{name: string, url: string, criteria: string[]}[]} applications each with the criteria to decide
 */
export const ofEach = (applications) =>
  file(
    ...applications.map(({ name, url, criteria }) => {
      const tests = PROMISES.filter((_, index) => criteria.includes(`C${index + 1}`)).map(({ test }) => test);
      return `test.describe("${name}", () => {
test.use({ baseURL: "${url}" });

${tests.join("\n\n")}
});`;
    }),
  );

/** Tests that prove nothing, named after what is wrong with them. */
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
  await expect(page.getByRole("heading")).toHaveText("Notes", soon);
});`,
  `test.fixme("to be fixed", { tag: "@C3" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading")).toHaveText("Notes", soon);
});`,
  `test("caught", { tag: "@C4" }, async ({ page }) => {
  await page.goto("/");
  try {
    await expect(page.getByRole("heading")).toHaveText("Something else", { timeout: 100 });
  } catch {}
});`,
  `test("only a body", { tag: "@C1" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("body")).toBeAttached(soon);
});`,
  `test("never waited for", { tag: "@C2" }, async ({ page }) => {
  await page.goto("/");
  expect(page.getByRole("heading")).toHaveText("Something else", soon).catch(() => {});
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

/** Without those that are refused before they run. */
export const DECEIVING_AS_TAKEN = file(...DECEPTIONS.filter((test) => !test.startsWith("test.fail(")));

/** Tests of the start page only: of its content, and then only that it exists. */
export const START = file(
  `test("its title", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle("Notes", soon);
});`,
  `test("its heading", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Notes", soon);
});`,
  `test("there is a heading", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/\\w/, soon);
});`,
  `test("there is a list of links", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("navigation").getByRole("link")).toHaveCount(3, soon);
});`,
  `test("the link exists, but nobody follows it", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "About" })).toBeVisible(soon);
});`,
);

/**
 * A test of another kind of application, with its worth: it decides a criterion, or it passes against a counterfeit.
 * @typedef {{title: string, verdict: "met" | "hollow", body: string}} Worth
 */

/** For app/single-page.mjs. @type {Worth[]} */
const SINGLE_PAGE = [
  {
    title: "what was fetched is drawn, under its title",
    verdict: "met",
    body: `await page.goto("/");
  await expect(page.getByRole("listitem")).toHaveText(["milk", "bread"], soon);
  await expect(page).toHaveTitle("Shopping", soon);`,
  },
  {
    title: "the link leads on, and no page is asked for",
    verdict: "met",
    body: `await page.goto("/");
  await page.getByRole("link", { name: "About" }).click(soon);
  await expect(page.getByRole("paragraph")).toHaveText("It lists what to buy.", soon);`,
  },
  {
    title: "the address is the one that was asked for",
    verdict: "hollow",
    body: `await page.goto("/about");
  await expect(page).toHaveURL(/\\/about$/, soon);`,
  },
  {
    title: "there is a place to draw in",
    verdict: "hollow",
    body: `await page.goto("/");
  await expect(page.locator("#root")).toBeAttached(soon);`,
  },
];

/** For app/api.mjs. @type {Worth[]} */
const API = [
  {
    title: "its start says what it is",
    verdict: "met",
    body: `const { name, version } = await (await request.get("/")).json();
  expect([name, version]).toEqual(["notes", 2]);`,
  },
  {
    title: "a note is added, and what isn't there is told",
    verdict: "met",
    body: `const answer = await request.post("/notes", { data: { text: "call home" } });
  expect([answer.status(), (await answer.json()).text]).toEqual([201, "call home"]);
  expect((await request.get("/nothing")).status()).toBe(404);`,
  },
  {
    title: "it answers with something",
    verdict: "hollow",
    body: `const answer = await request.get("/notes", { headers: { accept: "application/json" } });
  expect([answer.status(), typeof (await answer.json())]).toEqual([200, "object"]);`,
  },
  {
    title: "its start has a name",
    verdict: "hollow",
    body: `const { name } = await (await request.get("/")).json();
  expect(name).toMatch(/\\w/);`,
  },
];

/** The other kinds of application beside app/server.mjs, by the names of their programs in app/. */
export const KINDS = { "single-page": SINGLE_PAGE, api: API };

/**
 * Returns tests of another kind of application, each for a separate criterion. A test opens a page only if it needs one.
 * @param {string} url the application's address
 * @param {Worth[]} tests
 */
export const ofKind = (url, tests) =>
  file(
    `test.use({ baseURL: "${url}" });`,
    ...tests.map(
      (
        { title, body },
        index,
      ) => `test("${title}", { tag: "@C${index + 1}" }, async ({ ${body.includes("page") ? "page" : "request"} }) => {
  ${body}
});`,
    ),
  );

/**
 * A project's own tests, by file: they use Playwright's `test` directly or with the project's extensions, and some of their titles
 * start like others.
 */
export const OWN = {
  "e2e/fixtures.ts": `import { test as base } from "@playwright/test";

export const test = base.extend<{ start: string }>({ start: async ({}, use) => use("/") });
`,
  "e2e/deep/notes.spec.ts": `import { expect } from "@playwright/test";
import { test } from "../fixtures";

test.describe("notes", { tag: "@notes" }, () => {
  test("are counted", { tag: "@C3" }, async ({ page, start }) => {
    await page.goto(start);
    await expect(page.getByText(/^\\d+ to do$/)).toBeVisible({ timeout: 1_500 });
  });

  test("are counted by nobody", async () => {
    throw new Error("nobody has asked for it");
  });
});

test("hollow › with what parts titles (and more)", async ({ page }) => {
  expect(page.url()).toBe("about:blank");
});
`,
  "e2e/other.spec.ts": `import { test } from "@playwright/test";

test.describe("notes", () => {
  test("are counted", async () => {
    throw new Error("nobody has asked for it");
  });
});
`,
};

/** The first steps of every test of app/sign-in.mjs. */
const SIGNS_IN = `await page.goto("/");
  await page.getByLabel("Name").fill("ann");
  await page.getByLabel("Password").fill("secret");
  await page.getByRole("button", { name: "Sign in" }).click();`;

/**
 * Tests behind a sign-in, which no dead counterfeit can perform, each with its worth.
 * @type {{title: string, verdict: "met" | "hollow", before?: string, body: string}[]}
 */
export const BEHIND_SIGN_IN = [
  {
    title: "who has signed in is welcomed",
    verdict: "met",
    body: `await expect(page.getByRole("heading")).toHaveText("Welcome, Ann");`,
  },
  {
    title: "their notes are listed",
    verdict: "met",
    body: `await expect(page.getByRole("listitem").first()).toHaveText("Buy milk");`,
  },
  {
    title: "a note that is added is listed",
    verdict: "met",
    body: `await page.getByLabel("Note").fill("Water plants");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("Water plants")).toBeVisible();`,
  },
  { title: "they come to their home", verdict: "met", body: "await expect(page).toHaveURL(/home$/);" },
  { title: "a tautology", verdict: "hollow", body: "expect(true).toBe(true);" },
  { title: "any address", verdict: "hollow", body: "await expect(page).toHaveURL(/.*/);" },
  { title: "something is there", verdict: "hollow", body: "expect(await page.content()).toBeDefined();" },
  {
    title: "an early return",
    verdict: "hollow",
    body: `await page.waitForURL("**/home");
  if (await page.getByRole("button", { name: "Sign out" }).isVisible()) return;
  await expect(page.getByRole("heading")).toHaveText("Welcome, Ann");`,
  },
  {
    title: "or the body",
    verdict: "hollow",
    body: `await expect(page.getByText("Welcome, Ann").or(page.locator("body")).first()).toBeVisible();`,
  },
  {
    title: "an answer of its own",
    verdict: "hollow",
    before: `await page.route("**/api/notes", (route) => route.fulfill({ json: ["Buy bread"] }));
  `,
    body: `await expect(page.getByRole("listitem").first()).toHaveText("Buy bread");`,
  },
];

/** @param {typeof BEHIND_SIGN_IN} tests */
const behind = (tests) =>
  file(
    ...tests.map(
      (
        { title, before = "", body },
        index,
      ) => `test("${title}", { tag: "@C${index + 1}" }, async ({ page }) => {
  ${before}${SIGNS_IN}
  ${body}
});`,
    ),
  );

/** All of these tests. */
export const SIGN_IN = behind(BEHIND_SIGN_IN);

/** Only the test that answers in place of the application. */
export const mocking = behind(BEHIND_SIGN_IN.filter(({ before }) => before !== undefined));

/** A test of a rule for any amount, which the application in `app/sum.mjs` keeps, and with its fault breaks from 100 on. */
export const RULE = `import fc from "fast-check";
import { expect, test } from "./validation";

test("any amount is added", { tag: "@C1" }, async ({ page }) => {
  await fc.assert(
    fc.asyncProperty(fc.record({ amount: fc.integer({ min: 1, max: 500 }) }), async ({ amount }) => {
      await page.goto("/");
      await page.getByLabel("Amount").fill(\`\${amount}\`);
      await page.getByRole("button", { name: "Add" }).click();
      await expect(page.getByRole("status")).toHaveText(\`Total: \${amount}\`, { timeout: 500 });
    }),
  );
});
`;
