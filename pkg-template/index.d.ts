/** The plugin as OpenCode loads it: 1.x (1.18.29 and newer) calls `server`, 2.x calls `setup`. */
declare const plugin: {
  readonly id: "opencode-design-lab";
  server(input: unknown, options?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Does nothing with a context without sessions, as OpenCode 1.x passes it. */
  setup(context?: unknown): Promise<(() => void) | undefined>;
};

export default plugin;
