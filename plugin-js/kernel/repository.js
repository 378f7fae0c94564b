/**
 * The id of a git tree that holds a repository's files as they are on disk now: tracked files, untracked files that git doesn't
 * ignore, and the files of submodules.
 *
 * Nothing of the user's is changed: the index and the configuration are our own, and new objects go to a directory of our own
 * that has the repository's as an alternate. Files are recorded exactly as they are on disk: no filter changes them, no line
 * ending is converted, and no object is replaced by another. The index is kept between calls, so that git hashes only what has
 * changed. A model could write to it, so an index that differs from the one we left is rebuilt. A new index starts with what
 * the user's index tracks, without the flags that would make git overlook a change.
 *
 * A file that the user's index doesn't track and that git ignores now is left out, even if git didn't ignore it earlier.
 */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { GitError, git } from "./git.js";
import { replaceFile } from "./whole-file.js";

/** The mode that marks an index entry as a commit of another repository. */
const GITLINK = "160000";
/** The mode of a symbolic link. */
const LINK = "120000";

/** Our index before it is built. */
const NONE = { from: "", digest: "none", tree: "" };

/** Files are read as they are: the project's attributes don't change them. */
const RAW = "* -text -filter -ident -working-tree-encoding\n";

/** No configuration but our own. */
const BARE = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_NO_REPLACE_OBJECTS: "1" };

/** The author of commits that only our own merges and lanes need. */
const AUTHOR = {
  GIT_AUTHOR_NAME: "Flow",
  GIT_AUTHOR_EMAIL: "flow@localhost",
  GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Flow",
  GIT_COMMITTER_EMAIL: "flow@localhost",
  GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
};
/** The branch of a lane. */
const LANE = "lane";

/** Where git notes what it knows about an object directory. */
const INFO = "info";
/** Where git finds which other object directories belong to one. @param {string} objects */
const alternates = (objects) => path.join(objects, INFO, "alternates");
/** A list of object directories in that file; git reads a quoted name as C does. @param {string[]} directories */
const listed = (directories) => directories.map((directory) => `${quoted(directory)}\n`).join("");

/** @typedef {{index: string, objects: string, directory: string}} Own absolute paths of our index, objects and configuration */

/**
 * @param {string} folder absolute
 * @param {string} [index]
 * @returns {Own}
 */
function ownIn(folder, index = "index") {
  const at = (/** @type {string} */ name) => path.join(folder, name);
  return { index: at(index), objects: at("objects"), directory: at("git") };
}

export class Repository {
  kind = /** @type {const} */ ("git");
  #top;
  #format;
  #exclude;
  #excludes;
  /** Our own configurations, by path. @type {Map<string, string>} */
  #configured = new Map();
  #index;
  #objects;
  /** Relative to the root, with a trailing `/`, byte for byte. @type {string[]} */
  #leftOut;
  /** What the user's index tracked when it was last read. */
  #user = { stamp: "", entries: /** @type {string[]} */ ([]), digest: "" };
  /** Our index as we left it. */
  #ours = NONE;
  /** What the user's index tracks but isn't on disk: our index drops it, and it may reappear. @type {string[]} */
  #gone = [];
  /** Other repositories inside this one that have no commit, by path. @type {string[]} */
  #unborn = [];
  /** Other repositories inside this one that exist on disk, by path. @type {Map<string, Repository>} */
  #inner = new Map();

  /**
   * @param {{top: string, index: string, objects: string, exclude: string, excludes: string}} paths absolute: the user's; `excludes`
   *   may be empty
   * @param {string} format the object format
   * @param {string[]} leftOut absolute
   */
  constructor({ top, index, objects, exclude, excludes }, format, leftOut) {
    this.#top = top;
    this.#format = format;
    this.#exclude = exclude;
    this.#excludes = excludes;
    this.#index = index;
    this.#objects = objects;
    this.#leftOut = leftOut
      .map((directory) => path.relative(top, directory).replaceAll("\\", "/"))
      .filter((name) => name !== "" && !name.startsWith("../") && !path.isAbsolute(name))
      .map((name) => Buffer.from(`${name}/`).toString("latin1"));
  }

