/**
 * Keeps a run out of git, and by that out of OpenCode's snapshots. Those are taken of whatever git doesn't ignore, before and
 * after every step of every session; `/undo` of a message deletes what came to be meanwhile. Seen on 1.18.33: to undo the
 * turn in which a model started a run deleted the run, with all that had been paid for.
 */
/** ripgrep, and so OpenCode's search and `@`, heeds `.gitignore` as well; `.ignore` goes before it. */
const FILES = {
  ".gitignore":
    "# Written by Design Lab: what git ignores OpenCode's undo leaves alone. To commit this run: git add -f\n*\n",
  ".ignore": "# Written by Design Lab: searches find this run although git ignores it.\n!*\n",
  ".gitattributes":
    "# Written by Design Lab: git changes no line end where this run is committed after all.\n* -text\n",
};

/**
 * For a new run directory only: whoever deletes the files from a run wants it so. One that is there stays.
 * @param {import("./door.js").Folder} run
 */
export async function keepOutOfGit(run) {
  for (const [name, text] of Object.entries(FILES)) await run.create(name, text);
}
