import { Agents } from './agents';
import { say, script, use } from './scripted-agent';

const allow = (list: string) => ({ 'work/agent.yaml': `allowed_tools: ${list}` });
const ASK = script([{ device: ['llm_other', { prompt: script([say('four')]) }] }]);

test('a program has the devices that allowed_tools names, and a call of one is a step of its process', async () => {
  const agents = Agents.open({ files: allow('[/dev/llm/other, plain]') });
  const ended = await agents.run(ASK, { provider: 'bundler' });
  expect(ended.end?.state).toBe('done');
  expect(JSON.parse(ended.text)).toEqual([
    ['llm_other', 'llm_plain'],
    { content: [{ type: 'text', text: 'four' }], isError: false },
  ]);
  expect(ended.of('tool_call')).toMatchObject([{ step: 1, tool: 'llm_other', device: '/dev/llm/other' }]);
  expect(ended.of('tool_result')).toMatchObject([{ step: 1, text: 'four', isError: false }]);
  const [call] = ended.of('tool_call');
  expect(ended.of('step').map(({ step, provider, call: of }) => ({ step, provider, of }))).toEqual([
    { step: 1, provider: 'bundler', of: undefined },
    { step: 2, provider: 'other', of: call!.id },
  ]);
});

test.each([
  ['allowed_tools names none', allow('[]')],
  ['there is no allowed_tools: a program has tools of its own', {}],
])('it has none where %s', async (_, files) => {
  const agents = Agents.open({ files });
  expect((await agents.run(script([{ servers: true }]), { provider: 'bundler' })).text).toBe('null');
});

test('another device, one that is not there, and wrong arguments are told to its model', async () => {
  const agents = Agents.open({ files: allow('[/dev/llm/other]') });
  const calls = [{ device: ['llm_plain', { prompt: 'x' }] }, { device: ['what', {}] }, { device: ['llm_other', {}] }];
  const texts: string[] = [];
  for (const call of calls) {
    const { text } = await agents.run(script([call]), { provider: 'bundler' });
    const [, { content, isError }] = JSON.parse(text) as [string[], { content: { text: string }[]; isError: boolean }];
    expect(isError).toBe(true);
    texts.push(content[0]!.text);
  }
  expect(texts).toEqual([
    'error: refused: allowed_tools does not list /dev/llm/plain',
    'error: refused: there is no tool "what", only llm_other',
    expect.stringContaining('prompt'),
  ]);
});

test('an agent CLI that a model asks has them, too, three levels deep', async () => {
  const agents = Agents.open({ files: allow('[/dev/llm/bundler, /dev/llm/other]') });
  const deepest = script([{ device: ['llm_other', { prompt: 'hi' }] }]);
  const deeper = script([{ device: ['llm_bundler', { prompt: deepest }] }]);
  const first = await agents.run(script([use('llm_bundler', { prompt: deeper })], [say('done')]));
  const refused = first.of('tool_call').map(({ tool, refused: why }) => [tool, why]);
  expect(refused).toEqual([
    ['llm_bundler', undefined],
    ['llm_bundler', undefined],
    ['llm_other', undefined],
  ]);
  const most = script([{ device: ['llm_bundler', { prompt: deeper }] }]);
  const ended = await agents.run(script([use('llm_bundler', { prompt: most })], [say('done')]));
  expect(ended.of('tool_call').at(-1)!.refused).toBe('device calls go 3 levels deep and no further');
});

test('a call that its program does not wait for ends with the step', async () => {
  const agents = Agents.open({ files: allow('[/dev/llm/other]') });
  const hang = script([{ hang: true }]);
  const ended = await agents.run(
    script([{ begin: ['llm_other', { prompt: hang }] }, { device: ['llm_other', { prompt: 'hi' }] }]),
    { provider: 'bundler' },
  );
  expect(ended.end?.state).toBe('done');
  expect(ended.of('step_end').find(({ step }) => step === 2)).toMatchObject({ finish: 'failed' });
  expect(ended.of('tool_result')).toHaveLength(2);
  expect(ended.events.at(-1)!.type).toBe('exit');
});
