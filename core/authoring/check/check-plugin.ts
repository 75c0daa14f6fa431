import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundledPlugins } from '../../plugins/discover';
import { checkLoading } from './check-loading';
import { checkManifest } from './check-manifest';
import { checkPackage } from './check-package';
import { type Finding, skipRest } from './check-codes';

export interface CheckReport {
  directory: string;
  /** Absent when the manifest is not valid. */
  driver?: string;
  passed: boolean;
  findings: Finding[];
}

/** Runs every check that needs no backend. */
export async function checkPlugin(folder: string, limitMs?: number): Promise<CheckReport> {
  const directory = realpathSync(resolve(folder));
  const bundled = bundledPlugins();
  // The compiled code of a bundled plug-in is in another folder.
  const own = bundled.find((plugin) => plugin.directory === directory);
  const { manifest, findings } = checkManifest(
    directory,
    bundled.filter((plugin) => plugin !== own),
  );
  const codeDirectory = own?.codeDirectory ?? directory;
  const [loading, packaging] = await Promise.all([
    manifest
      ? checkLoading({ directory, codeDirectory }, manifest, limitMs)
      : skipRest('L', [], 'the manifest cannot be used'),
    checkPackage(directory, manifest),
  ]);
  const all = [...findings, ...loading, ...packaging];
  return {
    directory,
    driver: manifest?.driver,
    passed: all.every(({ status }) => status !== 'failed'),
    findings: all,
  };
}
