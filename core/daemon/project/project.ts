import { dirname } from 'node:path';
import { Environment } from '../../config/environment';
import { configAt, configPlaces, type ConfigSources, findConfig } from '../../config/find-config';
import { loadConfig, type LoadedConfig, type ProviderEntry } from '../../config/load';
import { trustMode } from '../../config/trust-mode';
import { ConfigError, type Problem } from '../../errors';
import type { EventStream } from '../../record/event-stream';
import type { ProviderEvent } from '../../record/live-event';
import type { Logger } from '../../contract/api';
import { findPaths, type Paths } from '../../paths';
import { missingFolders } from '../../plugins/discover';
import type { PluginRegistry } from '../../plugins/registry';
import { buildProviders } from '../../providers/build-providers';
import { namedVariables } from '../../providers/hidden-variables';
import type { Rehearsal } from '../../providers/rehearsal';
import type { Redactor } from '../../contract/redact';
import type { Ledger, LedgerEntry } from '../../record/ledger';
import { DeviceTable } from '../../devices/device-table';
import type { LlmDevice } from '../../devices/device';
import { chooseStandard, type StandardProvider, withBuiltinProvider, withDemoProvider } from './given-providers';
import { openPlugins } from './open-plugins';
import { pluginProblem, unusablePlugins } from './plugin-problem';

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
  /** The gateway's: only what the configuration says. */
  defaultProvider: string | undefined;
  /** What the configuration says of each provider. */
  entries: readonly ProviderEntry[];
  /** The agents': without a `default_provider` the built-in provider, which need not be among the devices. */
  standard: (Pick<StandardProvider, 'decidedBy'> & { device: LlmDevice }) | undefined;
  /** The user's configuration file; it need not exist. */
  globalConfig: string;
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
export function openProject(options: ProjectOptions): Project {
  const { workingDirectory, log, redactor } = options;
  const paths = findPaths(options.environment, workingDirectory);
  const plugins = openPlugins(paths, options);
  const environment = new Environment({
    processEnvironment: options.environment,
    ...(options.useProject && paths.projectRoot && { projectRoot: paths.projectRoot }),
  });
  const sources = sourcesOf(paths, options);
  const config = readConfig(sources, paths, options, plugins);
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
  const standard = chooseStandard(config, plugins);
  const everybody = { ...config, entries: standard?.entry ? [...config.entries, standard.entry] : config.entries };
  const built = buildProviders(everybody, surroundings);
  const problems = [...config.problems, ...built.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  const all = built.providers;
  const standardDevice = all.find(({ name }) => name === standard?.name);
  return {
    paths,
    ...(root !== undefined && { root }),
    plugins,
    environment,
    devices: deviceTable(standard?.entry ? all.filter((device) => device !== standardDevice) : all),
    defaultProvider: config.defaultProvider?.name,
    entries: config.entries,
    standard: standard && standardDevice && { device: standardDevice, decidedBy: standard.decidedBy },
    files: config.files,
    globalConfig: sources.global.file,
    searched: searchedFiles(sources, options),
    variables: namedVariables(everybody, plugins),
    isHeld: config.entries.some(({ held }) => held.length > 0),
    notices: config.notices,
    warnings: [
      ...config.warnings,
      ...built.warnings,
      ...environment.warnings().map((message) => ({ message })),
      ...missingFolders(options.environment.DRIVEBAY_PLUGIN_PATH).map((directory) => ({
        message: `DRIVEBAY_PLUGIN_PATH: ${directory} is no folder`,
      })),
      ...unusablePlugins(plugins).map(pluginProblem),
    ],
    close: async () => void (await Promise.all(all.map((provider) => provider.close()))),
  };
}

function readConfig(
  sources: ConfigSources,
  paths: Paths,
  options: ProjectOptions,
  plugins: PluginRegistry,
): LoadedConfig {
  const { environment, file, demo } = options;
  const trust = { stateDirectory: paths.state, mode: trustMode(environment.DRIVEBAY_PROJECT_TRUST) };
  const config = loadConfig(file === undefined ? { ...sources, trust } : sources);
  const base = config.found ? config : withBuiltinProvider(config, plugins);
  return demo ? withDemoProvider(base, plugins) : base;
}

function sourcesOf(paths: Paths, { file, useProject }: ProjectOptions): ConfigSources {
  if (file !== undefined) return { global: configAt(file) };
  const { global, project } = findConfig(paths);
  return { global, project: useProject ? project : undefined };
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

/** The files that count now, and those that would count in their place if they were there. */
function searchedFiles({ global, project }: ConfigSources, { file }: ProjectOptions): string[] {
  if (file !== undefined) return [file];
  return [global, project].flatMap((source) => (source ? configPlaces(dirname(source.file)) : []));
}

function deviceTable(devices: LlmDevice[]): DeviceTable {
  const table = new DeviceTable();
  for (const device of devices) table.register(device);
  return table;
}
