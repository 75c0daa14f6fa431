import { versionNotice } from '../daemon/client/agreement';
import type { FoundDaemon } from '../daemon/client/find-daemon';
import { listenLineSchema, type ListenRequest } from '../daemon/control/protocol';
import type { Logger } from '../plugins/api';
import type { Redactor } from '../redact';
import { z } from 'zod';
import { announce } from './announce';
import { explainListening } from './explain-listening';
import { EXIT } from './exit-codes';
import { inboundKey } from './inbound-key';
import { printNote } from './print';
import type { ServeOptions } from './serve';
import { projectRef, sayChanges } from './use-daemon';

/** `serve` where a daemon runs: a listener of it, for the folder of this command, until a signal closes it. */
export async function serveOnDaemon(
  { client, info }: FoundDaemon,
  options: ServeOptions,
  { redactor, log }: { redactor: Redactor; log: Logger },
): Promise<void> {
  const notice = versionNotice(info);
  if (notice !== undefined) printNote(`note: ${notice}`);
  const { port } = options;
  let exitCode: number | undefined;
  const close = (signal: NodeJS.Signals) => {
    if (exitCode !== undefined) process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.failure);
    exitCode = signal === 'SIGINT' ? EXIT.interrupted : EXIT.ok;
    log.info('ending: running answers have 10 s; a second signal ends at once');
    // The end of the stream says how it went.
    client.call('DELETE', `/v1/listeners/${port}`, z.unknown()).catch(() => undefined);
  };
  try {
    for await (const line of client.stream('POST', '/v1/listeners', { body: listenRequest(options, redactor) })) {
      const { data } = listenLineSchema.safeParse(line);
      if (!data) continue;
      if ('log' in data) process.stderr.write(data.log);
      if ('closed' in data) break;
      if (!('listening' in data)) continue;
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
      sayChanges(info, data.listening.project);
      announce(port, data.listening.project, log);
      log.info(`this is a listener of the daemon (pid ${info.pid})`);
    }
  } catch (error) {
    if (exitCode === undefined) throw await explainListening(error, port);
  }
  if (exitCode === undefined) printNote('the daemon has ended; to start again: drivebay serve');
  process.exitCode = exitCode ?? EXIT.failure;
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
