'use strict';
// npm run test:real-clis [-- <what jest takes, for example delta-cli>]
const { runTests } = require('../real-programs/run-tests');

runTests(__dirname, [
  {
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    tests: 'alpha-cli.test.ts',
    script: 'install.cjs',
  },
  {
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    tests: 'claude-as-client.test.ts',
    script: 'install.cjs',
  },
  { program: 'codex', package: '@openai/codex', tests: 'delta-cli.test.ts' },
  { program: 'codex', package: '@openai/codex', tests: 'codex-as-client.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'gamma-cli.test.ts' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'gamma-cli.test.ts' },
  { program: 'claude', package: '@anthropic-ai/claude-code', tests: 'launch.test.ts', script: 'install.cjs' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'launch.test.ts' },
]);
