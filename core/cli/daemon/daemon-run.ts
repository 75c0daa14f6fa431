import { closeSync, writeSync } from 'node:fs';
import { Redactor } from '../../contract/redact';
import type { DaemonPlace } from '../../daemon/control/daemon-info';
import type { ErrorAnswer } from '../../daemon/control/protocol';
import { Daemon } from '../../daemon/daemon';
import { DaemonLog, daemonLogFile } from '../../daemon/daemon-log';
import { DaemonRunsError } from '../../daemon/socket/control-socket';
import { HintedError, hintOf, messageOf } from '../../errors';
import type { LogFormat, LogLevel } from '../../log/log-options';
import { createLogger } from '../../log/logger';
import { productName, productVersion } from '../../package';
import { explainFolder } from '../../paths';
import { pathsHere } from '../here';
import { keepRunning, tidyUpSoon } from './keep-running';

interface DaemonRunOptions {
  /** Another command started the daemon: stderr leads to the log, and the command waits at a pipe for a sign. */
  background?: boolean;
  logLevel: LogLevel;
  logFormat: LogFormat;
}

const SIGN_DESCRIPTOR = 3;

/** `daemon run`: the daemon in the foreground, until a signal or `daemon stop` ends it. */
export async function daemonRun({ background, logLevel: level, logFormat: format }: DaemonRunOptions): Promise<void> {
  const paths = pathsHere();
  const redactor = new Redactor();
  const logFile = background ? daemonLogFile(paths.state) : undefined;
  const write = logFile === undefined ? undefined : new DaemonLog(logFile).write;
  const log = createLogger({ level, format, redactor, write });
  process.on('exit', () => log.flush());
  const mode = background ? 'background' : 'foreground';
  const daemon = new Daemon({ paths, environment: process.env, log, redactor, mode, logFile });
  let place: DaemonPlace;
  try {
    place = await daemon.bind();
  } catch (error) {
    if (!(error instanceof DaemonRunsError)) throw background ? tell(explainFolder(error, paths, 'state')) : error;
    const { socket, info } = error.daemon;
    if (!background) {
      const hint = 'to have it in this terminal, end that one first: drivebay daemon stop';
      throw new HintedError(`the daemon runs already (pid ${info.pid})`, hint);
    }
    // Another start was faster: the command that waits gets that daemon.
    return giveSign({ socket, info });
  }
  const ended = keepRunning(daemon);
  if (background) giveSign(place);
  log.info(`${productName} ${productVersion} runs (pid ${process.pid})`);
  tidyUpSoon(daemon);
  return ended;
}

/** The command that waits prints the error. Throwing it writes it to the log. */
function tell(error: unknown): unknown {
  giveSign({ error: { code: 'not_started', message: messageOf(error), hint: hintOf(error) } });
  return error;
}

function giveSign(sign: DaemonPlace | ErrorAnswer): void {
  try {
    writeSync(SIGN_DESCRIPTOR, JSON.stringify(sign));
    closeSync(SIGN_DESCRIPTOR);
  } catch {
    // The command that waited is gone.
  }
}
