/** The plugin as OpenCode 1.x (1.18.29 and newer) loads it. */
declare const plugin: {
  readonly id: "opencode-design-lab";
  server(input: unknown, options?: Record<string, unknown>): Promise<Record<string, unknown>>;
};

export default plugin;
