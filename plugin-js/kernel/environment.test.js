// The environment that a check gets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { forPrograms } from "./environment.js";

test("keys of providers are left out, by their names and by their values", () => {
  const environment = {
    PATH: "/bin",
    ACME_API_KEY: "",
    COPY: "Bearer sk-acme-1234",
    OPENCODE_AUTH_CONTENT: "{}",
    DATABASE_TOKEN: "the project's own",
    SHELL: undefined,
  };
  assert.deepEqual(
    forPrograms(environment, { names: ["ACME_API_KEY"], values: ["sk-acme-1234", "", "bin"] }),
    {
      OPENCODE_DESIGN_LAB_SHELL: "model",
      PATH: "/bin",
      DATABASE_TOKEN: "the project's own",
      SHELL: "",
    },
  );
});
