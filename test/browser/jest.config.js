const common = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
  ...common,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: [],
  // A browser and a daemon for each file.
  maxWorkers: 2,
  testTimeout: 60_000,
};
