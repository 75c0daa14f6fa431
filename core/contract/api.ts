/**
 * The contract between Drivebay and a driver plug-in, public as `drivebay/plugin`.
 *
 * It holds types only: a plug-in needs no runtime import of Drivebay, everything arrives through the context.
 * The smallest driver is a function that returns `chat` and `check`; see docs/examples/driver-echo.
 */

/**
 * The default export of a plug-in: makes one driver for one provider entry of providers.yaml. It is called when the
 * provider is first needed and must not do I/O. An error thrown here is a configuration error: the provider is offline
 * until the next request calls it again. The import is tried once. Import and factory have 10 seconds each.
 */
export type DriverFactory<Options = Record<string, unknown>> = (
  context: DriverContext<Options>,
) => Driver | Promise<Driver>;

/** One provider of a driver: what the factory returns. Calls may run at the same time. */
export interface Driver {
  /**
   * Runs one chat turn. The same generator serves streamed and single-shot requests: with `request.stream` false one
   * text event is enough. Yields `finish` once per choice, last; an answer that ends without it counts as cut short.
   * Throws `context.error(...)` on failure; any other error is reported as `upstream` with the plug-in's name. Must
   * stop soon after `call.signal` fires, and release its resources when the generator is returned early. Events are
   * checked: an invalid one ends the answer as `upstream`. After the last `finish` the client has its answer: then
   * neither the deadline nor a client that leaves ends the driver's work.
   */
  chat(request: ChatRequest, call: Call): AsyncIterable<ChatEvent>;
  /**
   * Turns texts into vectors. Declared by the capability `embeddings` of the manifest; without it a request for
   * embeddings is 400. Throws `context.error(...)` on failure. Must stop soon after `call.signal` fires.
   */
  embed?(request: EmbeddingRequest, call: Call): Promise<EmbeddingAnswer>;
  /**
   * Counts the input tokens of a chat, as the backend would. It spends no tokens and starts no program. Without it, or
   * when it throws, Drivebay estimates. `call.signal` fires after 5 seconds.
   */
  countTokens?(request: ChatRequest, call: Call): Promise<number>;
  /**
   * Resolves when the backend could answer a chat now, throws `context.error(...)` otherwise. It spends no tokens.
   * `call.signal` fires after 3 seconds.
   */
  check(call: Call): Promise<void | CheckResult>;
  /**
   * Facts shown beside an agent process, for example `resolved_bin`. Called once per agent process, when its first
   * answer has begun, with 10 seconds; a failure counts as no facts.
   */
  metadata?(): Promise<Record<string, string>>;
  /**
   * The models that the backend offers, by name or with what is known of them; empty where it does not say.
   * `drivebay models` shows them, the gateway lists them for providers with `list_models`, `drivebay doctor` looks for
   * the default model among them, `drivebay init` picks one. It spends no tokens. `call.signal` fires after 5 seconds.
   */
  models?(call: Call): Promise<(string | OfferedModel)[]>;
  /**
   * Further findings for `drivebay doctor`: the version of the program, whether it is logged in, surprising settings.
   * Yields each finding as soon as it is known: `call.signal` fires after 15 seconds, and later findings do not count.
   * It spends no tokens, changes nothing and never asks the user. An unknown fact is no finding; an error is a warning.
   */
  diagnose?(call: Call): AsyncIterable<Diagnosis>;
  /** Releases what the driver holds. Called once at shutdown, with 5 seconds; may come before any chat. */
  close?(): Promise<void>;
}

/** A model that the backend offers. */
export interface OfferedModel {
  /** As `request.model` takes it. */
  name: string;
  /** How many tokens the model can read in one conversation. */
  contextWindow?: number;
}

/** Further results of a successful check. */
export interface CheckResult {
  /** One short line for the status table's details, for example a version. */
  detail?: string;
  /** Things that work but deserve attention. */
  warnings?: string[];
}

/** One finding of `diagnose`. */
export interface Diagnosis {
  /** The subject; programs tell findings apart by it. */
  topic: DiagnosisTopic;
  /**
   * `ok`: as it should be. `note`: worth knowing. `warning`: works, and may surprise. `broken`: a chat would fail; then
   * `drivebay doctor` ends with exit code 1, and `drivebay init` does not make it the default.
   */
  severity: 'ok' | 'note' | 'warning' | 'broken';
  /** One short sentence. It never holds a key or a part of one: say where the key is from. */
  message: string;
  /** The command that fixes it, or what to do. */
  fix?: string;
}

/**
 * The subject of a finding. The list is closed; another word is shown as `other`.
 *
 * - `version`: the version of the program or server.
 * - `login`: whether the program is logged in, and how.
 * - `billing`: who pays.
 * - `permission`: what the tools of an agent may do without asking.
 * - `sandbox`: what they can reach.
 * - `settings`: the backend's own configuration.
 * - `other`: anything else.
 */
export type DiagnosisTopic = 'version' | 'login' | 'billing' | 'permission' | 'sandbox' | 'settings' | 'other';

