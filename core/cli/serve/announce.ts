import type { Logger } from '../../contract/api';
import type { ProjectInfo } from '../../daemon/control/protocol';
import { formatProblem } from '../../errors';
import { productName, productVersion } from '../../package';
import { formatTable, printAnswer } from '../terminal/print';
import type { ServeOptions } from './serve-options';

interface Announced extends Pick<ServeOptions, 'port' | 'metrics' | 'mcp'> {
  /** Of the daemon that answers, which may be an older one. */
  version?: string;
}

/** Says that `serve` listens: address, providers and endpoints on stdout, warnings in the log. `unread`: why no file counts. */
export function announce(
  { port, metrics, mcp, version = productVersion }: Announced,
  project: ProjectInfo,
  log: Logger,
  unread?: string,
): void {
  const { providers, defaultProvider, globalConfig, files } = project;
  const base = `http://127.0.0.1:${port}`;
  const rows = providers.map(({ name, driverAlias, model }) => {
    const mark = name === defaultProvider ? ' (default)' : '';
    return [`  ${name}${mark}`, driverAlias, model ?? ''];
  });
  printAnswer(`${productName} ${version} is listening on ${base}\n`);
  if (providers.length > 0) printAnswer(`${formatTable(['Providers', 'Driver', 'Model'], rows)}\n`);
  printAnswer(`Endpoints
  POST ${base}/v1/chat/completions
  POST ${base}/v1/messages
  POST ${base}/v1/responses
  POST ${base}/v1/embeddings
  GET  ${base}/v1/models${metrics ? `\n  GET  ${base}/metrics` : ''}
  GET  ${base}/dashboard/  (opened by: drivebay dashboard)
  GET  ${base}/health${mcp ? `\n  MCP  ${base}/mcp` : ''}`);
  for (const warning of project.warnings) log.warn(formatProblem(warning));
  if (providers.length === 0) {
    log.warn(
      `no provider is configured: add one to ${globalConfig}, or run drivebay providers add <driver>, or try: drivebay serve --demo`,
    );
  } else if (files.length === 0) {
    log.info(
      unread ??
        `no configuration file found (looked for ${globalConfig}), using the built-in provider; to write one: drivebay init`,
    );
  }
}
