// A small web application: notes that are added by a form and ticked off by a button. The pages are made here, where the notes are
// kept, too; a script in the page counts what is left to do.
//
// `FAULT` plants one of the faults below; without it all is well.

import { createServer } from "node:http";

/** @type {Record<string, string>} */
const FAULTS = {
  "console-error": "the script throws",
  "lost-state": "what was ticked off is open again after a reload",
};

const fault = process.env.FAULT ?? "";
if (fault !== "" && !Object.hasOwn(FAULTS, fault)) throw new Error(`there is no fault ${fault}`);

/** @type {{id: number, text: string, done: boolean}[]} */
const notes = [];

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** What runs in the page. */
const SCRIPT = `
  const left = () => document.querySelectorAll("li:not(.done)").length;
  const tell = () => { document.querySelector("#left").textContent = left() + " to do"; };
  ${fault === "console-error" ? 'throw new Error("the counter is broken");' : ""}
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-note]");
    if (!button) return;
    const answer = await fetch("/notes/" + button.dataset.note + "/done", { method: "POST" });
    if (!answer.ok) return;
    button.closest("li").classList.add("done");
    button.remove();
    tell();
  });
  tell();`;

/** @param {string} title @param {string} body */
const page = (title, body) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body>
<nav><a href="/">Notes</a> <a href="/about">About</a></nav>
<main>${body}</main>
</body>
</html>
`;

/** @param {string} [problem] */
function list(problem = "") {
  const items = notes.map(({ id, text, done }) => {
    const ticked = done && fault !== "lost-state";
    const button = ticked ? "" : ` <button data-note="${id}" type="button">Done</button>`;
    return `<li${ticked ? ' class="done"' : ""}>${escaped(text)}${button}</li>`;
  });
  return page(
    "Notes",
    `<h1>Notes</h1>
${problem === "" ? "" : `<p role="alert">${problem}</p>`}
<form method="post" action="/notes"><label for="text">Text</label> <input id="text" name="text"> <button>Add</button></form>
<p id="left"></p>
<ul>${items.join("\n")}</ul>
<script>${SCRIPT}</script>`,
  );
}

/** @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const html = (/** @type {number} */ status, /** @type {string} */ text) =>
    response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(text);
  const asked = `${request.method} ${pathname}`;
  if (asked === "GET /") return html(200, list());
  if (asked === "GET /about") return html(200, page("About", "<h1>About</h1><p>It keeps notes.</p>"));
  if (asked === "POST /notes") {
    const text = ((await bodyOf(request)).get("text") ?? "").trim();
    if (text === "") return html(422, list("Write something first."));
    notes.push({ id: notes.length + 1, text, done: false });
    return response.writeHead(303, { Location: "/" }).end();
  }
  const ticked = notes.find(({ id }) => asked === `POST /notes/${id}/done`);
  if (ticked) {
    ticked.done = true;
    return response.writeHead(204).end();
  }
  return html(404, page("Not found", "<h1>Not found</h1>"));
});

server.listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("listening\n"));
