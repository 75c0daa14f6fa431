/** The backend that the kit plays for a driver. Most authors make one with `httpBackend` or `cliBackend`. */
export interface Backend {
  /**
   * The abilities that this backend does not have, each with the reason. The kit excludes the cases that need them, and
   * reports the reason. Default: the backend has all abilities.
   */
  readonly cannot?: Partial<Record<Ability, string>>;
  /** Starts a fresh backend. Each case starts its own; some start several. */
  start(): Promise<RunningBackend>;
}

/**
 * An ability that a case needs.
 *
 * - `received`: it reports the requests that reached it.
 * - `pieces`: its answers arrive in several pieces when they are streamed; `hold`: a streamed answer can be held back
 *   halfway; `bytes`: its output can be split between any two bytes.
 * - `usage`, `length`, `empty`, `reasoning`, `toolCalls`, `toolCallIds`, `signatures`: answers can carry the token counts,
 *   end at the token limit, have no text, contain reasoning apart from the text, contain tool calls, and tool calls can
 *   carry their ids, and an opaque signature, which must come back with the next turn.
 * - `embeddings`: it can answer with vectors. `token`: it gives the driver a token.
 * - `auth`, `rejected`, `rate_limited`, `upstream`: it can fail this way, in words of its own.
 * - `interruption`: it can fail in the middle of a streamed answer, in words of its own.
 * - `absent`: the backend can be missing (a refused connection, no such program); `garbage`: it can send invalid output;
 *   `cut`: an answer can end halfway; `hang`: an answer can stay away for ever.
 * - `end`: its output says where an answer ends. Without it, an answer is complete when the program ends with exit code 0.
 */
export type Ability =
  | 'received'
  | 'pieces'
  | 'hold'
  | 'bytes'
  | 'usage'
  | 'length'
  | 'empty'
  | 'reasoning'
  | 'toolCalls'
  | 'toolCallIds'
  | 'signatures'
  | 'embeddings'
  | 'token'
  | Fault
  | 'interruption'
  | 'absent'
  | 'garbage'
  | 'cut'
  | 'hang'
  | 'end';

/** A started backend. */
export interface RunningBackend {
  /** Provider options that lead the driver to this backend, by their YAML names. Read after `script`, before the driver is made. */
  readonly options: Record<string, unknown>;
  /** A token that the driver gets from it. */
  readonly token?: string | undefined;
  /**
   * Sets the response to all further chats. A function chooses it by the chat that arrived. Every chat asks for the text of
   * its answer, so that the kit can also test a driver without a backend, which repeats its input.
   */
  script(next: Situation | ((chat: ReceivedChat) => Situation)): Promise<void>;
  /** Every chat so far, in order of arrival, without checks and probes. */
  received(): ReceivedChat[];
  /**
   * The connections with an unfinished answer and the running processes, one line each. That of a process is `process` and its
   * id: one that the driver keeps does not count as left.
   */
  atWork(): string[];
  /** `atWork`, and the idle connections, one line each. */
  open(): string[];
  /** What the backend waits for, for the author of a driver whose chat does not end. Undefined where it waits for nothing. */
  waitsFor?(): string | undefined;
  /** Ends the backend and everything that it started. */
  close(): Promise<void>;
}

