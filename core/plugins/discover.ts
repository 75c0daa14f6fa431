import { readFileSync, readdirSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { messageOf } from '../errors';
import { isFields } from '../fields';
import { packageRoot } from '../package';
import { look } from './code-print';
import { type Manifest, parseManifest } from './manifest';

/** `unused`: found, no provider needed it yet. `shadowed`: another plug-in found earlier owns the driver name. */
type PluginState = 'ready' | 'unused' | 'failed' | 'shadowed';

export interface Plugin {
  /** From the manifest; the folder's name where the manifest cannot be read. */
  driver: string;
  directory: string;
  /** Where `main` is resolved: the folder itself, or its compiled twin for a bundled plug-in. */
  codeDirectory: string;
  source: 'bundled' | 'path' | 'user' | 'example';
  manifest?: Manifest;
  version?: string;
  state: PluginState;
  reason?: string;
  /** Of a plug-in that is ready and no part of Drivebay: what its files were when they were imported. */
  print?: string;
}

interface Root {
  directory: string;
  source: Plugin['source'];
  codeDirectory?: string;
}

const BUNDLED: Root = {
  directory: join(packageRoot, 'plugins'),
  codeDirectory: join(packageRoot, 'dist', 'plugins'),
  source: 'bundled',
};

interface DiscoverOptions {
  /** A list of folders, as in PATH: each a plug-in, or a folder of plug-ins. */
  pluginPath?: string;
  userPlugins: string;
  /** Whether the drivers in docs/examples count, for the demo. */
  examples?: boolean;
}

/** The entries of a plug-in path that are no folders: most likely misspelt. */
export function missingFolders(pluginPath: string | undefined): string[] {
  return entriesOf(pluginPath).filter((directory) => !look(directory)?.isDirectory());
}

/** The folders of a plug-in path without a plug-in: most likely the manifest has another name, or is further down. */
export function emptyFolders(pluginPath: string | undefined): string[] {
  return entriesOf(pluginPath).filter(
    (directory) => look(directory)?.isDirectory() && pluginsIn({ directory, source: 'path' }).length === 0,
  );
}

/** The entries of a plug-in path, as absolute paths. */
export function entriesOf(pluginPath = ''): string[] {
  return pluginPath
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => resolve(directory));
}

/** Finds every plug-in, in order of precedence, by reading manifests only. Never throws, never runs plug-in code. */
export function discoverPlugins({ pluginPath, userPlugins, examples }: DiscoverOptions): Plugin[] {
  const roots: Root[] = [
    BUNDLED,
    ...entriesOf(pluginPath).map((directory): Root => ({ directory, source: 'path' })),
    { directory: userPlugins, source: 'user' },
  ];
  if (examples) roots.push({ directory: join(packageRoot, 'docs', 'examples'), source: 'example' });
  const plugins = new Map<string, Plugin>();
  // Two roots may lead to one folder: it is one plug-in.
  for (const plugin of roots.flatMap(pluginsIn)) {
    if (!plugins.has(plugin.directory)) plugins.set(plugin.directory, plugin);
  }
  const found = [...plugins.values()];
  markShadowed(found);
  return found;
}

/** The plug-ins that come with Drivebay. No other plug-in can take their names. */
export function bundledPlugins(): Plugin[] {
  return pluginsIn(BUNDLED);
}

function pluginsIn({ directory, codeDirectory = directory, source }: Root): Plugin[] {
  if (isPlugin(directory)) return [readPlugin(directory, codeDirectory, source)];
  return subfolders(directory)
    .flatMap((name) =>
      name === 'node_modules' ? installedIn(directory) : isPlugin(join(directory, name)) ? [name] : [],
    )
    .map((name) => readPlugin(join(directory, name), join(codeDirectory, name), source));
}

/** The plug-ins among the packages of a folder, by their paths from there. */
function installedIn(directory: string): string[] {
  const packages = subfolders(join(directory, 'node_modules')).flatMap((name) =>
    name.startsWith('@')
      ? subfolders(join(directory, 'node_modules', name)).map((scoped) => join('node_modules', name, scoped))
      : [join('node_modules', name)],
  );
  return packages.filter((name) => isPlugin(join(directory, name)) && isOurs(join(directory, name)));
}

function isPlugin(directory: string): boolean {
  return look(join(directory, 'manifest.json'))?.isFile() ?? false;
}

/** The dependencies of plug-ins are installed beside them, and may have a manifest.json of another kind. */
function isOurs(directory: string): boolean {
  if (basename(directory).startsWith('drivebay-driver-')) return true;
  const manifest = readJson(join(directory, 'manifest.json'));
  return isFields(manifest) && 'apiVersion' in manifest && 'driver' in manifest;
}

/** One plug-in, in whatever state it is. */
export function readPlugin(directory: string, codeDirectory: string, source: Plugin['source']): Plugin {
  const plugin = { driver: basename(directory).replace(/^drivebay-driver-/, ''), directory, codeDirectory, source };
  try {
    const manifest = parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8'), source === 'bundled');
    const version = manifest.version ?? packageVersion(directory);
    return { ...plugin, driver: manifest.driver, manifest, version: version || undefined, state: 'unused' };
  } catch (error) {
    return { ...plugin, state: 'failed', reason: messageOf(error) };
  }
}

function markShadowed(plugins: Plugin[]): void {
  const owners = new Map<string, Plugin>();
  // The aliases of bundled drivers stand in the documentation and in configuration files.
  const aliases = new Map<string, Plugin>();
  for (const plugin of plugins.filter(({ source }) => source === 'bundled')) {
    for (const alias of plugin.manifest?.aliases ?? []) aliases.set(alias, plugin);
  }
  for (const plugin of plugins) {
    const { driver, source } = plugin;
    const owner = owners.get(driver) ?? (source === 'bundled' ? undefined : aliases.get(driver));
    if (!owner) {
      owners.set(driver, plugin);
    } else {
      plugin.state = 'shadowed';
      plugin.reason = `the driver name "${driver}" belongs to ${owner.directory}`;
    }
  }
}

function packageVersion(directory: string): string | undefined {
  const manifest = readJson(join(directory, 'package.json'));
  return isFields(manifest) && typeof manifest.version === 'string' ? manifest.version : undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** By `stat`, not by the directory entry: `npm link` and `npm install FOLDER` leave symbolic links. Sorted by name. */
function subfolders(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => look(join(directory, name))?.isDirectory())
      .sort();
  } catch {
    return [];
  }
}
