import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { versionOf } from './file-version';
import { plainEnvironment, type Changes } from './plain-environment';

export interface ProgramAnswer {
  code: number | null;
  /** Both streams: programs do not agree on where such an answer belongs. */
  output: string;
}

const COMMAND_NOT_FOUND = 127;
/** A program that hangs does not hold up each request. On a less busy machine it may answer. */
export const ASK_AGAIN_AFTER_MS = 60_000;

/** Runs a program that answers and ends, `--version` for example. Rejects when it cannot be run, or when the signal fires. */
export async function askProgram(
  context: Pick<DriverContext, 'spawn'>,
  path: string,
  args: readonly string[],
  signal: AbortSignal,
  env: Readonly<Changes> = plainEnvironment(),
): Promise<ProgramAnswer> {
  const program = await context.spawn(path, args, { env, input: '', signal, graceMs: 0 });
  const lines: string[] = [];
  for await (const line of program.lines()) lines.push(line);
  const { code } = await program.exited;
  // The shell, or `env` in the first line of a script, has not found the interpreter.
  if (code === COMMAND_NOT_FOUND) throw await program.error();
  return { code, output: [...lines, program.stderr].join('\n').trim() };
}

/** The flags that a help text names. `--prompt[-file]` names two. */
export function flagsIn(help: string): Set<string> {
  const found = help.matchAll(/(?<![\w-])(--[a-z][a-z-]*)(?:\[(-[a-z]+)\])?/g);
  return new Set([...found].flatMap(([, flag = '', more]) => (more === undefined ? [flag] : [flag, flag + more])));
}

/** What programs say about themselves. Each is asked once, until its file changes or its answer is no longer good. */
export class PerProgram<Answer> {
  private readonly asked = new Map<string, Promise<Answer>>();

  constructor(
    private readonly ask: (path: string) => Promise<Answer>,
    /** For how many ms an answer is good; undefined: for ever. */
    private readonly lifeOf: (answer: Answer) => number | undefined = () => undefined,
  ) {}

  async get(path: string): Promise<Answer> {
    const key = `${path} ${versionOf(path)}`;
    const known = this.asked.get(key);
    if (known) return known;
    const asked = this.ask(path);
    this.asked.set(key, asked);
    const forgetAfter = (ms: number | undefined): void => {
      if (ms === 0) this.asked.delete(key);
      else if (ms !== undefined) setTimeout(() => this.asked.delete(key), ms).unref();
    };
    asked.then(
      (answer) => forgetAfter(this.lifeOf(answer)),
      ({ kind }: DriverFailure) => forgetAfter(kind === 'binary_broken' ? ASK_AGAIN_AFTER_MS : 0),
    );
    return asked;
  }
}

/** Finds a program where users' programs are installed. Adds the hint how to install it to the error. */
export async function findProgram(
  context: Pick<DriverContext, 'error' | 'resolveBinary'>,
  names: string | readonly string[],
  hint: string,
): Promise<string> {
  try {
    return await context.resolveBinary(names, { userFolders: true });
  } catch (error) {
    const { code, kind, message } = error as DriverFailure;
    if (kind !== 'binary_missing') throw error;
    throw context.error(code, message, { kind, hint, cause: error });
  }
}