/** One chat request, the same for the gateway and for agent processes. Absent fields were not asked for. */
export interface ChatRequest {
  /** The model to use. Absent when neither the request nor the provider names one. */
  model?: string;
  /** Whether the answer should arrive in pieces. */
  stream: boolean;
  /** At least one message, in conversation order. There may be several system messages, anywhere. */
  messages: Message[];
  /** The tools that the model may call. Absent unless the manifest declares the capability. */
  tools?: Tool[];
  /** Whether the model may, must or must not call a tool; absent leaves it to the backend. */
  toolChoice?: ToolChoice;
  /** The form that the answer must have; absent means text. */
  responseFormat?: ResponseFormat;
  /** Sequences that end the answer. */
  stop?: string[];
  /**
   * How many choices to answer with; absent means 1. Other values need the `choices` capability of the manifest. The
   * backend judges a value below 1, and answers it with one choice.
   */
  choices?: number;
  /** Upper bound of output tokens; absent means the backend's own. Never 0. */
  maxTokens?: number;
  /** As the client sent it: the backend judges the range. */
  temperature?: number;
  /** As the client sent it. */
  topP?: number;
  /** Passed on byte for byte: the vendor decides which levels exist. Absent unless the manifest declares the option. */
  reasoningEffort?: string;
  /** Thinking tokens, above 0. Absent unless the manifest declares the option. */
  thinkingBudget?: number;
  /**
   * The request's other fields, untouched: those that Drivebay does not know, and those it merely checks the type of
   * (`seed`, `user`, `metadata` ...). `stream_options` is among them, although the gateway has acted on it.
   */
  extra: Record<string, unknown>;
  /**
   * The request in the client's own wire, for a driver whose backend speaks the same one: it can send this, so that
   * nothing is lost in translation. Every other driver leaves it alone. Absent for requests of chat completions.
   */
  origin?: RequestOrigin;
}

/** A request as its client sent it. */
export interface RequestOrigin {
  /** The wire: `messages` for `POST /v1/messages`, `responses` for `POST /v1/responses`. */
  api: 'messages' | 'responses';
  /** The JSON body, untouched: `model` is as the client named it. */
  body: Record<string, unknown>;
  /** The headers that belong to the wire, such as its version, by their names in lower case. Never a key. */
  headers: Record<string, string>;
  /** Something that the request only names and its vendor keeps. Absent for nearly all requests. */
  stored?: StoredPart;
}

/**
 * A prompt or a file that a vendor keeps under an id. `messages` of the request lacks it, so an answer without it would
 * be wrong: a driver that does not send `origin.body` refuses such a request. Drivebay refuses it for drivers without the
 * capability.
 */
export interface StoredPart {
  /** The field that names it. */
  param: string;
  /** What the client can send in its place. */
  instead: string;
}

/** What to turn into vectors. */
export interface EmbeddingRequest {
  /** The model to use. Absent when neither the request nor the provider names one. */
  model?: string;
  /**
   * Texts, or lists of token numbers of the model. At least one entry. A driver whose backend takes no token numbers
   * refuses them: `invalid_request` with `param: 'input'`.
   */
  input: string[] | number[][];
  /**
   * How many numbers each vector should have; absent leaves it to the model. A client whose vectors have another length
   * gets 400 instead of them.
   */
  dimensions?: number;
  /** The request's other fields, untouched. */
  extra: Record<string, unknown>;
}

/** The vectors of an EmbeddingRequest. */
export interface EmbeddingAnswer {
  /** One for each entry of the input, in its order. */
  vectors: number[][];
  /** The model that answered, as the backend names it. */
  model?: string;
  /** The tokens that the backend counted; absent where it does not say. */
  inputTokens?: number;
  /** The price that the backend reports with the vectors. It counts in place of the prices of the configuration. */
  costUsd?: number;
  /** The names of fields of this request that have no effect. */
  ignored?: string[];
}

/** One message of the conversation. */
export interface Message {
  /** `developer` is a system message under its newer name; `tool` holds the result of a call. */
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /** In order. Empty for an assistant message without content. A `tool` message holds exactly one `tool_result`. */
  parts: Part[];
  /** The participant's name, where the client gave one. */
  name?: string;
  /** Message fields that Drivebay does not know, untouched. */
  extra?: Record<string, unknown>;
}

/** A piece of a message. */
export type Part = ContentPart | ReasoningPart | ToolCallPart | ToolResultPart;

/** A part that a user may send. `extra` holds fields of the part that Drivebay does not know. */
export type ContentPart =
  /** A text. The texts of a message are its content, in this order. */
  | { type: 'text'; text: string; extra?: Record<string, unknown> }
  /** `url` is a `data:` URL with base64 content, or an http(s) URL. */
  | { type: 'image'; url: string; detail?: string; extra?: Record<string, unknown> }
  /** `data` is base64. */
  | { type: 'audio'; data: string; format: string; extra?: Record<string, unknown> }
  /** `data` is its content, a `data:` URL with base64; `id` is the id that the vendor gave it. */
  | { type: 'file'; data?: string; id?: string; filename?: string; extra?: Record<string, unknown> }
  /**
   * A part of a type that Drivebay does not know, as the client sent it. A driver that cannot send it refuses the request:
   * `invalid_request`.
   */
  | { type: 'other'; value: Record<string, unknown> };

