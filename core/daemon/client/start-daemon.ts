import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { packageRoot } from '../../package';
import type { Paths } from '../../paths';
import { RUN_MARKER } from '../../subprocess/run-marker';
import { isDaemonPlace } from '../control/daemon-info';
import { daemonLogFile } from '../daemon-log';
import type { FoundDaemon } from './find-daemon';

/** A start takes a fraction of a second, but the machine may be busy. */
const START_LIMIT_MS = 30_000;
/** For so long after its own start this program relies on the build that bin/cli has found fresh. */
const JUST_STARTED_S = 2;

/**
 * Starts a daemon in the background and resolves when it can be reached. The daemon has a session of its own, so it
 * outlives the terminal. Of several starts at once all get the same daemon.
 */
export async function startDaemon(paths: Pick<Paths, 'configHome' | 'state'>): Promise<FoundDaemon> {
  const { state } = paths;
  const logFile = daemonLogFile(state);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  // An agent may run this program, and its end must not end the daemon.
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
  // Speed: this loads while the daemon does.
  const { ControlClient } = await import('./control-client');
  const place = parse(await sign);
  if (isDaemonPlace(place)) return { ...place, client: new ControlClient(place.socket) };
  throw await whyNotStarted(place, logFile);
}

/** Resolves with the text when the other side closes the pipe, or the time is up. */
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

/** A daemon that was killed may have written a part of its sign. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function whyNotStarted(sign: unknown, logFile: string): Promise<Error> {
  const { ControlError } = await import('./control-client');
  const { errorAnswerSchema } = await import('../control/protocol');
  const { data } = errorAnswerSchema.safeParse(sign);
  const { message, hint } = data?.error ?? {
    message: 'the daemon did not start',
    hint: `its log says why: ${logFile}`,
  };
  return new ControlError('not_started', message, hint);
}
