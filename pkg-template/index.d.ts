/** The plugin as OpenCode 1.x (1.18.29 and newer) loads it. */
declare const plugin: {
  readonly id: "opencode-design-lab";
  server(input: unknown, options?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** OpenCode 2.x calls this. It throws: the package doesn't work there. */
  setup(context?: unknown): void;
};

export default plugin;
