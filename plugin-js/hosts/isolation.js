/**
 * The isolation of all runs of a project in this process: puts each in force, and renews all rules when a run starts or ends, in this
 * process or another.
 */
import { realpathSync } from "node:fs";
import { holdIgnoreFile, isKeptOut, releaseIgnoreFile } from "../design-lab/ignore-file.js";
import { hostDirectories } from "../design-lab/output.js";
import { hiddenOutputs, noteOutput, outputsStamp } from "../design-lab/outputs.js";
import { configurationFiles } from "../design-lab/sources.js";
import { stateDirectory } from "../kernel/state-directory.js";
import { runsDirectory } from "../validation/runs.js";
import { FlowGuard } from "./flow-guard.js";
import { Guard } from "./guard.js";
import { ValidationGuard } from "./validation-guard.js";

/**
 * @typedef {object} Guarded what opens sessions under the rules of a run
 * @property {import("./lab-sessions.js").Warden | undefined} guard
 */

export class Isolation {
  #core;
  #flow;
  #validation;
  #project;
  #worktree;
  #sessions;
  /** The active runs. @type {Set<{guard: Guard, isolation: import("../core/types.js").Isolation, outputs: string[]}>} */
  #runs = new Set();
  /** The state of the output directories when rules were last made. */
  #stamp = "";

  /**
   * @param {object} parts
   * @param {import("../core/design-lab.js").Core} parts.core
   * @param {import("../core/flow.js").FlowCore} parts.flow
   * @param {import("../core/validation.js").ValidationCore} parts.validation
   * @param {string} parts.project absolute
   * @param {string} parts.worktree absolute
   * @param {import("./lab-sessions.js").LabSessions} parts.sessions
   */
  constructor({ core, flow, validation, project, worktree, sessions }) {
    this.#core = core;
    this.#flow = flow;
    this.#validation = validation;
    this.#project = project;
    this.#worktree = worktree;
    this.#sessions = sessions;
  }

  /**
   * Returns what isolates a run of Design Lab.
   * @param {Guarded} host
   * @returns {import("../design-lab/request.js").Request["isolate"]}
   */
  ofDesigns(host) {
    return async (isolation, outputs) => {
      for (const output of outputs) await noteOutput(output);
      const unguarded = outputs.filter((output) => !isKeptOut(output));
      const guard = new Guard(
        this.#core,
        this.#core.rules(isolation, { ...this.#places(outputs), unguarded }),
      );
      const run = { guard, isolation, outputs };
      this.#runs.add(run);
      this.#renew();
      host.guard = guard;
      return () => {
        this.#runs.delete(run);
        this.#sessions.release(guard);
        guard.close();
        this.#renew();
      };
    };
  }

  /**
   * Restricts the sessions of Flow's models.
   * @param {Guarded} host
   * @param {import("../flow/request.js").Place} place
   */
  ofFlow(host, place) {
    const guard = new FlowGuard(this.#flow, this.#project, place);
    host.guard = guard;
    return () => this.#sessions.release(guard);
  }

  /**
   * Restricts the sessions of Validation's models to reading the project, and hides the output of runs from their searches.
   * @param {Guarded} host
   */
  async ofValidation(host) {
    const outputs = hiddenOutputs(this.#core, { project: this.#project, worktree: this.#worktree });
    const hidden = [...new Set([runsDirectory(this.#project), ...outputs])];
    /** @type {string[]} */
    const held = [];
    for (const output of hidden) {
      await holdIgnoreFile(output).then(
        () => held.push(output),
        // A missing or read-only directory is no reason not to start: the guard refuses to read it anyway.
        () => {},
      );
    }
    const guard = new ValidationGuard(this.#validation, this.#project, hidden);
    host.guard = guard;
    return async () => {
      this.#sessions.release(guard);
      for (const output of held) await releaseIgnoreFile(output).catch(() => {});
    };
  }

  /** Renews the rules if a run of another process has started or ended. */
  refresh() {
    if (outputsStamp() !== this.#stamp) this.#renew();
  }

  /** Renews all rules: runs start and end concurrently, in this process and others, and each must not see any designs of the others. */
  #renew() {
    this.#stamp = outputsStamp();
    for (const { guard, isolation } of this.#runs) guard.renew(this.#core.rules(isolation, this.#places()));
  }

  /**
   * Returns what rules depend on, for all active runs and these outputs.
   * @param {string[]} [outputs]
   * @returns {import("../core/types.js").Places}
   */
  #places(outputs = []) {
    const [project, worktree] = [this.#project, this.#worktree];
    const current = new Set([...outputs, ...[...this.#runs].flatMap((run) => run.outputs)]);
    return {
      project,
      worktree,
      real: { project: realOther(project), worktree: realOther(worktree) },
      outputs: [...current],
      unguarded: [],
      former: hiddenOutputs(this.#core, { project, worktree }).filter((output) => !current.has(output)),
      host: [...hostDirectories(), stateDirectory(), ...configurationFiles({ project, worktree })],
    };
  }
}

/**
 * Returns the real path of a directory if it contains a link, otherwise `null`.
 * @param {string} directory
 */
function realOther(directory) {
  try {
    const real = realpathSync.native(directory);
    return real === directory ? null : real;
  } catch {
    return null;
  }
}
