/**
 * What the machinery of runs needs of a workflow's core. Events and commands that belong to the workflow pass through it
 * unread.
 *
 * @typedef {object} Machine
 * @property {(run: number, event: any) => string} seal
 * @property {(run: number, line: string) => any[]} apply
 * @property {(run: number, job: string, used: import("../core/types.js").Spending[]) => any} overspending
 * @property {(journal: string) => {handle: number, whole: number}} replayRun
 * @property {(run: number) => void} closeRun
 * @property {(run: number) => import("../core/types.js").Summary<any> | null} summary null before the first event
 * @property {(run: number) => [string, string][]} files
 * @property {(run: number, found: any, now: number, byModel: boolean) => string} status
 * @property {(run: number, name: string) => string} continued
 * @property {(run: number, now: number, place: string, activity: import("../core/types.js").Activity | null) => string} liveMessage
 *   `place`: of the run's directory, as a `file:` URL; `activity`: what its models are doing
 * @property {(run: number, now: number) => string} account
 * @property {(run: number, now: number, activity: import("../core/types.js").Activity | null) => import("../core/types.js").Panel | null} panel
 * @property {(found: any[]) => any[]} begun
 * @property {(file: string, code: string, deed: import("../core/types.js").DiskDeed) => import("../core/types.js").Problem} diskProblem
 * @property {(run: string, process: string) => import("../core/types.js").Problem} locked
 * @property {(run: string, process: string) => import("../core/types.js").Problem} notStopped
 */
export {};
