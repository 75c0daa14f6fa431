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

const CODEX = `model = "mine"
model_provider = "mine"
[model_providers.mine]
name = "Mine"
base_url = "${ELSEWHERE}/v1"
wire_api = "responses"
`;

/** A program may add the version of its own format to a file of JSON. */
const keeps = (own: object) => (text: string) => expect(JSON.parse(text)).toEqual(expect.objectContaining(own));

test.each([
  {
    words: 'claude -- -p "Make a file" --allowedTools Bash',
    call: { name: 'Bash', arguments: { command: COMMAND, description: 'Make a file' } },
    path: '.claude/settings.json',
    own: JSON.stringify(CLAUDE),
    check: keeps(CLAUDE),
  },
  {
    words: 'codex -- exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox "Make a file" < /dev/null',
    call: { name: 'exec_command', arguments: { cmd: COMMAND } },
    path: '.codex/config.toml',
    own: CODEX,
    check: (text: string) => expect(text).toBe(CODEX),
  },
  {
    words: 'qwen -- --approval-mode yolo -p "Make a file"',
    call: {
      name: 'run_shell_command',
      arguments: { command: COMMAND, description: 'Make a file', is_background: false },
    },
    path: '.qwen/settings.json',
    own: JSON.stringify(QWEN),
    check: keeps(QWEN),
  },
])(
  'launch $words: a turn with a tool, and the settings of the user stay',
  async ({ words, call, path, own, check }) => {
    const file = client.stage.home.write(path, own);
    const { code, stdout, stderr } = await client.launch(words, call, { ANTHROPIC_API_KEY: 'of-the-terminal' });
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(TEXT_AFTER_CALL), expect.any(String)]);
    expect(readFileSync(join(client.project, 'made.txt'), 'utf8')).toBe('made\n');
    expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1' });
    check(readFileSync(file, 'utf8'));
    expect(client.left()).toEqual([]);
  },
);

test.each([
  ['claude -- --no-such-flag', 1, /unknown option/],
  ['codex -- exec --no-such-flag', 2, /unexpected argument/],
])('launch %s: the words and the exit code are those of the program', async (words, expected, told) => {
  const { code, stderr } = await client.launch(words, { name: 'none', arguments: {} });
  expect([code, stderr, client.left()]).toEqual([expected, expect.stringMatching(told), []]);
});

/** As after the first start of each program in a folder. */
const KNOWN: Record<'claude' | 'codex', (project: string) => [path: string, text: string]> = {
  claude: (project: string) => {
    const projects = { [project]: { hasTrustDialogAccepted: true } };
    return ['.claude.json', JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark', projects })];
  },
  codex: (project: string) => ['.codex/config.toml', `[projects."${project}"]\ntrust_level = "trusted"\n`],
};

test.each(['claude', 'codex'] as const)('launch %s: the terminal is that of the program', async (name) => {
  client.stage.home.write(...KNOWN[name](client.project));
  const terminal = client.launchInTerminal(`${name} -- "hello there"`);
  await terminal.until(/from the model/);
  const again = setInterval(() => terminal.press('\x03'), 400);
  const { code } = await terminal.end();
  clearInterval(again);
  expect([code, client.left()]).toEqual([0, []]);
});
