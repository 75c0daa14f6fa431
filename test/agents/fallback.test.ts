import { readFileSync } from 'node:fs';
import { isAlive } from '../subprocess/open-programs';
import { Agents } from './agents';
import { say, script, use, type Action } from './scripted-agent';

let agents: Agents;

const falling = (fallback = 'other', more = '') =>
  Agents.open({ files: { 'work/agent.yaml': `models: { fallback: ${fallback} ${more} }` } });
const failing = (...failure: unknown[]): Action => ({ failOn: ['main', ...failure] });

test.each(['auth', 'unreachable', 'timeout', 'upstream', 'not_installed', 'protocol'])(
  'after %s the fallback answers, and the event has the reason',
  async (code) => {
    agents = falling();
    const ended = await agents.run(script([failing(code, 'it broke'), say('saved')]));
    expect(ended.of('fallback')).toMatchObject([{ from: 'main', to: 'other', reason: 'it broke' }]);
    expect([ended.text, ended.end?.state]).toEqual(['saved', 'done']);
    expect(ended.process.view).toMatchObject({ provider: 'other', model: 'o-1' });
    expect(ended.process.view.steps).toMatchObject([{ finish: 'failed' }, { finish: 'stop' }]);
  },
);

test.each(['rejected', 'rate_limited', 'invalid_request', 'canceled'])(
  'after %s no other provider is asked',
  async (code) => {
    agents = falling();
    const ended = await agents.run(script([failing(code, 'no'), say('saved')]));
    expect(ended.of('fallback')).toEqual([]);
    expect(ended.end).toMatchObject({ state: 'failed', reason: 'error', code, message: 'provider "main": no' });
  },
);

test('an empty answer is no reason to ask another provider', async () => {
  agents = falling();
  const ended = await agents.run(script([]));
  expect(ended.of('fallback')).toEqual([]);
  expect(ended.end).toMatchObject({ state: 'failed', code: 'upstream' });
});

test.each([
  ['main', say('x'), true],
  ['main', { type: 'reasoning', text: 'hm' }, true],
  ['main', use('llm_other', {}), true],
  ['cli', say('x'), true],
  ['cli', { type: 'reasoning', text: 'hm' }, false],
  ['cli', { type: 'activity', tool: 'shell' }, true],
])('a failure of provider %s after %j: its answer has begun: %s', async (provider, before, hasBegun) => {
  agents = falling();
  const failure: Action = { failOn: [provider, 'upstream', 'broke'] };
  const ended = await agents.run(script([before, failure, say('saved')]), { provider });
  expect(ended.of('fallback')).toHaveLength(hasBegun ? 0 : 1);
  expect(ended.end?.state).toBe(hasBegun ? 'failed' : 'done');
});

test('a driver that says that its agent has acted is believed', async () => {
  agents = falling();
  const failure = { failOn: ['cli', 'upstream', 'broke', { sideEffects: true }] };
  const ended = await agents.run(script([failure]), { provider: 'cli' });
  expect(ended.of('fallback')).toEqual([]);
});

test('in a later step the fallback continues the conversation, without the signatures of the other vendor', async () => {
  agents = falling();
  const thought = { type: 'reasoning', text: 'hm', extra: { signature: 'abc' } };
  const call = { ...use('llm_plain', { prompt: 'what?' }), extra: { signature: 'def' } };
  const ended = await agents.run(script([thought, call], [failing('upstream', 'broke'), { tell: 'request' }]));
  const { messages } = JSON.parse(ended.text);
  expect(messages.slice(1)).toEqual([
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'id-0', name: 'llm_plain', arguments: '{"prompt":"what?"}' }],
    },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'id-0', content: [{ type: 'text', text: 'Hello' }] }] },
  ]);
});

test('the fallback has its own model, and the effort that was asked for', async () => {
  agents = falling('other', ', preferred: special, reasoning_effort: high');
  const ended = await agents.run(script([failing('upstream', 'broke'), { tell: 'request' }]));
  expect(JSON.parse(ended.text)).toMatchObject({ model: 'o-1', reasoningEffort: 'high' });
  expect(ended.process.view.steps).toMatchObject([{ model: 'special' }, { model: 'o-1' }]);
});

test('when both fail the message names both, and no provider is asked again', async () => {
  agents = falling();
  const ended = await agents.run(script([{ fail: ['upstream', 'broke', { hint: 'mend it' }] }]));
  expect(ended.end).toMatchObject({
    state: 'failed',
    message: 'provider "main": broke; provider "other": broke',
    hint: 'main: mend it; other: mend it',
  });
  expect(ended.process.view.steps).toHaveLength(2);
});

test('a fallback that is the primary provider has no effect', async () => {
  agents = falling('main');
  const ended = await agents.run(script([failing('upstream', 'broke')]));
  expect(ended.process.view.steps).toHaveLength(1);
  expect(ended.end).toMatchObject({ state: 'failed' });
});

test('an unknown fallback is a warning, and no provider takes over', async () => {
  agents = falling('othr');
  const ended = await agents.run(script([failing('upstream', 'broke')]));
  expect(ended.notices[0]).toMatch(
    /agent\.yaml:1:21: models\.fallback: there is no provider "othr".*did you mean other\?/,
  );
  expect(ended.process.view.steps).toHaveLength(1);
});

test('an agent CLI that hangs is gone before the fallback begins', async () => {
  const providers = [
    '{ name: cli, driver: worker, timeout_sec: 1 }',
    '{ name: other, driver: talker, default_model: o }',
  ];
  agents = Agents.open({ providers, files: { 'work/agent.yaml': 'models: { fallback: other }' } });
  const file = agents.home.write('pid', '');
  const process = agents.spawn(script([{ sleepOn: ['cli', file] }, say('saved')]), { provider: 'cli' });
  let isLeft: boolean | undefined;
  for await (const event of process.events()) {
    if (event.type === 'fallback') isLeft = isAlive(Number(readFileSync(file, 'utf8')));
  }
  expect(isLeft).toBe(false);
  expect(await process.ended).toMatchObject({ state: 'done' });
});