/** Reasoning text of an earlier turn; `extra` carries the signatures that came with it. */
export interface ReasoningPart {
  type: 'reasoning';
  text: string;
  extra?: Record<string, unknown>;
}

/** A call that the model made in an earlier turn. `arguments` is a JSON text. */
export interface ToolCallPart {
  type: 'tool_call';
  id: string;
  name: string;
  arguments: string;
  extra?: Record<string, unknown>;
}

/** The answer of a tool to the call `callId`. */
export interface ToolResultPart {
  type: 'tool_result';
  callId: string;
  content: ContentPart[];
}

/** A tool that the model may call. */
export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  parameters?: Record<string, unknown>;
  /** Whether the arguments have to fit the schema to the letter; absent leaves it to the backend. */
  strict?: boolean;
  /**
   * The tool as the client sent it, where it is more than a plain function (a vendor's own tool type, further fields).
   * A driver that knows the wire format of chat completions sends this; other drivers name the tool in `meta.ignored`.
   */
  raw?: Record<string, unknown>;
}

/** Whether the model may, must not or must call a tool; `tool` names the one that it must call. */
export type ToolChoice =
  | { type: 'auto' | 'none' | 'required' }
  | { type: 'tool'; name: string }
  /** A form that Drivebay does not know, as the client sent it. */
  | { type: 'other'; value: unknown };

/** The form that the answer must have. */
export type ResponseFormat =
  | { type: 'text' | 'json_object' }
  | { type: 'json_schema'; name: string; schema?: Record<string, unknown>; strict?: boolean; description?: string }
  | { type: 'other'; value: unknown };

/**
 * One piece of an answer. `choice` is the index of the choice it belongs to; absent means 0. Core passes over events of
 * a type it does not know, and warns once.
 */
export type ChatEvent =
  /**
   * Facts about the answer. They come before the first content. `ignored` names fields of this request that have no effect.
   * `warm` says how a driver that keeps programs came to the one that answers.
   */
  | { type: 'meta'; model?: string; ignored?: string[]; warm?: Warmth }
  /** A piece of the answer. The pieces are joined as they are. */
  | { type: 'text'; text: string; choice?: number }
  /** Reasoning text, kept apart from the answer. `extra` (signatures) comes back with the message next turn. */
  | { type: 'reasoning'; text: string; extra?: Record<string, unknown>; choice?: number }
  /**
   * The end of one block of reasoning, of a backend that has several in one answer or signs each of them. `extra` (its
   * signature) comes back with the message next turn, as that of `reasoning`.
   */
  | { type: 'reasoning_end'; extra?: Record<string, unknown>; choice?: number }
  /**
   * A tool call or a piece of one: `index` counts the calls of a message from 0, `id` and `name` come with the first
   * piece of an index, `arguments` pieces concatenate to one JSON text.
   */
  | {
      type: 'tool_call';
      index: number;
      id?: string;
      name?: string;
      arguments?: string;
      extra?: Record<string, unknown>;
      choice?: number;
    }
  /**
   * The agent behind the driver has begun to use a tool of its own. From here on no other provider gets the request,
   * and an agent process shows the tool. `detail` says in a few words what the tool does, for example a command.
   */
  | { type: 'activity'; tool: string; detail?: string; choice?: number }
  /**
   * Where the backend keeps this conversation with its answer: what the driver needs to continue there, as plain data of
   * at most 4 KiB without any key. It comes before the last `finish`. When a user continues the agent process, it comes back
   * as `call.session`. In other calls it has no effect.
   */
  | { type: 'session'; state: Record<string, unknown> }
  /**
   * Wire fields that Drivebay does not know, merged verbatim, never read: `delta` and `choiceFields` into the next
   * piece of that choice, `response` into the whole answer.
   */
  | {
      type: 'extra';
      delta?: Record<string, unknown>;
      choiceFields?: Record<string, unknown>;
      response?: Record<string, unknown>;
      choice?: number;
    }
  /**
   * A piece of the answer in the wire of `request.origin`, as the backend sent it: an event of its stream or, without
   * `request.stream`, its whole body. A client of that wire gets it as it is, in place of what the other events say.
   * Each one is yielded before the events that say the same: Drivebay still counts, records and checks by those.
   */
  | { type: 'native'; value: Record<string, unknown> }
  | Usage
  /**
   * The end: `stop`, `length`, `tool_calls` or `content_filter`. Without it the answer counts as cut short. `stopSequence`:
   * the sequence of `request.stop` that ended the answer, if the backend names it. Such an answer may be empty.
   */
  | { type: 'finish'; reason: FinishReason; stopSequence?: string; choice?: number };

/**
 * How a driver came to the program that answers. `hit`: it was ready. `resumed`: it holds the conversation so far. `cold`:
 * it was started for this call.
 */
export type Warmth = 'hit' | 'resumed' | 'cold';

/** How an answer ended: by itself, at the token limit, with tool calls to run, or cut off by a filter. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/**
 * The counts of the backend, never an estimate. `inputTokens` includes cached and cache-written tokens, `outputTokens`
 * includes reasoning, `cacheWriteInputTokens` includes those in a cache that keeps them for long (an hour, not minutes). Both
 * include what is no text: `audioInputTokens`, `audioOutputTokens` and `imageOutputTokens`, which some models have prices for.
 * Yielded before `finish`; the last one counts. `requests`: roughly, the number of requests to a model that these counts sum
 * up; absent means 1. `costUsd` is the price that the backend reports, 0 included; it counts in place of the prices of the
 * configuration. `nominal`: a subscription pays, so the user pays nothing more for these tokens.
 */
