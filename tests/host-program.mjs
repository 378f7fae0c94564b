// Programs that load the plugin and are no dependency of the project, because they are large and only their own tests need them: the
// step of these tests installs them below target/. Where there is no build for the machine, the tests are skipped.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const target = resolve(fileURLToPath(import.meta.url), "../../target");
const machine = `${process.platform}-${process.arch}`;

/**
 * @typedef {object} Program
 * @property {string} name as it is called in messages, and in the name of its directory
 * @property {string} version
 * @property {Record<string, {package: string, integrity: string}>} builds by machine: the npm package, and the digest of its tarball
 * @property {string} file where the program is in the package
 */

/**
 * Returns where a program is, and whether it is installed.
 * @param {Program} program
 */
export function installed({ name, version, file }) {
  const path = join(target, `${name}-${version}`, "package", file);
  return { path, isInstalled: existsSync(path) };
}

/**
 * Downloads a program with npm and unpacks it, if the module with this address is the script that runs. Runs no script of the package.
 * @param {string} module
 * @param {Program} program
 */
export function installIfCalled(module, program) {
  if (module !== pathToFileURL(process.argv[1] ?? "").href || installed(program).isInstalled) return;
  const { name, version } = program;
  const build = program.builds[machine];
  if (build === undefined) {
    process.stderr.write(`setup: no ${name} ${version} for ${machine}: its tests will be skipped\n`);
    return;
  }
  process.stderr.write(`setup: installing ${name} ${version}, by npm pack\n`);
  const place = join(target, `${name}-${version}`);
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const how = { cwd: fresh, encoding: /** @type {const} */ ("utf8") };
  const wanted = `${build.package}@${version}`;
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", wanted], how));
  if (packed.integrity !== build.integrity)
    throw new Error(`${wanted} has the digest ${packed.integrity} in place of ${build.integrity}`);
  execFileSync("tar", ["-xzf", packed.filename], how);
  rmSync(join(fresh, packed.filename));
  rmSync(place, { recursive: true, force: true });
  renameSync(fresh, place);
}
