/**
 * The files that a build server reads: JUnit XML, SARIF and a summary. Each is written whole or not at all, and a file that can't
 * be written is refused before any check runs.
 */
import { constants, lstatSync } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import path from "node:path";
import { DesignLabError } from "../core/load.js";
import { repository } from "./git.js";
import { replaceFile } from "./whole-file.js";

/**
 * @typedef {import("../core/types.js").CiTexts} Texts
 * @typedef {Partial<Record<keyof Texts, string>>} Names of the wanted files, as the user typed them
 */

/**
 * The project's directory below the root of its repository, with `/`; empty for the root itself.
 * @param {string} project absolute
 */
export function prefixOf(project) {
  return path.relative(repository(project), project).replaceAll("\\", "/");
}

/**
 * Performs a verification, and then reports its problems, or that it has none.
 * @template T
 * @param {() => Promise<T>} compare rejects with a `DesignLabError` if something differs
 * @param {(problems: import("../core/types.js").Problem[]) => Promise<void>} report
 * @returns {Promise<T>} rejects like `compare`
 */
export async function reported(compare, report) {
  const [result] = await Promise.allSettled([compare()]);
  if (result.status === "fulfilled") {
    await report([]);
    return result.value;
  }
  if (result.reason instanceof DesignLabError) await report(result.reason.problems);
  throw result.reason;
}

export class CiFiles {
  #names;
  /** Whether the texts were written, or could not be. */
  #tried = false;

  /** @param {Names} names */
  constructor(names) {
    this.#names = /** @type {[keyof Texts, string][]} */ (
      Object.entries(names).filter(([, name]) => name !== undefined)
    );
  }

  get wanted() {
    return this.#names.length > 0;
  }

  /** Returns an option whose file another option names, too. */
  get twice() {
    const files = this.#names.map(([, name]) => path.resolve(name));
    return this.#names.find((_, at) => files.indexOf(files[at] ?? "") !== at)?.[0];
  }

  /**
   * Performs a verification that passes on its texts. If it fails before it has any, these files contain only its problems.
   * @template T
   * @param {(write: (texts: Texts) => Promise<void>) => Promise<T>} perform
   * @param {(error: unknown) => Texts | undefined} failed returns the texts for an error; undefined if the error isn't an expected one
   */
  async around(perform, failed) {
    for (const [option, name] of this.#names) await prepare(option, name);
    try {
      return await perform((texts) => this.#write(texts));
    } catch (error) {
      const texts = this.#tried ? undefined : failed(error);
      if (texts) await this.#write(texts);
      throw error;
    }
  }

  /** @param {Texts} texts */
  async #write(texts) {
    this.#tried = true;
    for (const [option, name] of this.#names) {
      try {
        await replaceFile(path.resolve(name), texts[option]);
      } catch (error) {
        throw unwritable(option, name, /** @type {NodeJS.ErrnoException} */ (error).code);
      }
    }
  }
}

/**
 * Refuses what can't become a file. Creates its directory.
 * @param {string} option
 * @param {string} name
 */
async function prepare(option, name) {
  const file = path.resolve(name);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await access(path.dirname(file), constants.W_OK);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (!found || found.isFile()) return;
  } catch (error) {
    throw unwritable(option, name, /** @type {NodeJS.ErrnoException} */ (error).code);
  }
  throw new DesignLabError([
    {
      code: "cli.not-a-file",
      message: "This is a directory, a link or a device, not a file.",
      file: name,
      next: `Name a new file, or an existing one that can be replaced, with --${option}.`,
    },
  ]);
}

/**
 * @param {string} option
 * @param {string} name
 * @param {string} [code]
 */
function unwritable(option, name, code = "UNKNOWN") {
  const next = `Name another file with --${option}.`;
  return new DesignLabError([
    { code: "cli.unwritable", message: `The file can't be written (${code}).`, file: name, next },
  ]);
}
