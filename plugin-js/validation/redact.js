/**
 * Removes secrets from texts: the values that the settings name, however they are spelled in evidence, and the HTTP headers that
 * authenticate a user.
 */

/** The text that replaces a secret. */
const HIDDEN = "[redacted]";

/** A shorter value would match in almost any text. */
const SHORTEST = 4;

/** Headers, as they appear in logs and, with quotes around, in JSON. */
const HEADERS =
  /((?:"|\\")?\b(?:proxy-)?(?:authorization|set-cookie|cookie)(?:"|\\")?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|\\"(?:[^"\\]|\\(?!"))*\\"|[^\r\n"\\]+)/gi;

/** The same as pairs of name and value, as Playwright writes them. */
const PAIRS =
  /("name"\s*:\s*"(?:proxy-)?(?:authorization|set-cookie|cookie)"\s*,\s*"value"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/**
 * @param {(string | undefined)[]} values the secrets
 * @returns {(text: string) => string}
 */
export function redactor(values) {
  const known = values.filter((value) => value !== undefined && value.length >= SHORTEST);
  const spelled = [...new Set(known.flatMap((value) => spellings(value ?? "")))];
  // If one secret is the prefix of another, the longer one is replaced first.
  const sought = spelled.sort((one, other) => other.length - one.length).map(escaped);
  const secrets = sought.length > 0 ? new RegExp(sought.join("|"), "g") : undefined;
  return (text) => {
    const plain = secrets ? text.replace(secrets, HIDDEN) : text;
    return plain.replace(PAIRS, `$1"${HIDDEN}"`).replace(HEADERS, (_, name, value) => {
      if (value.startsWith('\\"')) return `${name}\\"${HIDDEN}\\"`;
      return value.startsWith('"') ? `${name}"${HIDDEN}"` : `${name}${HIDDEN}`;
    });
  };
}

/**
 * Every text in a value, redacted.
 * @template T
 * @param {T} value as JSON has it
 * @param {(text: string) => string} redact
 * @returns {T}
 */
export function redacted(value, redact) {
  if (typeof value === "string") return /** @type {any} */ (redact(value));
  if (Array.isArray(value)) return /** @type {any} */ (value.map((item) => redacted(item, redact)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, redacted(item, redact)]);
  return /** @type {any} */ (Object.fromEntries(entries));
}

/** The spellings of a value in a text. @param {string} value */
function spellings(value) {
  const json = JSON.stringify(value).slice(1, -1);
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(value),
    encodeURIComponent(value).replaceAll("%20", "+"),
    Buffer.from(value).toString("base64"),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ];
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
