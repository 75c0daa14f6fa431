import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { packageRoot } from '../../package';
import type { Paths } from '../../paths';
import { RUN_MARKER } from '../../subprocess/run-marker';
import { daemonLogFile } from '../daemon-log';
import { ControlError } from './control-client';
import { findDaemon, type FoundDaemon } from './find-daemon';

/** Loading is done within a moment, but a machine may be busy. */
const START_LIMIT_MS = 30_000;

/**
 * Starts a daemon in the background, and resolves when it answers. It is in a session of its own, so that it outlives
 * the terminal; who starts one while another is starting gets that one.
 */
export async function startDaemon(paths: Pick<Paths, 'configHome' | 'state'>): Promise<FoundDaemon> {
  const { state } = paths;
  const logFile = daemonLogFile(state);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  // An agent that runs us is no reason to end the daemon together with the agent.
  const { [RUN_MARKER]: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'cli'), 'daemon', 'run', '--background'], {
    cwd: state,
    env,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  const started = child.stdio[3] as Readable;
  const timer = setTimeout(() => started.destroy(), START_LIMIT_MS);
  try {
    await Promise.race([once(started, 'close'), once(started, 'data')]);
    const { daemon } = await findDaemon(paths);
    if (daemon) return daemon;
    throw new ControlError('not_started', 'the daemon did not start', `its log says why: ${logFile}`);
  } finally {
    clearTimeout(timer);
    started.destroy();
    child.unref();
  }
}
