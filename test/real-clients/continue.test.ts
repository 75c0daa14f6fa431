import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';
import type { RealClient } from './client-run';
import { prepared } from './prepared';

const CONFIG = '.continue/config.yaml';

let client: RealClient;

beforeEach(async () => {
  client = await prepared.Continue();
});

afterEach(() => client.stage.end());

test('with the settings of the page, it streams an answer', async () => {
  const { code, stdout } = await client.run(client.block('sh'));
  expect([code, stdout.trim()]).toEqual([0, TEXT]);
  expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1', stream: true });
});

test('a tool that the model calls is run, and its result comes back', async () => {
  client.stage.call = { name: 'Bash', arguments: { command: 'echo made | tee made.txt' } };
  const { stdout } = await client.run(client.block('sh').replace('cn ', 'cn --auto '));
  expect(readFileSync(join(client.project, 'made.txt'), 'utf8')).toBe('made\n');
  expect(client.stage.result).toContain('made');
  expect(stdout.trim()).toBe(TEXT_AFTER_CALL);
});

test('it shows what the gateway says to a wrong key', async () => {
  client.stage.home.write(CONFIG, client.block('yaml').replace('unused', 'wrong'));
  const { code, stdout, stderr } = await client.run(client.block('sh'));
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('Authorization: Bearer');
  expect(client.stage.chats).toEqual([]);
});
