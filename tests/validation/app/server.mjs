// A small web application: a form adds notes, and a button ticks them off. The server renders the pages and stores the notes; scripts
// in the page count the open notes and remember what is hidden.
//
// `FAULT` plants faults, named and separated by spaces, or all of them with `all`. Without it, everything works.

import { createServer } from "node:http";

/** Faults by name, in the order of the criteria that they break (tests/validation/suites.mjs). */
const FAULTS = {
  "broken-link": "the link to the page about it leads nowhere",
  "wrong-text": "the page about it says something else",
  "console-error": "a script throws",
  "server-error": "the page for the printer answers 500",
  "dead-button": "nothing happens when a note is ticked off",
  "missing-validation": "an empty note is taken",
  "lost-state": "what is hidden is shown again after a reload",
  "slow-start": "what is left to do is told late",
  "no-label": "the field of the search has no name",
  "wrong-redirect": "who adds a note is led elsewhere",
};

/** The delay of the late fault, in ms. */
const LATE_MS = 3_500;

const wanted = (process.env.FAULT ?? "").split(" ").filter((name) => name !== "");
for (const name of wanted)
  if (name !== "all" && !Object.hasOwn(FAULTS, name)) throw new Error(`there is no fault ${name}`);

/** @param {keyof typeof FAULTS} name */
const has = (name) => wanted.includes(name) || wanted.includes("all");

/** @type {{id: number, text: string, done: boolean}[]} */
const notes = [];

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The script of the list. */
const SCRIPT = `
  const left = () => document.querySelectorAll("li:not(.done)").length;
  const tell = () => { document.querySelector("#left").textContent = left() + " to do"; };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-note]");
    if (!button${has("dead-button") ? " || true" : ""}) return;
    const answer = await fetch("/notes/" + button.dataset.note + "/done", { method: "POST" });
    if (!answer.ok) return;
    button.closest("li").classList.add("done");
    button.remove();
    tell();
  });
  const hides = document.querySelector("#hides");
  const hide = () => document.body.classList.toggle("hides", hides.checked);
  hides.addEventListener("change", () => {
    ${has("lost-state") ? "" : 'localStorage.setItem("hides", hides.checked);'}
    hide();
  });
  hides.checked = localStorage.getItem("hides") === "true";
  hide();
  ${has("slow-start") ? `setTimeout(tell, ${LATE_MS});` : "tell();"}`;

const BROKEN = '<script>throw new Error("the counter is broken");</script>';

/** @param {string} title @param {string} body */
const page = (title, body) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<style>.hides .done { display: none; }</style>
</head>
<body>
<nav>
<a href="/">Notes</a> <a href="/search">Search</a>
<a href="${has("broken-link") ? "/abuot" : "/about"}">About</a>
</nav>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

/** @param {string} [problem] */
function list(problem = "") {
  const items = notes.map(({ id, text, done }) => {
    const button = done ? "" : ` <button data-note="${id}" type="button">Done</button>`;
    return `<li${done ? ' class="done"' : ""}>${escaped(text)}${button}</li>`;
  });
  return page(
    "Notes",
    `${problem === "" ? "" : `<p role="alert">${problem}</p>`}
<form method="post" action="/notes"><label for="text">Text</label> <input id="text" name="text"> <button>Add</button></form>
<p id="left"></p>
<label><input id="hides" type="checkbox" autocomplete="off"> Hide what is done</label>
<ul>${items.join("\n")}</ul>
<script>${SCRIPT}</script>
${has("console-error") ? BROKEN : ""}`,
  );
}

/** @param {string} words */
function search(words) {
  const found = notes.filter(({ text }) => text.includes(words));
  const label = has("no-label") ? "<span>Look for</span>" : '<label for="words">Look for</label>';
  return page(
    "Search",
    `<form>${label} <input type="search" id="words" name="words"> <button>Search</button></form>
<ul>${found.map(({ text }) => `<li>${escaped(text)}</li>`).join("\n")}</ul>`,
  );
}

const ABOUT = has("wrong-text") ? "It loses notes." : "It keeps notes.";

/** @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const html = (/** @type {number} */ status, /** @type {string} */ text) =>
    response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(text);
  const asked = `${request.method} ${pathname}`;
  if (asked === "GET /") return html(200, list());
  if (asked === "GET /about") return html(200, page("About", `<p>${ABOUT}</p>`));
  if (asked === "GET /search") return html(200, search(searchParams.get("words") ?? ""));
  if (asked === "GET /print") {
    if (has("server-error")) return html(500, page("Sorry", "<p>Something went wrong.</p>"));
    return html(200, page("All notes", notes.map(({ text }) => `<p>${escaped(text)}</p>`).join("\n")));
  }
  if (asked === "POST /notes") {
    const text = ((await bodyOf(request)).get("text") ?? "").trim();
    if (text === "" && !has("missing-validation")) return html(422, list("Write something first."));
    notes.push({ id: notes.length + 1, text, done: false });
    return response.writeHead(303, { Location: has("wrong-redirect") ? "/about" : "/" }).end();
  }
  const ticked = notes.find(({ id }) => asked === `POST /notes/${id}/done`);
  if (ticked) {
    ticked.done = true;
    return response.writeHead(204).end();
  }
  return html(404, page("Not found", ""));
});

server.listen(Number(process.env.PORT), "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`listening at http://127.0.0.1:${port}\n`);
});
