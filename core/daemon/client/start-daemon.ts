import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseJson } from '../../fields';
import { packageRoot } from '../../package';
import { DEPTH_VARIABLE } from '../../subprocess/depth';
import { RUN_MARKER } from '../../subprocess/run-marker';
import type { DaemonPlace } from '../control/daemon-info';
import type { ErrorAnswer } from '../control/protocol';
import { daemonLogFile } from '../daemon-log';
import type { DaemonFolders } from '../socket/socket-places';
import type { FoundDaemon } from './find-daemon';
import { makeFolder } from '../../make-folder';

/** A start takes a fraction of a second, but the machine may be busy. */
const START_LIMIT_MS = 30_000;
/** For this long after its start, a command trusts the freshness check that bin/cli made. */
const JUST_STARTED_S = 2;

/**
 * Starts a daemon in the background and resolves when it can be reached. The daemon has a session of its own, so it
 * outlives the terminal. Of several starts at once all get the same daemon.
 */
export async function startDaemon({ state }: Pick<DaemonFolders, 'state'>): Promise<FoundDaemon> {
  const logFile = daemonLogFile(state);
  makeFolder(state);
  const log = openSync(logFile, 'a', 0o600);
  // An agent may run this program, and its end must not end the daemon.
  const { [RUN_MARKER]: _, [DEPTH_VARIABLE]: __, ...env } = process.env;
  const launcher = process.uptime() < JUST_STARTED_S ? 'run.js' : 'cli';
  const child = spawn(process.execPath, [join(packageRoot, 'bin', launcher), 'daemon', 'run', '--background'], {
    cwd: state,
    env,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.unref();
  const pipe = child.stdio[3] as Readable;
  const timer = setTimeout(() => pipe.destroy(), START_LIMIT_MS);
  const sign = text(pipe).catch(() => '');
  // Speed: this loads while the daemon does.
  const { ControlClient, ControlError } = await import('./control-client');
  // Where the daemon is, or why there is none. A daemon that was killed may have written a part of it.
  const answer = parseJson(await sign) as DaemonPlace | ErrorAnswer | undefined;
  clearTimeout(timer);
  if (!answer) throw new ControlError('not_started', 'the daemon did not start', `its log says why: ${logFile}`);
  if ('error' in answer) throw new ControlError('not_started', answer.error.message, answer.error.hint);
  return { ...answer, client: new ControlClient(answer.socket) };
}
