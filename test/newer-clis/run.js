'use strict';
// npm run test:newer-clis [-- <what jest takes, for example gamma-cli>], after npm run test:real-clis
const path = require('node:path');
const { runTests } = require('../real-programs/run-tests');

const PROGRAMS = path.join(__dirname, 'node_modules/.bin');

// The tests, the daemons in them and the programs all run on the Node that is among the programs.
process.env.PATH = [PROGRAMS, process.env.PATH].join(path.delimiter);
process.env.REAL_CLIS = PROGRAMS;

runTests(__dirname, [
  {
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    script: 'install.cjs',
    tests: '(alpha-cli|clients-on-claude|launch)',
  },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'gamma-cli' },
]);
