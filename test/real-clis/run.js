'use strict';
// Installs the agent CLIs of package.json here, when they are not there as it says, and runs the tests on them:
//   npm run test:real-clis [-- <what jest takes, for example delta-cli>]
// Tests whose program cannot be installed do not run; with CI=true that is a failure.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { CLIS, installClis } = require('./install-clis');
const { endLeftovers } = require('./leftovers');

const ROOT = path.join(__dirname, '../..');

function main(folder) {
  const missing = installClis();
  const skipped = [...new Set(missing.map(({ tests }) => tests))];
  const failed = CLIS.every(({ tests }) => skipped.includes(tests)) ? 0 : runTests(folder, skipped);
  const left = endLeftovers(folder);
  for (const one of left) console.error(`left behind: ${one}`);
  for (const why of new Set(missing.map((cli) => cli.why))) {
    const those = missing.filter((cli) => cli.why === why);
    const list = (key) => [...new Set(those.map((cli) => cli[key]))].join(', ');
    console.error(`not installed: ${list('program')} (${why}); tests that did not run: ${list('tests')}`);
  }
  return failed || (left.length > 0 || (missing.length > 0 && process.env.CI === 'true') ? 1 : 0);
}

function runTests(folder, skipped) {
  const jest = [require.resolve('jest/bin/jest'), ...process.argv.slice(2)];
  jest.push('--config', path.join(__dirname, 'jest.config.js'));
  // Jest's own choice is a temporary folder.
  jest.push('--cacheDirectory', path.join(ROOT, 'node_modules/.cache/jest-clis'));
  if (skipped.length > 0) jest.push('--testPathIgnorePatterns', ...skipped);
  const env = { ...process.env, TMPDIR: folder };
  const { status, error } = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: 'inherit', env });
  if (error) throw error;
  return status ?? 1;
}

// The tests end by the same signal; what they leave is seen to afterwards.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
// Every temporary folder of the tests is made in here, so that what they leave is seen.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clis-'));
try {
  process.exitCode = main(folder);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
