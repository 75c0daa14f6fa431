import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import { formatProblem, messageOf } from '../../errors';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { STOP_PATIENCE_MS } from '../../daemon/client/stop-daemon';
import type { ListenLine } from '../../daemon/control/protocol';
import type { ReloadReport } from '../../daemon/reload/reload-report';
import { openAtDaemon, projectRef, unreadConfig } from '../daemon/project-at-daemon';
import { findDaemonHere, sayVersion } from '../daemon/running-daemon';
import { EXIT } from '../exit-codes';
import { printNote } from '../terminal/print';
import { GracefulEnd } from '../terminal/signals';
import { announce } from './announce';
import { listenRequest } from './listen-request';
import { explainListening } from './port-owner';
import type { ServeOptions } from './serve-options';

/** How often `serve` looks for the next daemon while the daemon restarts. */
const LOOK_MS = 50;

interface ServeLog {
  redactor: Redactor;
  log: Logger;
}

/** `serve` where a daemon runs: a listener of the daemon, for the folder of this command, until a signal closes it. */
export async function serveOnDaemon(first: FoundDaemon, options: ServeOptions, to: ServeLog): Promise<void> {
  const { port } = options;
  let daemon = first;
  const end = new GracefulEnd(to.log, () => {
    // The end of the stream says how it went.
    daemon.client.call('DELETE', `/v1/listeners/${port}`).catch(() => undefined);
  });
  const isEnding = () => end.exitCode !== undefined;
  const listening = () => {
    if (daemon === first) end.onSignals({ reload: () => void reloadOf(daemon, to.log) });
  };
  try {
    while (await listen(daemon, options, to, listening)) {
      to.log.info('the daemon restarts: waiting for the next one');
      const next = await untilNext(isEnding);
      if (!next) break;
      daemon = next;
    }
  } catch (error) {
    if (!isEnding()) throw await explainListening(error, port);
  }
  if (!isEnding()) printNote('the daemon has ended; to start again: drivebay serve');
  process.exitCode = end.exitCode ?? EXIT.failure;
}

/** Opens a listener and shows its log until it closes. Resolves with whether another daemon will follow. */
async function listen(
  daemon: FoundDaemon,
  options: ServeOptions,
  { redactor, log }: ServeLog,
  listening: () => void,
): Promise<boolean> {
  const { client, info } = daemon;
  await sayVersion(daemon);
  const project = await openAtDaemon(daemon, projectRef(options));
  const body = listenRequest(options, redactor);
  for await (const line of client.stream<ListenLine>('POST', '/v1/listeners', { body })) {
    if ('log' in line) process.stderr.write(line.log);
    if ('closed' in line) return line.restarting;
    if (!('listening' in line)) continue;
    listening();
    const unread = project.files.length === 0 ? await unreadConfig(project) : undefined;
    announce({ ...options, version: info.version }, project, log, unread);
    const fate = info.mode === 'serve' ? ', which is another serve: it ends with that one' : '';
    log.info(`this is a listener of the daemon (pid ${info.pid})${fate}`);
  }
  return false;
}

/** The log of the listener says what has changed. */
async function reloadOf({ client }: FoundDaemon, log: Logger): Promise<void> {
  try {
    const { warnings } = await client.call<ReloadReport>('POST', '/v1/reload');
    for (const warning of warnings) log.warn(formatProblem(warning));
  } catch (error) {
    log.error(`the configuration was not read again: ${messageOf(error)}`);
  }
}

/** The daemon after a restart. The old one ends only when its running answers have ended. */
export async function untilNext(isEnding: () => boolean): Promise<FoundDaemon | undefined> {
  const until = Date.now() + 2 * STOP_PATIENCE_MS;
  while (!isEnding() && Date.now() < until) {
    const found = await findDaemonHere().catch(() => undefined);
    if (found) return found;
    await pause(LOOK_MS);
  }
  return undefined;
}
