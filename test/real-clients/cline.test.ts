import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';
import type { RealClient } from './client-run';
import { prepared } from './prepared';

let client: RealClient;

beforeEach(async () => {
  client = await prepared.Cline();
});

afterEach(() => client.stage.end());

test('with the settings of the page, it streams an answer', async () => {
  const { code, stdout } = await client.run(client.block('sh'));
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, TEXT]);
  expect(client.stage.chats.at(-1)).toMatchObject({ model: 'm-1', stream: true });
});

test('a tool that the model calls is run, and its result comes back', async () => {
  client.stage.call = { name: 'run_commands', arguments: { commands: ['echo made | tee made.txt'] } };
  const { stdout } = await client.run(client.block('sh'));
  expect(readFileSync(join(client.project, 'made.txt'), 'utf8')).toBe('made\n');
  expect(JSON.stringify(client.stage.result)).toContain('made');
  expect(stdout).toContain(TEXT_AFTER_CALL);
});

test('it asks for the reasoning effort that it is told', async () => {
  await client.run(client.block('sh').replace('cline "', 'cline --thinking high "'));
  expect(client.stage.chats.at(-1)).toMatchObject({ reasoning_effort: 'high' });
});

test('it shows what the gateway says to a wrong key', async () => {
  const { code, stdout, stderr } = await client.run(client.block('sh').replace('unused', 'wrong'));
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('Authorization: Bearer');
  expect(client.stage.chats).toEqual([]);
});
