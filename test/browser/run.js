'use strict';
// Runs the tests of the dashboard in a real browser:
//   npm run test:browser [-- <what jest takes>]
// UPDATE_SCREENSHOTS=1 also writes docs/images/ anew.
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { findChromium } = require('./find-chromium.js');

const program = findChromium();
if (!program) {
  process.stderr.write(
    'test:browser: there is no Chromium: install it (`apt-get install chromium`), or name it in CHROMIUM_PATH\n',
  );
  process.exit(1);
}
const jest = require.resolve('jest/bin/jest');
const { status, error } = spawnSync(
  process.execPath,
  [jest, '--config', path.join(__dirname, 'jest.config.js'), ...process.argv.slice(2)],
  { cwd: path.join(__dirname, '../..'), stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH: program } },
);
if (error) throw error;
process.exit(status ?? 1);
