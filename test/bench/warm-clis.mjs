import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY = 'sk-bench-0123456789';
const VARIABLE = 'BENCH_CLIS';

/**
 * Real programs whose chats are measured cold and warm, each a scenario of its name. `variable` names the folder where they are
 * installed. `speedUp` is how many times sooner than cold the first words must come, and `firstTextMs` how soon, on two
 * processors that do nothing else: one of the two is enough.
 */
export const WARM_CLIS = {
  'warm-claude': cli('claude', 'alpha-cli', { firstTextMs: 100, speedUp: 8 }),
  'warm-codex': cli('codex', 'delta-cli', { firstTextMs: 60, speedUp: 4 }),
  'warm-gemini': cli('gemini', 'gamma-cli', { firstTextMs: 90, speedUp: 12 }),
  'warm-qwen': cli('qwen', 'gamma-cli', { firstTextMs: 90, speedUp: 12 }),
};

function cli(program, driver, goal) {
  return { variable: VARIABLE, program, driver, goal };
}

/** A provider that keeps its program and one that does not, both of a program that asks the upstream of the bench. */
export function houseOf({ program, driver }) {
  const own = { driver, command: join(process.env[VARIABLE] ?? '', 'node_modules/.bin', program) };
  // Codex has its key from its own login.
  const entry = { ...own, ...(program !== 'codex' && { api_key_env: 'BENCH_API_KEY' }) };
  return {
    config: () =>
      JSON.stringify({
        version: '1',
        providers: [
          { name: 'warm', ...entry },
          { name: 'cold', ...entry, warm: false },
        ],
      }),
    environment(upstreamPort, home) {
      const url = `http://127.0.0.1:${upstreamPort}`;
      if (program === 'codex') logCodexIn(home, url);
      return {
        ...{ BENCH_API_KEY: KEY, ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1`, GOOGLE_GEMINI_BASE_URL: url },
        ...{ IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', GEMINI_CLI_HOME: home },
      };
    },
  };
}

function logCodexIn(home, url) {
  const folder = join(home, '.codex');
  mkdirSync(folder);
  writeFileSync(join(folder, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: KEY }));
  const provider = [
    `base_url = "${url}/v1"`,
    'name = "bench"',
    'wire_api = "responses"',
    'requires_openai_auth = true',
  ];
  const lines = ['model_provider = "bench"', '[model_providers.bench]', ...provider, 'supports_websockets = false'];
  writeFileSync(join(folder, 'config.toml'), lines.join('\n'));
}
