// What is read from texts, and what is removed from them: sockets, answers, pages, secrets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfThisMachine, parseAnswer } from "./http.js";
import { parseListening } from "./listener.js";
import { frozen, withoutScripts } from "./pages.js";
import { redacted, redactor } from "./redact.js";

test("of the system's sockets the listening ones are listed", () => {
  const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0000000000000000 20 4 30 10 -1
   2: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1 0 100 0 0 10 0

nonsense
`;
  assert.deepEqual(parseListening(text), [
    { port: 8080, inode: "4711" },
    { port: 80, inode: "99" },
  ]);
  assert.deepEqual(parseListening(""), []);
});

/** @param {string} text */
const answer = (text) => parseAnswer(Buffer.from(text.replaceAll("\n", "\r\n")));

test("an answer is read, whole or in chunks", () => {
  const plain = answer("HTTP/1.1 404 Not Found\nContent-Type: text/plain\nX-Colon: a:b\n\nnone");
  assert.deepEqual([plain.status, plain.headers.get("x-colon"), `${plain.body}`], [404, "a:b", "none"]);
  const chunked = answer("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\nA;x=y\n0123456789\n0\n\n");
  assert.equal(`${chunked.body}`, "abc0123456789");
  assert.equal(answer("HTTP/1.0 204 \n\n").status, 204);
});

test("a machine is known by its address", () => {
  const its = (/** @type {string[]} */ ...addresses) => addresses.map(isOfThisMachine);
  assert.deepEqual(its("127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"), Array(4).fill(true));
  assert.deepEqual(
    its("10.127.0.1", "1127.0.0.1", "::11", "fe80::1", "::ffff:10.0.0.1", ""),
    Array(6).fill(false),
  );
});

for (const text of [
  "",
  "SSH-2.0-x\n\n",
  "HTTP/1.1 200 OK\n",
  "HTTP/1.1 2 OK\n\n",
  "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nabc",
]) {
  test(`${JSON.stringify(text)} is no answer`, () => assert.throws(() => answer(text), Error));
}

for (const [html, left] of [
  ["<p>a</p><script>x()</script><p>b</p>", "<p>a</p><p>b</p>"],
  ["<SCRIPT src=x></SCRIPT >after", "after"],
  ["<p>a</p><script>never closed", "<p>a</p>"],
  [`<button onclick="x('>')" class="a">b</button>`, `<button class="a">b</button>`],
  ["<body ONLOAD = x() id=y>", "<body id=y>"],
  ['<a href="javascript:x()">a</a>', '<a href="#x()">a</a>'],
  ["<p>it goes=and goes</p>", "<p>it goes=and goes</p>"],
  ['<link rel="modulepreload" href="/x.js"><link rel="icon" href="/x">', '<link rel="icon" href="/x">'],
]) {
  test(`of ${html} is left ${left}`, () => assert.equal(withoutScripts(html ?? ""), left));
}

for (const [type, text, left] of [
  [
    "text/html",
    '<title>My Notes</title><h1 id="top">2 to do &amp; done</h1>',
    '<title>Zl Abgrf</title><h1 id="top">7 gb qb &amp; qbar</h1>',
  ],
  ["text/html; charset=utf-8", "<p title='a > b'>É&#233;日<br>x</p>", "<p title='a > b'>nnn<br>k</p>"],
  // Controls keep their names, even when one contains another; the text after them is changed again.
  [
    "text/html",
    "<label>Text <button>Add</button> it</label> now",
    "<label>Text <button>Add</button> it</label> abj",
  ],
  [
    "text/html",
    '<a href="/x">About</a></a> us<aside>me</aside>',
    '<a href="/x">About</a></a> hf<aside>zr</aside>',
  ],
  // Text that people don't see is not changed.
  [
    "text/html",
    "<style>p > a { x: y }</style><!-- <p>no</p> -->a < b",
    "<style>p > a { x: y }</style><!-- <p>no</p> -->n < o",
  ],
  ["application/json", '{"name":"Ann","all":[1,true,null]}', '{"name":"Naa","all":[2,true,null]}'],
  ["application/json", "no data", "ab qngn"],
  ["text/plain", "ok <b>", "bx <o>"],
]) {
  test(`of ${text} is made ${left}`, () => {
    assert.equal(frozen(text ?? "", type ?? ""), left);
    assert.equal(frozen(text ?? "", type ?? ""), left, "always the same");
  });
}

test("secrets are taken out however they are spelled, and what only looks alike stays", () => {
  const secret = 'pä"ss/w&rd';
  const redact = redactor([secret, secret, "abc", undefined, "hidden-and-longer", "hidden"]);
  for (const spelled of [
    secret,
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify({ secret })),
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    "p\u00e4&quot;ss/w&amp;rd",
    "hidden-and-longer",
  ]) {
    assert.match(redact(`before ${spelled} after`), /^before .*\[redacted\].* after$/);
    for (const part of ["rd", "longer", "c3M"]) assert.ok(!redact(spelled).includes(part), spelled);
  }
  assert.equal(redact("abc is short enough to be a word"), "abc is short enough to be a word");
  assert.equal(redactor([])("a"), "a");
});

for (const [text, left] of [
  ["Authorization: Bearer x.y.z\nnext", "Authorization: [redacted]\nnext"],
  ["set-cookie: id=1; Path=/\r\nnext", "set-cookie: [redacted]\r\nnext"],
  ['{"cookie":"id=\\"1\\"","a":1}', '{"cookie":"[redacted]","a":1}'],
  [
    '{"name": "Set-Cookie", "value": "id=1", "a": 1}',
    '{"name": "Set-Cookie", "value": "[redacted]", "a": 1}',
  ],
  ['"{\\"Authorization\\":\\"Basic x\\",\\"b\\":1}"', '"{\\"Authorization\\":\\"[redacted]\\",\\"b\\":1}"'],
  ["the cookie is stale", "the cookie is stale"],
  ["cookies: none", "cookies: none"],
]) {
  test(`of ${text} is left ${left}`, () => {
    const redact = redactor([]);
    assert.equal(redact(text ?? ""), left);
    assert.equal(redact(redact(text ?? "")), left, "and nothing more the second time");
  });
}

test("every text of a value is redacted, and nothing else is changed", () => {
  const redact = redactor(["secret"]);
  const value = { secret: "secret", list: ["a secret", 1, null, true], deep: { more: "none" } };
  assert.deepEqual(redacted(value, redact), {
    secret: "[redacted]",
    list: ["a [redacted]", 1, null, true],
    deep: { more: "none" },
  });
});
