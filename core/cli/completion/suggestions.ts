import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findConfig } from '../../config/find-config';
import { loadConfig, type ProviderEntry } from '../../config/load';
import { valueOf } from '../../config/located';
import { openPlugins } from '../../daemon/project/open-plugins';
import { isDaemonAlive } from '../../daemon/socket/pid-file';
import { knownModels } from '../../devices/known-models';
import type { Paths } from '../../paths';
import { driverNames } from '../../plugins/driver-name';
import { readProcesses } from '../../record/read-processes';
import { pathsHere } from '../here';
import { listClients, whyNot } from '../launch/find-client';
import { shorten } from '../terminal/format';

export interface Suggestion {
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
};

/** The values for an option or an argument of this name, from files alone: this starts nothing and sends no request. */
export async function ofKind(name: string, provider: string | undefined): Promise<Suggestions> {
  const list = KINDS[name];
  return list ? list(pathsHere(), provider) : [];
}

function entries(paths: Paths): ProviderEntry[] {
  // Without `trust`: its notices appear once, and here they would be lost.
  return loadConfig(findConfig(paths)).entries;
}

function providers(paths: Paths): Suggestion[] {
  return entries(paths).map(({ name, driver }) => ({ value: name, about: driver }));
}

function drivers(paths: Paths): Suggestion[] {
  const manifests = openPlugins(paths, { environment: process.env }).manifests();
  return manifests.flatMap((manifest) => driverNames(manifest).map((value) => ({ value, about: manifest.summary })));
}

function clients(paths: Paths): Suggestion[] {
  const all = listClients(openPlugins(paths, { environment: process.env }));
  return all.filter((client) => whyNot(client) === undefined).map(({ name, title }) => ({ value: name, about: title }));
}

function models(paths: Paths, provider: string | undefined): Suggestion[] {
  const chosen = entries(paths).filter(({ name }) => provider === undefined || name === provider);
  const found = chosen.flatMap(({ name, fields }) => {
    const { default_model: standard, models: known } = valueOf(fields) as Record<string, unknown>;
    const configured = [standard, ...Object.keys(known && typeof known === 'object' ? known : {})];
    const names = [...configured, ...knownModels(paths.cache, name)];
    return names.filter((each) => typeof each === 'string').map((value) => ({ value, about: name }));
  });
  return [...new Map(found.map((each) => [each.value, each])).values()];
}

function processes({ state }: Paths): Suggestion[] {
  const all = readProcesses(state, isDaemonAlive);
  // The latest first, and running processes before ended ones.
  const order = all.toReversed().sort((a, b) => Number(Boolean(a.end)) - Number(Boolean(b.end)));
  return order.map(({ pid, state: how, intent }) => ({ value: String(pid), about: `${how}: ${shorten(intent, 40)}` }));
}

async function skills({ projectRoot, userSkills }: Paths): Promise<Suggestion[]> {
  const folders = [...(projectRoot === undefined ? [] : [join(projectRoot, '.drivebay', 'skills')]), userSkills];
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return found.flat().map((value) => ({ value }));
}
