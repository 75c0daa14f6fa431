import { suggestProvider } from '../../config/did-you-mean';
import { addEntry, removeEntry, setDefault } from '../../config/edit-config';
import { findConfig } from '../../config/find-config';
import { loadConfig } from '../../config/load';
import { isPattern } from '../../config/routes';
import { nameOrHidden } from '../../contract/secrets';
import { openPlugins } from '../../daemon/project/open-plugins';
import { explainOffline } from '../../devices/describe-device';
import { formatPosition, UsageError } from '../../errors';
import { defined } from '../../fields';
import type { Manifest } from '../../plugins/manifest';
import { type KnownServer, knownServer, suggestDriver } from '../../plugins/suggest-driver';
import { shellWords } from '../../shell-words';
import { pathsHere } from '../here';
import { printAnswer, printNote } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { readOwn, writeOwn } from './own-file';

interface AddOptions {
  name?: string;
  baseUrl?: string;
  model?: string;
  apiKeyEnv?: string;
}

/** The flags of `providers add`, by the option of the entry that each sets. */
const FLAGS = { base_url: '--base-url', api_key_env: '--api-key-env' };

/** `providers add`: adds a provider to the user's own file, and asks it once. The exit code does not depend on its answer. */
export async function providersAdd(driver: string, given: AddOptions): Promise<void> {
  const own = readOwn();
  const manifest = findManifest(driver, given);
  const { name = driver, baseUrl, apiKeyEnv, model } = given;
  if (own.names.includes(name)) {
    throw new UsageError(`there is a provider "${name}" already`, 'choose another name: --name NAME');
  }
  const options = defined({ base_url: baseUrl, api_key_env: apiKeyEnv, default_model: model });
  for (const [option, flag] of Object.entries(FLAGS)) {
    const isGiven = Object.hasOwn(options, option);
    if (isGiven && !Object.hasOwn(manifest.options, option))
      throw new UsageError(`driver "${driver}" takes no ${flag}`);
    if (!isGiven && manifest.required.includes(option)) throw new UsageError(`driver "${driver}" needs ${flag}`);
  }
  const added = addEntry(own.text, { name, driver, ...options });
  const isOnly = own.names.length === 0 && own.defaultProvider === undefined;
  const project = await writeOwn(own.source, isOnly ? setDefault(added, name) : added, name);
  try {
    const device = project.devices.llms().find((each) => each.name === name)!;
    const { state, latencyMs, reason, hint } = await untilInterrupted(device.check());
    const answer = device.driverKind === 'http' ? `answers in ${latencyMs ?? '?'}ms` : 'is there';
    if (state === 'healthy') printAnswer(`${name} ${answer}`);
    else printNote(explainOffline(name, reason, hint));
    if (device.needsModel)
      printNote(`it has no default_model: a question names one with --model; its models: drivebay models ${name}`);
  } finally {
    await project.close();
  }
  if (isOnly) printNote('it is the default, as the only provider of this file');
  else if (project.defaultProvider === undefined)
    printNote(`to use it by default: drivebay providers set-default ${name}`);
}

/** `providers remove`: removes a provider or a route from the user's own file. */
export async function providersRemove(name: string): Promise<void> {
  const { source, text, names, defaultProvider } = needOwn(name);
  refuseTarget(name, source.file);
  const isDefault = defaultProvider === name;
  const changed = removeEntry(text, name, names.includes(name) ? 'providers' : 'routes');
  await (await writeOwn(source, isDefault ? setDefault(changed, undefined) : changed, name)).close();
  const left = names.filter((each) => each !== name);
  if (left.length === 0) printNote('no provider is left in the file; to add one: drivebay providers add <driver>');
  else if (isDefault) printNote('it was the default; to choose another one: drivebay providers set-default NAME');
}

/** `providers set-default`: sets `default_provider` in the user's own file, to a provider or a route. */
export async function providersSetDefault(name: string): Promise<void> {
  const { source, text, defaultProvider: before } = needOwn(name);
  const isChange = before !== name;
  if (isChange) await (await writeOwn(source, setDefault(text, name), name)).close();
  else printAnswer(`${name} is the default already: ${source.file}`);
  const { defaultProvider } = loadConfig(findConfig(pathsHere()));
  if (defaultProvider && defaultProvider.name !== name) {
    printNote(`note: here ${defaultProvider.place.file} makes "${defaultProvider.name}" the default`);
  }
}

/** The same, for a provider or a route that is in it. */
function needOwn(name: string) {
  const own = readOwn();
  const all = [...own.names, ...own.routes];
  if (all.includes(name)) return own;
  const { project } = findConfig(pathsHere());
  const { entries = [], routes = [] } = project ? loadConfig({ global: project }) : {};
  const isInProject = [...entries, ...routes].some((entry) => entry.name === name);
  const hint = isInProject ? `it is in ${project!.file}: edit that file` : suggestProvider(name, all);
  throw new UsageError(`there is no provider ${nameOrHidden(name)} in ${own.source.file}`, hint);
}

/** A route without one of its targets would be a mistake. Throws a UsageError that says how to go on. */
function refuseTarget(name: string, own: string): void {
  const sources = findConfig(pathsHere());
  // The project has one of the same name.
  if (sources.project && loadConfig({ global: sources.project }).entries.some((entry) => entry.name === name)) return;
  const { routes } = loadConfig(sources);
  const route = routes.find((each) => each.name !== name && each.targets.some((target) => target.name === name));
  if (!route) return;
  const remove = route.place.file === own && !isPattern(route.name);
  throw new UsageError(
    `"${name}" is a target of the route "${route.name}" (${formatPosition(route.place)})`,
    `take it out of the targets there${remove ? `; or remove the route first: drivebay providers remove ${route.name}` : ''}`,
  );
}

function findManifest(driver: string, given: AddOptions): Manifest {
  const plugins = openPlugins(pathsHere(), { environment: process.env });
  const plugin = plugins.find(driver);
  if (plugin?.manifest) return plugin.manifest;
  if (plugin) throw new UsageError(`driver "${driver}" cannot be used: ${plugin.reason}`, 'see: drivebay plugins list');
  const server = knownServer(driver, plugins.manifests());
  throw new UsageError(
    `no plug-in provides driver ${nameOrHidden(driver)}`,
    server ? howToAsk(server, given) : suggestDriver(driver, plugins.manifests()),
  );
}

function howToAsk({ name, driver, options }: KnownServer, given: AddOptions): string {
  const { base_url = '', api_key_env = '' } = options;
  const words = [driver, '--name', given.name ?? name, FLAGS.base_url, given.baseUrl ?? base_url];
  const variable = given.apiKeyEnv ?? api_key_env;
  if (variable) words.push(FLAGS.api_key_env, variable);
  if (given.model) words.push('--model', given.model);
  return `driver ${driver} asks ${name}: drivebay providers add ${shellWords(words)}`;
}
