import { Programs } from '../../subprocess/programs';
import { makeLogger } from '../../contract/make-logger';

export interface ProgramOutcome {
  stdout: string;
  stderr: string;
  /** Null when a signal ended it. */
  code: number | null;
  isLate: boolean;
}

export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, limitMs }: { cwd: string; limitMs: number },
): Promise<ProgramOutcome> {
  const programs = new Programs({ environment: process.env, hidden: new Set(), log: SILENT });
  const program = await programs.spawn(command, args, { cwd, input: '', graceMs: 0 });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void program.stop();
  }, limitMs);
  try {
    let stdout = '';
    for await (const line of program.lines()) stdout += `${line}\n`;
    const { code } = await program.exited;
    return { stdout, stderr: program.stderr, code, isLate };
  } finally {
    clearTimeout(timer);
    await programs.close();
  }
}

export const SILENT = makeLogger(() => undefined);
