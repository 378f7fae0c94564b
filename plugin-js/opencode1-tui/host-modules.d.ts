/** What the host supplies at run time, as far as it is used: `@opentui/solid` 0.4 and `solid-js` 1.9. */

declare module "@opentui/solid" {
  /** An element of the terminal's tree. */
  export interface Element {}
  namespace JSX {
    type Element = import("@opentui/solid").Element;
  }
  export function createElement(tag: string): Element;
  /** Puts content into an element, and follows the signals that a function reads. */
  export function insert(parent: Element, content: unknown): void;
  /** Sets properties, and follows the signals that a function reads. */
  export function spread(element: Element, properties: unknown, skipChildren?: boolean): void;
}

declare module "solid-js" {
  type Setter<T> = (value: T | ((last: T) => T)) => void;
  export function createSignal<T>(value: T): [() => T, Setter<T>];
  /** Calls this when what is being drawn goes. */
  export function onCleanup(callback: () => void): void;
}
