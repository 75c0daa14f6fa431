import { readFileSync, readdirSync, statSync, type Stats } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { messageOf } from '../errors';
import { packageRoot } from '../package';
import { type Manifest, parseManifest } from './manifest';

/** `unused`: found, no provider needed it yet. `shadowed`: another plug-in found earlier owns the driver name. */
export type PluginState = 'ready' | 'unused' | 'failed' | 'shadowed';

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
  /** Why it is `failed` or `shadowed`. */
  reason?: string;
}

interface Root {
  directory: string;
  source: Plugin['source'];
  codeDirectory?: string;
}

export interface DiscoverOptions {
  /** A list of folders, as in PATH: each a plug-in, or a folder of plug-ins. */
  pluginPath?: string | undefined;
  userPlugins: string;
  /** Whether the drivers in docs/examples count, for the demo. */
  examples?: boolean;
}

/** The entries of a plug-in path that are no folders: most likely misspelt. */
export function missingFolders(pluginPath: string | undefined): string[] {
  return entriesOf(pluginPath).filter((directory) => !look(directory)?.isDirectory());
}

function entriesOf(pluginPath = ''): string[] {
  return pluginPath
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => resolve(directory));
}

/** Finds every plug-in, in order of precedence, by reading manifests only. Never throws, never runs plug-in code. */
export function discoverPlugins(options: DiscoverOptions): Plugin[] {
  const roots: Root[] = [
    BUNDLED,
    ...entriesOf(options.pluginPath).map((directory): Root => ({ directory, source: 'path' })),
    { directory: options.userPlugins, source: 'user' },
    ...(options.examples ? [{ directory: join(packageRoot, 'docs', 'examples'), source: 'example' as const }] : []),
  ];
  const found = roots.flatMap(pluginsIn);
  // A folder may be reached by two ways, and is one plug-in all the same.
  const plugins = found.filter(
    ({ directory }, index) => found.findIndex((each) => each.directory === directory) === index,
  );
  markShadowed(plugins);
  return plugins;
}

/** Those that come with Drivebay. Nobody else's plug-in can have their names. */
export function bundledPlugins(): Plugin[] {
  return pluginsIn(BUNDLED);
}

const BUNDLED: Root = {
  directory: join(packageRoot, 'plugins'),
  codeDirectory: join(packageRoot, 'dist', 'plugins'),
  source: 'bundled',
};

function pluginsIn(root: Root): Plugin[] {
  const code = root.codeDirectory ?? root.directory;
  if (isFile(join(root.directory, 'manifest.json'))) return [readPlugin(root.directory, code, root.source)];
  const folders = subfolders(root.directory).flatMap((name) => {
    if (name !== 'node_modules') return [name];
    const installed = subfolders(join(root.directory, name)).flatMap((entry) =>
      entry.startsWith('@')
        ? subfolders(join(root.directory, name, entry)).map((scoped) => join(entry, scoped))
        : [entry],
    );
    return installed.map((entry) => join(name, entry));
  });
  return folders
    .filter((name) => isFile(join(root.directory, name, 'manifest.json')))
    .filter((name) => !name.startsWith('node_modules') || isOurs(join(root.directory, name)))
    .map((name) => readPlugin(join(root.directory, name), join(code, name), root.source));
}

/** What plug-ins depend on is installed beside them, and may have a manifest.json of another kind. */
function isOurs(directory: string): boolean {
  if (basename(directory).startsWith('drivebay-driver-')) return true;
  try {
    const value = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as object | null;
    return value !== null && typeof value === 'object' && 'apiVersion' in value && 'driver' in value;
  } catch {
    return false;
  }
}

/** One plug-in, in whatever state it is. */
export function readPlugin(directory: string, codeDirectory: string, source: Plugin['source']): Plugin {
  const plugin = { driver: basename(directory).replace(/^drivebay-driver-/, ''), directory, codeDirectory, source };
  try {
    const manifest = parseManifest(readFileSync(join(directory, 'manifest.json'), 'utf8'));
    const version = manifest.version ?? packageVersion(directory);
    return { ...plugin, driver: manifest.driver, manifest, ...(version && { version }), state: 'unused' };
  } catch (error) {
    return { ...plugin, state: 'failed', reason: messageOf(error) };
  }
}

function markShadowed(plugins: Plugin[]): void {
  const owners = new Map<string, Plugin>();
  // The other names of our own drivers stand in documentation and in people's files.
  const aliases = new Map<string, Plugin>();
  for (const plugin of plugins.filter(({ source }) => source === 'bundled')) {
    for (const alias of plugin.manifest?.aliases ?? []) aliases.set(alias, plugin);
  }
  for (const plugin of plugins) {
    const owner = owners.get(plugin.driver) ?? (plugin.source === 'bundled' ? undefined : aliases.get(plugin.driver));
    if (!owner) {
      owners.set(plugin.driver, plugin);
    } else {
      plugin.state = 'shadowed';
      plugin.reason = `the driver name "${plugin.driver}" belongs to ${owner.directory}`;
    }
  }
}

function packageVersion(directory: string): string | undefined {
  try {
    const parsed = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof parsed.version === 'string' ? parsed.version : undefined;
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

function isFile(path: string): boolean {
  return look(path)?.isFile() ?? false;
}

/** Nothing also where looking fails: one link that leads to itself must not hide the plug-ins beside it. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
