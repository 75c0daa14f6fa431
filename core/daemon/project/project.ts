import { type DaemonWords, Environment } from '../../config/environment';
import type { ConfigSource } from '../../config/find-config';
import type { ClientEntry } from '../../config/clients';
import { loadConfig, type ProviderEntry } from '../../config/load';
import type { RouteEntry } from '../../config/routes';
import type { SharedStateSettings } from '../../config/shared-state-schema';
import type { PriceTableField } from '../../config/price-table-field';
import { trustMode } from '../../config/trust-mode';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import { buildRoutes } from '../../devices/build-routes';
import { DeviceTable } from '../../devices/device-table';
import type { LlmDevice } from '../../devices/device';
import type { ToolServer } from '../../devices/tool-server';
import { ConfigError, type Problem } from '../../errors';
import { findPaths, type Paths } from '../../paths';
import { guardOf } from '../../plugins/guarded-options';
import type { PluginRegistry } from '../../plugins/registry';
import { buildProviders } from '../../providers/build-providers';
import { hiddenVariables, keyVariables } from '../../providers/hidden-variables';
import { RestBook } from '../../providers/rest-book';
import type { LimitBook } from '../../limits/limit-book';
import type { Rehearsal } from '../../providers/rehearsal';
import type { EventStream } from '../../record/event-stream';
import type { Ledger } from '../../record/ledger';
import { findServers, NO_SERVERS } from './find-servers';
import { MadeDevices } from './made-devices';
import { chooseStandard, type StandardProvider, withBuiltinProvider, withDemoProvider } from './given-providers';
import { openPlugins, pluginWarnings } from './open-plugins';
import { searchedFiles, sourcesOf } from './project-sources';
import { noticeTaker } from './notice-taker';
import { bookIn, reportTo } from './told-by-providers';

export interface ProjectOptions {
  workingDirectory: string;
  environment: NodeJS.ProcessEnv;
  /** The daemon whose environment this is; absent for a command that opens the project itself. */
  daemon?: DaemonWords;
  /** False leaves out the project's configuration file and its .env files. */
  useProject: boolean;
  /** Reads only this file, instead of the two at their usual places. */
  source?: ConfigSource;
  /** Adds the provider of `serve --demo`. */
  demo?: boolean;
  /** Variables that no program that a driver starts may see. */
  ownSecrets?: Set<string>;
  log: Logger;
  redactor: Redactor;
  /** Absent: usage is not recorded. */
  ledger?: Ledger;
  /** Absent: the rests that are kept are known, and what is learned here is not kept. */
  rests?: RestBook;
  /** Absent: nothing is limited. */
  limits?: LimitBook;
  /** Absent: the health of providers is not published. */
  stream?: EventStream;
  /** Stops calls before they happen; absent: they happen. */
  rehearsal?: Rehearsal;
  /** The same project before a reload: what would be made the same way again is kept. */
  earlier?: Project;
}

/** Everything that belongs to one configuration: plug-ins, providers, and their devices. */
export interface Project {
  paths: Paths;
  /** The folder of the project; absent outside of one, and where the project's files are left out. */
  root?: string;
  plugins: PluginRegistry;
  environment: Environment;
  devices: DeviceTable;
  /** The tool servers of mcp.json, which are among the devices. */
  toolServers: readonly ToolServer[];
  /** The tool servers of the project that wait for `drivebay trust`, by path. */
  heldServers: readonly string[];
  /** The devices with what they were made of, for the next reload. */
  made: MadeDevices;
  /** The default of the gateway: only what the configuration says. */
  defaultProvider: string | undefined;
  entries: readonly ProviderEntry[];
  routes: readonly RouteEntry[];
  /** Who may ask a gateway of this project; undefined: everybody. */
  clients: readonly ClientEntry[] | undefined;
  limits: LimitBook | undefined;
  /** What is counted together with other machines; undefined: nothing. */
  sharedState: SharedStateSettings | undefined;
  /** The default of agents: without a `default_provider` the built-in provider, which need not be among the devices. */
  standard: (Pick<StandardProvider, 'decidedBy'> & { device: LlmDevice }) | undefined;
  /** The user's configuration file; it need not exist. */
  globalConfig: string;
  files: string[];
  /** The lists of prices; the files need not exist. */
  priceTables: readonly PriceTableField[];
  searched: string[];
  variables: string[];
  /** Whether fields of the project file wait for `drivebay trust`. */
  isHeld: boolean;
  /** Every command prints these. */
  warnings: Problem[];
  /** The caller must show them. */
  takeNotices: ReturnType<typeof noticeTaker>;
  /** Ends all of its devices. */
  close(): Promise<void>;
}

