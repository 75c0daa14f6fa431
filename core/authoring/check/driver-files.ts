import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot, productVersion } from '../../package';

interface NewDriver {
  name: string;
  kind: 'http' | 'cli';
  /** Whether the program of a CLI writes plain text, and no lines of JSON. */
  plain: boolean;
  ts: boolean;
  directory: string;
}

/** The files of a new driver: name and content. The templates are working drivers. */
export function driverFiles(driver: NewDriver): Record<string, string> {
  const { kind, plain, ts } = driver;
  const form = plain ? 'cli-plain' : kind;
  const language = ts ? 'ts' : 'js';
  const template = (folder: string, file: string) =>
    fill(readFileSync(join(packageRoot, 'docs', 'templates', folder, file), 'utf8'), driver);
  return {
    'manifest.json': template(kind, 'manifest.json').replace('./index.js', ts ? './dist/index.js' : './index.js'),
    'package.json': template(language, 'package.json'),
    ...(ts && { 'tsconfig.json': template(language, 'tsconfig.json') }),
    [`index.${language}`]: template(form, `index.${language}`),
    'conformance.test.js': template(form, 'conformance.test.js'),
    'README.md': template(kind, 'README.md'),
    '.gitignore': ts ? 'node_modules/\ndist/\n' : 'node_modules/\n',
  };
}

function fill(text: string, { name, directory }: NewDriver): string {
  const values: Record<string, string> = {
    'my-driver': name,
    MY_DRIVER: name.replaceAll('-', '_').toUpperCase(),
    DRIVEBAY_VERSION: productVersion,
    // A path inside of a JSON text.
    DRIVEBAY_ITSELF: JSON.stringify(drivebayItself(directory)).slice(1, -1),
  };
  return text.replace(/my-driver|MY_DRIVER|DRIVEBAY_(?:VERSION|ITSELF)/g, (word) => values[word]!);
}

/** The program that writes this, which is on this machine. No registry need have its version. */
function drivebayItself(directory: string): string {
  return `file:${relative(directory, packageRoot)}`;
}
