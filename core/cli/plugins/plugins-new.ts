import { lstatSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { driverFiles } from '../../authoring/check/driver-files';
import { writeNewFile } from '../../config/write-new-file';
import { nameHoldsKey } from '../../contract/secrets';
import { UsageError } from '../../errors';
import { packageRoot, productName } from '../../package';
import { makeFolder } from '../../make-folder';
import { bundledPlugins } from '../../plugins/discover';
import { manifestSchema } from '../../plugins/manifest';
import { PluginRegistry } from '../../plugins/registry';
import { parseName } from '../command-options';
import { explainWrite } from '../explain-write';
import { workingDirectory } from '../here';
import { printAnswer } from '../terminal/print';

interface PluginsNewOptions {
  kind?: 'http' | 'cli';
  plain?: boolean;
  ts?: boolean;
  force?: boolean;
}

const PREFIX = 'drivebay-driver-';
/** npm takes package names of up to 214 characters. */
const MAXIMUM_LENGTH = 214 - PREFIX.length;

/** `plugins new`: writes a complete driver that passes every check, for its author to edit. */
export async function pluginsNew(
  name: string,
  { kind, plain = false, ts = false, force = false }: PluginsNewOptions,
): Promise<void> {
  refuseName(name);
  if (!kind) throw new UsageError('--kind is missing', kindHint(name));
  if (plain && kind !== 'cli')
    throw new UsageError('--plain is about the output of a program', 'use: --kind cli --plain');
  const folder = PREFIX + name;
  const directory = resolve(workingDirectory(), folder);
  const files = driverFiles({ name, kind, plain, ts, directory });
  const isThere = (file: string) => lstatSync(join(directory, file), { throwIfNoEntry: false }) !== undefined;
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const existing = isFolder ? Object.keys(files).filter(isThere) : [];
  if (existing.length > 0 && !force) {
    const hint = 'choose another name, or replace the files with --force';
    throw new UsageError(`${folder} has ${existing.join(', ')} already; nothing was written`, hint);
  }
  await writeAll(directory, files, existing);
  printAnswer(`wrote ${folder}: ${Object.keys(files).join(', ')}

Next:
  cd ${folder}
  npm install${isOwn() ? '' : ' --no-bin-links'}
  npm test
  ${productName} plugins check
Then put your backend into ${ts ? 'index.ts' : 'index.js'} and conformance.test.js; to see how: ${productName} docs writing-a-driver`);
}

/** Whether npm can link this program with its command: it sets the mode of that file, which only its owner may. */
function isOwn(): boolean {
  const user = process.getuid?.();
  return user === undefined || user === 0 || statSync(join(packageRoot, 'bin', 'cli')).uid === user;
}

/** Writes all files. Where one cannot be written, those that this call has made are removed, so that the next try can. */
async function writeAll(directory: string, files: Record<string, string>, existing: readonly string[]): Promise<void> {
  const made: string[] = [];
  let isNew = false;
  let path = directory;
  try {
    isNew = makeFolder(directory, 0o777) !== undefined;
    for (const [file, content] of Object.entries(files)) {
      path = join(directory, file);
      const isOld = existing.includes(file);
      await writeNewFile(path, content, { existing: isOld ? 'replaced' : 'stays' });
      if (!isOld) made.push(path);
    }
  } catch (error) {
    made.forEach((each) => rmSync(each, { force: true }));
    // Another program may have put something into it.
    if (isNew && readdirSync(directory).length === 0) rmdirSync(directory);
    throw explainWrite(path, error, 'run this in another folder');
  }
}

function kindHint(name: string): string {
  const command = `${productName} plugins new ${name}`;
  return `for a driver that calls a server: ${command} --kind http; that runs a program: ${command} --kind cli`;
}

function refuseName(name: string): void {
  if (name.startsWith(PREFIX)) {
    throw new UsageError(`the name must not begin with "${PREFIX}"`, `use: ${name.slice(PREFIX.length) || 'NAME'}`);
  }
  if (name.length > MAXIMUM_LENGTH || !manifestSchema.shape.driver.safeParse(name).success) {
    // A text that looks like a key is not shown again, not in small letters either.
    const guess = nameHoldsKey(name) ? undefined : toName(name);
    throw new UsageError(
      `"${name}" cannot be the name of a driver: expected lower-case letters and digits, words joined by hyphens, a letter first`,
      guess && guess !== name ? `use: ${guess}` : 'for example: parrot, or parrot-2',
    );
  }
  parseName('the name of a driver')(name);
  if (new PluginRegistry(bundledPlugins()).find(name)) {
    throw new UsageError(`"${name}" is a driver that comes with ${productName}`, 'choose another name');
  }
}

function toName(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, MAXIMUM_LENGTH)
    .replace(/-+$/, '');
}
