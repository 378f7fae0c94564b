// An application behind a sign-in: a script fills a page with data that it fetches. With `FAULT=api`, every data route answers 500;
// with `FAULT=words`, the page shows different texts.

import { createServer } from "node:http";

const fault = process.env.FAULT ?? "";
const notes = ["Buy milk", "Call home"];

/** @param {string} title @param {string} body */
const page = (title, body) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><main>${body}</main></body></html>
`;

const FORM = page(
  "Sign in",
  `<h1>Sign in</h1><form method="post" action="/login"><label>Name <input name="name"></label>
<label>Password <input name="password" type="password"></label> <button>Sign in</button></form>`,
);

const HOME = page(
  "Home",
  `<h1>${fault === "words" ? "Good bye, Ann" : "Welcome, Ann"}</h1><ul></ul>
<form><label>Note <input name="note"></label> <button>Add</button></form> <button id="out">Sign out</button>
<script>
const list = document.querySelector("ul");
const show = (text) => list.append(Object.assign(document.createElement("li"), { textContent: text }));
fetch("/api/notes").then(async (answer) => answer.ok && (await answer.json()).forEach(show));
document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.elements.note;
  const answer = await fetch("/api/notes", { method: "POST", body: field.value });
  if (answer.ok) show(field.value);
  field.value = "";
});
</script>`,
);

const server = createServer(async (request, response) => {
  const { method, url = "/", headers } = request;
  const html = (/** @type {string} */ text) =>
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(text);
  const json = (/** @type {number} */ status, /** @type {unknown} */ data) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(data));
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const isIn = headers.cookie?.includes("session=ann") ?? false;
  if (method === "POST" && url === "/login")
    return response.writeHead(303, { Location: "/home", "Set-Cookie": "session=ann; HttpOnly" }).end();
  if (url.startsWith("/api/") && fault === "api") return json(500, { error: "It is broken" });
  if (url === "/api/notes" && method === "GET") return json(isIn ? 200 : 401, notes);
  if (url === "/api/notes" && method === "POST") {
    notes.push(body);
    return json(201, { text: body });
  }
  if (url === "/home" && isIn) return html(HOME);
  return html(FORM);
});

server.listen(Number(process.env.PORT), "127.0.0.1");
