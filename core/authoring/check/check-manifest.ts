import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../../errors';
import { productName } from '../../package';
import type { Plugin } from '../../plugins/discover';
import { explainDetect } from '../../plugins/explain-detect';
import { type Manifest, readManifest } from '../../plugins/manifest';
import { placeFault, type PlaceFault } from '../../plugins/place-fault';
import { type CheckCode, failed, type Finding, ok, skipRest, warning } from './check-codes';
import { checkFields } from './check-fields';
import { checkNames } from './check-names';

/** Checks manifest.json. `others` are the plug-ins that take precedence over this one. */
export function checkManifest(directory: string, others: Plugin[]): { findings: Finding[]; manifest?: Manifest } {
  let text: string;
  try {
    text = readFileSync(join(directory, 'manifest.json'), 'utf8');
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT';
    const message = missing ? 'there is no manifest.json' : `manifest.json cannot be read: ${messageOf(error)}`;
    return refused([failed('M01', message, missing ? explainMissing(directory) : undefined)]);
  }
  const reading = readManifest(text);
  const hint = `see: ${productName} docs plugin-reference, or: ${productName} schema --of manifest`;
  switch (reading.fault) {
    case 'json':
      return refused(reading.issues.map((issue) => failed('M01', `manifest.json is not JSON: ${issue}`)));
    case 'shape':
      return refused(reading.issues.map((issue) => failed('M01', issue, hint)));
    case 'version':
      return refused([ok('M01'), ...reading.issues.map((issue) => failed('M02', issue))]);
    case 'options':
      return refused([ok('M01'), ok('M02'), ...reading.issues.map((issue) => failed('M04', issue, hint))]);
    case undefined:
  }
  const { manifest } = reading;
  const at = placeFault(text);
  const findings = [
    ok('M01'),
    ok('M02'),
    checkFolder(directory, manifest),
    ok('M04'),
    ...orOk('M05', checkFields(JSON.parse(text) as Record<string, unknown>, at)),
    ...orOk('M06', checkNames(manifest, others, at)),
    ...orOk('M07', checkRequired(manifest, at)),
    ...orOk('M08', checkDetect(manifest, at)),
  ];
  return { findings, manifest };
}

function orOk(code: CheckCode, findings: Finding[]): Finding[] {
  return findings.length === 0 ? [ok(code)] : findings;
}

function refused(findings: Finding[]): { findings: Finding[] } {
  return { findings: [...findings, ...skipRest('M', findings, 'the manifest cannot be used')] };
}

/** The usual mistake is the parent folder of the plug-ins. */
function explainMissing(directory: string): string {
  const inside = readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, 'manifest.json')))
    .map((name) => join(directory, name));
  if (inside.length > 0) return `plug-ins are in these folders: ${inside.join(', ')}`;
  return `this folder is not a plug-in. To write a new one, run: ${productName} plugins new NAME --kind http`;
}

function checkFolder(directory: string, { driver }: Manifest): Finding {
  const folder = basename(directory);
  if (folder === driver || folder.endsWith(`driver-${driver}`)) return ok('M03');
  return warning(
    'M03',
    `the name of the driver is "${driver}", that of its folder "${folder}"`,
    `rename the folder or the driver`,
  );
}

function checkRequired({ required, options }: Manifest, at: PlaceFault): Finding[] {
  const missing = [...required.entries()].filter(([, name]) => !Object.hasOwn(options, name));
  return missing.map(([index, name]) =>
    failed(
      'M07',
      at({ path: ['required', index], message: `${name} is no option, so no provider can set it` }),
      `add it to options: "${name}": {}`,
    ),
  );
}

function checkDetect(manifest: Manifest, at: PlaceFault): Finding[] {
  return explainDetect(manifest).map((fault) =>
    failed('M08', at(fault), `${productName} init passes it over as it is`),
  );
}
