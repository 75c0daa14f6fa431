import type {
  Call,
  ChatEvent,
  DriverFailure,
  ExitStatus,
  FinishReason,
  SpawnOptions,
  Subprocess,
  Usage,
  Warmth,
} from 'drivebay/plugin';
import type { FailureReport } from './explain-by-rules';
import type { SessionOptions } from './own-session';
import type { Answered } from './warm/fingerprint';

/** The options that the frame reads. Each driver has more. */
export interface CliOptions {
  command?: string;
  api_key_env?: string;
  extra_args?: readonly string[];
  gateway_tools: boolean;
}

/** Those of a driver that keeps its program for further calls. The effort reaches it as a field of each request. */
export interface KeepingOptions extends CliOptions, SessionOptions {
  extra_args: readonly string[];
  /** Whether a program is kept for further chats. */
  warm: boolean;
  warm_idle_sec: number;
  /** How many programs are kept ready. */
  warm_max: number;
  /** Whether clients may have tools and images. */
  client_tools: boolean;
}

export interface CliRun {
  path: string;
  args: readonly string[];
  /** The driver frame adds the signal, and the working directory where there is none. */
  spawn: SpawnOptions;
  reader: RunReader;
  /** Whether a tool of the program could change something. */
  mayAct: boolean;
  /** A program that runs already, and has taken the request. Absent: `path` is run. */
  running?: ChatProgram;
  /** How the driver came to the program; absent where it keeps none for such a request. */
  warm?: Warmth;
  /** Makes the run that takes the place of this one, where a program that was kept ends without a word. */
  instead?(): Promise<CliRun>;
  /** Whether the program goes on with a session of its own. Where that fails without a word, a run without it takes its place. */
  isOfSession?: boolean;
  /** Reads each line as well, where the program keeps a session. */
  notes?: SessionNotes;
  /** Fields of the request that have no effect, besides those that the driver does not honour. */
  ignored?: readonly string[];
  /** Gives back what was written for the run. Without a program, the program could not be started. */
  release?(program?: ChatProgram, said?: Said): unknown;
}

/** A program, as far as one chat goes. */
export type ChatProgram = Pick<Subprocess, 'jsonLines' | 'stop' | 'error' | 'stderr' | 'exited'>;

export interface RunReader {
  /** Undefined: the line is no part of an answer. `json` is undefined for a line that is not JSON. */
  read(json: unknown, line: string): Reading | undefined;
  /** Reads a line of the standard error. A failure ends the run. */
  readErrorLine?(line: string): Reading | undefined;
  /** What an output without an outcome says about the failure. */
  end?(): FailureReport | undefined;
  readonly hasActed: boolean;
}

export interface Reading {
  events: readonly ChatEvent[];
  outcome?: Outcome;
  /** The counts of the run so far: it may fail or be stopped before its answer ends. */
  usage?: Usage;
  /** For the trace: a tool at work, a warning. */
  item?: Record<string, unknown>;
  /** For the trace: the program tries again. */
  retry?: Record<string, unknown>;
  /** For the log. */
  warning?: string;
  /** What the program says about itself: its version, and where its key is from. */
  about?: { version?: string; keySource?: string };
}

/** What a driver learns of a session from the lines of a run. */
export interface SessionNotes {
  read(json: unknown): void;
  /** What a later run needs to know. Undefined where the program said too little. */
  state(): Record<string, unknown> | undefined;
}

/** What a run has said. The answer of a program that is kept: by that the next request of the conversation is known. */
export interface Said extends Answered {
  outcome?: Outcome;
}

/** How a run ended, by its own words: exit codes prove nothing. The program itself may want to go on. */
export type Outcome =
  /** `isCut`: the program would ask its model for more, which the user pays for. */
  | { type: 'answer'; finish: FinishReason; stopSequence?: string; usage?: Usage; isCut?: boolean }
  | { type: 'failure'; report: FailureReport }
  /** The answer began anew, after a part of it had been passed on. */
  | { type: 'restarted' };

export function failureOf(text: string): Outcome {
  return { type: 'failure', report: { text } };
}

/** The end of a run without an outcome. */
export interface RunEnd {
  stderr: string;
  /** The output that was no part of an answer. */
  noise: readonly string[];
  exit: ExitStatus;
  report?: FailureReport;
  /** What core makes of it. */
  error: DriverFailure;
}

/** Where the agent of a call works. Undefined in a chat. */
export function folderOf({ workspace }: Pick<Call, 'workspace'>): string | undefined {
  return workspace?.workingDirectory ?? workspace?.directory;
}
