/** What the kit plays against a driver. Most authors need `httpBackend` or `cliBackend`, which make one of these. */
export interface Backend {
  /**
   * What this backend cannot do or does not tell, each with the reason. The cases that need it are reported as excluded
   * with that reason. Default: it can do everything.
   */
  readonly cannot?: Partial<Record<Ability, string>>;
  /** Starts a fresh one. Each case has its own, cases of several instances have several. */
  start(): Promise<RunningBackend>;
}

/**
 * What cases need of a backend.
 *
 * - `received`: it tells what reached it.
 * - `pieces`: its answers arrive in several pieces when they are streamed; `hold`: a streamed answer can be held back
 *   halfway; `bytes`: its output can be split between any two bytes.
 * - `usage`, `length`, `empty`, `reasoning`, `toolCalls`, `signatures`: answers can carry the token counts, end at the token
 *   limit, have no text, contain reasoning apart from the text, contain tool calls, and tool calls can carry an opaque
 *   signature that must come back with the next turn.
 * - `auth`, `rejected`, `rate_limited`, `upstream`: it can fail this way, in words of its own.
 * - `absent`: nothing is there (a refused connection, no such program); `garbage`: it says what cannot be understood;
 *   `cut`: an answer ends halfway; `hang`: an answer never comes.
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
  | 'signatures'
  | Fault
  | 'absent'
  | 'garbage'
  | 'cut'
  | 'hang';

/** A started backend. */
export interface RunningBackend {
  /** Provider options that lead the driver here, by their YAML names. Read after `script`, before the driver is made. */
  readonly options: Record<string, unknown>;
  /**
   * What chats get from now on. A function decides for each chat by what reached the backend. Every chat asks for the text
   * that it is to be answered with, so that a driver without a backend, which repeats what it is told, can be tested as well.
   */
  script(next: Situation | ((chat: ReceivedChat) => Situation)): Promise<void>;
  /** Every chat so far, in order of arrival. Checks and probes are left out. */
  received(): ReceivedChat[];
  /** What is still at work, one line each: connections whose answer is not finished, processes. */
  atWork(): string[];
  /** What is still open, one line each: `atWork`, and connections that wait for the next request. */
  open(): string[];
  /** Ends everything. */
  close(): Promise<void>;
}

/** What a backend does with a chat. A backend that knows no such situation names the ability in `cannot`. */
export type Situation =
  | {
      type: 'answer';
      answer: ScriptedAnswer;
      /** Writes so many bytes at a time. */
      split?: number;
      /** The last piece of the answer waits for this. */
      hold?: Promise<unknown>;
      conduct?: ProcessConduct;
    }
  | ({ type: 'failure' } & ScriptedFailure)
  /** Sends half of `after`, where it is given, then nothing, and stays. Checks get no answer, either. */
  | { type: 'hang'; after?: ScriptedAnswer; conduct?: ProcessConduct }
  /** Sends half of the answer's bytes, then resets the connection (`reset`), or ends as if that were all. */
  | { type: 'cut'; answer: ScriptedAnswer; reset: boolean }
  /** Sends what is no answer in any format. */
  | { type: 'garbage' }
  /** Nothing is there. Takes effect for drivers made from now on, and for those that exist. */
  | { type: 'absent' };

/** The neutral form of an answer; the author's wire functions spell it as the backend would. */
export interface ScriptedAnswer {
  /** The text, in the pieces that a stream has. Their join is what a single-shot answer holds. */
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

/** What a backend can complain about. The names are the error codes that a driver must make of them. */
export type Fault = 'auth' | 'rejected' | 'rate_limited' | 'upstream';

/** A failure of the backend. */
export interface ScriptedFailure {
  fault: Fault;
  /** The HTTP status that a server has for it: 401, 404, 429 or 500. */
  status: number;
  /** The backend's own words; users should see them. */
  message: string;
}

/** How the process of a CLI behaves while it answers. */
export interface ProcessConduct {
  /** It does not end at SIGTERM. */
  ignoresSigterm?: boolean;
  /** It has started a child: one that merely lives, or one that also keeps the standard output open. */
  child?: 'plain' | 'holdsOutput';
  /** It writes so many bytes to the standard error first. */
  stderrBytes?: number;
  /** It stays when the answer is complete. */
  lingers?: boolean;
}

/** A chat as it reached the backend, in neutral form. */
export interface ReceivedChat {
  /** The model it names, where it names one. */
  model?: string | undefined;
  /**
   * Every text of the conversation, system texts included, as the backend decodes it, in the order in which it gets them.
   * How they are cut does not matter: a driver may join messages to one prompt.
   */
  texts: string[];
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string[] | undefined;
  reasoningEffort?: string | undefined;
  thinkingBudget?: number | undefined;
  /** The API key that came with it. */
  key?: string | undefined;
  /** The names of the tools it offers. */
  tools?: string[] | undefined;
  /** Everything that arrived, undecoded, as one text: address, headers, body; or arguments and standard input. */
  raw: string;
  /** The arguments of the process, for a CLI. */
  argv?: string[] | undefined;
}

/** What the author's `received` function tells; the kit adds the rest. */
export type UnderstoodChat = Omit<ReceivedChat, 'raw' | 'argv'>;
