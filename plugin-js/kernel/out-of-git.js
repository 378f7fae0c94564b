/**
 * Keeps a run out of git, and so out of OpenCode's snapshots. Snapshots contain everything that git doesn't ignore, and are
 * taken before and after every step of every session; `/undo` of a message deletes files created since. Seen on 1.18.33:
 * undoing the turn in which a model started a run deleted the run, with everything that had been paid for.
 */
/** ripgrep, and so OpenCode's search and `@`, also follows `.gitignore`; `.ignore` takes precedence. */
const SEARCHED = ".ignore";
/** The files that people look for. The core has the same list (src/design_lab/isolation/kept.rs). */
const PAGES = `# Written by Design Lab: searches find only the files of this run that people read.
*
!/designs/
!/designs/*.md
!/results/
!/results/*.md
!/docs/
!/docs/index.md
!/FINAL-VALIDATION.md
`;
/** The text that version 0.1 wrote: searches found everything of a run. */
const ALL = "# Written by Design Lab: searches find this run although git ignores it.\n!*\n";

const FILES = {
  ".gitignore":
    "# Written by Design Lab: OpenCode's undo doesn't touch ignored files. To commit this run: git add -f\n*\n",
  [SEARCHED]: PAGES,
  ".gitattributes":
    "# Written by Design Lab: git doesn't change line endings if this run is committed.\n* -text\n",
};

/**
 * For a new run directory only: a user who deletes these files wants them gone. Existing files are kept.
 * @param {import("./door.js").Folder} run
 */
export async function keepOutOfGit(run) {
  for (const [name, text] of Object.entries(FILES)) await run.create(name, text);
}

/**
 * Updates an older run's `.ignore` to the current text. A file that was changed or removed stays that way.
 * @param {import("./door.js").Folder} run
 */
export async function narrowSearches(run) {
  const text = await run.read(SEARCHED).catch(() => "");
  if (text.toString() === ALL) await run.write(SEARCHED, PAGES);
}

/**
 * Does the same for each run in a directory. A file that can't be read or written is left as it is.
 * @param {import("./door.js").Folder} runs
 */
export async function narrowSearchesIn(runs) {
  for (const entry of await runs.entries().catch(() => []))
    if (entry.isDirectory()) await narrowSearches(runs.folder(entry.name)).catch(() => {});
}
