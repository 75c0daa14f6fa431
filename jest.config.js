/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/fixtures'],
  moduleNameMapper: { '^drivebay/plugin$': '<rootDir>/core/plugins/api.ts' },
  transform: { '^.+\\.ts$': 'ts-jest' },
  globalSetup: '<rootDir>/test/setup/build-once.js',
  testTimeout: 20_000,
};
