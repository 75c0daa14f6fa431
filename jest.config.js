/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/setup/environment.js',
  roots: ['<rootDir>/test'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/fixtures', '<rootDir>/test/[^/]+/node_modules'],
  // The first need programs that `npm ci` does not install (npm run test:real-clis, npm run test:clients), the others
  // minutes (npm run test:slow).
  testPathIgnorePatterns: [
    '<rootDir>/test/real-clis/',
    '<rootDir>/test/real-clients/',
    // A browser (npm run test:browser).
    '<rootDir>/test/browser/',
    ...(process.env.SLOW ? [] : ['\\.slow\\.test\\.ts$']),
  ],
  moduleNameMapper: {
    '^drivebay/plugin$': '<rootDir>/core/contract/api.ts',
    '^drivebay/testing$': '<rootDir>/core/authoring/api.ts',
  },
  transform: { '\\.ts$': '<rootDir>/test/setup/transform.js' },
  globalSetup: '<rootDir>/test/setup/before-all.js',
  // Far above what a test takes: on a busy machine a limit must end a hang, and nothing else.
  testTimeout: process.env.SLOW ? 300_000 : 60_000,
  // More than Jest's own choice, because much of the time is spent waiting.
  maxWorkers: 3,
};
