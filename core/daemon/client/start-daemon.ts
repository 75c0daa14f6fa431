import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { packageRoot } from '../../package';
import type { Paths } from '../../paths';
import { RUN_MARKER } from '../../subprocess/run-marker';
import { daemonLogFile } from '../daemon-log';
import type { FoundDaemon } from './find-daemon';

/** Loading is done within a moment, but a machine may be busy. */
const START_LIMIT_MS = 30_000;
/** What bin/cli found out about the build when this program started holds so long. */
const JUST_STARTED_S = 2;

/**
 * Starts a daemon in the background, and resolves when it can be reached. It is in a session of its own, so that it outlives
 * the terminal; who starts one while another is starting gets that one.
 */
export async function startDaemon(paths: Pick<Paths, 'configHome' | 'state'>): Promise<FoundDaemon> {
  const { state } = paths;
  const logFile = daemonLogFile(state);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  // An agent that runs us is no reason to end the daemon together with the agent.
  const { [RUN_MARKER]: _, ...env } = process.env;
  const launcher = process.uptime() < JUST_STARTED_S ? 'run.js' : 'cli';
  const child = spawn(process.execPath, [join(packageRoot, 'bin', launcher), 'daemon', 'run', '--background'], {
    cwd: state,
    env,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.unref();
  const sign = readAll(child.stdio[3] as Readable);
  // While the daemon loads.
  const { readSign } = require('./read-sign') as typeof import('./read-sign');
  return readSign(await sign, logFile);
}

/** What comes until the other side closes, or time is up. */
function readAll(pipe: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => pipe.destroy(), START_LIMIT_MS);
    pipe.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    pipe.on('error', () => undefined);
    pipe.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
