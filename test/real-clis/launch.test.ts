import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT_AFTER_CALL } from '../setup/client-stage';
import { LaunchedClient } from '../setup/launched-client';

const COMMAND = 'echo made | tee made.txt';
/** Where the user's own settings lead: nobody is there. */
const ELSEWHERE = 'http://127.0.0.1:9';

let client: LaunchedClient;

beforeEach(async () => {
  client = await LaunchedClient.start(join(__dirname, 'node_modules/.bin'));
});

afterEach(() => client.stage.end());

const CLAUDE = {
  env: {
    ANTHROPIC_BASE_URL: ELSEWHERE,
    ANTHROPIC_MODEL: 'mine',
    ANTHROPIC_API_KEY: 'mine',
    CLAUDE_CODE_USE_BEDROCK: '1',
  },
  model: 'mine',
};

const QWEN = {
  security: { auth: { selectedType: 'qwen-oauth', baseUrl: `${ELSEWHERE}/v1`, apiKey: 'mine' } },
  model: { name: 'mine' },
};

test.each([
  {
    words: 'claude -- -p "Make a file" --allowedTools Bash',
    call: { name: 'Bash', arguments: { command: COMMAND, description: 'Make a file' } },
    path: '.claude/settings.json',
    own: CLAUDE,
  },
  {
    words: 'qwen -- --approval-mode yolo -p "Make a file"',
    call: {
      name: 'run_shell_command',
      arguments: { command: COMMAND, description: 'Make a file', is_background: false },
    },
    path: '.qwen/settings.json',
    own: QWEN,
  },
])('launch $words: a turn with a tool, and the settings of the user stay', async ({ words, call, path, own }) => {
  const file = client.stage.home.write(path, JSON.stringify(own));
  const { code, stdout, stderr } = await client.launch(words, call, { ANTHROPIC_API_KEY: 'of-the-terminal' });
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(TEXT_AFTER_CALL), expect.any(String)]);
  expect(readFileSync(join(client.project, 'made.txt'), 'utf8')).toBe('made\n');
  expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1' });
  // A program may add the version of its own format.
  expect([JSON.parse(readFileSync(file, 'utf8')), client.left()]).toEqual([expect.objectContaining(own), []]);
});
