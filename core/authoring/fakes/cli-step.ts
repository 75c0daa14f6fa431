/** A step of a fake CLI: it does nothing more and does not end. */
export const HANG: object = Object.freeze({ fault: 'hang' });

/**
 * One step of a fake CLI. It prints a string as a line, and other objects as a line of JSON. It waits for a number of ms, or
 * for a promise. It calls a function. An object with one of these keys is an action:
 *
 * - `{ stdout }`, `{ stderr }`: writes a text or bytes unchanged, `split` bytes at a time;
 * - `{ flood: 'stderr', bytes }`: writes noise of this size, and waits until it is read;
 * - `{ ignore: 'SIGTERM' }`: ignores this signal from now on;
 * - `{ fork: {} }`: starts a child that does not end by itself;
 * - `{ exit: 3 }`: ends with this code; `{ die: 'SIGSEGV' }`: ends by this signal;
 * - `HANG`: does nothing more and does not end.
 *
 * After the last step the program ends with code 0.
 */
export type CliStep = string | number | Promise<unknown> | (() => unknown) | CliAction | object;

/** The steps that are actions. */
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
  /** A signal that it ignores. */
  ignores?: string;
  /** Whether it keeps the standard output and error of its parent open. */
  holdsOutput?: boolean;
  /** Whether it leads its own process group. */
  detached?: boolean;
}

/** A message to the program. */
export type ProgramStep = { do: string } & Record<string, unknown>;

/** Translates a step for the program. The kit itself does the steps that wait. */
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
  return { do: 'output', to, data: Buffer.from(data as string).toString('base64'), split };
}
