// A small web application that adds an amount. With `FAULT=large-amounts`, it drops the hundreds.

import { createServer } from "node:http";

const isFaulty = process.env.FAULT === "large-amounts";

/** @param {number} total */
const page = (total) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sum</title><link rel="icon" href="data:,"></head>
<body>
<form><label>Amount <input name="amount"></label> <button>Add</button></form>
<p role="status">Total: ${total}</p>
</body>
</html>
`;

const server = createServer((request, response) => {
  const amount = Number(new URL(request.url ?? "/", "http://127.0.0.1").searchParams.get("amount") ?? 0);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(page(isFaulty ? amount % 100 : amount));
});

server.listen(Number(process.env.PORT), "127.0.0.1", () => {
  process.stdout.write("listening\n");
});
