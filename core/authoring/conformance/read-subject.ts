import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Plugin, readPlugin } from '../../plugins/discover';
import type { Manifest } from '../../plugins/manifest';

/** The driver under test: a plug-in with a valid manifest. */
export interface Subject extends Plugin {
  manifest: Manifest;
}

/** Finds the driver in its folder, as the daemon does. Throws an Error with a message for the author. */
export function readSubject(directory: string): Subject {
  const folder = resolve(directory);
  const plugin = readPlugin(folder, folder, 'path');
  const { manifest, reason } = plugin;
  if (!manifest) throw new Error(`${folder} is not a driver: ${reason}`);
  return { ...plugin, manifest: { ...manifest, main: mainOf(folder, manifest.main) } };
}

/** A bundled driver runs from its sources where the test runner can load them. */
function mainOf(folder: string, main: string): string {
  const isCompiled = ['', '.js', '.cjs', '.mjs'].some((extension) => existsSync(join(folder, main + extension)));
  return !isCompiled && existsSync(join(folder, `${main}.ts`)) ? `${main}.ts` : main;
}
