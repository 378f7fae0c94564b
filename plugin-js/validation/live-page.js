/**
 * The script that a live counterfeit (live.js) inserts first into every page of the application: following a plan of the core, it
 * changes what the page shows, including what the application's scripts add later. It runs in the page, as text.
 *
 * @param {import("../core/types.js").ValidationPlan} plan
 */
export function lie({ lie, letters, digits, controls, attributes, everywhere, remembered }) {
  const changesWords = lie === "words" || lie === "names" || lie === "both";

  /** The texts that this script wrote, which are not changed again. @type {WeakMap<Node, Map<string, string>>} */
  const written = new WeakMap();

  /** @param {string} text */
  function other(text) {
    const changed = text.replace(/\p{L}|\p{N}/gu, (found) => {
      const small = found.charCodeAt(0) - 97;
      const large = found.charCodeAt(0) - 65;
      const digit = found.charCodeAt(0) - 48;
      if (found.length > 1) return "n";
      if (small >= 0 && small < 26) return letters[small] ?? "n";
      if (large >= 0 && large < 26) return (letters[large] ?? "n").toUpperCase();
      return digit >= 0 && digit < 10 ? (digits[digit] ?? "0") : "n";
    });
    return changed === text && text.trim() !== "" ? `${text} n` : changed;
  }

  /** @param {Node} node @param {string} key @param {string} now @param {(text: string) => void} set */
  function change(node, key, now, set) {
    const its = written.get(node) ?? new Map();
    if (its.get(key) === now || now.trim() === "") return;
    const changed = other(now);
    written.set(node, its.set(key, changed));
    set(changed);
  }

  /** @param {Element | null} element */
  const isControl = (element) => lie !== "names" && Boolean(element?.closest(controls));

  /** @param {Node} text */
  function changeText(text) {
    const parent = text.parentElement;
    if (!parent || parent.closest("script,style,noscript,template") || isControl(parent)) return;
    // What is being typed is the test's own.
    const active = document.activeElement;
    if (active instanceof HTMLElement && active.isContentEditable && active.contains(parent)) return;
    change(text, "", text.nodeValue ?? "", (changed) => {
      text.nodeValue = changed;
    });
  }

  const acted = new Set([
    "hidden",
    "submit",
    "button",
    "reset",
    "image",
    "checkbox",
    "radio",
    "password",
    "file",
  ]);

  /** @param {Element} element */
  function changeAttributes(element) {
    const { localName } = element;
    const type = element.getAttribute("type") ?? "";
    for (const name of [...attributes, ...everywhere]) {
      const value = element.getAttribute(name);
      if (value === null || (attributes.includes(name) && isControl(element))) continue;
      if (name === "value" && (localName !== "input" || acted.has(type))) continue;
      if (name === "href" && localName !== "a") continue;
      if (name === "content" && element.getAttribute("name") !== "description") continue;
      change(element, name, value, (changed) => {
        element.setAttribute(name, name === "href" ? `/-/${changed.replace(/\W+/g, "-")}` : changed);
        if (name === "href") written.get(element)?.set(name, element.getAttribute(name) ?? "");
      });
    }
  }

  /** @param {Node} node */
  function changeAll(node) {
    if (node.nodeType === Node.TEXT_NODE) return changeText(node);
    if (node instanceof Element) changeAttributes(node);
    for (const child of node.childNodes) changeAll(child);
  }

  /** @param {Node} root */
  function watch(root) {
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "characterData") changeText(target);
        else if (type === "attributes") changeAttributes(/** @type {Element} */ (target));
        else for (const node of addedNodes) changeAll(node);
      }
    }).observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: [...attributes, ...everywhere],
    });
  }

  /** Changes what scripts write into a field, except one that is being typed in. @param {{prototype: any}} kind */
  function watchValues({ prototype }) {
    const value = Object.getOwnPropertyDescriptor(prototype, "value");
    if (!value?.set) return;
    const { set } = value;
    Object.defineProperty(prototype, "value", {
      ...value,
      /** @this {HTMLInputElement} @param {string} to */
      set(to) {
        const isTyped = this === document.activeElement || acted.has(this.type);
        set.call(this, isTyped ? to : other(`${to}`));
      },
    });
  }

  if (changesWords) {
    watch(document);
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
      const root = attachShadow.call(this, options);
      watch(root);
      return root;
    };
    watchValues(HTMLInputElement);
    watchValues(HTMLTextAreaElement);
    for (const name of /** @type {const} */ (["alert", "confirm", "prompt"])) {
      const ask = /** @type {any} */ (window)[name];
      /** @param {unknown} message @param {unknown[]} more */
      const lying = (message = "", ...more) => ask.call(window, other(`${message}`), ...more);
      /** @type {any} */ (window)[name] = lying;
    }
  }
  if (lie === "deaf" || lie === "both") {
    const kept = new RegExp(remembered, "i");
    for (const key of Object.keys(localStorage)) if (!kept.test(key)) localStorage.removeItem(key);
  }
  if (lie === "elsewhere") {
    const { pushState, replaceState } = history;
    history.pushState = (state, title) => pushState.call(history, state, title);
    history.replaceState = (state, title) => replaceState.call(history, state, title);
  }
}
