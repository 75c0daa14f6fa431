'use strict';
const { spawnSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { join } = require('node:path');
const { ensureBuilt } = require('../../bin/build.js');
const { makeFolder, sweepFolders } = require('./file-folders');

const root = join(__dirname, '../..');

/** Runs a command that needs much of the program, before a short one is the first. What V8 compiles for it is kept. */
function keepCode() {
  const home = makeFolder();
  const env = { PATH: process.env.PATH, HOME: home };
  const words = ['--require', join(__dirname, 'code-cache.js'), join(root, 'bin/cli'), 'doctor'];
  spawnSync(process.execPath, words, { env, stdio: 'ignore' });
  rmSync(home, { recursive: true, force: true });
}

/** A time zone with the date of UTC and many hours left of it: no run crosses a midnight, where days and their budgets begin anew. */
function zoneOfToday() {
  // The names of these zones have the opposite sign.
  return new Date().getUTCHours() < 18 ? 'UTC' : 'Etc/GMT+8';
}

module.exports = () => {
  // For the tests, and the programs that they start.
  process.env.TZ = zoneOfToday();
  sweepFolders();
  // Tests run the real program: it has to be the current one.
  ensureBuilt();
  keepCode();
};
