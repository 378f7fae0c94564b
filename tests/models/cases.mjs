// Small changes with criteria whose truth is known: half of them are met. Nothing in a change says which.

/**
 * @typedef {object} Case
 * @property {string} title
 * @property {string} code
 * @property {[string, boolean][]} criteria each with whether the code meets it
 */

/** @type {Case[]} */
export const CASES = [
  {
    title: "Add two numbers",
    code: `export function add(a, b) {
  if (typeof a !== "number" || typeof b !== "number") throw new TypeError("add needs two numbers");
  return a + b;
}`,
    criteria: [
      ["add(2, 3) returns 5", true],
      ['add("2", 3) returns 5', false],
      ['add("2", 3) throws a TypeError', true],
      ["add adds any number of arguments", false],
    ],
  },
  {
    title: "Count the words of a text",
    code: `export function countWords(text) {
  return text.trim().split(/\\s+/).length;
}`,
    criteria: [
      ['countWords("one two") returns 2', true],
      ['countWords("") returns 0', false],
      ["Several spaces between two words count as one", true],
      ["A word that occurs twice counts once", false],
    ],
  },
  {
    title: "Store orders",
    code: `const orders = new Map();
export function store(order) {
  if (!order.id) return { status: 400 };
  orders.set(order.id, order);
  return { status: 201 };
}`,
    criteria: [
      ["An order without an id gets the status 400", true],
      ["An order whose id is known already gets the status 409", false],
      ["A stored order gets the status 201", true],
      ["Orders are still there after a restart", false],
    ],
  },
  {
    title: "Limit requests",
    code: `const LIMIT = 10;
const counts = new Map();
export function allow(client) {
  const count = (counts.get(client) ?? 0) + 1;
  counts.set(client, count);
  return count <= LIMIT;
}`,
    criteria: [
      ["The tenth request of a client is allowed", true],
      ["The count of a client is reset after a minute", false],
      ["Each client has a count of its own", true],
      ["The limit can be set by an environment variable", false],
    ],
  },
  {
    title: "Sign in",
    code: `export async function signIn(users, name, password) {
  const user = users.find((user) => user.name === name);
  if (!user || user.password !== password) return { status: 401, error: "wrong name or password" };
  return { status: 200, token: crypto.randomUUID() };
}`,
    criteria: [
      ["A wrong password gets the status 401", true],
      ["Passwords are stored as hashes", false],
      ["An unknown name and a wrong password get the same error", true],
      ["An account is locked after five wrong passwords", false],
    ],
  },
  {
    title: "Read the settings",
    code: `import { readFileSync } from "node:fs";
export function settings(file) {
  try {
    return { port: 8080, ...JSON.parse(readFileSync(file, "utf8")) };
  } catch {
    return { port: 8080 };
  }
}`,
    criteria: [
      ["Without a file, the port is 8080", true],
      ["An error in the file is reported", false],
      ["A port in the file replaces 8080", true],
      ["Comments in the file are allowed", false],
    ],
  },
  {
    title: "Sort a list of people",
    code: `export function byAge(people) {
  return [...people].sort((one, other) => other.age - one.age || one.name.localeCompare(other.name));
}`,
    criteria: [
      ["The oldest person comes first", true],
      ["The given list is sorted in place", false],
      ["People of the same age are sorted by name", true],
      ["People without an age come last", false],
    ],
  },
  {
    title: "Retry a request",
    code: `export async function retry(request) {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const response = await request();
    if (response.status < 500) return response;
  }
  throw new Error("the server fails");
}`,
    criteria: [
      ["A request is made at most three times", true],
      ["It waits longer before each attempt", false],
      ["A response with the status 404 is returned at once", true],
      ["The error names the last status", false],
    ],
  },
  {
    title: "Show a price",
    code: `export function price(cents, currency = "EUR") {
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(cents / 100);
}`,
    criteria: [
      ["Without a currency, the price is in euros", true],
      ["The price is shown in the user's own language", false],
      ["price(1999) shows 19.99", true],
      ["A negative price is refused", false],
    ],
  },
  {
    title: "Upload a picture",
    code: `const MOST = 5_000_000;
export function upload(file) {
  if (!file.name.endsWith(".png")) return "only PNG files";
  if (file.size > MOST) return "too large";
  save(file);
  return "saved";
}`,
    criteria: [
      ["A file of more than 5 MB is refused", true],
      ["JPEG files are accepted", false],
      ["A refusal says why", true],
      ["The content of the file is checked, not only its name", false],
    ],
  },
];
