import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../errors';
import { isBuilt } from '../../plugins/load';
import type { Manifest } from '../../plugins/manifest';
import { findProgram } from '../../subprocess/find-program';
import { type CheckCode, failed, type Finding, ok, skipRest, skipped, warning } from './check-codes';
import { runProgram } from './run-program';

const KEYWORD = 'drivebay-driver';
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];
const PACK_LIMIT_MS = 30_000;

const text = z.string().optional().catch(undefined);
const map = z.record(z.string(), z.unknown()).catch({});
const packageSchema = z.object({
  name: text,
  license: text,
  keywords: z.array(z.unknown()).catch([]),
  scripts: map,
  dependencies: map,
  optionalDependencies: map,
  engines: map,
});
type PackageFile = z.infer<typeof packageSchema>;

/** Checks the package for npm. A driver without package.json is complete, but cannot be published. */
export async function checkPackage(directory: string, manifest: Manifest | undefined): Promise<Finding[]> {
  const file = join(directory, 'package.json');
  if (!existsSync(file)) return skipRest('P', [], 'there is no package.json: the driver is not for publishing');
  let value: PackageFile;
  try {
    value = packageSchema.parse(Object(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    const findings = [failed('P01', `package.json cannot be read: ${messageOf(error).split('\n')[0] ?? ''}`)];
    return [...findings, ...skipRest('P', findings, 'package.json cannot be read')];
  }
  const hasReadme = readdirSync(directory).some((name) => /^readme(\.|$)/i.test(name));
  return [
    advise('P01', value.keywords.includes(KEYWORD), `the keyword ${KEYWORD} is missing`, `"keywords": ["${KEYWORD}"]`),
    checkPeer(value),
    checkScripts(directory, value),
    advise(
      'P04',
      typeof value.engines.node === 'string',
      'engines.node is missing',
      '"engines": { "node": ">=20.19" }',
    ),
    advise('P05', Boolean(value.license), 'license is missing', '"license": "MIT", or another'),
    hasReadme ? ok('P06') : warning('P06', 'there is no README'),
    checkName(value, manifest),
    await checkContents(directory, manifest),
  ];
}

function advise(code: CheckCode, isGood: boolean, message: string, line: string): Finding {
  return isGood ? ok(code) : warning(code, message, `add to package.json: ${line}`);
}

function checkPeer({ dependencies, optionalDependencies }: PackageFile): Finding {
  if (!('drivebay' in { ...optionalDependencies, ...dependencies })) return ok('P02');
  return failed(
    'P02',
    'drivebay is a dependency: each user of the driver would get a second copy',
    'move it to peerDependencies, optional, and to devDependencies',
  );
}

function checkScripts(directory: string, { scripts }: PackageFile): Finding {
  const found = INSTALL_SCRIPTS.filter((name) => typeof scripts[name] === 'string');
  // npm runs node-gyp when this file exists and no script replaces it.
  if (existsSync(join(directory, 'binding.gyp'))) found.push('binding.gyp');
  if (found.length === 0) return ok('P03');
  return failed(
    'P03',
    `the package runs code during its installation: ${found.join(', ')}`,
    'do that work before publishing',
  );
}

function checkName({ name }: PackageFile, manifest: Manifest | undefined): Finding {
  if (!manifest) return skipped('P07', 'the manifest cannot be used');
  const wanted = `${KEYWORD}-${manifest.driver}`;
  if (name === wanted || (name?.startsWith('@') && name.endsWith(`/${wanted}`))) return ok('P07');
  const found = name === undefined ? 'the package has no name' : `the name of the package is ${name}`;
  return warning('P07', found, `name it ${wanted}, so that users find it`);
}

/** Asks npm, because `files`, .npmignore and .gitignore have complex rules. Runs no script of the package. */
async function checkContents(directory: string, manifest: Manifest | undefined): Promise<Finding> {
  if (!manifest) return skipped('P08', 'the manifest cannot be used');
  const files = await packedFiles(directory);
  if (typeof files === 'string') return skipped('P08', files);
  const main = posix.normalize(manifest.main);
  const isMain = (file: string) => file === main || file.startsWith(`${main}.`) || file.startsWith(`${main}/index.`);
  const missing = [
    ...(files.includes('manifest.json') ? [] : ['manifest.json']),
    ...(files.some(isMain) ? [] : [main]),
  ];
  if (missing.length === 0) return ok('P08');
  if (missing.includes(main) && !isBuilt(directory, manifest.main)) return skipped('P08', `${main} is not there yet`);
  const hint = 'correct "files" in package.json; see: npm pack --dry-run';
  return failed('P08', `npm leaves out ${missing.join(' and ')}`, hint);
}

const packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) })).min(1);

async function packedFiles(directory: string): Promise<string[] | string> {
  try {
    const npm = await findProgram({ names: ['npm'], environment: process.env });
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
    const { stdout, stderr, code } = await runProgram(npm, args, { cwd: directory, limitMs: PACK_LIMIT_MS });
    if (code !== 0) return `npm pack failed: ${stderr.trim().split('\n')[0] ?? ''}`;
    return packed.parse(JSON.parse(stdout))[0]?.files.map(({ path }) => path) ?? [];
  } catch (error) {
    return `npm could not be run: ${messageOf(error)}`;
  }
}
