import { didYouMean } from '../config/did-you-mean';
import { driverNames } from './driver-name';
import type { Manifest } from './manifest';

const OWN = 'a plug-in of yours is found when DRIVEBAY_PLUGIN_PATH names its folder';

/** The hint for a `driver` that no plug-in provides: the one that may be meant, and all that there are. */
export function suggestDriver(word: string, manifests: readonly Manifest[]): string {
  const all = `drivers: ${manifests.map((manifest) => driverNames(manifest)[0]).join(', ')}`;
  const guess = guessDriver(word.toLowerCase(), manifests);
  return guess === undefined ? `${all}; ${OWN}` : `did you mean ${guess}? (${all})`;
}

/** A misspelt name, the beginning of one, or the product that the summary of a driver names. */
function guessDriver(word: string, manifests: readonly Manifest[]): string | undefined {
  // `providers status` shows the kind under "Driver". It stands for no driver.
  if (manifests.some(({ kind }) => kind === word)) return undefined;
  const names = manifests.flatMap(driverNames);
  const near = didYouMean(word, names) ?? names.find((name) => name.startsWith(`${word}-`));
  if (near !== undefined) return near;
  const meant = manifests.find(({ summary }) => productsIn(summary).includes(word));
  return meant && driverNames(meant)[0];
}

/** The words with a capital letter: names. */
function productsIn(summary: string): string[] {
  return (summary.match(/[\w.]+/g) ?? []).filter((word) => /[A-Z]/.test(word)).map((word) => word.toLowerCase());
}
