const shared = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/real-clis'],
  testPathIgnorePatterns: [],
  testTimeout: 60_000,
  // The programs take a processor each.
  maxWorkers: 1,
};
