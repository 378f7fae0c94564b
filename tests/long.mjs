// Tests of the long suite: sweeps, repetitions, and paths whose decision a faster test already proves.
//
//   test("runs killed at any point end like undisturbed ones", {
//     skip: long("A sweep over the moments of a kill. `control.test.mjs` kills one run."),
//   }, async () => { … });

/** The start of the reason that such a test is skipped with. */
export const LEFT = "left to `cargo xtask test --long`";

/**
 * Skips a test, unless `cargo xtask test --long` runs.
 * @param {string} why what the test adds, and which files of the ordinary suite, in backticks, test the same: `cargo test -p xtask`
 *   looks for them
 * @returns {string | false} the value for `skip`
 */
export const long = (why) => !process.env.LONG && `${LEFT}: ${why}`;
