import { join, resolve } from 'node:path';

/** The package's own folder: this file is in core/, its compiled form in dist/. */
export const packageRoot = resolve(__dirname, '..');

interface PackageFile {
  name: string;
  version: string;
}

export const { name: productName, version: productVersion } = require(join(packageRoot, 'package.json')) as PackageFile;
