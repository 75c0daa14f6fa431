import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { versionNotice } from '../../daemon/client/agreement';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { STOP_PATIENCE_MS } from '../../daemon/client/stop-daemon';
import { listenLineSchema, type ListenRequest } from '../../daemon/control/protocol';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import { announce } from './announce';
import { EXIT } from '../exit-codes';
import { explainListening } from './explain-listening';
import { inboundKey } from './inbound-key';
import { printNote } from '../terminal/print';
import { findDaemonQuietly } from '../daemon/running-daemon';
import type { ServeOptions } from './serve';
import { projectRef, sayChanges } from '../daemon/use-daemon';

/** How often it is looked for the daemon that takes the place of another. */
const LOOK_MS = 50;

/** `serve` where a daemon runs: a listener of it, for the folder of this command, until a signal closes it. */
export async function serveOnDaemon(
  first: FoundDaemon,
  options: ServeOptions,
  { redactor, log }: { redactor: Redactor; log: Logger },
): Promise<void> {
  const { port } = options;
  let daemon = first;
  let exitCode: number | undefined;
  const isEnding = () => exitCode !== undefined;
  const close = (signal: NodeJS.Signals) => {
    if (isEnding()) process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.failure);
    exitCode = signal === 'SIGINT' ? EXIT.interrupted : EXIT.ok;
    log.info('ending: running answers have 10 s; a second signal ends at once');
    // The end of the stream says how it went.
    daemon.client.call('DELETE', `/v1/listeners/${port}`, z.unknown()).catch(() => undefined);
  };
  const listening = () => {
    if (daemon === first) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
  };
  try {
    while (await listen(daemon, options, { redactor, log, listening })) {
      log.info('the daemon is restarted: waiting for the next one');
      const next = await untilNext(isEnding);
      if (!next) break;
      daemon = next;
    }
  } catch (error) {
    if (!isEnding()) throw await explainListening(error, port);
  }
  if (!isEnding()) printNote('the daemon has ended; to start again: drivebay serve');
  process.exitCode = exitCode ?? EXIT.failure;
}

/** Opens a listener and shows its log until it is closed. Resolves with whether another daemon will follow. */
async function listen(
  { client, info }: FoundDaemon,
  options: ServeOptions,
  { redactor, log, listening }: { redactor: Redactor; log: Logger; listening: () => void },
): Promise<boolean> {
  const notice = versionNotice(info);
  if (notice !== undefined) printNote(`note: ${notice}`);
  for await (const line of client.stream('POST', '/v1/listeners', { body: listenRequest(options, redactor) })) {
    const { data } = listenLineSchema.safeParse(line);
    if (!data) continue;
    if ('log' in data) process.stderr.write(data.log);
    if ('closed' in data) return data.restarting;
    if (!('listening' in data)) continue;
    listening();
    sayChanges(info, data.listening.project);
    announce(options.port, data.listening.project, log);
    log.info(`this is a listener of the daemon (pid ${info.pid})`);
  }
  return false;
}

/** The daemon that comes when another one has ended, which takes a while as long as anything runs in it. */
async function untilNext(isEnding: () => boolean): Promise<FoundDaemon | undefined> {
  const until = Date.now() + 2 * STOP_PATIENCE_MS;
  while (!isEnding() && Date.now() < until) {
    const found = await findDaemonQuietly().catch(() => undefined);
    if (found) return found;
    await pause(LOOK_MS);
  }
  return undefined;
}

function listenRequest(options: ServeOptions, redactor: Redactor): ListenRequest {
  const { port, allowHost = [], allowOrigin = [], apiKeyEnv, logLevel, logFormat } = options;
  return {
    project: projectRef(options),
    ...{ port, allowHosts: allowHost, allowOrigins: allowOrigin, logLevel, logFormat },
    ...(apiKeyEnv && {
      apiKeyEnv,
      apiKeyHash: inboundKey(apiKeyEnv, { project: options.project, redactor }).toString('hex'),
    }),
  };
}
