import { resolve } from 'node:path';
import { type ProgramRun as CliResult, runProgram } from './run-program';

export const cliPath = resolve(__dirname, '../../bin/cli');

export type { CliResult };

/** Below the limit of a test, so that the test that hangs shows what the program said. */
const LIMIT_MS = process.env.SLOW ? 280_000 : 55_000;

export interface CliOptions {
  env: Record<string, string>;
  cwd?: string;
  /** Another copy of the program. */
  program?: string;
  /** Another Node to run it. */
  node?: string;
}

/** Runs the program to its end, without a terminal. */
export function runCli(
  words: string[],
  { env, cwd, program = cliPath, node = process.execPath }: CliOptions,
): Promise<CliResult> {
  return runProgram(node, [program, ...words], { env, cwd, limitMs: LIMIT_MS });
}
