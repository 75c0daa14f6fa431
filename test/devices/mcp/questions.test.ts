import { makeLogger } from '../../../core/contract/make-logger';
import { Questions } from '../../../core/devices/mcp/questions';
import { sample } from '../../../core/devices/mcp/sampling';
import { Limits } from '../../../core/limits/limits';
import { makeProvider } from '../../providers/settings';

const user = (pid: number, more: { client?: string; depth?: number } = {}) => ({
  ...{ workingDirectory: '/', log: makeLogger(() => undefined), pid },
  ...more,
});
const { signal } = new AbortController();

test('a server asks only while one of its tools runs, and a question ends with the call', () => {
  const questions = new Questions();
  expect(() => questions.admit()).toThrow('a tool server asks a model only while one of its tools runs');
  const done = questions.begin(user(1), signal);
  const { signals } = questions.admit();
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
  done();
  expect(signals.some(({ aborted }) => aborted)).toBe(true);
  expect(() => questions.admit()).toThrow('only while one of its tools runs');
});

test('a question counts for the call with the fewest, and each call has 50', () => {
  const questions = new Questions();
  questions.begin(user(1), signal);
  questions.begin(user(2), signal);
  const pids = Array.from({ length: 100 }, () => questions.admit().user.pid);
  expect([pids.slice(0, 4), pids.filter((pid) => pid === 1).length]).toEqual([[1, 2, 1, 2], 50]);
  expect(() => questions.admit()).toThrow('one call of a tool asks a model 50 times at most');
});

test('while a shared server works for a client of the gateway, it asks nothing, and nothing is counted', () => {
  const questions = new Questions();
  questions.begin(user(1), signal);
  const end = questions.begin(user(2, { client: 'editor' }), signal);
  for (let i = 0; i < 60; i += 1)
    expect(() => questions.admit()).toThrow('a process of a client of the gateway asks no models by its tool servers');
  end();
  expect(Array.from({ length: 50 }, () => questions.admit().user.pid)).toHaveLength(50);
});

test('a question is as deep as the deepest call that it may be of', () => {
  const questions = new Questions();
  questions.begin(user(1), signal);
  expect(questions.admit().user.depth).toBe(1);
  const end = questions.begin(user(2, { depth: 1 }), signal);
  expect(questions.admit().user.depth).toBe(2);
  end();
  questions.begin(user(3, { depth: 2 }), signal);
  expect(() => questions.admit()).toThrow('(depth 3): drivebay stops here');
});

const ask = (params: object) => {
  const limits = new Limits({ type: 'server', name: 'tools' }, {});
  const grant = { server: 'tools', device: makeProvider(), limits };
  const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }];
  const given = { messages, maxTokens: 1, ...params } as Parameters<typeof sample>[1];
  return sample(grant, given, { user: { ...user(1), depth: 1 }, signal });
};

test.each([
  ['its messages', (text: string) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] })],
  ['its system prompt', (text: string) => ({ systemPrompt: text })],
  ['its stop sequences', (text: string) => ({ stopSequences: [text] })],
])('a question is refused with 4 MiB in %s', async (_, given) => {
  const asked = ask(given('x'.repeat(4 * 1024 * 1024)));
  await expect(asked).rejects.toThrow('the messages are over 4194304 characters');
});

test('an image is refused whose type says more', async () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'text/html;charset=x,http://127.0.0.1:1/' };
  const asked = ask({ messages: [{ role: 'user', content: image }] });
  await expect(asked).rejects.toThrow('an image has no type such as image/png');
});