export interface Usage {
  type: 'usage';
  /** Cached and cache-written tokens included. */
  inputTokens: number;
  /** Reasoning included. */
  outputTokens: number;
  /** Those of the input that came from a cache. */
  cachedInputTokens?: number;
  /** Those of the input that were written to a cache, for long or not. */
  cacheWriteInputTokens?: number;
  /** Those of them in a cache that keeps them for long: an hour, not minutes. */
  longCacheWriteInputTokens?: number;
  /** Those of the output that the client does not see as text. */
  reasoningTokens?: number;
  /** Those of the input that are sound. */
  audioInputTokens?: number;
  /** Those of the output that are sound. */
  audioOutputTokens?: number;
  /** Those of the output that are images. */
  imageOutputTokens?: number;
  /**
   * The number of requests to a model that these counts sum up, roughly: an agent asks its model several times in a turn.
   * Absent: one. Prices of long contexts depend on the average.
   */
  requests?: number;
  /** What the backend says it costs, 0 included. It counts in place of the prices of the configuration. */
  costUsd?: number;
  /** True where a subscription pays, so that the user pays nothing more. */
  nominal?: boolean;
  /** Further counters of the backend, merged into the wire's usage object verbatim. */
  extra?: Record<string, unknown>;
}

/**
 * The circumstances of one request, step or check. Concurrent calls never share one. Hand it on as it is: a copy, such as
 * `{ ...call }`, lacks what is made when it is first read, the signal above all.
 */
export interface Call {
  /** The request's id, as in logs and in `x-request-id`; `check` in a check. */
  id: string;
  /** Fires when the call should end; `signal.reason.code` says why (an `AbortCode`). */
  signal: AbortSignal;
  /** When the call times out, in ms since the epoch. */
  deadline: number;
  /** Bound to the call. `drivebay logs PID` also shows these lines of an agent process, except those of `debug`. */
  log: Logger;
  /**
   * Records an event that is shown beside the process or request. Values are plain data. An event whose name ends in
   * `.retry`, with a field `reason`, says that the driver tries again.
   */
  trace(event: string, fields: Record<string, unknown>): void;
  /** Where an agent process works. Absent in a gateway chat. */
  workspace?: Workspace;
  /**
   * Separates callers whose conversations must not mix: clients, projects, wires. A driver continues an earlier
   * conversation only for a call of the same scope, and never for a call without one.
   */
  scope?: string;
  /**
   * Where the backend keeps the conversation. Only the first step of an agent process that continues an earlier one has it.
   * This provider yielded it, for the same model, folder and system messages, and no other process has continued there.
   * The driver checks whether the conversation and the account are still the same; if not, it sends all messages.
   */
  session?: Session;
}

/** A conversation that the backend keeps. */
export interface Session {
  /** As the driver gave it. */
  state: Record<string, unknown>;
  /** How many of the request's messages it holds. Those after them are new. */
  holds: number;
}

/** Why a call ends before its answer: its time is up, the client left, a user killed it, Drivebay stops. */
export type AbortCode = 'timeout' | 'client_gone' | 'killed' | 'shutdown';

/** Where and with what an agent process works. */
export interface Workspace {
  /** Where the process was started, absolute: a program that works on files runs here. Absent: `directory`. */
  workingDirectory?: string;
  /** The project directory, absolute; absent outside of a project. */
  directory?: string;
  /**
   * The skills of the agent. A driver whose manifest declares the capability `skillFolders` tells its program where
   * they are. Every other driver has nothing to do: the text of each SKILL.md is in the system message.
   */
  skills: Skill[];
  /** Whether this is the first step of its process. */
  first: boolean;
  /**
   * The tool servers that the user has set up for agents, and one with the devices that the agent may use; absent where
   * there are none. For a driver whose manifest declares the capability `toolServers`: its program starts and ends them
   * itself. They hold keys: the driver hands them over in a private file or in the environment, never in arguments.
   * Drivebay leaves out a server that cannot be used, and tells the user.
   */
  toolServers?(): Promise<AgentToolServer[]>;
}

/** A tool server (MCP) for the program of an agent. */
export interface AgentToolServer {
  /** Unique. Letters, digits and `-`, with single `_` between them. */
  name: string;
  /** How it is reached. A program starts in its own folder with these variables besides those of the agent's program. */
  reach:
    | { kind: 'program'; command: string; args: string[]; env: Record<string, string>; cwd: string }
    | { kind: 'address'; url: string; headers: Record<string, string>; type: 'http' | 'sse' };
  /** How long one call of a tool may take, in ms. */
  timeoutMs: number;
  /** The names of the tools that the agent may use. Absent: all. */
  only?: string[];
  /**
   * The names of the tools that it may not use, for a program that can only be told those. Asks the server; rejects with a
   * message for the user where that fails: then the server has to be left out.
   */
  others?(): Promise<string[]>;
}

