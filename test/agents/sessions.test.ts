import { join } from 'node:path';
import type { Session } from '../../core/contract/api';
import { Agents } from './agents';
import { say, script, use, type Action } from './scripted-agent';

/** The driver keeps the conversation under this name. */
const keep = (name: string): Action => ({ type: 'session', state: { name } });
/** One list for each process: the script is the first intent, and a step of it is played by the answers before. */
const talk = (...steps: Action[][]) => script(...steps.map((step) => [...step, { tell: 'session' }]));
const told = ({ text }: { text: string }) => JSON.parse(text) as Session | null;

const CLI = { provider: 'cli' };

test('a driver gets back where its conversation is kept, also after the daemon ended', async () => {
  const agents = Agents.open();
  const first = await agents.run(talk([keep('a')], [keep('b')], []), CLI);
  expect(told(first)).toBeNull();
  await agents.store.close();
  const second = await agents.goOn(1, 'and now?');
  expect(told(second)).toEqual({ state: { name: 'a' }, holds: 2 });
  const third = await agents.goOn(2, 'at last?');
  expect(told(third)).toEqual({ state: { name: 'b' }, holds: 4 });
});

test('system messages are counted, and the last words of a driver count', async () => {
  const agents = Agents.open({ files: { 'work/agent.yaml': 'instructions: Be brief.\n' } });
  await agents.run(talk([keep('a'), keep('b')], []), CLI);
  expect(told(await agents.goOn(1, 'and now?'))).toEqual({ state: { name: 'b' }, holds: 3 });
});

test('one session is gone on with once: it may hold anything after that', async () => {
  const agents = Agents.open();
  await agents.run(talk([keep('a')], []), CLI);
  const both = await Promise.all([agents.goOn(1, 'left'), agents.goOn(1, 'right')]);
  expect(both.map(told)).toHaveLength(2);
  expect(both.map(told)).toEqual(expect.arrayContaining([{ state: { name: 'a' }, holds: 2 }, null]));
  expect(told(await agents.goOn(1, 'later'))).toBeNull();
});

describe('a session is not gone on with', () => {
  test.each([
    ['by another provider of the same driver', { provider: 'second' }],
    ['with another model', { model: 'c-2' }],
  ])('%s', async (_, more) => {
    const agents = Agents.open({
      providers: [
        '{ name: main, driver: talker }',
        ...['cli', 'second'].map((name) => `{ name: ${name}, driver: worker, default_model: c-1 }`),
      ],
    });
    await agents.run(talk([keep('a')], []), CLI);
    expect(told(await agents.goOn(1, 'and now?', more))).toBeNull();
  });

  test('in another folder', async () => {
    const agents = Agents.open({ files: { 'elsewhere/file': '' } });
    await agents.run(talk([keep('a')], []), CLI);
    const workingDirectory = join(agents.home.directory, 'elsewhere');
    expect(told(await agents.goOn(1, 'and now?', { workingDirectory }))).toBeNull();
  });

  test('with other instructions', async () => {
    const agents = Agents.open({ files: { 'work/agent.yaml': 'instructions: Be brief.\n' } });
    await agents.run(talk([keep('a')], []), CLI);
    agents.home.write('work/agent.yaml', 'instructions: Be long.\n');
    expect(told(await agents.goOn(1, 'and now?'))).toBeNull();
  });

  test.each([
    ['an answer that broke off', [keep('a'), say('half'), { fail: ['upstream', 'it broke'] }]],
    ['an answer that was cut short', [keep('a'), say('half'), { type: 'finish', reason: 'length' }]],
  ])('after %s', async (_, step) => {
    const agents = Agents.open();
    await agents.run(talk(step, []), CLI);
    expect(told(await agents.goOn(1, 'and now?'))).toBeNull();
  });

  test('when the last answer told of none', async () => {
    const agents = Agents.open();
    await agents.run(talk([keep('a')], [], []), CLI);
    await agents.goOn(1, 'and now?');
    expect(told(await agents.goOn(2, 'at last?'))).toBeNull();
  });

  test('which the model behind a tool call told of', async () => {
    const agents = Agents.open();
    await agents.run(
      script([use('llm_cli', { prompt: script([keep('inner'), say('x')]) })], [say('Done.')], [{ tell: 'session' }]),
    );
    const { text, process } = await agents.goOn(1, 'and now?');
    expect([process.view.provider, text]).toEqual(['main', 'null']);
  });
});

test.each([
  ['no object', 'a text'],
  ['too long', { name: 'x'.repeat(4096) }],
])('a state that is %s is a mistake of the driver', async (_, state) => {
  const agents = Agents.open();
  const { end } = await agents.run(script([{ type: 'session', state }]), CLI);
  expect(end).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('the state of a session is an object') as string,
  });
});

test('in a session goes on what the fallback provider said', async () => {
  const agents = Agents.open({
    files: { 'work/agent.yaml': 'models: { provider: other, fallback: cli }\n' },
  });
  await agents.run(
    talk([{ failOn: ['other', 'upstream', 'it broke'] }, keep('a')], [{ failOn: ['other', 'upstream', 'it broke'] }]),
  );
  const { text, process } = await agents.goOn(1, 'and now?');
  expect([process.view.provider, JSON.parse(text)]).toEqual(['cli', { state: { name: 'a' }, holds: 2 }]);
});
