/** The parts of the host's modules that are used here: `@opentui/solid` 0.4 and `solid-js` 1.9. */

declare module "@opentui/solid" {
  /** An element of the terminal's tree. */
  export interface Element {}
  namespace JSX {
    type Element = import("@opentui/solid").Element;
  }
  export function createElement(tag: string): Element;
  /** Inserts content into an element, and updates it with the signals that a function reads. */
  export function insert(parent: Element, content: unknown): void;
  /** Sets properties, and updates them with the signals that a function reads. */
  export function spread(element: Element, properties: unknown, skipChildren?: boolean): void;
}

declare module "solid-js" {
  type Setter<T> = (value: T | ((last: T) => T)) => void;
  export function createSignal<T>(value: T): [() => T, Setter<T>];
  /** Calls this when the current drawing is disposed. */
  export function onCleanup(callback: () => void): void;
}
