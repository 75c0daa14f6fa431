import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const cliPath = resolve(__dirname, '../../bin/cli');

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

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
  return new Promise((resolveRun, reject) => {
    const child = spawn(node, [program, ...words], {
      env,
      cwd: cwd ?? env.HOME,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolveRun({ code, stdout, stderr }));
  });
}
