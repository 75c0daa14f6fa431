import { Environment } from '../config/environment';
import { loadConfig, type LoadedConfig, type ProviderEntry } from '../config/load';
import { trustMode } from '../config/trust';
import { ConfigError, type Problem } from '../errors';
import type { EventStream } from '../events/event-stream';
import type { ProviderEvent } from '../events/live-event';
import type { Logger } from '../plugins/api';
import { findPaths, type Paths } from '../paths';
import { discoverPlugins, missingFolders, type Plugin } from '../plugins/discover';
import { PluginRegistry } from '../plugins/registry';
import { buildProviders } from '../providers/build-providers';
import { namedVariables } from '../providers/hidden-variables';
import type { Provider } from '../providers/provider';
import type { Rehearsal } from '../providers/rehearsal';
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
  ownSecrets?: ReadonlySet<string>;
  log: Logger;
  redactor: Redactor;
  /** Keeps what each turn uses; absent: nobody does. */
  ledger?: Ledger;
  /** Told of health and of requests; absent: nobody watches. */
  stream?: EventStream;
  /** Stops calls before they happen; absent: they happen. */
  rehearsal?: Rehearsal;
}

/** Everything that belongs to one configuration: plug-ins, providers, and their devices. */
export interface Project {
  paths: Paths;
  /** The folder of the project; absent outside of one, and where its files are left out. */
  root?: string;
  plugins: PluginRegistry;
  environment: Environment;
  devices: DeviceTable;
  defaultProvider: string | undefined;
  /** What the configuration says of each provider. */
  entries: readonly ProviderEntry[];
  /** The configuration files that were found. */
  files: string[];
  /** The places where a configuration file was looked for. */
  searched: string[];
  /** The variables that the configuration names as keys. */
  variables: string[];
  /** Whether fields of the project file wait for `drivebay trust`. */
  isHeld: boolean;
  /** What deserves the user's attention, to be printed by every command. */
  warnings: Problem[];
  /** The same, of what is said once only. */
  notices: Problem[];
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
  const { ownSecrets = new Set(), stream, rehearsal } = options;
  const root = options.useProject ? paths.projectRoot : undefined;
  const surroundings = {
    plugins,
    environment,
    redactor,
    log,
    cacheDirectory: paths.cache,
    ownSecrets,
    book: bookIn(options.ledger, root),
    report: stream && reportIn(stream, root),
    rehearsal,
  };
  const built = buildProviders(config, surroundings);
  const problems = [...config.problems, ...built.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    paths,
    ...(root !== undefined && { root }),
    plugins,
    environment,
    devices: deviceTable(built.providers),
    defaultProvider: config.defaultProvider?.name,
    entries: config.entries,
    files: config.files,
    searched: searchedFiles(paths, options),
    variables: namedVariables(config, plugins),
    isHeld: config.entries.some(({ held }) => held.length > 0),
    notices: config.notices,
    warnings: [
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

function bookIn(ledger: Ledger | undefined, project: string | undefined) {
  if (!ledger || project === undefined) return ledger?.book;
  return (entry: LedgerEntry) => ledger.book({ ...entry, project });
}

function reportIn(stream: EventStream, project: string | undefined) {
  const where = project === undefined ? {} : { project };
  return (provider: string, event: ProviderEvent) =>
    void stream.publish({ ...where, kind: 'provider', provider, event });
}

function searchedFiles(paths: Paths, { file, useProject }: ProjectOptions): string[] {
  if (file !== undefined) return [file];
  return [paths.globalConfig, ...(useProject && paths.projectConfig ? [paths.projectConfig] : [])];
}

function deviceTable(providers: Provider[]): DeviceTable {
  const devices = new DeviceTable();
  for (const provider of providers) devices.register(llmDevice(provider));
  return devices;
}

function describePlugin({ directory, state, reason }: Plugin): Problem {
  return { message: `plug-in ${directory} is ${state}: ${reason}`, hint: 'see: drivebay plugins list' };
}
