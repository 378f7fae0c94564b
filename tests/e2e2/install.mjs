// The OpenCode 2 on which these tests run.

import { installed, installIfCalled } from "../host-program.mjs";

const PROGRAM = {
  name: "opencode",
  version: "2.0.15",
  file: "bin/opencode",
  // A build without the newest instructions of processors, so that it runs everywhere.
  builds: {
    "linux-x64": {
      package: "@opencode/cli-linux-x64-baseline",
      integrity:
        "sha512-ZT9TxDqUAGrjvIcRVXOlx78v+J7pQd7K3WeI94/KYTTjKkgGs7JQyc060VdCML5URIN6rUlWb7midq4EhPX3BQ==",
    },
  },
};

/** The program, which may not be installed. */
export const { path: OPENCODE2, isInstalled } = installed(PROGRAM);

installIfCalled(import.meta.url, PROGRAM);
