// A single-page application: every path is the same empty page, and a script draws its content with data that it fetches.

import { createServer } from "node:http";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Shopping</title><link rel="icon" href="data:,"></head>
<body><noscript>It needs scripts.</noscript><div id="root"></div><script type="module" src="/main.js"></script></body>
</html>
`;

const SCRIPT = `
const root = document.querySelector("#root");
const draw = async () => {
  if (location.pathname === "/about") {
    root.innerHTML = "<h1>About</h1><p>It lists what to buy.</p>";
    return;
  }
  const items = await (await fetch("/data")).json();
  root.innerHTML = '<h1>Shopping</h1><a href="/about">About</a><ul></ul>';
  root.querySelector("ul").append(...items.map((item) => Object.assign(document.createElement("li"), { textContent: item })));
};
addEventListener("popstate", draw);
addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  draw();
});
draw();
`;

const KINDS = { html: "text/html; charset=utf-8", script: "text/javascript", json: "application/json" };

const server = createServer(({ url }, response) => {
  const give = (/** @type {keyof typeof KINDS} */ kind, /** @type {string} */ body) =>
    response.writeHead(200, { "Content-Type": KINDS[kind] }).end(body);
  if (url === "/main.js") return give("script", SCRIPT);
  if (url === "/data") return give("json", '["milk", "bread"]');
  return give("html", PAGE);
});

server.listen(Number(process.env.PORT), "127.0.0.1");