  /**
   * Opens the repository around a directory; rejects with a `GitError` if there is none.
   * @param {string} directory absolute
   * @param {string[]} leftOut absolute
   */
  static async open(directory, leftOut) {
    const paths = ["index", "objects", "info/exclude"].flatMap((name) => ["--git-path", name]);
    const asked = ["--show-object-format", "--path-format=absolute", "--show-toplevel", ...paths];
    const output = (await git(directory, ["rev-parse", ...asked])).toString("utf8");
    const [format = "", top = "", index = "", objects = "", exclude = ""] = output.split("\n");
    const excludes = await git(directory, ["config", "--path", "--get", "core.excludesFile"]).then(
      word,
      () => "",
    );
    return new Repository({ top, index, objects, exclude, excludes }, format, leftOut);
  }

  /**
   * @param {string} folder absolute: the folder for our own files
   * @returns {Promise<string>}
   */
  async take(folder) {
    const own = ownIn(folder);
    await mkdir(own.objects, { recursive: true });
    return this.#take(own);
  }

  /**
   * @param {string} folder absolute
   * @param {string} before
   * @param {string} after
   * @returns {Promise<import("./tree.js").Change[] | null>}
   */
  async changed(folder, before, after) {
    const own = ownIn(folder);
    const asked = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", before, after];
    const output = await this.#git(own, asked).catch(nullIfUnknown);
    if (!output) return null;
    const words = output.toString("utf8").split("\0");
    const changes = [];
    for (let at = 0; at + 1 < words.length; at += 2) {
      changes.push({ status: words[at] ?? "", path: words[at + 1] ?? "" });
    }
    return changes;
  }

  /**
   * The patch from one tree to another, in the format that `git apply` reads.
   * @param {string} folder absolute
   * @param {string} from
   * @param {string} to
   * @returns {Promise<Buffer | null>} empty if nothing differs; null if one of the trees is no longer known
   */
  async patch(folder, from, to) {
    const how = ["--patch", "--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff"];
    const prefixes = ["--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"];
    return this.#git(ownIn(folder), ["diff-tree", "-r", ...how, ...prefixes, from, to]).catch(nullIfUnknown);
  }

  /** Absolute: the root of its trees. */
  get top() {
    return this.#top;
  }

