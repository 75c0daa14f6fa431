import { basename } from 'node:path';
import type { Position, Problem } from '../errors';
import { checkClients, type ClientEntry } from './clients';
import { readConfigFile, type ConfigFile } from './config-file';
import type { ConfigSource, ConfigSources } from './find-config';
import { describeFound, YAML_WORDS } from './describe-found';
import { didYouMean, suggestProvider } from './did-you-mean';
import type { LocatedMap } from './located';
import { driverOf, mergeEntries, type Entry } from './merge';
import { keepOwnPrices } from './own-prices';
import type { PriceTableField } from './price-table-field';
import { checkRoutes, isPattern, type RouteEntry } from './routes';
import { reviewProject, type TrustOptions } from './trust';
import type { SharedStateSettings } from './shared-state-schema';
import { coreSchemasOf, validateOptions } from './validate-options';

export interface ProviderEntry {
  name: string;
  driver: string;
  place: Position;
  fields: LocatedMap;
  /** The name of the entry in messages: `providers[2]`, or `providers[name]` for an entry of both files. */
  path: string;
  /** The fields of the project file that wait for `drivebay trust`. `fields` does not contain them. */
  held: string[];
}

export interface LoadedConfig {
  entries: ProviderEntry[];
  /** Entries with the name of an earlier one in their file. They become no providers, but their mistakes are reported. */
  repeated: ProviderEntry[];
  routes: RouteEntry[];
  /** Of the global file; absent where it has no `clients`. An empty list means that no client may ask. */
  clients?: ClientEntry[];
  /** A provider, or a route without a star. */
  defaultProvider?: { name: string; place: Position };
  /** The price table of every provider that has none of its own. */
  priceTable?: PriceTableField;
  /** Of the global file. */
  sharedState?: SharedStateSettings;
  /** The existing files, usable or not. */
  files: string[];
  found: boolean;
  problems: Problem[];
  warnings: Problem[];
  notices: Problem[];
  /** Remembers that the user has read the notices. */
  rememberNotices(): void;
}

interface LoadOptions extends ConfigSources {
  /** Absent: the project file is trusted without a notice. */
  trust?: TrustOptions;
}

/** Reads both files and merges them; the project's file overrides the global one. Never throws for the content of a file. */
export function loadConfig({ global, project: projectSource, trust }: LoadOptions): LoadedConfig {
  const base = readConfigFile(global);
  const project = projectSource && readConfigFile(projectSource);
  const files = project ? [base, project] : [base];
  const existing = files.filter(({ exists }) => exists).map(({ file }) => file);
  const reviewed = project && trust ? reviewProject(project, base.entries, trust) : undefined;
  const loaded: LoadedConfig = {
    entries: [],
    repeated: files.flatMap(({ repeated }) => repeated.flatMap((entry) => toProvider(entry, []))),
    routes: [],
    files: existing,
    found: existing.length > 0,
    problems: files.flatMap(({ problems }) => problems),
    warnings: [...[global, projectSource].flatMap(explainIgnored), ...files.flatMap(({ warnings }) => warnings)],
    notices: reviewed?.notices ?? [],
    rememberNotices: () => reviewed?.remember(),
  };
  const ofProject = reviewed?.entries ?? project?.entries ?? [];
  const priced = keepOwnPrices(base, { entries: ofProject, hasTable: project?.priceTable !== undefined });
  loaded.warnings.push(...priced.warnings);
  for (const entry of mergeEntries(priced.own, priced.entries)) {
    const providers = toProvider(entry, reviewed?.held.get(entry.name) ?? []);
    loaded.entries.push(...providers);
    if (providers.length > 0) continue;
    if (!mayHaveDriver(base, entry.name)) loaded.problems.push(explainMissingDriver(entry));
    loaded.problems.push(...validateOptions(entry.fields, entry.path, coreSchemasOf).problems);
  }
  loaded.priceTable = project?.priceTable ?? base.priceTable;
  readRoutes(loaded, base, project);
  readClients(loaded, base, project);
  chooseDefault(loaded, files);
  loaded.sharedState = base.sharedState;
  if (project?.sharedState) loaded.warnings.push(explainShared(project.sharedState.place));
  return loaded;
}

