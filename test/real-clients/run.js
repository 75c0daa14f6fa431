'use strict';
// npm run test:clients [-- <what jest takes, for example opencode>]
const { runTests } = require('../real-programs/run-tests');

runTests(__dirname, [
  { program: 'cline', package: 'cline', tests: 'cline.test.ts' },
  { program: 'cn', package: '@continuedev/cli', tests: 'continue.test.ts' },
  { package: '@langchain/openai', tests: 'langchain.test.ts' },
  { program: 'opencode', package: 'opencode-ai', tests: 'opencode.test.ts', script: 'postinstall.mjs' },
  { program: 'cline', package: 'cline', tests: 'launch.test.ts' },
  { program: 'cn', package: '@continuedev/cli', tests: 'launch.test.ts' },
  { program: 'opencode', package: 'opencode-ai', tests: 'launch.test.ts', script: 'postinstall.mjs' },
]);