/** A folder with a SKILL.md that an agent was given. */
export interface Skill {
  name: string;
  /** The skill's folder, absolute. */
  directory: string;
}

/** Goes to stderr. Never log prompts or keys at levels above `debug`; known keys are redacted everywhere. */
export interface Logger {
  /** Shown with `--log-level debug` only. It may quote a prompt or an answer of the backend. */
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Everything a driver gets from Drivebay. One per provider entry. */
export interface DriverContext<Options = Record<string, unknown>> {
  /** The provider's name in providers.yaml. */
  readonly provider: string;
  /** The driver's name in its manifest. */
  readonly driver: string;
  /** The options that the manifest declares, by their YAML names, validated, with the manifest's defaults. */
  readonly options: Readonly<Options>;
  /** For what belongs to no call; `call.log` is for the rest. */
  readonly log: Logger;
  /** The provider's API key, looked up in `api_key_env` at each call; undefined where none is named or set. */
  apiKey(): string | undefined;
  /** The same for a backend that needs a key: throws `auth`, naming the variable and the places searched. */
  requireApiKey(): string;
  /**
   * A further secret by the name of its variable, such as one key of a pool or a token: looked up as `apiKey` is,
   * undefined where it is not set. From then on Drivebay takes the value out of every log, error and record, and keeps
   * the variable from the programs of other providers.
   */
  secret(variable: string): string | undefined;
  /**
   * Tells Drivebay a secret that the driver got at run time, such as the token of a login, and returns it. From then on
   * Drivebay takes it out of every log, error and record: call it before anything else is done with the secret. Drivebay
   * remembers the last twenty secrets of all providers: tell a secret again at each use. It has at least 8 characters.
   */
  hide(secret: string): string;
  /** The text without the secrets that Drivebay knows, for a file or a service of the driver's own. */
  redact(text: string): string;
  /** Makes the error to throw. */
  readonly error: (code: DriverErrorCode, message: string, details?: DriverErrorDetails) => DriverFailure;
  /** The connections of this provider. They use the user's proxy, and close with the provider. */
  readonly http: HttpClient;
  /**
   * Finds a program and returns its absolute path. Each name is looked for on Drivebay's PATH, then in `directories`;
   * the first executable file wins. Symbolic links and spaces are fine, folders and files without the execute bit are
   * passed over. A name may also be absolute, or start with `~/`. Cheap: do not keep the result, an update may move the
   * program. Throws `not_installed` (kind `binary_missing` or `binary_not_executable`) listing the names and places
   * tried.
   */
  resolveBinary(names: string | readonly string[], options?: ResolveOptions): Promise<string>;
  /**
   * Starts a program: no shell, each argument reaches it as it is. Resolves once it runs. Throws `not_installed` (the
   * program is missing, not executable, or needs an interpreter that is missing), `invalid_request` (an argument is
   * larger than the system takes, or holds a NUL: give long texts as `input`), `rejected` (kind `working_directory`: no
   * such folder), `upstream` (the system is out of processes or memory) or `canceled`.
   */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): Promise<Subprocess>;
  /**
   * Counts what the driver keeps for further calls: a program that is ready, a conversation that may go on. Drivebay
   * calls `end` when it has to go: after its time, when there are too many, of this provider or of all of them, when
   * memory runs short, or when the provider closes. The longest kept one goes first; it may be this one, at once. A
   * program that was started with the signal of a call is the driver's from then on: the call does not end it any more.
   */
  keep(options: KeepOptions): Kept;
  /** Makes (once) and returns a private folder for this provider, mode 0700. Nothing else belongs to the driver. */
  scratch(): Promise<string>;
  /**
   * Lays messages out as one text, for a backend that takes a prompt instead of a conversation. A single user message
   * goes as it is; several stand in order between tags that occur in none of their texts, labelled with role, name and
   * tool; nothing is left out. The same messages give the same text, and one more message appends to it. Throws
   * `invalid_request` with `param` for parts that are no text (images, audio, files, vendor tool calls) and for
   * messages without text.
   */
  layoutPrompt(messages: readonly Message[], options?: PromptOptions): PromptLayout;
  /**
   * Returns `value` when a program can take it as one argument behind its own option. Throws `invalid_request` for a
   * value that looks like an option (a leading `-`), an empty text, a control character or more than 128 KiB. Every
   * argument from a client goes through it, for example the name of a model. `param` is the field of the request.
   */
  argument(value: string, param: string): string;
  /**
   * The names, as the client wrote them, of the sampling and other fields that the request sets and the driver does not
   * name in `honoured`: they belong in `meta.ignored`. Tools, tool choice and effort are left to the manifest.
   */
  ignoredFields(request: ChatRequest, honoured?: readonly string[]): string[];
}

/** What a driver keeps beyond a call. */
export interface KeepOptions {
  state: KeptState;
  /** How many in this state this provider keeps. */
  most: number;
  /** How long it is kept, in ms. */
  forMs: number;
  /** The program, where it is one. */
  pid?: number;
  /** Ends it. Called at most once, and never after `take`. Must not throw. */
  end(): void;
}

