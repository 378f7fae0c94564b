// An npm registry on loopback that serves a few tarballs: OpenCode installs a plugin from it as it would from
// npm; all other requests get a 404 instead of reaching the network.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** @typedef {{ manifest: { name: string, version: string }, tarball: Buffer }} Packed */

/** The tarball of the built package, if it has been packed for all tests. */
const { PACKED } = process.env;

/** @type {Map<string, Promise<Packed>>} each package is packed once per process */
const packed = new Map();

/** Returns what `npm pack` makes of the built package, which is in this directory. @param {string} directory */
export async function packBuilt(directory) {
  if (PACKED === undefined) return pack(directory);
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  return { manifest, tarball: await readFile(PACKED) };
}

/**
 * Returns what `npm pack` makes of a package directory.
 * @param {string} directory
 * @returns {Promise<Packed>}
 */
export function pack(directory) {
  const known = packed.get(directory);
  if (known) return known;
  const packing = packAnew(directory);
  packed.set(directory, packing);
  return packing;
}

/** @param {string} directory @returns {Promise<Packed>} */
async function packAnew(directory) {
  const destination = await mkdtemp(join(tmpdir(), "design-lab-pack-"));
  try {
    const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", destination], {
      cwd: directory,
    });
    const [{ filename }] = JSON.parse(stdout);
    return {
      manifest: JSON.parse(await readFile(join(directory, "package.json"), "utf8")),
      tarball: await readFile(join(destination, filename)),
    };
  } finally {
    await rm(destination, { recursive: true, force: true });
  }
}

/**
 * Packs an installed package without `npm pack`, which is faster.
 * @param {string} directory
 * @returns {Promise<Packed>}
 */
export async function packInstalled(directory) {
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const how = [
    "--use-compress-program=gzip -1",
    "--transform=s,^\\.,package,",
    "-cf",
    "-",
    "-C",
    directory,
    ".",
  ];
  const { stdout } = await execute("tar", how, { encoding: "buffer", maxBuffer: 1 << 28 });
  return { manifest, tarball: stdout };
}

/**
 * Unpacks the files of a package into a directory.
 * @param {Packed} packed
 * @param {string} directory
 */
export async function unpack({ tarball }, directory) {
  await mkdir(directory, { recursive: true });
  const unpacking = execute("tar", ["-xzf", "-", "--strip-components=1", "-C", directory]);
  unpacking.child.stdin?.end(tarball);
  await unpacking;
}

/**
 * Starts a registry that serves these packages.
 * @param {Packed[]} packages
 */
export async function startRegistry(packages) {
  /** @type {string[]} the requests, such as "GET /name", in order */
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const path = decodeURIComponent(request.url ?? "");
    for (const { manifest, tarball } of packages) {
      if (path === `/${manifest.name}`) {
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(packument(manifest, tarball, url())));
      }
      if (path === tarballPath(manifest)) return response.writeHead(200).end(tarball);
    }
    return response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
  });
  const url = () => {
    const address = server.address();
    if (!address || typeof address === "string") throw new Error("the registry does not listen");
    return `http://127.0.0.1:${address.port}`;
  };
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  return {
    url: url(),
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @param {Packed["manifest"]} manifest */
const tarballPath = ({ name, version }) => `/${name}/-/${version}.tgz`;

/** @param {Packed["manifest"]} manifest @param {Buffer} tarball @param {string} url */
function packument(manifest, tarball, url) {
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  return {
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: {
      [manifest.version]: { ...manifest, dist: { tarball: url + tarballPath(manifest), integrity } },
    },
  };
}
