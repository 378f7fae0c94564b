/** The plugin as OpenCode loads it: `server` by 1.x (1.18.29 and newer), `setup` by 2.x. */
declare const plugin: {
  readonly id: "opencode-design-lab";
  server(input: unknown, options?: Record<string, unknown>): Promise<Record<string, unknown>>;
  setup(context: unknown): Promise<void>;
};

export default plugin;
