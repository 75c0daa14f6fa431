import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GeminiFiles } from '../../../plugins/gamma-cli/acp/gemini-files';
import { TempHome } from '../../setup/temp-home';

const before = process.env;
let home: TempHome;

beforeEach(() => {
  home = new TempHome();
  process.env = { ...before, GEMINI_CLI_HOME: home.directory };
});

afterEach(() => {
  process.env = before;
  home.remove();
});

test('a program that ends leaves the sessions of another one in the same directory', async () => {
  const cwd = join(home.directory, 'warm');
  const chats = join(home.directory, '.gemini/tmp/warm/chats');
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(home.directory, '.gemini/projects.json'), JSON.stringify({ projects: { [cwd]: 'warm' } }));
  const [one, other] = [new GeminiFiles(cwd, cwd), new GeminiFiles(cwd, cwd)];
  await one.write('11111111-1', [{ role: 'user', text: 'One' }]);
  await other.write('22222222-2', [{ role: 'user', text: 'Two' }]);
  await one.clear(['11111111-1', '33333333-3']);
  expect(readdirSync(chats)).toEqual([expect.stringMatching(/-22222222\.jsonl$/)]);
  writeFileSync(join(chats, 'session-of-no-known-name.jsonl'), '');
  await other.clear([]);
  expect(existsSync(chats)).toBe(false);
});

test('images of a result stand behind it in the session', async () => {
  const cwd = join(home.directory, 'warm');
  const chats = join(home.directory, '.gemini/tmp/warm/chats');
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(home.directory, '.gemini/projects.json'), JSON.stringify({ projects: { [cwd]: 'warm' } }));
  const images = [{ mediaType: 'image/png', data: 'AAAA' }];
  const calls = [{ id: 'a', name: 'look', args: {}, output: 'See', images }];
  const files = new GeminiFiles(cwd, cwd);
  await files.write('11111111-1', [{ role: 'model', text: '', calls }]);
  const [name] = readdirSync(chats);
  const [, turn] = readFileSync(join(chats, name!), 'utf8').trimEnd().split('\n');
  expect(JSON.parse(turn!).toolCalls[0].result).toEqual([
    { functionResponse: { id: 'a', name: 'look', response: { output: 'See' } } },
    { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
  ]);
});
