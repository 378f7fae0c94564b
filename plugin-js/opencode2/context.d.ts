/**
 * The part of OpenCode 2's plugin interface that this adapter uses, as observed on 2.0.15. No package of the host is imported: plugins get
 * whatever copy npm puts beside them, which may differ from the host's.
 */

export type Rule = { action: string, resource: string, effect: "allow" | "deny" | "ask" };
export type ModelReference = { providerID: string, id: string, variant?: string };

export type AgentDraft = {
  description?: string,
  mode?: string,
  hidden?: boolean,
  system?: string,
  permissions: Rule[],
};

export type AgentInfo = { id: string, model?: ModelReference, permissions: Rule[] };

export type SessionInfo = {
  id: string,
  parentID?: string,
  title?: string,
  agent?: string,
  model?: ModelReference,
  cost: number,
  tokens: Tokens,
  metadata?: Record<string, unknown>,
  time: { created: number },
};

export type Tokens = { input: number, output: number, reasoning: number, cache: { read: number, write: number } };

export type Failure = { type?: string, message?: string, status?: number };

/** An item of a session's context. */
export type Message = {
  id: string,
  type: string,
  time?: { created: number },
  text?: string,
  content?: Content[],
  finish?: string,
  error?: Failure,
  model?: ModelReference,
  cost?: number,
  tokens?: Tokens,
  outcome?: string,
};

export type Content = {
  type: string,
  id?: string,
  text?: string,
  name?: string,
  executed?: boolean,
  state?: { status: string },
};

export type PromptFile = { uri: string, name?: string };

/** A message as it is sent to the model's provider. */
export type Sent = { role: string, content: { type: string, text?: string }[] };

export type ContextEvent = {
  sessionID: string,
  model?: ModelReference,
  system: { type: "text", text: string }[],
  messages: Sent[],
  options: Record<string, unknown>,
  tools: Record<string, unknown>,
};

export type ToolEvent = { tool: string, sessionID: string, id: string, input: any };

export type ToolResult = {
  content: { type: string, text?: string }[] | string,
  output?: any,
  metadata?: Record<string, unknown>,
};

export type RetryEvent = {
  sessionID: string,
  error: Failure,
  attempt: number,
  decision: { retry: false } | { retry: true, delay: number },
};

export type CommandInput = {
  sessionID: string,
  prompt: { text: string, files?: PromptFile[] },
  delivery?: "steer" | "queue",
};

export type ToolCallContext = {
  sessionID: string,
  agent: string,
  messageID: string,
  id: string,
  signal: AbortSignal,
};

export type HostEvent = { type: string, location?: { directory: string }, data: any };

type Listed<T> = Promise<{ data: T }>;
type Disposable = { dispose: () => Promise<unknown> | unknown };
type Transform<Editor> = (change: (editor: Editor) => void) => Promise<Disposable>;
type Hook = (name: string, handle: (event: any) => unknown) => Promise<Disposable>;

export type Context = {
  app: { name: string, version: string },
  location: { directory: string, project?: { directory?: string } },
  options?: Record<string, unknown>,
  agent: {
    list: () => Listed<AgentInfo[]>,
    transform: Transform<{
      list: () => { id: string }[],
      update: (name: string, change: (draft: AgentDraft) => void) => void,
    }>,
  },
  command: { transform: Transform<{ add: (command: object) => void }> },
  event: { subscribe: (options: { signal: AbortSignal }) => AsyncIterable<HostEvent> },
  integration: {
    list: () => Listed<{ id: string, methods?: { type: string, names?: string[] }[] }[]>,
  },
  model: { list: () => Listed<any[]>, default: () => Listed<ModelReference | null> },
  permission: { hook: Hook },
  plugin: { list: () => Listed<{ id: string, source?: { type: string, target?: string, path?: string } }[]> },
  provider: { list: () => Listed<any[]> },
  rpc: {
    register: (
      definition: object,
      methods: object,
    ) => Promise<{ events: { emit: (name: string, data: object) => Promise<unknown> } }>,
  },
  session: {
    hook: Hook,
    create: (input: object) => Promise<SessionInfo>,
    get: (input: { sessionID: string }) => Promise<SessionInfo>,
    switchModel: (input: { sessionID: string, model: ModelReference }) => Promise<unknown>,
    prompt: (input: { sessionID: string, text: string, files?: PromptFile[] }) => Promise<unknown>,
    synthetic: (input: object) => Promise<unknown>,
    interrupt: (input: { sessionID: string, resume?: boolean }) => Promise<unknown>,
    update: (input: { sessionID: string, title?: string }) => Promise<unknown>,
    wait: (input: { sessionID: string }) => Promise<unknown>,
    context: (input: { sessionID: string }) => Promise<Message[]>,
    // Of later versions.
    remove?: (input: { sessionID: string }) => Promise<unknown>,
  },
  shell: { hook: Hook },
  tool: {
    hook: Hook,
    transform: Transform<{ add: (tool: object) => void }>,
    list: () => Promise<
      { id: string, execute: (input: object, call: object) => Promise<{ output?: any }> }[]
    >,
  },
};
