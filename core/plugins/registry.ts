import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { DriverFactory } from '../contract/api';
import { bounded, messageOf } from '../errors';
import { shellWords } from '../shell-words';
import type { Plugin } from './discover';
import type { Manifest } from './manifest';
import { codePrint } from './code-print';
import { loadFactory } from './load';
import { withPlace } from './place-in';
import { noteImport, strayReason } from './stray-failures';

/** Not of one registry: a reload makes another one, and a plug-in that is the same passes from one to the next. */
const factories = new WeakMap<Plugin, Promise<DriverFactory>>();

/** Every plug-in by name: the only door to drivers. */
export class PluginRegistry {
  private readonly byName = new Map<string, Plugin>();

  constructor(private readonly plugins: readonly Plugin[]) {
    const owners = plugins.filter((plugin) => plugin.state !== 'shadowed');
    for (const plugin of owners) this.byName.set(plugin.driver, plugin);
    for (const plugin of owners) {
      for (const alias of plugin.manifest?.aliases ?? []) {
        if (!this.byName.has(alias)) this.byName.set(alias, plugin);
      }
    }
  }

  /** In their present states. */
  list(): readonly Plugin[] {
    for (const plugin of this.plugins) noteStray(plugin);
    return this.plugins;
  }

  /** By driver name or alias. */
  find(driver: string): Plugin | undefined {
    return this.byName.get(driver);
  }

  /** The manifests of the plug-ins that a `driver` value can name. */
  manifests(): Manifest[] {
    return this.plugins.filter(({ state }) => state !== 'shadowed').flatMap(({ manifest }) => manifest ?? []);
  }

  /** Imports the code of the plug-in once, and sets its state by the outcome. */
  factory(plugin: Plugin): Promise<DriverFactory> {
    let factory = factories.get(plugin);
    if (!factory) factories.set(plugin, (factory = load(plugin)));
    return factory;
  }
}

async function load(plugin: Plugin): Promise<DriverFactory> {
  try {
    if (!plugin.manifest) throw new Error(plugin.reason);
    const print = isOurs(plugin) ? undefined : codePrint(plugin.codeDirectory);
    const mark = noteImport(plugin, print);
    const factory = await loadFactory(plugin.codeDirectory, plugin.manifest.main, mark);
    // Node reports the promises that the import has rejected at the end of this turn.
    await turn();
    plugin.state = 'ready';
    plugin.print = print;
    return factory;
  } catch (error) {
    plugin.state = 'failed';
    plugin.reason = explainLoad(error, plugin);
    throw new Error(`plug-in ${plugin.directory} failed to load: ${plugin.reason}`, { cause: error });
  }
}

/** Its code changes with Drivebay only, and needs a restart then. */
function isOurs({ source }: Plugin): boolean {
  return source === 'bundled' || source === 'example';
}

/**
 * The plug-ins that were found. Where manifest and code of one are still the same, it is the plug-in that was known before. A
 * plug-in that could not be loaded is tried again.
 */
export function keepSame(found: readonly Plugin[], before: readonly Plugin[]): Plugin[] {
  return found.map((plugin) => {
    const known = before.find(({ directory }) => directory === plugin.directory);
    return known && plugin.state === 'unused' && isSame(plugin, known) ? known : plugin;
  });
}

function isSame(found: Plugin, known: Plugin): boolean {
  if (found.version !== known.version || JSON.stringify(found.manifest) !== JSON.stringify(known.manifest))
    return false;
  if (known.print !== undefined) return known.print === codePrint(known.codeDirectory);
  return known.state === 'unused' || (isOurs(known) && known.state === 'ready');
}

/** A plug-in that threw outside of any call is `failed`. Its providers go on: their calls have errors of their own. */
function noteStray(plugin: Plugin): void {
  const reason = plugin.state === 'ready' ? strayReason(plugin.codeDirectory) : undefined;
  if (reason !== undefined) Object.assign(plugin, { state: 'failed', reason } satisfies Partial<Plugin>);
}

/**
 * One line with the place. Module errors carry a require stack below their message. A syntax error has its place in the
 * first line of the stack; one in an ES module has none, and Node shows it only when it ends with that error.
 */
export function explainLoad(error: unknown, { codeDirectory, manifest }: Plugin): string {
  const line = bounded(messageOf(error).split('\n')[0] ?? '');
  const { name, stack } = (error ?? {}) as { name?: unknown; stack?: unknown };
  if (name !== 'SyntaxError') return withPlace(line, codeDirectory, error);
  const place = typeof stack === 'string' ? stack.split('\n')[0] : undefined;
  if (place && place !== `SyntaxError: ${line}`) return `${place}: ${line}`;
  return manifest ? `${line}; to see where, run: ${shellWords(['node', join(codeDirectory, manifest.main)])}` : line;
}