/** Reads the configuration and makes the devices. Throws a ConfigError with every problem in it. */
export function openProject(options: ProjectOptions): Project {
  const { earlier, log, redactor, ownSecrets = new Set(), ledger, stream } = options;
  const found = findPaths(options.environment, options.workingDirectory);
  // A folder may become a project or stop being one. The folders that share this project must not get another one.
  const { projectRoot, projectFolder } = earlier?.paths ?? found;
  const paths = { ...found, projectRoot, projectFolder };
  const root = options.useProject ? projectRoot : undefined;
  const plugins = openPlugins(paths, options, earlier?.plugins);
  const environment =
    earlier?.environment ??
    new Environment({ processEnvironment: options.environment, projectRoot: root, daemon: options.daemon });
  const sources = sourcesOf(paths, options);
  const trust = {
    stateDirectory: paths.state,
    mode: trustMode(options.environment.DRIVEBAY_PROJECT_TRUST),
    isGuarded: guardOf(plugins),
  };
  const loaded = loadConfig(options.source ? sources : { ...sources, trust });
  const base = loaded.found ? loaded : withBuiltinProvider(loaded, plugins);
  const config = options.demo ? withDemoProvider(base, plugins) : base;
  const standard = chooseStandard(config, plugins);
  const clientVariables = (config.clients ?? []).flatMap(({ keyVariable }) => keyVariable ?? []);
  for (const name of clientVariables) ownSecrets.add(name);
  if (config.sharedState) ownSecrets.add(config.sharedState.url_env);
  const withStandard = { ...config, entries: standard?.entry ? [...config.entries, standard.entry] : config.entries };
  const keys = earlier?.made.keys ?? new Set<string>();
  const common = { environment, redactor, log };
  const providerParts = {
    ...common,
    plugins,
    ownSecrets,
    rehearsal: options.rehearsal,
    keys,
    cacheDirectory: paths.cache,
    book: ledger && bookIn(ledger, root),
    report: stream && reportTo(stream, root),
    rests: options.rests ?? new RestBook(paths.state, false),
    limits: options.limits,
  };
  const built = buildProviders(withStandard, providerParts, earlier?.made.providers);
  const mcp = options.source ? NO_SERVERS : findServers(paths, options.useProject);
  const problems = [...config.problems, ...built.problems, ...mcp.problems];
  const warnings = [...config.warnings, ...built.warnings, ...mcp.warnings];
  if (problems.length > 0) {
    void new MadeDevices(built.made, [], [], keys).retire(earlier?.made);
    throw new ConfigError(problems, warnings);
  }
  const all = built.made.map(({ device }) => device);
  const madeRoutes = buildRoutes(config.routes, all, earlier?.made.routes);
  const llms = [...all, ...madeRoutes.map(({ device }) => device)];
  const standardDevice = llms.find(({ name }) => name === standard?.name);
  const servers = mcp.make({
    surroundings: { ...common, root, hidden: hiddenVariables(keys, new Set(), ownSecrets) },
    devices: llms,
    limits: options.limits,
    earlier: earlier?.made.servers,
  });
  const toolServers = servers.made.map(({ device }) => device);
  const configured = standard?.entry ? llms.filter((device) => device !== standardDevice) : llms;
  const devices = new DeviceTable([...configured, ...toolServers]);
  const made = new MadeDevices(built.made, madeRoutes, servers.made, keys);
  const isHeld = config.entries.some(({ held }) => held.length > 0) || mcp.held.length > 0;
  return {
    paths,
    root,
    plugins,
    environment,
    devices,
    toolServers,
    heldServers: mcp.held,
    made,
    defaultProvider: config.defaultProvider?.name,
    entries: config.entries,
    routes: config.routes,
    clients: config.clients,
    limits: options.limits,
    sharedState: config.sharedState,
    standard: standard && standardDevice && { device: standardDevice, decidedBy: standard.decidedBy },
    files: config.files,
    priceTables: built.tables.fields,
    globalConfig: sources.global.file,
    searched: searchedFiles(sources, paths, options),
    variables: [...new Set([...keyVariables(withStandard.entries, plugins), ...mcp.variables, ...clientVariables])],
    isHeld,
    takeNotices: noticeTaker(config, mcp.notices, isHeld),
    warnings: [
      ...warnings,
      ...servers.warnings,
      ...environment.warnings().map((message) => ({ message })),
      ...pluginWarnings(plugins, options.environment.DRIVEBAY_PLUGIN_PATH),
    ],
    close: () => made.close(),
  };
}
