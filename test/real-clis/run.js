'use strict';
// npm run test:real-clis [-- <what jest takes, for example delta-cli>]
const { runTests } = require('../real-programs/run-tests');

const CLAUDE = { program: 'claude', package: '@anthropic-ai/claude-code', script: 'install.cjs' };
const CODEX = { program: 'codex', package: '@openai/codex' };

runTests(__dirname, [
  { ...CLAUDE, tests: 'alpha-cli.test.ts' },
  { ...CLAUDE, tests: 'alpha-cli-warm.test.ts' },
  { ...CLAUDE, tests: 'alpha-cli-tools.test.ts' },
  { ...CLAUDE, tests: 'alpha-cli-fields.test.ts' },
  { ...CLAUDE, tests: 'alpha-cli-doors.test.ts' },
  { ...CLAUDE, tests: 'clients-on-claude.test.ts' },
  { ...CODEX, tests: 'clients-on-claude.test.ts' },
  { ...CLAUDE, tests: 'claude-as-client.test.ts' },
  { ...CLAUDE, tests: 'claude-tools-as-client.test.ts' },
  { ...CLAUDE, tests: 'claude-session-as-client.test.ts' },
  { ...CLAUDE, tests: 'claude-limits-as-client.test.ts' },
  { ...CODEX, tests: 'delta-cli.test.ts' },
  { ...CODEX, tests: 'codex-as-client.test.ts' },
  { ...CODEX, tests: 'codex-session-as-client.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'gamma-cli.test.ts' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'gamma-cli.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'gamma-cli-warm.test.ts' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'gamma-cli-warm.test.ts' },
  { ...CLAUDE, tests: 'hostile-clients.test.ts' },
  { ...CODEX, tests: 'hostile-clients.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'hostile-clients.test.ts' },
  { ...CLAUDE, tests: 'routes.test.ts' },
  { ...CODEX, tests: 'routes.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'routes.test.ts' },
  { ...CLAUDE, tests: 'launch.test.ts' },
  { ...CODEX, tests: 'launch.test.ts' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'launch.test.ts' },
  { ...CLAUDE, tests: 'mcp-serve.test.ts' },
  { ...CODEX, tests: 'mcp-serve.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'mcp-serve.test.ts' },
  { ...CLAUDE, tests: 'agent-servers.test.ts' },
  { ...CODEX, tests: 'agent-servers.test.ts' },
  { program: 'gemini', package: '@google/gemini-cli', tests: 'agent-servers.test.ts' },
  { program: 'qwen', package: '@qwen-code/qwen-code', tests: 'agent-servers.test.ts' },
]);
