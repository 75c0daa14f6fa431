'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { install } = require('./install');
const { endLeftovers } = require('./leftovers');

const ROOT = path.join(__dirname, '../..');

/**
 * Installs the programs into the folder of their tests, when they are not there as its package.json says, and runs the tests
 * with the words of the command line for jest. Tests whose program cannot be installed do not run; with CI=true that is
 * a failure. What is no package of npm may be missing on a machine: its tests are then named, and that is no failure.
 * @param {string} folder
 * @param {import('./install').Program[]} programs
 * @param {{ name: string, tests: string, install: () => string | undefined }[]} others `install` returns why it does not work
 */
function runTests(folder, programs, others = []) {
  // The tests end by the same signal; what they leave is seen to afterwards.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  // Every temporary folder of the tests is made in here, so that what they leave is seen.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'programs-'));
  try {
    process.exitCode = runIn(temporary, folder, programs, others);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function runIn(temporary, folder, programs, others) {
  const missing = install(folder, programs);
  const absent = others.map((one) => ({ ...one, why: one.install() })).filter(({ why }) => why !== undefined);
  const skipped = [...new Set([...missing, ...absent].map(({ tests }) => tests))];
  const isNothingLeft = programs.every(({ tests }) => skipped.includes(tests));
  const failed = isNothingLeft ? 0 : runJest(temporary, folder, skipped);
  const left = endLeftovers(temporary);
  for (const one of left) console.error(`left behind: ${one}`);
  for (const why of new Set(missing.map((one) => one.why))) {
    const those = missing.filter((one) => one.why === why);
    const names = those.map((one) => one.program ?? one.package).join(', ');
    const tests = [...new Set(those.map((one) => one.tests))].join(', ');
    console.error(`not installed: ${names} (${why}); tests that did not run: ${tests}`);
  }
  for (const { name, why, tests } of absent) {
    const count = fs.readFileSync(path.join(folder, tests), 'utf8').match(/^ *test\(/gm).length;
    console.error(`not on this machine: ${name} (${why}); tests that did not run: ${count} of ${tests}`);
  }
  return failed || (left.length > 0 || (missing.length > 0 && process.env.CI === 'true') ? 1 : 0);
}

function runJest(temporary, folder, skipped) {
  const jest = [require.resolve('jest/bin/jest'), ...process.argv.slice(2)];
  jest.push('--config', path.join(folder, 'jest.config.js'));
  // Jest's own choice is a temporary folder.
  jest.push('--cacheDirectory', path.join(ROOT, 'node_modules/.cache', `jest-${path.basename(folder)}`));
  if (skipped.length > 0) jest.push('--testPathIgnorePatterns', ...skipped);
  const env = { ...process.env, TMPDIR: temporary };
  // The Node of the PATH, which may be one that has just been installed.
  const { status, error } = spawnSync('node', jest, { cwd: ROOT, stdio: 'inherit', env });
  if (error) throw error;
  return status ?? 1;
}

module.exports = { runTests };
