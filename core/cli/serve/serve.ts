import { Redactor } from '../../contract/redact';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { Daemon } from '../../daemon/daemon';
import type { Listener } from '../../daemon/listen/listener';
import { prepareListener } from '../../daemon/listen/prepare-listener';
import type { DaemonRunsError } from '../../daemon/socket/control-socket';
import { codeOf, formatProblem, hintOf, messageOf } from '../../errors';
import { createLogger } from '../../log/logger';
import { explainFolder } from '../../paths';
import { keepRunning, tidyUpSoon } from '../daemon/keep-running';
import { pathsHere } from '../here';
import { announce } from './announce';
import { listenRequest } from './listen-request';
import { explainListening } from './port-owner';
import { SERVICE_MARK, type ServeOptions } from './serve-options';

/** `serve`: the gateway, until a signal ends it. It is the daemon itself, or a listener of a daemon that runs. */
export async function serve(options: ServeOptions): Promise<void> {
  const redactor = new Redactor();
  const log = createLogger({ level: options.logLevel, format: options.logFormat, redactor });
  const mode = process.env[SERVICE_MARK] ? 'service' : 'serve';
  const daemon = new Daemon({ paths: pathsHere(), environment: process.env, log, redactor, mode });
  const running = await bind(daemon);
  if (running) {
    const { serveOnDaemon } = await import('./serve-on-daemon');
    return serveOnDaemon(running, options, { redactor, log });
  }
  const ended = keepRunning(daemon);
  try {
    const { opened } = await listen(daemon, options);
    if (options.watch) await daemon.live.watch();
    announce(options, opened.describe(), log);
  } catch (error) {
    await daemon.close();
    throw error;
  }
  tidyUpSoon(daemon);
  return ended;
}

/** Returns the daemon that runs, if one does. Where the state folder cannot be used, the gateway runs without a socket. */
async function bind(daemon: Daemon): Promise<FoundDaemon | undefined> {
  try {
    await daemon.bind();
  } catch (error) {
    if (codeOf(error) === 'daemon_runs') return (error as DaemonRunsError).daemon;
    if (codeOf(error) === 'no_answer') throw error;
    const reason = explainFolder(error, pathsHere(), 'state');
    const problem = { message: messageOf(reason), hint: hintOf(reason) };
    daemon.parts.log.warn(`other commands cannot reach this gateway: ${formatProblem(problem)}`);
  }
  return undefined;
}

async function listen(daemon: Daemon, options: ServeOptions): Promise<Listener> {
  const { log, redactor } = daemon.parts;
  const { opened, given } = await prepareListener(daemon, listenRequest(options, redactor), log);
  try {
    const listener = await daemon.listeners.add(opened, given);
    void listener.checkProviders();
    return listener;
  } catch (error) {
    throw await explainListening(error, options.port);
  }
}
