import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot, productVersion } from '../../package';

export interface NewDriver {
  name: string;
  kind: 'http' | 'cli';
  ts: boolean;
  /** The folder of the new driver. */
  directory: string;
}

/** The name of the driver in the templates. The templates are working drivers. */
const PLACEHOLDER = 'my-driver';

/** The files of a new driver: name and content. */
export function driverFiles(driver: NewDriver): Record<string, string> {
  const { kind, ts } = driver;
  const template = (file: string) =>
    fill(readFileSync(join(packageRoot, 'docs', 'templates', kind, file), 'utf8'), driver);
  return {
    'manifest.json': template('manifest.json').replace('./index.js', ts ? './dist/index.js' : './index.js'),
    'package.json': toJson(packageFile(driver)),
    ...(ts && { 'tsconfig.json': toJson(TSCONFIG) }),
    [ts ? 'index.ts' : 'index.js']: template(ts ? 'index.ts' : 'index.js'),
    'conformance.test.js': template('conformance.test.js'),
    'README.md': template('README.md'),
    '.gitignore': ts ? 'node_modules/\ndist/\n' : 'node_modules/\n',
  };
}

function fill(text: string, { name }: NewDriver): string {
  const constant = (words: string) => words.replaceAll('-', '_').toUpperCase();
  return text.replaceAll(PLACEHOLDER, name).replaceAll(constant(PLACEHOLDER), constant(name));
}

function packageFile({ name, ts, directory }: NewDriver) {
  return {
    name: `drivebay-driver-${name}`,
    version: '0.1.0',
    description: `Drivebay driver: ${name}`,
    keywords: ['drivebay-driver'],
    license: 'MIT',
    type: 'module',
    main: ts ? './dist/index.js' : './index.js',
    files: ts ? ['dist', 'manifest.json'] : ['index.js', 'manifest.json'],
    engines: { node: '>=20.19' },
    scripts: ts
      ? { build: 'tsc', test: 'npm run build && node --test', prepack: 'npm run build' }
      : { test: 'node --test' },
    // Optional, because npm does not find every installation of Drivebay.
    peerDependencies: { drivebay: `>=${productVersion}` },
    peerDependenciesMeta: { drivebay: { optional: true } },
    devDependencies: {
      ...(ts && { '@types/node': '^20.19.0' }),
      drivebay: drivebayItself(directory),
      ...(ts && { typescript: '^5.9.0' }),
    },
  };
}

/** Links to a checkout of Drivebay, or names a published version. */
function drivebayItself(directory: string): string {
  return existsSync(join(packageRoot, 'core')) ? `file:${relative(directory, packageRoot)}` : `^${productVersion}`;
}

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'dist',
  },
  files: ['index.ts'],
};

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
