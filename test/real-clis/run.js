'use strict';
// Installs the agent CLIs of package.json here, when they are not there as its lock file says, and runs the tests on them:
//   npm run test:real-clis [-- <what jest takes, for example delta-cli>]
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const modifiedAt = (file) => fs.statSync(path.join(__dirname, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

// npm writes this file last.
if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) run('npm', ['ci'], __dirname);
const jest = require.resolve('jest/bin/jest');
const config = path.join(__dirname, 'jest.config.js');
run(process.execPath, [jest, '--config', config, ...process.argv.slice(2)], path.join(__dirname, '../..'));
