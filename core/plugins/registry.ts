import { messageOf } from '../errors';
import type { DriverFactory } from './api';
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
      plugin.reason = explainLoad(error);
      throw new Error(`plug-in ${plugin.directory} failed to load: ${plugin.reason}`, { cause: error });
    }
  }
}

/** One line: module errors carry a require stack, syntax errors say where only in their stack's first line. */
export function explainLoad(error: unknown): string {
  const line = messageOf(error).split('\n')[0] ?? '';
  if (typeof error !== 'object' || error === null || !('name' in error) || error.name !== 'SyntaxError') return line;
  const place = 'stack' in error && typeof error.stack === 'string' ? error.stack.split('\n')[0] : undefined;
  return place && place !== `SyntaxError: ${line}` ? `${place}: ${line}` : line;
}
