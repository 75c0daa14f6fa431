import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HintedError } from '../../errors';
import type { ServicePlan } from './service-plan';

/** The program that keeps other programs running for a user: systemd or launchd. */
export interface ServiceManager {
  /** The file that tells the manager what to run. */
  readonly file: string;
  readonly logCommand: string[];
  describe(plan: ServicePlan): string;
  /** Starts what the file describes, now and at each login. Restarts a running service. */
  start(): Promise<void>;
  /** Ends the service and keeps it from starting again. */
  stop(): Promise<void>;
  /** In the manager's own words: `active`, `failed`, `running` ... */
  state(): Promise<string>;
}

export class ServiceError extends HintedError {}

const LIMIT_MS = 60_000;

const execute = promisify(execFile);

/**
 * Runs a command of the manager. Resolves with its last line, whatever its exit code. Not by core/subprocess, which ends
 * everything that a program has started: a service outlives the command that starts it.
 */
export async function askManager(
  ...[program = '', ...args]: string[]
): Promise<{ code: number | null; output: string }> {
  try {
    const { stdout, stderr } = await execute(program, args, { cwd: '/', timeout: LIMIT_MS });
    return { code: 0, output: lastLine(stdout, stderr) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') return { code: null, output: `program not found: ${program}` };
    return { code: typeof code === 'number' ? code : null, output: lastLine(stdout, stderr) };
  }
}

function lastLine(stdout: string, stderr: string): string {
  return (stdout.trim() || stderr.trim()).split('\n').at(-1) ?? '';
}

/** Runs a command of the manager. Throws a ServiceError when the command fails. */
export async function command(words: string[], hint: string): Promise<void> {
  const { code, output } = await askManager(...words);
  if (code !== 0) throw new ServiceError(`${words.join(' ')} failed: ${output || `exit code ${code}`}`, hint);
}
