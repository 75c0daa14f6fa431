'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const esbuild = require('esbuild');

const OPTIONS = {
  loader: 'ts',
  format: 'cjs',
  target: 'es2023',
  sourcemap: 'external',
  // `import()` becomes `require`: Node takes no module from Jest otherwise.
  supported: { 'dynamic-import': false },
};
const VERSION = createHash('sha1').update(readFileSync(__filename)).update(esbuild.version).digest('hex');

/** Compiles TypeScript for Jest with the compiler of the program, which takes a tenth of the time of TypeScript's own. */
module.exports = {
  process(source, file) {
    return esbuild.transformSync(source, { ...OPTIONS, sourcefile: file });
  },
  getCacheKey(source, file, { instrument }) {
    return createHash('sha1').update(VERSION).update(file).update(String(instrument)).update(source).digest('hex');
  },
};
