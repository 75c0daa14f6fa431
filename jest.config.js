/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/fixtures', '<rootDir>/test/real-clis/node_modules'],
  // They need programs that `npm ci` does not install: npm run test:real-clis.
  testPathIgnorePatterns: ['<rootDir>/test/real-clis/'],
  moduleNameMapper: {
    '^drivebay/plugin$': '<rootDir>/core/plugins/api.ts',
    '^drivebay/testing$': '<rootDir>/core/testing/api.ts',
  },
  transform: { '^.+\\.ts$': 'ts-jest' },
  globalSetup: '<rootDir>/test/setup/build-once.js',
  testTimeout: 20_000,
  // Jest's own choice is one worker less than there are processors; much of the time is spent waiting.
  maxWorkers: 2,
};
