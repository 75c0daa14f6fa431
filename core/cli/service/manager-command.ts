import { codeOf, HintedError, messageOf } from '../../errors';
import { runProgram } from '../../authoring/check/run-program';

/** The manager does not do what it was asked for. */
export class ServiceError extends HintedError {}

const LIMIT_MS = 60_000;

/** Runs a command of the manager; resolves with its output, whatever its exit code. */
export async function ask(words: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const [program = '', ...args] = words;
  try {
    const { code, stdout, stderr } = await runProgram(program, args, { cwd, limitMs: LIMIT_MS });
    return { code, output: (stdout.trim() || stderr.trim()).split('\n').at(-1) ?? '' };
  } catch (error) {
    if (codeOf(error) !== 'not_installed') throw error;
    return { code: null, output: messageOf(error) };
  }
}

/** The same, and throws a ServiceError when it fails. */
export async function command(words: string[], cwd: string, hint: string): Promise<void> {
  const { code, output } = await ask(words, cwd);
  if (code !== 0) throw new ServiceError(`${words.join(' ')} failed: ${output || `exit code ${code}`}`, hint);
}
