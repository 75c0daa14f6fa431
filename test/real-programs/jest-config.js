const path = require('node:path');
const shared = require('../../jest.config.js');

/**
 * For a folder whose tests run real programs.
 * @returns {import('jest').Config}
 */
module.exports = (folder) => ({
  ...shared,
  rootDir: path.join(__dirname, '../..'),
  roots: [folder],
  testPathIgnorePatterns: [],
  testTimeout: 180_000,
  // The programs take a processor each.
  maxWorkers: 1,
});
