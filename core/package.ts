import { join, resolve } from 'node:path';

/** The package's own folder: this file is in core/, its compiled form in dist/. */
export const packageRoot = resolve(__dirname, '..');

const { name, version } = require(join(packageRoot, 'package.json')) as { name: string; version: string };

export const productName = name;
export const productVersion = version;
