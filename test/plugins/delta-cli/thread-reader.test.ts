import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventReader } from '../../../plugins/delta-cli/event-reader';
import { ThreadReader } from '../../../plugins/delta-cli/thread-reader';
import { repository } from '../../setup/repository';
import { readOutput, recordedLines, recordingNames } from '../recordings';
import { completed, delta, item, told, tokens, toNotifications } from './app-server-script';

const reader = (isStreamed = true, before = {}) => new ThreadReader({ usesProxy: false, isStreamed, before });
const read = (lines: readonly unknown[], isStreamed = true) => readOutput(reader(isStreamed), lines);
const recorded = (name: string) =>
  readFileSync(join(repository, `test/fixtures/codex/app-server/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
const retry = told('error', { error: { message: 'Reconnecting... 1/5', additionalDetails: 'x' }, willRetry: true });
const message = (text: string, id = 'msg_1') => item({ type: 'agentMessage', id, text });

test.each(recordingNames('codex'))('a turn means the same as the recorded run "%s"', (name) => {
  const lines = recordedLines('codex', name);
  const run = readOutput(new EventReader(false), lines);
  for (const isStreamed of [true, false]) {
    const turn = read(
      lines.flatMap((line) => toNotifications(JSON.parse(line) as object)),
      isStreamed,
    );
    // What is streamed is passed on before the turn has failed.
    const isWhole = !isStreamed || run.outcome?.type === 'answer';
    expect([isWhole && turn.text, turn.reasoning, turn.items, turn.outcome]).toEqual([
      ...[isWhole && run.text, run.reasoning, run.items, run.outcome],
    ]);
  }
});

const usage = { inputTokens: 1000, outputTokens: 12, cachedInputTokens: 900, cacheWriteInputTokens: 0 };

test.each([true, false])('the recorded turns are answers, streamed: %s', (isStreamed) => {
  for (const name of ['ok', 'reasoning', 'repeated']) {
    const { text, outcome } = read(recorded(name), isStreamed);
    expect([name, text]).toEqual([name, 'Hello from the mock upstream.']);
    expect(outcome).toEqual({ type: 'answer', finish: 'stop', usage: { type: 'usage', ...usage, reasoningTokens: 7 } });
  }
  expect(read(recorded('reasoning'), isStreamed).reasoning).toBe('**Thinking** about the answer.');
});

test('a streamed text comes in the pieces of the backend', () => {
  const texts = read(recorded('ok')).events.map((event) => (event.type === 'text' ? event.text : event.type));
  expect(texts).toEqual(['Hello ', 'from ', 'the ', 'mock ', 'upstream.']);
});

test('an answer that begins anew with other words is a failure where the first ones were passed on', () => {
  const lines = recorded('broken-then-another');
  expect(read(lines, false)).toMatchObject({ text: 'Hello from the mock upstream.', outcome: { type: 'answer' } });
  const other = [delta('Hello from another'), retry, delta('Hello '), delta('you')];
  expect(read(other)).toMatchObject({ text: 'Hello from another', outcome: { type: 'restarted' } });
  const shorter = [delta('Hello you'), retry, delta('Hello'), message('Hello'), tokens(1, 1), completed];
  expect(read(shorter).outcome).toEqual({ type: 'restarted' });
});

test('what was passed on is not said twice, however the pieces fall', () => {
  const again = [delta('Hel'), delta('lo'), retry, delta('H'), delta('ello y'), delta('ou'), message('Hello you')];
  expect(read([...again, completed]).text).toBe('Hello you');
});

test('messages are paragraphs, before and after a tool, and what was not streamed is passed on at their end', () => {
  const lines = [delta('One', 'a'), message('One more', 'a'), tokens(1, 1), message('Two', 'b'), message('Three', 'c')];
  expect(read([...lines, completed]).text).toBe('One more\n\nTwo\n\nThree');
  expect(read([...lines, completed], false).text).toBe('One more\n\nTwo\n\nThree');
});

test('the counts are those of the turn, and no counts are none', () => {
  const later = readOutput(reader(true, { inputTokens: 5, outputTokens: 1 }), [tokens(12, 4), completed]);
  expect(later.outcome).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 } });
  expect(read([completed]).outcome).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
});

test('a turn that is interrupted has failed', () => {
  expect(read(recorded('interrupted')).outcome).toMatchObject({ type: 'failure' });
});

test('messages and thoughts without a usable id are read all the same', () => {
  const odd = { toString: 1 };
  const lines = [
    told('item/reasoning/summaryTextDelta', { itemId: odd, summaryIndex: odd, delta: 'Hm.' }),
    told('item/started', { item: { type: odd } }),
    told('item/agentMessage/delta', { delta: 'Hel' }),
    told('item/completed', { item: { type: 'agentMessage', text: 'Hello' } }),
    told('item/completed', { item: { type: 'agentMessage', text: ' you' } }),
  ];
  const { text, reasoning } = read(lines);
  expect([text, reasoning]).toEqual(['Hello\n\n you', 'Hm.']);
});

test('the counts of a turn are known before it has failed', () => {
  const turn = reader(true, { inputTokens: 100, outputTokens: 10 });
  const total = { inputTokens: 1100, cachedInputTokens: 900, outputTokens: 22, reasoningOutputTokens: 7 };
  expect(turn.read(told('thread/tokenUsage/updated', { tokenUsage: { total } }))).toEqual({
    ...{ events: [], usage: { type: 'usage', ...usage, reasoningTokens: 7 } },
  });
});
