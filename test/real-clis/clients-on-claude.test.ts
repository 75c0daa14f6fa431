import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpRequestRecord } from 'drivebay/testing';
import { answers, callsFor } from './claude-answers';
import { ClaudeGateway } from './claude-gateway';

let gateway: ClaudeGateway;
afterEach(() => gateway.close());

/** A model that calls a tool once, when it is there, and then is done. */
const calling = (name: string, input: object) => (request: HttpRequestRecord) => {
  const { tools = [] } = request.body as { tools?: { name: string }[] };
  if (request.text.includes('"tool_result"') || !tools.some((tool) => tool.name === name)) return answers('All done.');
  return callsFor('Let me write.', { id: 'toolu_1', name, input });
};

const written = () => readFileSync(join(gateway.home.directory, 'work/note.txt'), 'utf8').trim();

/** Chats with the tool: the question, and the results in the same conversation. */
const chatsWith = (name: string) =>
  gateway.chats.filter(({ body }) =>
    (body as { tools?: { name: string }[] }).tools?.some((tool) => tool.name === name),
  );

test('Codex edits a file on Claude Code', async () => {
  gateway = await ClaudeGateway.start(calling('exec_command', { cmd: 'echo edited > note.txt' }));
  gateway.home.write('work/README', 'a folder to work in\n');
  gateway.home.write(
    '.codex/config.toml',
    [
      ...['model_provider = "drivebay"', 'check_for_update_on_startup = false', '[analytics]', 'enabled = false'],
      ...[
        '[model_providers.drivebay]',
        'name = "Drivebay"',
        `base_url = "${gateway.url}/v1"`,
        'wire_api = "responses"',
      ],
    ].join('\n'),
  );
  const words = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', 'claude'];
  expect(await gateway.run('codex', [...words, 'Write a note'])).toContain('All done.');
  expect(written()).toBe('edited');
  expect(chatsWith('exec_command')).toHaveLength(2);
});

test('Claude Code edits a file on Claude Code, whose own tools have the same names', async () => {
  let place = '';
  gateway = await ClaudeGateway.start((request) => calling('Write', { file_path: place, content: 'edited' })(request));
  place = join(gateway.home.directory, 'work/note.txt');
  gateway.home.write('work/README', 'a folder to work in\n');
  const output = await gateway.run(
    'claude',
    ['-p', 'Write a note', '--dangerously-skip-permissions', '--model', 'claude'],
    {
      ...{ ANTHROPIC_BASE_URL: gateway.url, ANTHROPIC_AUTH_TOKEN: 'unused', IS_SANDBOX: '1' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    },
  );
  expect(output).toContain('All done.');
  expect(written()).toBe('edited');
  expect(chatsWith('Write')).toHaveLength(2);
});
