import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../package';
import { findPaths, homeFolder } from '../../paths';
import { recordOf, SERVICE_MARK, type ServeOptions } from '../serve/serve-options';

/** The options of `serve`. A service belongs to no project folder. */
export type ServiceOptions = Omit<ServeOptions, 'project' | 'logFormat'>;

export interface ServicePlan {
  /** The program and its arguments. All paths are absolute. */
  command: string[];
  /** Reads the configuration again. Fails, and changes nothing, where it has a mistake. */
  reloadCommand: string[];
  workingDirectory: string;
  environment: Record<string, string>;
  /** A file of `NAME=value` lines that the user may write: a service has no variables of a terminal. */
  environmentFile: string;
}

/**
 * The variables that choose the daemon, the places of programs and the way to the network: a service manager passes none of
 * them on. Keys are not among them, because other programs can read a unit file.
 */
const PASSED_ON = `
  PATH XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME DRIVEBAY_ENV DRIVEBAY_PLUGIN_PATH
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR LANG`;

/** Plans a gateway like the one of `serve`, for the user's own configuration. */
export function planService(options: ServiceOptions, environment: NodeJS.ProcessEnv): ServicePlan {
  const home = homeFolder(environment) ?? '/';
  const { configHome } = findPaths(environment, home);
  const passedOn = PASSED_ON.trim()
    .split(/\s+/)
    .filter((name) => environment[name]);
  const program = [process.execPath, join(packageRoot, 'bin', 'cli')];
  return {
    command: [...program, 'serve', '--no-project', ...serveFlags(options)],
    reloadCommand: [...program, 'reload'],
    workingDirectory: home,
    environment: { ...Object.fromEntries(passedOn.map((name) => [name, environment[name]!])), [SERVICE_MARK]: '1' },
    environmentFile: join(configHome, 'service.env'),
  };
}

function serveFlags(options: ServiceOptions): string[] {
  const { port, demo, allowHost = [], allowOrigin = [], apiKeyEnv, upstreamStatus, metrics, watch, logLevel } = options;
  const flags = ['--port', String(port), '--log-level', logLevel];
  if (demo) flags.push('--demo');
  for (const host of allowHost) flags.push('--allow-host', host);
  for (const origin of allowOrigin) flags.push('--allow-origin', origin);
  if (upstreamStatus) flags.push('--upstream-status');
  if (metrics) flags.push('--metrics');
  if (watch) flags.push('--watch');
  if (apiKeyEnv) flags.push('--api-key-env', apiKeyEnv);
  const record = recordOf(options);
  if (record) flags.push('--record', record.folder);
  if (record?.withContent) flags.push('--record-content');
  return flags;
}

/** The port in a unit file of ours. A space stands before it for systemd, tags for launchd. */
export async function installedPort(file: string): Promise<number | undefined> {
  const port = /--port(?:\s|<[^>]*>)+(\d+)/.exec(await readFile(file, 'utf8'))?.[1];
  return port === undefined ? undefined : Number(port);
}
