import { join } from 'node:path';
import { packageRoot } from '../../package';
import { findPaths } from '../../paths';
import type { ServeOptions } from '../serve/serve';

/** What `serve` would be told; the project of a folder is none of it. */
export type ServiceOptions = Omit<ServeOptions, 'project' | 'logFormat'>;

/** What a service manager is told to run. */
export interface ServicePlan {
  /** The program and its arguments, all paths absolute. */
  command: string[];
  workingDirectory: string;
  environment: Record<string, string>;
  /** A file of `NAME=value` lines that the user may write: a service has none of the variables of a terminal. */
  environmentFile: string;
}

/**
 * What decides which daemon it is, where programs are found, and how the network is reached: a service manager passes none of
 * it on. Keys are not among them, because a unit file is no place for them.
 */
const PASSED_ON = [
  ...['PATH', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'DRIVEBAY_ENV', 'DRIVEBAY_PLUGIN_PATH'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'LANG'],
];

/** A gateway like the one that `serve` would start here, for the user's own configuration. */
export function planService(options: ServiceOptions, environment: NodeJS.ProcessEnv): ServicePlan {
  const home = environment.HOME ?? '/';
  const { configHome } = findPaths(environment, home);
  const passedOn = PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return {
    command: [process.execPath, join(packageRoot, 'bin', 'cli'), 'serve', '--no-project', ...serveFlags(options)],
    workingDirectory: home,
    environment: Object.fromEntries(passedOn),
    environmentFile: join(configHome, 'service.env'),
  };
}

function serveFlags({ port, demo, allowHost = [], allowOrigin = [], apiKeyEnv, logLevel }: ServiceOptions) {
  return [
    ...['--port', String(port), '--log-level', logLevel],
    ...(demo ? ['--demo'] : []),
    ...allowHost.flatMap((host) => ['--allow-host', host]),
    ...allowOrigin.flatMap((origin) => ['--allow-origin', origin]),
    ...(apiKeyEnv ? ['--api-key-env', apiKeyEnv] : []),
  ];
}
