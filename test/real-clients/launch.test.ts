import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT_AFTER_CALL } from '../setup/client-stage';
import { LaunchedClient } from '../setup/launched-client';

const COMMAND = 'echo made | tee made.txt';
/** Where the user's own settings lead: nobody is there. */
const ELSEWHERE = 'http://127.0.0.1:9/v1';

let client: LaunchedClient;

beforeEach(async () => {
  client = await LaunchedClient.start(join(__dirname, 'node_modules/.bin'));
});

afterEach(() => client.stage.end());

const OPENCODE = JSON.stringify({
  // opencode adds it to a file that lacks it.
  $schema: 'https://opencode.ai/config.json',
  provider: {
    mine: { npm: '@ai-sdk/openai-compatible', options: { baseURL: ELSEWHERE, apiKey: 'x' }, models: { m: {} } },
  },
  model: 'mine/m',
});

const CLINE = JSON.stringify({
  version: 1,
  lastUsedProvider: 'openai-compatible',
  modes: {},
  providers: {
    'openai-compatible': {
      settings: { provider: 'openai-compatible', apiKey: 'mine', model: 'mine', baseUrl: ELSEWHERE },
      updatedAt: '2026-01-01T00:00:00.000Z',
      tokenSource: 'manual',
    },
  },
});

const CONTINUE = `name: Mine
version: 1.0.0
schema: v1
models:
  - { name: Mine, provider: openai, model: mine, apiBase: "${ELSEWHERE}", apiKey: mine, roles: [chat] }
`;

test.each([
  {
    words: 'opencode -- run "Make a file"',
    call: { name: 'bash', arguments: { command: COMMAND, description: 'Make a file' } },
    own: ['project/opencode.json', OPENCODE],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
  },
  {
    words: 'cline "Make a file"',
    call: { name: 'run_commands', arguments: { commands: [COMMAND] } },
    own: ['.cline/data/settings/providers.json', CLINE],
    env: { CLINE_NO_AUTO_UPDATE: '1' },
  },
  {
    words: 'continue -- --auto -p "Make a file"',
    call: { name: 'Bash', arguments: { command: COMMAND } },
    own: ['.continue/config.yaml', CONTINUE],
    env: { CONTINUE_CLI_ENABLE_TELEMETRY: '0' },
  },
])('launch $words: a turn with a tool, and the settings of the user stay', async ({ words, call, own, env }) => {
  const [path = '', text = ''] = own;
  const file = client.stage.home.write(path, text);
  const { code, stdout } = await client.launch(words, call, env as unknown as Record<string, string>);
  expect([code, stdout]).toEqual([0, expect.stringContaining(TEXT_AFTER_CALL)]);
  expect(readFileSync(join(client.project, 'made.txt'), 'utf8')).toBe('made\n');
  expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1' });
  expect([readFileSync(file, 'utf8'), client.left()]).toEqual([text, []]);
});
