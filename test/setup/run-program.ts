import { spawn } from 'node:child_process';
import treeKill from 'tree-kill';

export interface ProgramRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  env: Record<string, string>;
  cwd?: string;
  /** Sends Ctrl-C when it fires. */
  interrupt?: AbortSignal;
  /** Ends a hang, and nothing else. */
  limitMs?: number;
}

/** Runs a program to its end, without a terminal. One that does not end is ended, and its output tells where it hung. */
export function runProgram(file: string, words: string[], options: ProgramOptions): Promise<ProgramRun> {
  const { env, cwd, interrupt, limitMs = 120_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { env, cwd: cwd ?? env.HOME, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    }
    const stop = () => child.kill('SIGINT');
    interrupt?.addEventListener('abort', stop);
    const limit = setTimeout(() => {
      const { stdout, stderr } = output;
      const told = `stdout: ${stdout || 'nothing'}\nstderr: ${stderr || 'nothing'}`;
      reject(new Error(`${[file, ...words].join(' ')} did not end within ${limitMs / 1000} s\n${told}`));
      // What it has started may hold its output open.
      treeKill(child.pid!, 'SIGKILL');
    }, limitMs);
    const settle = () => {
      clearTimeout(limit);
      interrupt?.removeEventListener('abort', stop);
    };
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code) => {
      settle();
      resolve({ code, ...output });
    });
  });
}
