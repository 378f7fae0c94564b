// An application without pages: all of its answers are JSON, including the start page.

import { createServer } from "node:http";

/** @type {{id: number, text: string}[]} */
const notes = [{ id: 1, text: "buy milk" }];

const server = createServer(async (request, response) => {
  const give = (/** @type {number} */ status, /** @type {object} */ body) =>
    response
      .writeHead(status, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(body));
  const asked = `${request.method} ${request.url}`;
  if (asked === "GET /") return give(200, { name: "notes", version: 2, open: true });
  if (asked === "GET /notes") return give(200, notes);
  if (asked === "POST /notes") {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const note = { id: notes.length + 1, text: JSON.parse(Buffer.concat(chunks).toString("utf8")).text };
    notes.push(note);
    return give(201, note);
  }
  return give(404, { error: "there is no such thing" });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
