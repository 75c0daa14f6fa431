import { basename, join, resolve } from 'node:path';

/** The package's own folder: this file is in core/, or in dist/core/ once compiled. */
export const packageRoot = resolve(__dirname, basename(resolve(__dirname, '..')) === 'dist' ? '../..' : '..');

interface PackageFile {
  name: string;
  version: string;
}

export const { name: productName, version: productVersion } = require(join(packageRoot, 'package.json')) as PackageFile;