/** A second file with one of the names looks as if it counted. */
function explainIgnored(source: ConfigSource | undefined): Problem[] {
  const { file = '', ignored = [] } = source ?? {};
  const message = `the file is not read, because ${basename(file)} beside it counts`;
  const hint = `move what it says into ${basename(file)}, and remove it`;
  return ignored.map((each) => ({ message, place: { file: each }, hint }));
}

function explainShared(place: Position): Problem {
  const message = 'shared_state is ignored in a project file: it is of the machine, and not of one project';
  return { message, place, hint: 'put it into the global file' };
}

/** Nothing where the entry has no driver. */
function toProvider(entry: Entry, held: string[]): ProviderEntry[] {
  const driver = driverOf(entry);
  return driver === undefined ? [] : [{ ...entry, driver, place: entry.fields.place, held }];
}

function readRoutes(loaded: LoadedConfig, base: ConfigFile, project: ConfigFile | undefined): void {
  const files = project ? [base, project] : [base];
  const places = new Map(
    loaded.entries.map(({ name, fields, place }) => [name, fields.entries.get('name')?.place ?? place]),
  );
  const providers = new Map(files.flatMap(({ names }) => [...names]).map((name) => [name, places.get(name)]));
  const entries = mergeEntries(base.routes, project?.routes ?? [], 'routes');
  const isComplete = files.every((file) => file.isComplete);
  const { routes, problems, warnings } = checkRoutes(entries, providers, isComplete);
  loaded.routes.push(...routes);
  loaded.problems.push(...problems);
  loaded.warnings.push(...warnings);
}

/** A cloned repository must not decide who may ask, so the list of a project file is left out. */
function readClients(loaded: LoadedConfig, base: ConfigFile, project: ConfigFile | undefined): void {
  if (project?.clients) {
    const message = 'clients: only your own file names clients, ignored here';
    loaded.warnings.push({ message, place: project.clients.keyPlace, hint: `put them into ${base.file}` });
  }
  if (!base.clients) return;
  const names = [base, project].flatMap((file) => (file ? [...file.names, ...file.routeNames] : []));
  const { clients, problems, warnings } = checkClients(base.clients, names);
  loaded.clients = clients;
  loaded.problems.push(...problems);
  loaded.warnings.push(...warnings);
}

/** Whether an unreadable part of the global file may name the driver. That part is a problem already. */
function mayHaveDriver(base: ConfigFile, name: string): boolean {
  const wasLeftOut = base.names.has(name) && !base.entries.some((entry) => entry.name === name);
  return wasLeftOut || !base.isComplete;
}

/** The names that other programs have for `driver`. */
const AS_DRIVER = ['provider', 'type', 'vendor', 'backend'];

function explainMissingDriver({ path, fields }: Entry): Problem {
  const message = `${path}.driver: found nothing, expected the name of a driver`;
  const near = didYouMean('driver', fields.entries.keys()) ?? AS_DRIVER.find((key) => fields.entries.has(key));
  if (near === undefined) return { message, place: fields.place, hint: 'add a line: driver: ...' };
  return {
    message,
    place: fields.entries.get(near)?.place ?? fields.place,
    hint: `did you mean driver where it says ${near}?`,
  };
}

/**
 * Checks the name after the merge, because each file may name a provider of the other. An empty name in the project file
 * removes the global default.
 */
function chooseDefault(loaded: LoadedConfig, files: ConfigFile[]): void {
  const chosen = files.findLast(({ defaultProvider }) => defaultProvider)?.defaultProvider;
  if (!chosen || chosen.name === '') return;
  const names = new Set(
    files.flatMap((file) => [...file.names, ...[...file.routeNames].filter((name) => !isPattern(name))]),
  );
  if (names.has(chosen.name)) loaded.defaultProvider = chosen;
  else if (files.every(({ isComplete }) => isComplete)) loaded.problems.push(explainUnknownDefault(chosen, names));
}

function explainUnknownDefault(chosen: { name: string; place: Position }, names: Set<string>): Problem {
  const shown = describeFound(chosen.name, YAML_WORDS);
  const message = `default_provider: found ${shown}, expected the name of a provider or of a route without a star`;
  return { message, place: chosen.place, hint: suggestProvider(chosen.name, [...names]) };
}