/** `spare`: ready for any call. `conversation`: may go on. `waiting`: continues when its client has run a tool. */
export type KeptState = 'spare' | 'conversation' | 'waiting';

/** Something that is kept. */
export interface Kept {
  /** Takes it back for a call. False when it was ended meanwhile. */
  take(): boolean;
}

/** How `layoutPrompt` lays messages out. */
export interface PromptOptions {
  /**
   * Whether system and developer messages come back as `system`, for a backend with an option for them. Default: they
   * stand among the others. Where there are no other messages, they are always the prompt.
   */
  separateSystem?: boolean;
}

/** The result of `layoutPrompt`. */
export interface PromptLayout {
  /** All system and developer messages in order, a blank line between them. Absent without any. */
  system?: string;
  /** Never blank. It may be larger than an argument can be: give it to a program as its input. */
  prompt: string;
}

/**
 * The class of a failure: each calls for another reaction. The status of the gateway, the retry advice, health and
 * fallback follow from it.
 *
 * - `auth`: the key is missing or refused (401, 403), the CLI is not logged in. Offline.
 * - `unreachable`: DNS, refused, reset, TLS. Offline.
 * - `timeout`: the backend did not answer in time.
 * - `upstream`: the backend failed (5xx, a crash, an empty answer).
 * - `rejected`: the backend refused this request (other 4xx: unknown model, bad value).
 * - `rate_limited`: 429 or a usage limit; give `retryAfterS` where known.
 * - `invalid_request`: the driver itself refuses the request; give `param`. The client sees status 400.
 * - `not_installed`: no usable binary; list the names tried. Offline.
 * - `protocol`: output that cannot be understood, or that ends too early.
 * - `canceled`: `call.signal` fired.
 */
export type DriverErrorCode =
  | 'auth'
  | 'unreachable'
  | 'timeout'
  | 'upstream'
  | 'rejected'
  | 'rate_limited'
  | 'invalid_request'
  | 'not_installed'
  | 'protocol'
  | 'canceled';

/**
 * The finer cause, for programs that tell errors apart: `details.kind` of the gateway's errors. The list is closed;
 * another value is replaced by the code. Where none of these fits, the code is the kind.
 *
 * - `missing_key`: no key is set. `login_required`: the CLI is not logged in, or its login has expired.
 * - `usage_limit`: a quota is used up until it is renewed. `overloaded`: the backend has too much to do.
 * - `model_unavailable`: the backend does not have the model. `context_overflow`: the request is too long for it.
 * - `permission_blocked`, `untrusted_workspace`: an agent was not allowed to work, at all or in this folder.
 * - `crashed`: a program ended by a signal or without an answer. `truncated`: an answer that was cut short.
 * - `empty`: an answer with nothing in it. `line_too_long`: a line over 16 MiB.
 * - `binary_missing`, `binary_not_executable`, `interpreter_missing`, `binary_broken`: why a program cannot be started.
 * - `spawn_failed`: the system could not start it. `working_directory`: no such folder to start it in.
 * - `unusable_argument`: a text of the request is too long for an argument, or holds a NUL.
 * - `bad_option`, `program_config`: a program refused one of its options, or its own configuration.
 * - `billing`: the account has no credit. `content_filter`: the backend refused the subject.
 * - `driver_bug`, `driver_setup`: the plug-in broke the contract, or could not be set up.
 * - `untrusted_project`: waits for `drivebay trust`.
 * - `rate_limit_exceeded`, `budget_exceeded`: a limit that the user has set for the provider is reached. Only core says so.
 * - `client_gone`, `killed`, `shutdown`: why a call was ended; `timeout` and `canceled` are codes as well.
 */
export type ErrorKind =
  | DriverErrorCode
  | AbortCode
  | 'missing_key'
  | 'login_required'
  | 'usage_limit'
  | 'overloaded'
  | 'model_unavailable'
  | 'context_overflow'
  | 'permission_blocked'
  | 'untrusted_workspace'
  | 'crashed'
  | 'binary_missing'
  | 'binary_not_executable'
  | 'interpreter_missing'
  | 'binary_broken'
  | 'spawn_failed'
  | 'working_directory'
  | 'unusable_argument'
  | 'line_too_long'
  | 'bad_option'
  | 'program_config'
  | 'billing'
  | 'content_filter'
  | 'truncated'
  | 'empty'
  | 'driver_bug'
  | 'driver_setup'
  | 'untrusted_project'
  | 'rate_limit_exceeded'
  | 'budget_exceeded';

/** What a driver can say about a failure besides its code and message. */
export interface DriverErrorDetails {
  /** The finer cause that users see. Default: the code. */
  kind?: ErrorKind;
  /** The request field at fault, for example `messages[0].content[1]`. */
  param?: string;
  /** The backend's HTTP status. */
  status?: number;
  /** When to try again, in seconds from now; rounded up. Dropped when it is negative, no number, or over 31 days. */
  retryAfterS?: number;
  /** What the user can do, ideally the command that fixes it. */
  hint?: string;
  /** True when an agent may already have acted: the client is told not to retry. */
  sideEffects?: boolean;
  /** The backend's own error answer, parsed where it is JSON. Only the driver sees it. */
  answer?: unknown;
  /** The original error. */
  cause?: unknown;
}

