import { closeSync, writeSync } from 'node:fs';
import { DaemonRunsError } from '../../daemon/socket/control-socket';
import { Daemon } from '../../daemon/daemon';
import type { DaemonPlace } from '../../daemon/control/daemon-info';
import type { ErrorAnswer } from '../../daemon/control/protocol';
import { DaemonLog, daemonLogFile } from '../../daemon/daemon-log';
import { hintOf, messageOf } from '../../errors';
import type { LogFormat, LogLevel } from '../../log/log-options';
import { createLogger } from '../../log/logger';
import { productName, productVersion } from '../../package';
import { findPaths } from '../../paths';
import { Redactor } from '../../contract/redact';
import { explainState } from './explain-state';
import { runDaemon } from './run-daemon';
import { workingDirectory } from '../working-directory';

export interface DaemonRunOptions {
  /** Started by another command, with stderr leading to the log and a pipe that waits for a sign. */
  background?: boolean;
  logLevel: LogLevel;
  logFormat: LogFormat;
}

/** Where whoever started the daemon waits. */
const SIGN_DESCRIPTOR = 3;
const TIDY_AFTER_MS = 100;

/** `daemon run`: the daemon in the foreground, until a signal or `daemon stop` ends it. */
export async function daemonRun({ background, logLevel, logFormat }: DaemonRunOptions): Promise<void> {
  const paths = findPaths(process.env, workingDirectory());
  const redactor = new Redactor();
  const logFile = background ? daemonLogFile(paths.state) : undefined;
  const log = createLogger({
    ...{ level: logLevel, format: logFormat, redactor },
    ...(logFile !== undefined && { write: new DaemonLog(logFile).write }),
  });
  process.on('exit', () => log.flush());
  const daemon = new Daemon({
    ...{ paths, environment: process.env, log, redactor, mode: background ? 'background' : 'foreground' },
    ...(logFile !== undefined && { logFile }),
  });
  let place: DaemonPlace;
  try {
    place = await daemon.bind();
  } catch (error) {
    if (!(error instanceof DaemonRunsError)) throw background ? tell(explainState(error, paths)) : error;
    const { socket, info } = error.daemon;
    if (!background) throw new Error(`the daemon runs already (pid ${info.pid})`);
    // Another start was faster: whoever waits for this one gets that one.
    return giveSign({ socket, info });
  }
  const ended = runDaemon(daemon);
  if (background) giveSign(place);
  log.info(`${productName} ${productVersion} runs (pid ${process.pid})`);
  setTimeout(() => void daemon.tidyUp(), TIDY_AFTER_MS);
  return ended;
}

/** Whoever waits shows it; it is thrown for the log. */
function tell(error: unknown): unknown {
  const hint = hintOf(error);
  giveSign({ error: { code: 'not_started', message: messageOf(error), ...(hint !== undefined && { hint }) } });
  return error;
}

function giveSign(sign: DaemonPlace | ErrorAnswer): void {
  try {
    writeSync(SIGN_DESCRIPTOR, JSON.stringify(sign));
    closeSync(SIGN_DESCRIPTOR);
  } catch {
    // Whoever waited has gone.
  }
}
