// The Kilo on which the plugin is tried: a program made from OpenCode 1.

import { installed, installIfCalled } from "../host-program.mjs";

const PROGRAM = {
  name: "kilo",
  version: "7.7.9",
  file: "bin/kilo",
  builds: {
    "linux-x64": {
      package: "@kilocode/cli-linux-x64",
      integrity:
        "sha512-83tBMkWSOk6ilD1VAT55ze8BjOrNkZGMs+mulnE4tjfPNJ/ZlCQeoRmH79s36yPVbAP7D8m3f8LfJpPlkz5daw==",
    },
  },
};

/** The program, which may not be installed. */
export const { path: KILO, isInstalled } = installed(PROGRAM);

installIfCalled(import.meta.url, PROGRAM);
