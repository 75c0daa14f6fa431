'use strict';
// npm run test:clients [-- <what jest takes, for example opencode>]
const fs = require('node:fs');
const path = require('node:path');
const { runTests } = require('../real-programs/run-tests');
const { installPython } = require('./python-environment');

const AGENT_CLIS = path.join(__dirname, '../real-clis/node_modules/.bin');

const programs = [
  { package: '@ai-sdk/anthropic', tests: 'ai-sdk-doors.test.ts' },
  { package: '@ai-sdk/openai', tests: 'ai-sdk-doors.test.ts' },
  { program: 'cline', package: 'cline', tests: 'cline.test.ts' },
  { program: 'cn', package: '@continuedev/cli', tests: 'continue.test.ts' },
  { package: '@langchain/anthropic', tests: 'langchain-doors.test.ts' },
  { package: '@langchain/openai', tests: 'langchain.test.ts' },
  { program: 'opencode', package: 'opencode-ai', tests: 'opencode.test.ts', script: 'postinstall.mjs' },
  { program: 'cline', package: 'cline', tests: 'on-agent-clis.test.ts' },
  { program: 'cn', package: '@continuedev/cli', tests: 'on-agent-clis.test.ts' },
  { program: 'opencode', package: 'opencode-ai', tests: 'on-agent-clis.test.ts', script: 'postinstall.mjs' },
  { package: '@ai-sdk/anthropic', tests: 'on-agent-clis.test.ts' },
  { program: 'cline', package: 'cline', tests: 'launch.test.ts' },
  { program: 'cn', package: '@continuedev/cli', tests: 'launch.test.ts' },
  { program: 'opencode', package: 'opencode-ai', tests: 'launch.test.ts', script: 'postinstall.mjs' },
  { program: 'cline', package: 'cline', tests: 'upstream-status.test.ts' },
  { program: 'cn', package: '@continuedev/cli', tests: 'upstream-status.test.ts' },
  { program: 'opencode', package: 'opencode-ai', tests: 'upstream-status.test.ts', script: 'postinstall.mjs' },
];

runTests(__dirname, programs, [
  { name: 'SDKs for Python', tests: 'python-sdks.test.ts', install: installPython },
  { name: 'agent CLIs', tests: 'on-agent-clis.test.ts', install: findAgentClis },
]);

/** They are large, and the tests of their own have them. */
function findAgentClis() {
  return fs.existsSync(AGENT_CLIS) ? undefined : 'npm run test:real-clis installs them';
}
