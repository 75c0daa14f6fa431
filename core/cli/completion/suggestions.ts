import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findConfig } from '../../config/find-config';
import { type LoadedConfig, loadConfig } from '../../config/load';
import { valueOf } from '../../config/located';
import { targetOf } from '../../config/mcp/describe-server';
import { loadMcp } from '../../config/mcp/load-mcp';
import { isPattern } from '../../config/routes';
import { openPlugins } from '../../daemon/project/open-plugins';
import { isDaemonAlive } from '../../daemon/socket/pid-file';
import { knownModels } from '../../devices/known-models';
import type { Paths } from '../../paths';
import { driverNames } from '../../plugins/manifest';
import { readProcesses } from '../../record/read-processes';
import { listPages } from '../config/docs';
import { readOwn } from '../config/own-file';
import { pathsHere } from '../here';
import { listClients, whyNot } from '../launch/find-client';
import { shorten } from '../terminal/format';

interface Suggestion {
  value: string;
  about?: string;
}

/** Words to offer. The shell itself knows the names of files and folders. */
export type Suggestions = Suggestion[] | 'files' | 'folders';

/** By the names that options and arguments have in the help. */
const KINDS: Record<string, (paths: Paths, provider: string | undefined) => Suggestions | Promise<Suggestions>> = {
  file: () => 'files',
  agent: () => 'files',
  folder: () => 'folders',
  skill: skills,
  pid: processes,
  provider: providers,
  driver: drivers,
  model: models,
  smallModel: models,
  client: clients,
  'client-name': gatewayClients,
  server: servers,
  page: pages,
};

/** The values for an option or an argument of this name, from files alone: this starts nothing and sends no request. */
export async function ofKind(name: string, provider: string | undefined): Promise<Suggestions> {
  const list = KINDS[name];
  return list ? list(pathsHere(), provider) : [];
}

function configured(paths: Paths): LoadedConfig {
  // Without `trust`: its notices appear once, and here they would be lost.
  return loadConfig(findConfig(paths));
}

/** Routes stand where providers do. Patterns are for clients of the gateway. */
function providers(paths: Paths): Suggestion[] {
  const { entries, routes } = configured(paths);
  const named = routes.filter(({ name }) => !isPattern(name));
  return [
    ...entries.map(({ name, driver }) => ({ value: name, about: driver })),
    ...named.map(({ name, targets }) => ({
      value: name,
      about: `route over ${targets.map((one) => one.name).join(', ')}`,
    })),
  ];
}

function drivers(paths: Paths): Suggestion[] {
  const manifests = openPlugins(paths, { environment: process.env }).manifests();
  return manifests.flatMap((manifest) => driverNames(manifest).map((value) => ({ value, about: manifest.summary })));
}

function clients(paths: Paths): Suggestion[] {
  const all = listClients(openPlugins(paths, { environment: process.env }));
  return all.filter((client) => whyNot(client) === undefined).map(({ name, title }) => ({ value: name, about: title }));
}

/** Those whom the commands change: the user's own. */
function gatewayClients(): Suggestion[] {
  return (readOwn().clients ?? []).map(({ name }) => ({ value: name }));
}

function servers(paths: Paths): Suggestion[] {
  const { servers: found, disabled } = loadMcp(paths, true);
  return [...found, ...disabled].map(({ name, values }) => ({ value: name, about: targetOf(values) }));
}

function pages(): Suggestion[] {
  return listPages().map(({ page, title }) => ({ value: page, about: title }));
}

function models(paths: Paths, provider: string | undefined): Suggestion[] {
  const loaded = configured(paths);
  const asked = provider === undefined ? undefined : takersOf(provider, loaded);
  const chosen = loaded.entries.filter(({ name }) => asked === undefined || asked.has(name));
  const found = chosen.flatMap(({ name, fields }) => {
    const { default_model: standard, models: known } = valueOf(fields) as Record<string, unknown>;
    const own = [standard, ...Object.keys(known && typeof known === 'object' ? known : {})];
    const names = [...own, ...knownModels(paths.cache, name)];
    return names.filter((each) => typeof each === 'string').map((value) => ({ value, about: name }));
  });
  return [...new Map(found.map((each) => [each.value, each])).values()];
}

/** The provider of this name, or the providers that a route gives the model of a request to. */
function takersOf(name: string, loaded: LoadedConfig, seen = new Set<string>()): Set<string> {
  const route = loaded.routes.find((each) => each.name === name);
  if (!route) return new Set([name]);
  // A circle is a mistake, which this command does not tell.
  if (seen.has(name)) return new Set();
  const free = route.targets.filter(({ model }) => model === undefined);
  return new Set(free.flatMap((target) => [...takersOf(target.name, loaded, new Set([...seen, name]))]));
}

async function processes({ state }: Paths): Promise<Suggestion[]> {
  const all = await readProcesses(state, isDaemonAlive);
  // The latest first, and running processes before ended ones.
  const order = all.toReversed().sort((a, b) => Number(Boolean(a.end)) - Number(Boolean(b.end)));
  return order.map(({ pid, state: how, intent }) => ({ value: String(pid), about: `${how}: ${shorten(intent, 40)}` }));
}

async function skills({ projectRoot, userSkills }: Paths): Promise<Suggestion[]> {
  const folders = [...(projectRoot === undefined ? [] : [join(projectRoot, '.drivebay', 'skills')]), userSkills];
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return found.flat().map((value) => ({ value }));
}
