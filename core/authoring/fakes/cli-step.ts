/** In the steps of a fake CLI: does nothing more and stays. */
export const HANG: object = Object.freeze({ fault: 'hang' });

/**
 * One step of a fake CLI. A string is printed as a line, any other object as a line of JSON; a number waits so many ms, a
 * promise is waited for, a function is called when its turn comes. The objects with one of these names act:
 *
 * - `{ stdout }`, `{ stderr }`: writes a text or bytes as they are, `split` bytes at a time;
 * - `{ flood: 'stderr', bytes }`: writes so much noise, and waits until it is read;
 * - `{ ignore: 'SIGTERM' }`: a signal that has no effect from now on;
 * - `{ fork: {} }`: starts a child that lives until it is ended;
 * - `{ exit: 3 }`: ends with this code; `{ die: 'SIGSEGV' }`: ends by this signal;
 * - `HANG`: does nothing more and stays.
 *
 * After the last step the program ends with code 0.
 */
export type CliStep = string | number | Promise<unknown> | (() => unknown) | CliAction | object;

/** The steps that do something else than to print a line. */
export type CliAction =
  | { stdout: string | Uint8Array; split?: number }
  | { stderr: string | Uint8Array; split?: number }
  | { flood: 'stdout' | 'stderr'; bytes: number }
  | { ignore: string }
  | { fork: CliChild }
  | { exit: number }
  | { die: string };

/** A child of a fake CLI. */
export interface CliChild {
  /** A signal that has no effect on it. */
  ignores?: string;
  /** Whether it keeps the standard output and error of its parent open. */
  holdsOutput?: boolean;
  /** Whether it leads a process group of its own. */
  detached?: boolean;
}

/** What the program itself is told. */
export type ProgramStep = { do: string } & Record<string, unknown>;

/** The form in which the program gets a step that is not a matter of waiting. */
export function toProgramStep(step: object | string): ProgramStep {
  if (typeof step === 'string') return output('stdout', `${step}\n`, undefined);
  const action = step as Partial<Record<string, unknown>>;
  const split = action.split as number | undefined;
  if (isOutput(action.stdout)) return output('stdout', action.stdout, split);
  if (isOutput(action.stderr)) return output('stderr', action.stderr, split);
  if (typeof action.flood === 'string') return { do: 'flood', to: action.flood, bytes: action.bytes };
  if (typeof action.ignore === 'string') return { do: 'ignore', signal: action.ignore };
  if (typeof action.fork === 'object') return { do: 'fork', ...action.fork };
  if (typeof action.exit === 'number') return { do: 'exit', code: action.exit };
  if (typeof action.die === 'string') return { do: 'die', signal: action.die };
  return output('stdout', `${JSON.stringify(step)}\n`, undefined);
}

function isOutput(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || ArrayBuffer.isView(value);
}

function output(to: string, data: string | Uint8Array, split: number | undefined): ProgramStep {
  return { do: 'output', to, data: Buffer.from(data as string).toString('base64'), ...(split && { split }) };
}
