// Generated from src/boundary/shared.rs by `cargo xtask update`.

import { call, json, packageVersion } from "./load.js";

/**
 * @import { Surroundings, TestsTold } from "./types.js"
 */

/** The calls into the core that belong to no workflow. */
export class SharedCore {
  /** The package's version. */
  get version() {
    return packageVersion();
  }

  /**
   * Sets the secrets and home directories of this machine, replacing the previous ones.
   * @param {Surroundings} surroundings
   */
  know(surroundings) {
    call("shared.know", json(surroundings));
  }

  /**
   * Sets the key of this machine, in hex; any other text means that there is none.
   * @param {string} key
   */
  holdKey(key) {
    call("shared.hold_key", key);
  }

  /**
   * The mark of a text as written on this machine, in hex; null without a key. `purpose`: the kind of text; contains no NUL.
   * @param {string} purpose
   * @param {string} text
   * @returns {string | null}
   */
  vouch(purpose, text) {
    return call("shared.vouch", purpose, text);
  }

  /**
   * What the complete output of a command shows about tests; null if it shows nothing.
   * @param {Array<string>} argv
   * @param {string} output
   * @returns {TestsTold | null}
   */
  testsTold(argv, output) {
    return call("shared.tests_told", json(argv), output);
  }
}