/** The response of a backend to a chat. A backend that cannot play it names the ability in `cannot`. */
export type Situation = {
  /** Checks and what else a driver asks besides chats, such as a token, are answered. Default: they fail or hang like chats. */
  chatsOnly?: boolean;
} & (
  | {
      type: 'answer';
      answer: ScriptedAnswer;
      /** The number of bytes in one write. */
      split?: number;
      /** The last piece of the answer waits for this promise. */
      hold?: Promise<unknown>;
      conduct?: ProcessConduct;
      /** `crlf`: the lines of a stream end with CR LF, and comments stand between server-sent events. Default: as written. */
      lineEnds?: 'crlf';
    }
  /** The answer to a request for embeddings. Only a driver that declares the capability is asked for it. */
  | ({ type: 'vectors' } & ScriptedVectors)
  /** Sends half of `after`, if it is given, then the failure. */
  | ({ type: 'failure'; after?: ScriptedAnswer } & ScriptedFailure)
  /** Sends half of `after`, if it is given, then nothing more. */
  | { type: 'hang'; after?: ScriptedAnswer; conduct?: ProcessConduct }
  /**
   * Sends half of the answer, then resets the connection (`reset`) or ends it cleanly, a program with `exitCode`. `between`: the
   * half ends between two pieces, as two lines or events are. Default: within one.
   */
  | { type: 'cut'; answer: ScriptedAnswer; reset: boolean; exitCode?: number; between?: boolean }
  /** Sends invalid output. */
  | { type: 'garbage' }
  /** The backend is missing, for existing and for new drivers. */
  | { type: 'absent' }
);

/** The neutral form of an answer. The author's wire functions translate it into the format of the backend. */
export interface ScriptedAnswer {
  /** The text, in the pieces of a stream. A single-shot answer holds them joined. */
  pieces: string[];
  /** Reasoning, apart from the text. */
  reasoning?: string;
  toolCalls?: ScriptedToolCall[];
  /** Token counts; `inputTokens` includes the cached ones. */
  usage: { inputTokens: number; outputTokens: number; cachedInputTokens?: number };
  finish: 'stop' | 'length' | 'tool_calls';
}

/** A tool call of an answer. */
export interface ScriptedToolCall {
  /** For backends that number their calls. */
  id: string;
  name: string;
  /** A JSON text. */
  arguments: string;
  /** An opaque text that the backend wants back with the next turn. */
  signature?: string;
}

/** The neutral form of an answer to a request for embeddings. */
export interface ScriptedVectors {
  /** One for each text, in the order of the texts. */
  vectors: number[][];
  inputTokens: number;
}

/** A failure of the backend, named after the error code that the driver must report. */
export type Fault = 'auth' | 'rejected' | 'rate_limited' | 'upstream';

/** A failure in neutral form. */
export interface ScriptedFailure {
  fault: Fault;
  /** The HTTP status of a server: 401, 404, 429 or 500. */
  status: number;
  /** The text of the backend, which users should see. */
  message: string;
}

/** How the process of a CLI behaves while it answers. */
export interface ProcessConduct {
  /** It does not end at SIGTERM. */
  ignoresSigterm?: boolean;
  /** It has a child process. `holdsOutput`: the child also keeps the standard output open. */
  child?: 'plain' | 'holdsOutput';
  /** The number of bytes that it first writes to the standard error. */
  stderrBytes?: number;
  /** It does not end after its answer. */
  lingers?: boolean;
}

/** A chat as it reached the backend, in neutral form. */
export interface ReceivedChat {
  model?: string | undefined;
  /**
   * Every decoded text of the conversation in order, system texts included. A driver may join messages into one prompt, so
   * the division into texts does not matter.
   */
  texts: string[];
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string[] | undefined;
  reasoningEffort?: string | undefined;
  thinkingBudget?: number | undefined;
  /** The API key of the request. */
  key?: string | undefined;
  /** The names of the offered tools. */
  tools?: string[] | undefined;
  /** The undecoded request as one text: address, headers and body, or arguments and standard input. */
  raw: string;
  /** The arguments of the process, for a CLI. */
  argv?: string[] | undefined;
  /** Where the process was started, for a CLI. */
  cwd?: string | undefined;
  /** The header `content-type` of a request with a body, for a server; empty where there is none. */
  contentType?: string | undefined;
}

/** The result of the author's `received` function. The kit adds the rest. */
export type UnderstoodChat = Omit<ReceivedChat, 'raw' | 'argv' | 'cwd' | 'contentType'>;
