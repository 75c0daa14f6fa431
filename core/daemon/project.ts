import { Environment } from '../config/environment';
import { loadConfig, type LoadedConfig } from '../config/load';
import { trustMode } from '../config/trust';
import { ConfigError, type Problem } from '../errors';
import type { Logger } from '../plugins/api';
import { findPaths, type Paths } from '../paths';
import { discoverPlugins, missingFolders, type Plugin } from '../plugins/discover';
import { PluginRegistry } from '../plugins/registry';
import { buildProviders } from '../providers/build-providers';
import type { Provider } from '../providers/provider';
import type { Redactor } from '../redact';
import type { Ledger, LedgerEntry } from '../state/ledger';
import { DeviceTable } from '../vfs/device-table';
import { llmDevice } from '../vfs/llm-device';
import { withBuiltinProvider, withDemoProvider } from './given-providers';

export interface ProjectOptions {
  workingDirectory: string;
  environment: NodeJS.ProcessEnv;
  /** False leaves the project's configuration file out, and its .env files. */
  useProject: boolean;
  /** Reads this file alone instead of the two at their usual places. */
  file?: string;
  /** Adds the provider `demo` on the example driver. */
  demo?: boolean;
  /** Variables with secrets of ours, which no program that a driver starts may see. */
  ownSecrets?: readonly string[];
  log: Logger;
  redactor: Redactor;
  /** Keeps what each turn uses; absent: nobody does. */
  ledger?: Ledger;
}

/** Everything that belongs to one configuration: plug-ins, providers, and their devices. */
export interface Project {
  paths: Paths;
  plugins: PluginRegistry;
  environment: Environment;
  devices: DeviceTable;
  defaultProvider: string | undefined;
  /** The configuration files that were found. */
  files: string[];
  /** What deserves the user's attention, to be printed once. */
  warnings: Problem[];
  close(): Promise<void>;
}

/** Reads the configuration and makes the devices. Throws a ConfigError with every problem in it. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { workingDirectory, log, redactor } = options;
  const paths = findPaths(options.environment, workingDirectory);
  const plugins = openPlugins(paths, options);
  const environment = new Environment({
    processEnvironment: options.environment,
    ...(options.useProject && paths.projectRoot && { projectRoot: paths.projectRoot }),
  });
  const config = await readConfig(paths, options, plugins);
  const { ownSecrets = [] } = options;
  const surroundings = {
    plugins,
    environment,
    redactor,
    log,
    cacheDirectory: paths.cache,
    ownSecrets,
    book: bookIn(options.ledger, paths),
  };
  const built = buildProviders(config, surroundings);
  const problems = [...config.problems, ...built.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    paths,
    plugins,
    environment,
    devices: deviceTable(built.providers),
    defaultProvider: config.defaultProvider?.name,
    files: config.files,
    warnings: [
      ...config.notices,
      ...config.warnings,
      ...built.warnings,
      ...environment.warnings().map((message) => ({ message })),
      ...missingFolders(options.environment.DRIVEBAY_PLUGIN_PATH).map((directory) => ({
        message: `DRIVEBAY_PLUGIN_PATH: ${directory} is no folder`,
      })),
      ...plugins
        .list()
        .filter(({ state }) => state === 'failed' || state === 'shadowed')
        .map(describePlugin),
    ],
    close: async () => void (await Promise.all(built.providers.map((provider) => provider.close()))),
  };
}

/** Finds the plug-ins of a user, and those the demo needs. */
export function openPlugins(
  paths: Paths,
  { environment, demo }: Pick<ProjectOptions, 'environment' | 'demo'>,
): PluginRegistry {
  const found = discoverPlugins({
    pluginPath: environment.DRIVEBAY_PLUGIN_PATH,
    userPlugins: paths.userPlugins,
    examples: demo ?? false,
  });
  return new PluginRegistry(found);
}

async function readConfig(paths: Paths, options: ProjectOptions, plugins: PluginRegistry): Promise<LoadedConfig> {
  const { environment, file, useProject } = options;
  const config = file
    ? await loadConfig({ globalFile: file })
    : await loadConfig({
        globalFile: paths.globalConfig,
        ...(useProject && paths.projectConfig && { projectFile: paths.projectConfig }),
        trust: { stateDirectory: paths.state, mode: trustMode(environment.DRIVEBAY_PROJECT_TRUST) },
      });
  const base = config.found ? config : withBuiltinProvider(config, plugins);
  return options.demo ? withDemoProvider(base, plugins) : base;
}

function bookIn(ledger: Ledger | undefined, { projectRoot: project }: Paths) {
  if (!ledger || project === undefined) return ledger?.book;
  return (entry: LedgerEntry) => ledger.book({ ...entry, project });
}

function deviceTable(providers: Provider[]): DeviceTable {
  const devices = new DeviceTable();
  for (const provider of providers) devices.register(llmDevice(provider));
  return devices;
}

function describePlugin({ directory, state, reason }: Plugin): Problem {
  return { message: `plug-in ${directory} is ${state}: ${reason}`, hint: 'see: drivebay plugins list' };
}
