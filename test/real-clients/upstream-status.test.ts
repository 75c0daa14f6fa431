import { json } from '../setup/upstream';
import type { RealClient } from './client-run';
import { prepared } from './prepared';

let client: RealClient;

afterEach(() => client.stage.end());

const names = Object.keys(prepared) as (keyof typeof prepared)[];

// Of a 502 they would ask again for minutes.
test.each(names.flatMap((name) => [401, 402].map((status) => [name, status] as const)))(
  '%s stops at once when the server answers %i, and shows why',
  async (name, status) => {
    client = await prepared[name]({ words: ['--upstream-status'] });
    client.stage.refusal = json({ error: { message: 'the words of the server' } }, { status });
    const { stdout, stderr } = await client.run(client.block('sh'));
    // opencode also asks for a title.
    const asked = client.stage.chats.map((chat) => JSON.stringify(chat));
    expect([new Set(asked).size, asked.length <= 2]).toEqual([asked.length, true]);
    expect(stdout + stderr).toContain('the words of the server');
  },
);