/** What a driver adds to an error that Drivebay makes for it. */
export type ErrorAdvice = Pick<DriverErrorDetails, 'hint' | 'kind'>;

/** An error of this contract. Known by its code, so that a plug-in's own copy of the class serves as well. */
export interface DriverFailure extends Error {
  readonly code: DriverErrorCode;
  readonly kind?: ErrorKind | undefined;
  readonly param?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfterS?: number | undefined;
  readonly hint?: string | undefined;
  readonly sideEffects?: boolean;
  readonly answer?: unknown;
}

/**
 * HTTP on the provider's own keep-alive pool. Limits: 10 s to connect, 300 s of silence, and the call's clock. Requests to
 * other machines use the proxy that the environment names.
 */
export interface HttpClient {
  /**
   * Sends one request and resolves with the response head, whatever the status. Throws `unreachable`, `timeout`,
   * `canceled`, `protocol` (the answer is not HTTP) or `auth` (no header may hold the key). A request is repeated once,
   * only when a reused connection closed before any response byte. A user and a password in the URL are not sent.
   */
  request(url: string | URL, options: HttpRequest): Promise<HttpResponse>;
  /**
   * The same as a `fetch`, for SDKs that take one: `new Sdk({ fetch: context.http.fetch })`. Needs no `this`.
   *
   * Follows the standard where an SDK can notice, except that redirects are not followed, nothing is added to the
   * headers but the type of a body, and the text of an answer that is not `ok` ends after 64 KiB or 5 s. A body that is
   * a stream is sent as it comes, and such a request is never repeated.
   *
   * Rejects as the standard has it, with the signal's reason after a cancellation, otherwise with a `TypeError` whose
   * `cause` is the driver error that `request` would throw. An SDK wraps that in an error of its own: walk the chain of
   * causes to an error with a `DriverErrorCode`, and throw that one. An error while the body is read is the driver
   * error itself. Switch the SDK's own retries and time limits off: the repetition and the clock are Drivebay's.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<FetchResponse>;
}

/** The answer that `fetch` resolves with. If an SDK passes it on unchanged, the driver can use these members. */
export interface FetchResponse extends Response {
  /** As `HttpResponse.events`, in place of any other way to read the body. Cheaper than the iterator of any SDK. */
  events(): AsyncIterable<string>;
  /** As `HttpResponse.error`, in place of any other way to read the body. */
  error(advice?: ErrorAdvice): Promise<DriverFailure>;
  /** Gives the connection up without reading on. */
  discard(): void;
}

/** One HTTP request. */
export interface HttpRequest {
  /** Default: GET, POST with a body. */
  method?: string;
  /** Sent as they are: a `content-type` is yours to give. */
  headers?: Record<string, string>;
  /** The call that the request is a part of: the request ends with it. One of `call` and `signal` is needed. */
  call?: Call;
  /**
   * Ends the request, where something else than a call ends it; beside `call`, whichever of the two fires first. `call` is
   * cheaper than `signal: call.signal`.
   */
  signal?: AbortSignal;
  /** Sent as it is: `JSON.stringify` is yours to call. */
  body?: string | Uint8Array;
}

/**
 * The answer to one request. Its body is read once, by one of the methods; while it is read they throw `protocol` (kind
 * `truncated` when it ends too early), `timeout` after 300 s of silence, or `canceled`.
 */
export interface HttpResponse {
  /** The HTTP status. An error status is an answer as well: `error()` makes the error to throw. */
  status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  headers: Record<string, string>;
  /** The whole body as text; throws `protocol` over `limitBytes` (default 64 MiB). */
  text(limitBytes?: number): Promise<string>;
  /** The whole body parsed as JSON; throws `protocol` with the beginning of a body that is something else. */
  json(): Promise<unknown>;
  /**
   * The body as server-sent events, the `data` of each, at most 16 MiB; comments and event types are skipped, a field
   * `error` counts as data. Leaving the loop ends the request; `return` may be called while a `next` is pending.
   */
  events(): AsyncIterable<string>;
  /**
   * The lines of the body as they arrive, as UTF-8, without their end (a line feed, and a carriage return before it); a
   * last line without one counts. Throws `protocol` (kind `line_too_long`) over 16 MiB. Left like `events()`.
   */
  lines(): AsyncIterable<string>;
  /**
   * The value of each line, for a body in lines of JSON (NDJSON, JSON Lines); blank lines are skipped. Like `json()`,
   * and unlike the lines of a program, it throws `protocol` with the beginning of a line that is something else, after
   * the values before it. The driver checks whether the answer was complete: a body that ends is no error.
   */
  jsonLines(): AsyncIterable<unknown>;
  /** The body as it arrives. */
  bytes(): AsyncIterable<Uint8Array>;
  /**
   * Reads an error answer and makes the error to throw: code by status (401 and 403 `auth`, 429 `rate_limited`, 3xx and
   * other 4xx `rejected`, else `upstream`), the message found in the body, and Retry-After. Never rejects; reads at
   * most 64 KiB, for at most 5 s. The body itself is its `answer`.
   */
  error(advice?: ErrorAdvice): Promise<DriverFailure>;
  /** Gives the connection up without reading on. */
  discard(): void;
}

/** Where a program may be besides the PATH. */
export interface ResolveOptions {
  /** Absolute folders, or folders that start with `~/`, to look in after the PATH. */
  directories?: readonly string[];
  /**
   * Whether to look last in the folders where installers put a user's programs, which the PATH of a service lacks:
   * `~/.local/bin`, the programs of the newest Node of nvm (`$NVM_DIR`, else `~/.nvm`), `~/.bun/bin`. Default: false.
   */
  userFolders?: boolean;
}

/** How a program is started, and when it has to end. */
export interface SpawnOptions {
  /** The working directory. Default: `scratch()`. */
  cwd?: string;
  /**
   * Changes to the environment; undefined removes a variable. The environment is Drivebay's own, without the keys of
   * other providers and every variable of Drivebay itself (`DRIVEBAY_*`). For scripts that name `node` as their
   * interpreter, the PATH gets the folder of the program at its beginning, unless it has it already, and the folder of
   * Drivebay's Node at its end.
   */
  env?: Readonly<Record<string, string | undefined>>;
  /** Variables that are set only if the environment lacks them. `env` wins over them. */
  envDefaults?: Readonly<Record<string, string>>;
  /** The whole standard input, however large. Absent: it stays open for `write` and `end`. */
  input?: string | Uint8Array;
  /**
   * The call's signal: the program belongs to the call. When it fires the program is stopped, and its lines throw
   * `canceled`. When the loop over its lines is left, the program has 2 s to end and is then stopped. Absent: the
   * program belongs to the driver, which may keep it for many calls. Drivebay stops it after the driver's `close()`.
   */
  signal?: AbortSignal;
  /** From the first signal to SIGKILL, in ms. Default: the provider's `grace_sec`, or 20 s. 0: SIGKILL at once. */
  graceMs?: number;
  /**
   * Called with each line of the standard error as it comes, for programs that report only there, for example a retry.
   * A line over 64 KiB is passed over. Must not throw. `stderr` holds the end of the whole text.
   */
  onErrorLine?: (line: string) => void;
  /** The first signal, default SIGTERM. SIGINT is followed by SIGTERM after 2 s, or half of the grace period. */
  firstSignal?: 'SIGINT' | 'SIGTERM';
}

/**
 * A running program and everything it starts, in a process group of its own: a Ctrl-C in Drivebay's terminal does not
 * reach it, and it has no terminal to ask questions on. Nothing of it is left behind: when it has ended by itself, what
 * it started is stopped as well, about a second later.
 */
export interface Subprocess {
  /** The process id, as `context.keep` takes it. */
  readonly pid: number;
  /** Writes to the standard input. Resolves when the program took it, or will never take it; never rejects. */
  write(data: string | Uint8Array): Promise<void>;
  /** Ends the standard input. */
  end(): void;
  /**
   * The lines of the standard output, as UTF-8, without their end (a line feed, and a carriage return before it); a
   * last line without one counts. Output is read ahead up to 32 MiB. For a program of the driver the next loop goes on
   * where the last one was left. Ends with the output: at the latest 1 s after the program, even when something that it
   * started holds the output open. Throws `protocol` (kind `line_too_long`, over 16 MiB) or `canceled`.
   */
  lines(): AsyncIterable<string>;
  /** The same with each line parsed. */
  jsonLines(): AsyncIterable<JsonLine>;
  /**
   * The standard output as it arrives, for programs that write plain text while they think: a `TextDecoder` makes text of
   * it, with `{ stream: true }`, because a character may be split. Read ahead, ended and left like `lines()`. An output is
   * read either as lines or as bytes.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** The end of what it wrote to the standard error so far, at most 64 KiB. */
  readonly stderr: string;
  /** Settles when the program itself has ended, whatever holds its pipes. Never rejects. */
  readonly exited: Promise<ExitStatus>;
  /**
   * Whether it runs, and nothing that it has started runs any more. False where the processes of the machine cannot be
   * listed. Never rejects.
   */
  isAlone(): Promise<boolean>;
  /**
   * Ends the program and everything it started: the first signal to all of them, SIGKILL after the grace period. With
   * `patienceMs` (default 0) its standard input ends, and it has this time to end by itself first. May be called at any
   * time and repeatedly. Resolves when nothing is left, never rejects. An answer need not wait for it.
   */
  stop(options?: { patienceMs?: number }): Promise<void>;
  /**
   * Makes the error to throw for a program that ended without its answer. Waits for its end; one that does not end
   * within 2 s is stopped. `not_installed` for a missing interpreter, `upstream` (kind `crashed`) for a bad exit code
   * or a signal, else `protocol` (kind `truncated`). Its message has the last line of the standard error but no stack.
   */
  error(advice?: ErrorAdvice): Promise<DriverFailure>;
}

/** One line of output. */
export interface JsonLine {
  /** The line as it came. */
  text: string;
  /** Its value; undefined for a line that is not JSON, or over 1 MiB with more than 200,000 values and keys. */
  json: unknown;
}

/** How a program ended. */
export interface ExitStatus {
  /** Null when a signal ended the program. */
  code: number | null;
  /** For example SIGKILL; null when it ended by itself. */
  signal: string | null;
}
