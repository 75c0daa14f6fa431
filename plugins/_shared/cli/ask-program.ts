import type { DriverContext } from 'drivebay/plugin';

/** What a program said to one question. */
export interface ProgramAnswer {
  code: number | null;
  /** Both streams: programs do not agree on where such an answer belongs. */
  output: string;
}

/**
 * Runs a program that answers and ends, `--version` for example. Undefined where it gives no answer: what cannot be
 * asked is not known.
 */
export async function askProgram(
  context: Pick<DriverContext, 'spawn'>,
  path: string,
  args: readonly string[],
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<ProgramAnswer | undefined> {
  try {
    const program = await context.spawn(path, args, { env, input: '', signal, graceMs: 0 });
    const lines: string[] = [];
    for await (const line of program.lines()) lines.push(line);
    const { code } = await program.exited;
    return { code, output: [...lines, program.stderr].join('\n').trim() };
  } catch {
    return undefined;
  }
}
