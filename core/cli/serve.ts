import type { AddressInfo } from 'node:net';
import { codeOf, formatProblem, messageOf, UsageError } from '../errors';
import { Gateway } from '../gateway/gateway';
import type { LogFormat, LogLevel } from '../log-options';
import type { Logger } from '../plugins/api';
import { productName, productVersion } from '../package';
import { reapLeftovers } from '../subprocess/reap-leftovers';
import type { Project } from '../daemon/project';
import { explainPortTaken } from './explain-port-taken';
import { EXIT } from './exit-codes';
import { limitHeapGrowth } from './limit-heap-growth';
import { open, type Opened } from './open';
import { printAnswer } from './print';
import { explainOffline } from './providers-status';
import { formatTable } from './table';

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

/** Loading plug-ins and their libraries occupies the process for a moment, when whoever started it is just asking. */
const CHECK_AFTER_MS = 50;

/** How long running answers have to send their error when everything ends. */
const LAST_WORDS_MS = 300;

/** `serve`: the gateway in the foreground, until a signal ends it. */
export async function serve(options: ServeOptions): Promise<void> {
  const opened = await open({
    useProject: options.project,
    demo: options.demo ?? false,
    level: options.logLevel,
    format: options.logFormat,
    keepsBooks: true,
    ...(options.apiKeyEnv !== undefined && { ownSecrets: [options.apiKeyEnv] }),
  });
  const { project, log } = opened;
  const apiKey = inboundKey(options.apiKeyEnv, opened);
  const gateway = new Gateway({
    devices: project.devices,
    defaultProvider: project.defaultProvider,
    access: {
      allowHosts: options.allowHost ?? [],
      allowOrigins: options.allowOrigin ?? [],
      ...(apiKey !== undefined && { apiKey }),
    },
    log,
    product: `${productName}/${productVersion}`,
  });
  keepRunning(gateway, opened);
  endOnSignals(gateway, opened);
  announce(await listen(gateway, options.port), project, log);
  limitHeapGrowth();
  // Every driver is made, so that its warnings are seen; but the first client comes before.
  setTimeout(() => {
    void checkAll(project, log);
    void reapLeftovers(log).catch((error: unknown) => log.warn(`looking for leftovers failed: ${messageOf(error)}`));
  }, CHECK_AFTER_MS);
  // Until a signal ends the process.
  await new Promise<never>(() => undefined);
}

async function listen(gateway: Gateway, port: number): Promise<AddressInfo> {
  try {
    return await gateway.listen(port);
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw await explainPortTaken(port);
    if (codeOf(error) === 'EACCES') {
      throw new UsageError(
        `port ${port} needs more rights than you have`,
        'choose one above 1023: drivebay serve --port 8080',
      );
    }
    throw error;
  }
}

function inboundKey(name: string | undefined, { project, redactor }: Opened): string | undefined {
  if (!name) return undefined;
  const found = project.environment.get(name);
  if (!found) {
    throw new UsageError(
      `--api-key-env ${name}: the variable is not set (looked in ${project.environment.searched().join(', ')})`,
      `run: export ${name}=...`,
    );
  }
  redactor.add(found.value);
  return found.value;
}

function announce({ port }: AddressInfo, project: Project, log: Logger): void {
  const base = `http://127.0.0.1:${port}`;
  const devices = project.devices.list();
  const rows = devices.map((device) => [
    `  ${device.name}${device.name === project.defaultProvider ? ' (default)' : ''}`,
    device.driver,
    device.defaultModel ?? '',
  ]);
  printAnswer(`${productName} ${productVersion} is listening on ${base}\n`);
  if (devices.length > 0) printAnswer(`${formatTable(['Providers', 'Driver', 'Model'], rows)}\n`);
  printAnswer(
    ['Endpoints', `  POST ${base}/v1/chat/completions`, `  GET  ${base}/v1/models`, `  GET  ${base}/health`].join('\n'),
  );
  for (const warning of project.warnings) log.warn(formatProblem(warning));
  if (devices.length === 0) {
    log.warn(`no provider is configured: add one to ${project.paths.globalConfig}, or try: drivebay serve --demo`);
  } else if (project.files.length === 0) {
    log.info(`no configuration file found (looked for ${project.paths.globalConfig}), using the built-in provider`);
  }
}

async function checkAll(project: Project, log: Logger): Promise<void> {
  await Promise.all(
    project.devices.list().map(async (device) => {
      const health = await device.check();
      if (health.state === 'offline') log.warn(explainOffline(device.name, health.reason, health.hint));
      else log.info(`${device.name} is ${health.state}`, { ms: health.latencyMs });
      for (const warning of health.warnings ?? []) log.warn(`${device.name}: ${warning}`);
    }),
  );
}

/** The first signal lets running answers finish, the second ends at once. */
function endOnSignals(gateway: Gateway, { project, log, ledger }: Opened): void {
  let isEnding = false;
  const end = async (signal: NodeJS.Signals) => {
    const code = signal === 'SIGINT' ? EXIT.interrupted : EXIT.ok;
    if (isEnding) {
      process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.failure);
    }
    isEnding = true;
    log.info('ending: running answers have 10 s; a second signal ends at once');
    await gateway.drain();
    await Promise.all([project.close(), ledger?.flush()]);
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal));
}

/**
 * A promise that a plug-in forgot must not end everybody's daemon. An exception leaves it in an unknown state: it ends,
 * and running answers are told so.
 */
function keepRunning(gateway: Gateway, { project, log }: Opened): void {
  const describe = (thrown: unknown) => {
    const stack = typeof thrown === 'object' && thrown !== null && 'stack' in thrown ? String(thrown.stack) : '';
    const owner = project.plugins.list().find(({ codeDirectory }) => stack.includes(codeDirectory));
    return `${owner ? ` in plug-in "${owner.driver}" (${owner.directory})` : ''}: ${messageOf(thrown)}`;
  };
  process.on('unhandledRejection', (reason) => log.error(`unhandled rejection${describe(reason)}`));
  process.on('uncaughtException', (error: unknown) => {
    log.error(`unexpected error${describe(error)}; ending`);
    gateway.abortAll();
    setTimeout(() => process.exit(EXIT.failure), LAST_WORDS_MS);
  });
}