  /**
   * Writes the files of a tree into a directory.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string} root absolute: empty
   * @param {(untracked: string[]) => string[]} keptBack returns which of the files that git doesn't track are left out
   * @returns {Promise<Set<string>>} the files left out
   */
  async lay(folder, tree, root, keptBack) {
    const own = ownIn(folder, "index.copy");
    await this.#git(own, ["read-tree", "--reset", tree]);
    const tracked = new Set(lines(await git(this.#top, ["ls-files", "-z"])));
    const inner = [...this.#inner.keys()].map((at) => `${at}/`);
    const isUntracked = (/** @type {string} */ file) =>
      !tracked.has(file) && !inner.some((at) => file.startsWith(at));
    const untracked = lines(await this.#git(own, ["ls-files", "-z"])).filter(isUntracked);
    const out = new Set(keptBack(untracked.map(utf8)));
    const input = untracked.filter((file) => out.has(utf8(file))).map((file) => `${file}\0`);
    if (input.length > 0) {
      const removed = ["update-index", "-z", "--force-remove", "--stdin"];
      await this.#git(own, removed, Buffer.from(input.join(""), "latin1"));
    }
    await this.#git(own, ["checkout-index", "-a", "-q", `--prefix=${root}${path.sep}`]);
    return out;
  }

  /**
   * Makes a repository of a directory that holds the files of a tree: they are its first commit, and it has no other. It ignores what
   * this one does, and its files count as they are on disk.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string} root absolute: where the tree was laid
   */
  async plant(folder, tree, root) {
    const here = (/** @type {string[]} */ ...args) => git(root, args, { env: { ...BARE, ...AUTHOR } });
    await here("init", "-q", "--template=", `--object-format=${this.#format}`);
    const objects = path.join(root, ".git", "objects");
    await mkdir(path.join(objects, INFO), { recursive: true });
    await writeFile(alternates(objects), listed(this.objectDirectories(folder)));
    const info = path.join(root, ".git", "info");
    await mkdir(info, { recursive: true });
    await writeFile(path.join(info, "attributes"), RAW);
    await writeFile(path.join(info, "exclude"), await this.#ignoreRules(), "latin1");
    const commit = word(await here("commit-tree", "-m", "The project's files when the lane was made", tree));
    await here("update-ref", `refs/heads/${LANE}`, commit);
    await here("symbolic-ref", "HEAD", `refs/heads/${LANE}`);
    await here("read-tree", commit);
    await here("update-index", "-q", "--refresh").catch(() => {});
  }

  /**
   * @param {string} folder absolute
   * @param {string[]} objects absolute: object directories that are read in addition to our own
   */
  async readAlso(folder, objects) {
    const own = ownIn(folder);
    await mkdir(path.join(own.objects, INFO), { recursive: true });
    await writeFile(alternates(own.objects), listed(objects));
  }

  /**
   * @param {string} folder absolute
   * @param {string[]} objects absolute: object directories whose objects are copied
   */
  async adopt(folder, objects) {
    const own = ownIn(folder);
    await mkdir(own.objects, { recursive: true });
    // What git notes about an object directory names others.
    for (const from of objects.filter((directory) => existsSync(directory))) {
      const entries = await readdir(from, { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((one) => one.isFile())) {
        const file = path.relative(from, path.join(entry.parentPath, entry.name));
        const to = path.join(own.objects, file);
        if (file.startsWith(INFO + path.sep) || existsSync(to)) continue;
        await mkdir(path.dirname(to), { recursive: true });
        // Whoever finds an object finds all of it.
        await replaceFile(to, await readFile(path.join(from, file)));
      }
    }
  }

  /** The user's rules for what git ignores that are in no tree; the last rule that matches wins. */
  async #ignoreRules() {
    const files = [
      ...(this.#excludes === "" ? [] : [path.resolve(this.#top, this.#excludes)]),
      this.#exclude,
    ];
    const texts = await Promise.all(files.map(textOf));
    return texts.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("");
  }

  /** The directories of the objects that its trees consist of. @param {string} folder absolute @returns {string[]} absolute */
  objectDirectories(folder) {
    return [ownIn(folder).objects, ...this.#stores()];
  }

  /**
   * Merges two trees that were made from a third, as git merges branches.
   * @param {string} folder absolute
   * @param {{base: string, ours: string, theirs: string}} trees
   * @returns {Promise<{tree: string, conflicts: string[]}>} the merged tree, with the conflicts in its files, and the paths in
   *   conflict, sorted
   */
  async merge(folder, { base, ours, theirs }) {
    const own = ownIn(folder);
    const commit = async (/** @type {string} */ tree, /** @type {string[]} */ parents) =>
      word(await this.#git(own, ["commit-tree", "-m", "merge", ...parents, tree], undefined, AUTHOR));
    const from = await commit(base, []);
    const sides = [await commit(ours, ["-p", from]), await commit(theirs, ["-p", from])];
    const asked = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ...sides];
    const output = await this.#git(own, asked).catch((error) => {
      // With conflicts, git exits with 1 and prints the same.
      if (error instanceof GitError && error.code === 1 && error.stdout.length > 0) return error.stdout;
      throw error;
    });
    const [tree = "", ...conflicts] = lines(output).map(utf8);
    return { tree, conflicts: [...new Set(conflicts)].filter((name) => name !== "").sort() };
  }

  /**
   * Makes files in a directory match a tree; files that the tree doesn't have are removed.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string[]} paths
   * @param {string} root absolute
   */
  async layPaths(folder, tree, paths, root) {
    const own = ownIn(folder, "index.copy");
    await this.#git(own, ["read-tree", "--reset", tree]);
    const there = new Set(lines(await this.#git(own, ["ls-files", "-z"])).map(utf8));
    for (const file of paths) await rm(path.join(root, file), { recursive: true, force: true });
    const input = paths.filter((file) => there.has(file)).map((file) => `${file}\0`);
    const laid = ["checkout-index", "-q", "-f", "-z", "--stdin", `--prefix=${root}${path.sep}`];
    await this.#git(own, laid, Buffer.from(input.join("")));
  }

  /**
   * The files of a tree.
   * @param {string} folder absolute
   * @param {string} tree
   * @returns {Promise<import("./tree.js").Listed[]>}
   */
  async files(folder, tree) {
    const entries = lines(await this.#git(ownIn(folder), ["ls-tree", "-r", "-z", "--full-tree", tree]));
    const files = entries.filter((entry) => !entry.startsWith(GITLINK));
    return files.map((entry) => ({ path: utf8(pathIn(entry)), isLink: entry.startsWith(LINK) }));
  }

  /**
   * Returns the files in a directory that differ from a tree. Each file is read, because git's cached data may have been
   * tampered with.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string[]} files
   * @param {string} root absolute
   */
  async unlike(folder, tree, files, root) {
    const own = ownIn(folder, "index.laid");
    // An existing index would claim to know the files already.
    await rm(own.index, { force: true });
    await this.#git(own, ["read-tree", "--reset", tree]);
    const there = { GIT_WORK_TREE: root };
    await this.#git(own, ["update-index", "-q", "--refresh"], undefined, there);
    const output = await this.#git(own, ["diff-files", "-z", "--name-only"], undefined, there);
    const differ = new Set(lines(output).map(utf8));
    return files.filter((file) => differ.has(file));
  }

  /**
   * The content of a file in a tree.
   * @param {string} folder absolute
   * @param {string} tree
   * @param {string} file
   * @returns {Promise<string | null>} null if the tree doesn't have it
   */
  async text(folder, tree, file) {
    const own = ownIn(folder);
    try {
      return (await this.#git(own, ["cat-file", "blob", `${tree}:${file}`])).toString("utf8");
    } catch (error) {
      if (error instanceof GitError && error.code === 128) return null;
      throw error;
    }
  }

  /** The paths that git ignores, relative to the top; an ignored directory is listed as a whole. @returns {Promise<string[]>} */
  async ignored() {
    const asked = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
    return lines(await git(this.#top, asked)).map((name) => utf8(name).replace(/\/$/, ""));
  }

  /**
   * @param {Own} own
   * @returns {Promise<string>}
   */
  async #take(own) {
    await this.#look();
    if (this.#ours.from === this.#user.digest && this.#ours.digest === (await digestOf(own.index))) {
      await this.#put(own, this.#gone);
    } else {
      for (const file of [own.index, `${own.index}.lock`]) await rm(file, { force: true });
      this.#ours = NONE;
      await this.#put(own, this.#user.entries);
    }
    const unborn = await this.#add(own);
    await this.#forgetIgnored(own);
    const digest = await digestOf(own.index);
    const isSame = digest === this.#ours.digest && unborn.join("\0") === this.#unborn.join("\0");
    this.#unborn = unborn;
    if (!isSame) await this.#renew(own);
    const { tree } = this.#ours;
    return this.#inner.size === 0 ? tree : this.#whole(own, tree);
  }

  /**
   * Updates our index to what is on disk now.
   * @param {Own} own
   * @returns {Promise<string[]>} other repositories inside this one without a commit, which git refuses to add
   */
  async #add(own) {
    const add = (/** @type {string[]} */ without) => {
      const outside = without.map((name) => `:(top,exclude,literal)${utf8(name.slice(0, -1))}`);
      return this.#git(own, ["add", "-A", "--", ":/", ...outside]);
    };
    try {
      await add(this.#leftOut);
      return [];
    } catch (error) {
      const untracked = lines(await this.#git(own, ["ls-files", "-z", "-o", "--exclude-standard"]));
      const repositories = untracked.filter((name) => name.endsWith("/"));
      // Git also refuses to leave out by name what it ignores anyway.
      const ignored = await this.#ignoredOf(own, this.#leftOut);
      if (repositories.length + ignored.length === 0) throw error;
      await add([...this.#leftOut.filter((name) => !ignored.includes(name)), ...repositories]);
      return repositories.map((name) => name.slice(0, -1));
    }
  }

  /**
   * @param {Own} own
   * @param {string[]} names with a trailing `/`
   * @returns {Promise<string[]>} those that git ignores
   */
  async #ignoredOf(own, names) {
    if (names.length === 0) return [];
    const input = Buffer.from(names.map((name) => `${name.slice(0, -1)}\0`).join(""), "latin1");
    const asked = this.#git(own, ["check-ignore", "-z", "--stdin"], input).catch((error) => {
      // Git ignores none of them.
      if (error instanceof GitError && error.code === 1) return error.stdout;
      throw error;
    });
    return lines(await asked).map((name) => `${name}/`);
  }

  /**
   * Removes from our index what git now ignores and the user's index doesn't track.
   * @param {Own} own
   */
  async #forgetIgnored(own) {
    const ignored = lines(await this.#git(own, ["ls-files", "-c", "-i", "--exclude-standard", "-z"]));
    if (ignored.length === 0) return;
    const tracked = new Set(this.#user.entries.map(pathIn));
    const input = ignored.filter((file) => !tracked.has(file)).map((file) => `${file}\0`);
    if (input.length === 0) return;
    const removed = ["update-index", "-z", "--force-remove", "--stdin"];
    await this.#git(own, removed, Buffer.from(input.join(""), "latin1"));
  }

  /**
   * Our index has changed, so the tree and the inner repositories are read again.
   * @param {Own} own
   */
  async #renew(own) {
    const tree = word(await this.#git(own, ["write-tree"]));
    const entries = lines(await this.#git(own, ["ls-files", "-s", "-z"]));
    const linked = entries.filter((entry) => entry.startsWith(GITLINK)).map(pathIn);
    await this.#enter([...linked, ...this.#unborn]);
    const there = new Set(entries.map(pathIn));
    this.#gone = this.#user.entries.filter((entry) => !there.has(pathIn(entry)));
    this.#ours = { from: this.#user.digest, digest: await digestOf(own.index), tree };
  }

  /** Reads the user's index if it may have changed. */
  async #look() {
    const status = statSync(this.#index, { bigint: true, throwIfNoEntry: false });
    const stamp = status ? [status.mtimeNs, status.ctimeNs, status.size, status.ino].join() : "none";
    if (stamp === this.#user.stamp) return;
    const listed = lines(await git(this.#top, ["ls-files", "-s", "-z"]));
    const entries = listed.filter(
      (entry) => !this.#leftOut.some((name) => `${pathIn(entry)}/`.startsWith(name)),
    );
    // The content of files is read from disk. For a repository that isn't on disk, only the index knows the commit.
    const tracked = entries.map((entry) => (entry.startsWith(GITLINK) ? entry : pathIn(entry)));
    this.#user = { stamp, entries, digest: sha256(Buffer.from(tracked.join("\0"), "latin1")) };
  }

  /**
   * Makes our index track these entries.
   * @param {Own} own
   * @param {string[]} entries
   */
  async #put(own, entries) {
    if (entries.length === 0) return;
    const input = Buffer.from(entries.map((entry) => `${entry}\0`).join(""), "latin1");
    await this.#git(own, ["update-index", "-z", "--index-info"], input);
  }

  /**
   * Keeps the inner repositories that are already open, and opens new ones.
   * @param {string[]} paths
   */
  async #enter(paths) {
    const inner = new Map();
    for (const at of paths) {
      const directory = path.join(this.#top, utf8(at));
      if (!existsSync(path.join(directory, ".git"))) continue;
      inner.set(at, this.#inner.get(at) ?? (await Repository.open(directory, [])));
    }
    this.#inner = inner;
  }

  /**
   * The tree with the files of inner repositories instead of the commits that it names.
   * @param {Own} own
   * @param {string} tree
   */
  async #whole(own, tree) {
    const index = `${own.index}.whole`;
    await this.#git({ ...own, index }, ["read-tree", "--reset", tree]);
    for (const [at, repository] of this.#inner) {
      const ending = sha256(Buffer.from(at)).slice(0, 16);
      const inside = await repository.#take({
        ...own,
        index: `${own.index}.${ending}`,
        directory: `${own.directory}.${ending}`,
      });
      const name = Buffer.from(`${at}\0`, "latin1");
      await this.#git({ ...own, index }, ["update-index", "-z", "--force-remove", "--stdin"], name);
      await this.#git({ ...own, index }, ["read-tree", "-i", `--prefix=${utf8(at)}/`, inside]);
    }
    return word(await this.#git({ ...own, index }, ["write-tree"]));
  }

  /**
   * Runs git with our index and our objects.
   * @param {Own} own
   * @param {string[]} args
   * @param {Buffer} [input]
   * @param {Record<string, string>} [env]
   */
  async #git({ index, objects, directory }, args, input, env) {
    await this.#configure(directory);
    const excludes = this.#excludes === "" ? [] : ["-c", `core.excludesFile=${this.#excludes}`];
    return git(this.#top, ["-c", "core.attributesFile=/dev/null", ...excludes, ...args], {
      env: {
        ...BARE,
        GIT_DIR: directory,
        GIT_WORK_TREE: this.#top,
        ...env,
        GIT_INDEX_FILE: index,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: this.#stores().map(quoted).join(path.delimiter),
      },
      input,
    });
  }

  /**
   * Restores our own configuration if it was changed: a model could write to it. The user's ignore rules still apply.
   * @param {string} directory absolute
   */
  async #configure(directory) {
    const config = path.join(directory, "config");
    // A run's directory may be renamed.
    if (!this.#configured.has(directory) || !existsSync(config)) {
      await rm(directory, { recursive: true, force: true });
      const format = `--object-format=${this.#format}`;
      await git(this.#top, ["init", "-q", "--bare", "--template=", format, directory], { env: BARE });
      await mkdir(path.join(directory, "info"), { recursive: true });
      this.#configured.set(directory, await textOf(config));
    }
    const kept = {
      [config]: this.#configured.get(directory) ?? "",
      [path.join(directory, "info/attributes")]: RAW,
      [path.join(directory, "info/exclude")]: await textOf(this.#exclude),
    };
    for (const [file, text] of Object.entries(kept))
      if ((await textOf(file)) !== text) await writeFile(file, text, "latin1");
  }

  /** The object directories of this repository and of those inside it. @returns {string[]} */
  #stores() {
    return [this.#objects, ...[...this.#inner.values()].flatMap((repository) => repository.#stores())];
  }
}

/** In this list, git reads a quoted name as C does; an unquoted list is split at each colon. @param {string} directory */
function quoted(directory) {
  return /[:"\\]/.test(directory) && path.delimiter === ":"
    ? `"${directory.replace(/["\\]/g, "\\$&")}"`
    : directory;
}

/** The entries of NUL-terminated output, byte for byte: names need not be UTF-8. @param {Buffer} output */
function lines(output) {
  return output.toString("latin1").split("\0").slice(0, -1);
}

/** @param {string} entry in the format of `git ls-files -s`: mode, id and stage, a tab, the path */
function pathIn(entry) {
  return entry.slice(entry.indexOf("\t") + 1);
}

/** @param {string} bytes */
function utf8(bytes) {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** @param {Buffer} output */
function word(output) {
  return output.toString("latin1").trim();
}

/** @param {Buffer} content */
function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}

/** The digest of a file; empty if it doesn't exist. @param {string} file */
async function digestOf(file) {
  try {
    return sha256(await readFile(file));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return "";
    throw error;
  }
}

/** The content of a file, byte for byte; empty if it doesn't exist. @param {string} file */
async function textOf(file) {
  try {
    return await readFile(file, "latin1");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return "";
    throw error;
  }
}

/** Returns null if git knows no such tree; rethrows any other error. @param {unknown} error */
function nullIfUnknown(error) {
  if (error instanceof GitError && error.code === 128) return null;
  throw error;
}
