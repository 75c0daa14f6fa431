import { join } from 'node:path';
import { messageOf } from '../errors';
import { placeIn } from './place-in';
import type { DriverFactory } from '../contract/api';
import type { Plugin } from './discover';
import { loadFactory } from './load';

/** Every plug-in by name: the only door to drivers. */
export class PluginRegistry {
  private readonly byName = new Map<string, Plugin>();
  private readonly factories = new Map<Plugin, Promise<DriverFactory>>();

  constructor(private readonly plugins: readonly Plugin[]) {
    const owners = plugins.filter((plugin) => plugin.state !== 'shadowed');
    for (const plugin of owners) this.byName.set(plugin.driver, plugin);
    for (const plugin of owners) {
      for (const alias of plugin.manifest?.aliases ?? []) {
        if (!this.byName.has(alias)) this.byName.set(alias, plugin);
      }
    }
  }

  list(): readonly Plugin[] {
    return this.plugins;
  }

  /** By driver name or alias. */
  find(driver: string): Plugin | undefined {
    return this.byName.get(driver);
  }

  /** Every name a `driver` value may have. */
  names(): string[] {
    return [...this.byName.keys()];
  }

  /** Imports the plug-in's code once and tells its state from the outcome. */
  factory(plugin: Plugin): Promise<DriverFactory> {
    let factory = this.factories.get(plugin);
    if (!factory) {
      factory = this.load(plugin);
      this.factories.set(plugin, factory);
    }
    return factory;
  }

  private async load(plugin: Plugin): Promise<DriverFactory> {
    try {
      if (!plugin.manifest) throw new Error(plugin.reason);
      const factory = await loadFactory(plugin.codeDirectory, plugin.manifest.main);
      plugin.state = 'ready';
      return factory;
    } catch (error) {
      plugin.state = 'failed';
      plugin.reason = explainLoad(error, plugin);
      throw new Error(`plug-in ${plugin.directory} failed to load: ${plugin.reason}`, { cause: error });
    }
  }
}

/**
 * One line: module errors carry a require stack, syntax errors say where in their stack's first line. Those of ES modules
 * do not say it at all; Node tells it when it ends with one.
 */
export function explainLoad(error: unknown, { codeDirectory, manifest }: Plugin): string {
  const line = messageOf(error).split('\n')[0] ?? '';
  if (typeof error !== 'object' || error === null || !('name' in error) || error.name !== 'SyntaxError') {
    const place = placeIn(codeDirectory, error);
    return place === undefined ? line : `${line} (${place})`;
  }
  const place = 'stack' in error && typeof error.stack === 'string' ? error.stack.split('\n')[0] : undefined;
  if (place && place !== `SyntaxError: ${line}`) return `${place}: ${line}`;
  return manifest ? `${line}; to see where, run: node ${join(codeDirectory, manifest.main)}` : line;
}
