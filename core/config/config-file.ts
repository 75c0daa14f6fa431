import { nameHoldsKey } from '../contract/secrets';
import { formatPosition, type Position, type Problem } from '../errors';
import { explainRoot, isPresentable, quote } from './describe-found';
import type { ConfigSource } from './find-config';
import type { Located, LocatedMap } from './located';
import { driverOf, type Entry } from './merge';
import { validate } from './problems';
import { routeNameSchema } from './route-schema';
import { type PriceTableField, priceTableIn } from './price-table-field';
import { entrySchema, fileSchema } from './schema';
import type { SharedStateSettings } from './shared-state-schema';
import { coreSchemasOf, validateOptions } from './validate-options';

/** What an entry of each list is written with, besides its name. */
const FORMS = { providers: 'driver: DRIVER', routes: 'targets: [PROVIDER]' };

export interface ConfigFile {
  file: string;
  exists: boolean;
  text: string;
  /** The entries with a valid name. Their driver is valid or absent. */
  entries: Entry[];
  /** Providers with the name of an earlier one, which is a problem already. They have a driver, for their other mistakes. */
  repeated: Entry[];
  defaultProvider?: { name: string; place: Position };
  priceTable?: PriceTableField;
  sharedState?: SharedStateSettings & { place: Position };
  /** The routes with a valid name; nothing else of them is checked yet. */
  routes: Entry[];
  /** `clients` as it is, also without entries; nothing of it is checked yet. Absent: the file does not have it. */
  clients?: Located;
  /** Of providers. */
  names: Set<string>;
  routeNames: Set<string>;
  /** Whether the names are complete. If not, a name that is absent from them may still exist. */
  isComplete: boolean;
  problems: Problem[];
  warnings: Problem[];
}

export function readConfigFile({ file, document }: ConfigSource): ConfigFile {
  const { exists, root, text = '', problems } = document;
  const isComplete = problems.length === 0;
  const config: ConfigFile = {
    file,
    exists,
    text,
    isComplete,
    problems,
    entries: [],
    repeated: [],
    routes: [],
    names: new Set(),
    routeNames: new Set(),
    warnings: [],
  };
  if (root?.kind === 'map') readRoot(config, root);
  else if (root) {
    config.problems.push(explainRoot(root, 'version, default_provider, providers, routes and clients'));
    config.isComplete = false;
  }
  return config;
}

function readRoot(config: ConfigFile, root: LocatedMap): void {
  const entries = new Map([...root.entries].filter(([key, value]) => !isEmptyList(key, value)));
  const { value, problems, warnings } = validate(fileSchema, { ...root, entries }, '');
  const shared = root.entries.get('shared_state');
  if (shared && value?.shared_state) config.sharedState = { ...value.shared_state, place: shared.place };
  config.problems.push(...problems.map((problem) => showForm(problem, entries)));
  config.warnings.push(...warnings);
  if (root.entries.size === 0) {
    const message = 'the file is empty, so it configures no provider';
    config.warnings.push({ message, place: root.place, hint: 'add version: "1" and providers, or remove the file' });
  } else if (!entries.has('version')) {
    const message = 'version is missing, read as "1"';
    config.warnings.push({ message, place: root.place, hint: 'add a line: version: "1"' });
  }
  const chosen = root.entries.get('default_provider');
  if (chosen?.kind === 'scalar' && typeof chosen.value === 'string') {
    config.defaultProvider = { name: chosen.value, place: chosen.place };
  }
  config.clients = root.entries.get('clients');
  config.priceTable = priceTableIn(entries);
  for (const list of ['providers', 'routes'] as const) {
    const found = entries.get(list);
    if (found?.kind === 'list') readEntries(config, list, found.items);
    else if (found) config.isComplete = false;
  }
}

/** A list that is written as a map has the names for keys, as in the files of other programs. */
function showForm(problem: Problem, entries: ReadonlyMap<string, Located>): Problem {
  for (const [list, form] of Object.entries(FORMS)) {
    const found = entries.get(list);
    if (found?.kind !== 'map' || !problem.message.startsWith(`${list}: found a map`)) continue;
    const [key = ''] = found.entries.keys();
    return {
      ...problem,
      hint: `write it as a list: - { name: ${/^[\w.-]{1,60}$/.test(key) && !nameHoldsKey(key) ? key : 'NAME'}, ${form} }`,
    };
  }
  return problem;
}

/** `providers:` without a value: every entry is commented out. */
function isEmptyList(key: string, value: Located): boolean {
  return ['providers', 'routes', 'clients'].includes(key) && value.kind === 'scalar' && value.value === null;
}

function readEntries(config: ConfigFile, list: 'providers' | 'routes', items: Located[]): void {
  const isRoutes = list === 'routes';
  const names = isRoutes ? config.routeNames : config.names;
  const firstPlaces = new Map<string, Position>();
  for (const [index, fields] of items.entries()) {
    const path = `${list}[${index}]`;
    const { value, problems } = validate(isRoutes ? routeNameSchema : entrySchema, fields, path);
    config.problems.push(...problems);
    const name = value?.name ?? (isRoutes ? undefined : goodName(fields));
    const first = name === undefined ? undefined : firstPlaces.get(name);
    if (name === undefined) config.isComplete = false;
    else if (first) config.problems.push(explainDuplicate(fields, path, name, first));
    else {
      firstPlaces.set(name, fields.place);
      names.add(name);
    }
    if (fields.kind !== 'map') continue;
    const entry = value && { name: value.name, fields, path };
    if (entry && !first) config[isRoutes ? 'routes' : 'entries'].push(entry);
    else if (isRoutes) continue;
    else if (entry && driverOf(entry) !== undefined) config.repeated.push(entry);
    else config.problems.push(...validateOptions(fields, path, coreSchemasOf).problems);
  }
}

/** The name of a broken entry, if the name itself is valid. */
function goodName(fields: Located): string | undefined {
  const node = fields.kind === 'map' ? fields.entries.get('name') : undefined;
  if (!node) return undefined;
  const parsed = entrySchema.shape.name.safeParse(node.kind === 'scalar' ? node.value : undefined);
  return parsed.success ? parsed.data : undefined;
}

export function explainDuplicate(fields: Located, path: string, name: string, first: Position): Problem {
  const shown = isPresentable(name) ? quote(name) : 'a name';
  const place = (fields.kind === 'map' && fields.entries.get('name')?.place) || fields.place;
  const elsewhere = `first at ${formatPosition(first)}`;
  return { message: `${path}.name: found ${shown} a second time, expected every name once (${elsewhere})`, place };
}
