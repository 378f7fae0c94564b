/**
 * Keeps a run out of git, and by that out of OpenCode's snapshots. Those are taken of whatever git doesn't ignore, before and
 * after every step of every session; `/undo` of a message deletes what came to be meanwhile. Seen on 1.18.33: to undo the
 * turn in which a model started a run deleted the run, with all that had been paid for.
 */
/** ripgrep, and so OpenCode's search and `@`, heeds `.gitignore` as well; `.ignore` goes before it. */
const SEARCHED = ".ignore";
/** What people look for. The core has the same list (src/design_lab/isolation/kept.rs). */
const PAGES = `# Written by Design Lab: of this run searches find what people read, and nothing else.
*
!/designs/
!/designs/*.md
!/results/
!/results/*.md
!/docs/
!/docs/index.md
!/FINAL-VALIDATION.md
`;
/** What version 0.1 wrote: searches found all of a run. */
const ALL = "# Written by Design Lab: searches find this run although git ignores it.\n!*\n";

const FILES = {
  ".gitignore":
    "# Written by Design Lab: OpenCode's undo doesn't touch ignored files. To commit this run: git add -f\n*\n",
  [SEARCHED]: PAGES,
  ".gitattributes": "# Written by Design Lab: git changes no line ends if this run is committed.\n* -text\n",
};

/**
 * For a new run directory only: whoever deletes the files from a run wants it so. One that is there stays.
 * @param {import("./door.js").Folder} run
 */
export async function keepOutOfGit(run) {
  for (const [name, text] of Object.entries(FILES)) await run.create(name, text);
}

/**
 * Gives an older run today's `.ignore`. One that somebody has changed or taken away stays so.
 * @param {import("./door.js").Folder} run
 */
export async function narrowSearches(run) {
  const text = await run.read(SEARCHED).catch(() => "");
  if (text.toString() === ALL) await run.write(SEARCHED, PAGES);
}

/**
 * The same for each run in a directory. What can't be read or written stays as it is.
 * @param {import("./door.js").Folder} runs
 */
export async function narrowSearchesIn(runs) {
  for (const entry of await runs.entries().catch(() => []))
    if (entry.isDirectory()) await narrowSearches(runs.folder(entry.name)).catch(() => {});
}
