import { type DaemonRunsError } from '../../daemon/socket/control-socket';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { Daemon } from '../../daemon/daemon';
import type { Listener } from '../../daemon/listener';
import { codeOf, messageOf } from '../../errors';
import type { LogFormat, LogLevel } from '../../log/log-options';
import { createLogger } from '../../log/logger';
import { findPaths } from '../../paths';
import { Redactor } from '../../contract/redact';
import { announce } from './announce';
import { explainListening } from './explain-listening';
import { inboundKey } from './inbound-key';
import { runDaemon } from '../daemon/run-daemon';
import { projectRef } from '../daemon/use-daemon';
import { workingDirectory } from '../working-directory';

export interface ServeOptions {
  port: number;
  demo?: boolean;
  allowHost?: string[];
  allowOrigin?: string[];
  apiKeyEnv?: string;
  logLevel: LogLevel;
  logFormat: LogFormat;
  project: boolean;
}

/** When the first clients of a start have been answered. */
const TIDY_AFTER_MS = 100;

/** `serve`: the gateway, until a signal ends it. It is the daemon, or a listener of the one that runs. */
export async function serve(options: ServeOptions): Promise<void> {
  const redactor = new Redactor();
  const log = createLogger({ level: options.logLevel, format: options.logFormat, redactor });
  const paths = findPaths(process.env, workingDirectory());
  const daemon = new Daemon({ paths, environment: process.env, log, redactor, mode: 'serve' });
  const running = await bind(daemon);
  if (running) {
    const { serveOnDaemon } = await import('./serve-on-daemon');
    return serveOnDaemon(running, options, { redactor, log });
  }
  const ended = runDaemon(daemon);
  try {
    const { opened, port } = await listen(daemon, options);
    announce(port, opened.describe(), log);
  } catch (error) {
    await daemon.close();
    throw error;
  }
  setTimeout(() => void daemon.tidyUp(), TIDY_AFTER_MS);
  return ended;
}

/** Resolves with the daemon that runs. A gateway of its own is better than none where the state folder cannot be used. */
async function bind(daemon: Daemon): Promise<FoundDaemon | undefined> {
  try {
    await daemon.bind();
  } catch (error) {
    if (codeOf(error) === 'daemon_runs') return (error as DaemonRunsError).daemon;
    if (codeOf(error) === 'no_answer') throw error;
    daemon.parts.log.warn(`other commands cannot reach this gateway: ${messageOf(error)}`);
  }
  return undefined;
}

async function listen(daemon: Daemon, options: ServeOptions): Promise<Listener> {
  const { port, apiKeyEnv, project } = options;
  const { log, redactor } = daemon.parts;
  const keyDigest = apiKeyEnv ? inboundKey(apiKeyEnv, { project, redactor }) : undefined;
  if (apiKeyEnv) daemon.projects.hide(apiKeyEnv);
  const opened = await daemon.projects.open(projectRef(options));
  const access = {
    allowHosts: options.allowHost ?? [],
    allowOrigins: options.allowOrigin ?? [],
    ...(keyDigest && { keyDigest }),
  };
  try {
    const listener = await daemon.listeners.add(opened, {
      ...{ port, access, log },
      ...{ stream: daemon.stream, mount: daemon.dashboard },
    });
    void listener.checkProviders();
    return listener;
  } catch (error) {
    throw await explainListening(error, port);
  }
}
