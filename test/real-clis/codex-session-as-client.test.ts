/** What a user of Codex does beside asking, and what it asks for by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { sse, STALL } from 'drivebay/testing';
import { RunningGateway } from '../setup/running-gateway';
import { delta, DONE, finish } from '../setup/upstream';
import { CodexStage } from './codex-stage';
import type { Turn } from './scripted-wires';

let stage: CodexStage;
beforeAll(async () => void (stage = await CodexStage.start()));
afterAll(() => stage.end());

const asks = (name: string, args: object): Turn => ({ calls: [{ name, args }] });

test.each(['chat-compat', 'native', 'zeta', 'eta'])(
  'an agent that the model sends out has a thread of its own: %s',
  async (model) => {
    const isAgent = (text: string) => text.includes('count the HENS') && !text.includes('farm it OUT');
    stage.decides(({ text }) => {
      if (isAgent(text)) return { text: 'Seven hens.' };
      const id = /agent_id\W+([-0-9a-f]{36})/.exec(text)?.[1];
      if (id === undefined) return asks('multi_agent_v1__spawn_agent', { message: 'count the HENS' });
      if (!text.includes('Seven hens.')) return asks('multi_agent_v1__wait_agent', { targets: [id] });
      return { text: 'All counted.' };
    });
    const { code, stdout } = await stage.exec(['farm it OUT'], { model });
    expect([code, stdout]).toEqual([0, expect.stringContaining('All counted.')]);
    const agents = stage.calls.filter(({ text }) => isAgent(text));
    expect([agents.length, stage.calls.length]).toEqual([1, 4]);
  },
);

test('a command that runs on gets its input from the model', async () => {
  stage.decides(({ text }) => {
    if (text.includes('got=plum')) return { text: 'It echoed.' };
    const id = /session ID (\d+)/.exec(text)?.[1];
    if (id !== undefined) return asks('write_stdin', { session_id: Number(id), chars: 'plum\n', yield_time_ms: 3000 });
    return asks('exec_command', { cmd: 'read word; echo got=$word', yield_time_ms: 300, tty: true });
  });
  const { code, stdout } = await stage.exec(['Talk to it']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('It echoed.')]);
});

test('two threads at once do not mix', async () => {
  stage.decides(({ text }) => {
    const word = /the word (\w+)/.exec(text)![1]!;
    if (text.includes(`ran-${word}`)) return { text: `It was ${word}.` };
    return { thought: `About ${word}.`, ...asks('exec_command', { cmd: `echo ran-${word}` }) };
  });
  const words = ['fig', 'plum'];
  const runs = await Promise.all(words.map((word) => stage.exec([`remember the word ${word}`], { model: 'zeta' })));
  expect(runs.map(({ stdout }) => stdout)).toEqual(words.map((word) => expect.stringContaining(`It was ${word}.`)));
});

/** The program repeats a 401 like a broken stream. */
test('a wrong key of the gateway is told, and reaches no backend', async () => {
  const env = stage.home.environment({ GATEWAY_KEY: 'the-right-key', XDG_STATE_HOME: `${stage.home.directory}/other` });
  const gateway = await RunningGateway.start(['--api-key-env', 'GATEWAY_KEY'], { env });
  stage.plays({ text: 'In.' });
  const runWith = (key: string) => {
    const provider = [`experimental_bearer_token = "${key}"`, 'stream_max_retries = 0'];
    return stage.exec(['Hi'], { gateway, provider });
  };
  const [right, wrong] = [await runWith('the-right-key'), await runWith('another-key')];
  await gateway.stop();
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('In.')]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/wants its key/)]);
  expect([gateway.stderr.match(/status=401/g)?.length, stage.calls.length]).toEqual([1, 1]);
});

/** The program counts events only: what keeps it comes from the gateway, after 15 s. */
test('a backend that is silent for longer than the program waits loses no answer', async () => {
  const quiet = () => pause(21_000);
  const end = [delta('whole.'), finish(), DONE];
  stage.decides(({ text }) => {
    if (text.includes('in the text')) return sse([delta('A '), quiet, ...end]);
    if (text.includes('in a thought')) return sse([delta({ reasoning_content: 'Hm' }), quiet, ...end]);
    return sse([quiet, ...end]);
  });
  const provider = ['stream_idle_timeout_ms = 18000'];
  const runs = ['in the text', 'in a thought', 'before all'].map((where) => stage.exec([where], { provider }));
  for (const { code, stdout } of await Promise.all(runs)) {
    expect([code, stdout]).toEqual([0, expect.stringContaining('whole.')]);
  }
  expect(stage.calls).toHaveLength(3);
});

test('in a terminal a title is asked for beside the first turn', async () => {
  stage.decides(({ text }) =>
    text.includes('json_schema') ? { text: '{"title":"Greeting"}' } : { text: 'Good morning.' },
  );
  const terminal = stage.terminal('hello there');
  const isTitle = ({ text }: { text: string }) => text.includes('json_schema');
  try {
    await terminal.until(/Good morning/);
    terminal.press('and now');
    await terminal.until(/and now/);
    terminal.press('\r');
    await stage.until(() => stage.calls.some(isTitle));
  } finally {
    terminal.signal('SIGTERM');
    await terminal.end();
  }
});

test.each([
  ['Ctrl-C', '\x03'],
  ['Escape', '\x1b'],
])('in a terminal %s ends the request of the backend, and the next prompt is answered', async (_key, keys) => {
  stage.decides(({ text }) => {
    if (text.includes('json_schema')) return { text: '{"title":"Greeting"}' };
    return text.includes('and now') ? { text: 'Good evening.' } : sse([delta('Half an'), STALL]);
  });
  const terminal = stage.terminal('hello there');
  const turns = () => stage.calls.filter(({ text }) => !text.includes('json_schema'));
  try {
    await stage.until(({ openStreams }) => turns().length === 1 && openStreams === 1);
    await terminal.until(/esc to interrupt/);
    terminal.press(keys);
    await stage.until(({ openStreams }) => openStreams === 0);
    await terminal.until(/interrupted/i);
    terminal.press('and now');
    await terminal.until(/and now/);
    terminal.press('\r');
    await terminal.until(/Good evening/);
    expect(turns()).toHaveLength(2);
  } finally {
    terminal.signal('SIGTERM');
    await terminal.end();
  }
});
