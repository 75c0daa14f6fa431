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
 * a failure.
 * @param {string} folder
 * @param {import('./install').Program[]} programs
 */
function runTests(folder, programs) {
  // The tests end by the same signal; what they leave is seen to afterwards.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  // Every temporary folder of the tests is made in here, so that what they leave is seen.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'programs-'));
  try {
    process.exitCode = runIn(temporary, folder, programs);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function runIn(temporary, folder, programs) {
  const missing = install(folder, programs);
  const skipped = [...new Set(missing.map(({ tests }) => tests))];
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
  return failed || (left.length > 0 || (missing.length > 0 && process.env.CI === 'true') ? 1 : 0);
}

function runJest(temporary, folder, skipped) {
  const jest = [require.resolve('jest/bin/jest'), ...process.argv.slice(2)];
  jest.push('--config', path.join(folder, 'jest.config.js'));
  // Jest's own choice is a temporary folder.
  jest.push('--cacheDirectory', path.join(ROOT, 'node_modules/.cache', `jest-${path.basename(folder)}`));
  if (skipped.length > 0) jest.push('--testPathIgnorePatterns', ...skipped);
  const env = { ...process.env, TMPDIR: temporary };
  const { status, error } = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: 'inherit', env });
  if (error) throw error;
  return status ?? 1;
}

module.exports = { runTests };
