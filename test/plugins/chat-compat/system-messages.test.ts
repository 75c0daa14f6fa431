import type { Message } from 'drivebay/plugin';
import { completion, json } from '../../setup/upstream';
import { useDriver } from '../harness';
import { says } from '../messages';
import { startChatCompat } from './harness';

const harness = useDriver(startChatCompat);

const messages = [
  says('system', 'A'),
  says('developer', 'B'),
  says('user', 'x'),
  says('system', 'C'),
  says('assistant', 'y'),
];
const as = (role: string, content: string) => ({ role, content });

/** What a server that refuses with these words is sent at last; asked twice, so that it has to be remembered. */
async function sent(
  words: string,
  isRefused: (roles: string[]) => boolean,
  given: Message[] = messages,
): Promise<[unknown, number]> {
  harness().upstream.answer(({ body }) => {
    const roles = (body.messages as { role: string }[]).map(({ role }) => role);
    return isRefused(roles) ? json({ error: { code: 500, message: words } }, { status: 500 }) : json(completion('x'));
  });
  for (const _ of [1, 2]) await harness().chat({ messages: given });
  return [harness().bodies().at(-1).messages, harness().bodies().length];
}

test('all system messages stay where they are for a template that takes them', async () => {
  const [received] = await sent('', () => false);
  expect(received).toEqual([
    as('system', 'A'),
    as('system', 'B'),
    as('user', 'x'),
    as('system', 'C'),
    as('assistant', 'y'),
  ]);
});

test('they become one, at the front, for a template that takes no other', async () => {
  const words = 'Jinja Exception: System message must be at the beginning.';
  const [received, requests] = await sent(words, (roles) => roles.lastIndexOf('system') > 0);
  expect(received).toEqual([as('system', 'A\n\nB\n\nC'), as('user', 'x'), as('assistant', 'y')]);
  expect(requests).toBe(3);
});

test('they are the first words of the user for a template without the role', async () => {
  const [received, requests] = await sent('System role not supported', (roles) => roles.includes('system'));
  expect(received).toEqual([as('user', 'A\n\nB\n\nC\n\nx'), as('assistant', 'y')]);
  expect(requests).toBe(3);
  const [alone] = await sent('', () => false, [says('system', 'A')]);
  expect(alone).toEqual([as('user', 'A')]);
});
