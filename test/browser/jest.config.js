const common = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
  ...common,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: [],
  // A browser and a daemon take two cores, and the limits on tasks and on waiting are for one of each.
  maxWorkers: 1,
  testTimeout: 60_000,
};
