import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../setup/source-files';
import { readLines, recorded } from './read-transcript';

const HELLO = 'Hello from the mock upstream.';

describe('a recorded answer', () => {
  it.each([
    ['stream-ok', HELLO],
    ['stream-ok-nopartial', HELLO],
    ['stream-cache', HELLO],
    ['stream-thinking', HELLO],
    ['stream-flaky', HELLO],
    ['badeffort', HELLO],
    ['stream-tool-bypass', `I will run a tool.\n\n${HELLO}`],
    ['stream-tool-denied', `I will run a tool.\n\n${HELLO}`],
    // The stream broke after "Hello from", and the whole came again.
    ['stream-miderror', HELLO],
    ['stream-middrop', HELLO],
  ])('%s is its text, once', (name, text) => {
    const run = readLines(recorded(name));
    expect(run.text).toBe(text);
    expect(run.outcome).toMatchObject({ type: 'answer', finish: 'stop' });
  });

  it('names the model before its first text', () => {
    const { events } = readLines(recorded('stream-ok'));
    expect(events[0]).toEqual({ type: 'meta', model: 'claude-opus-4-8[1m]' });
  });

  it('keeps reasoning apart', () => {
    expect(readLines(recorded('stream-thinking'))).toMatchObject({
      reasoning: 'Let me think about this.',
      text: HELLO,
    });
  });

  it('is one text, streamed or not', () => {
    const whole = (name: string) => recorded(name).filter(({ type }) => type !== 'stream_event');
    for (const name of ['stream-ok', 'stream-thinking', 'stream-tool-bypass', 'stream-tool-denied', 'stream-cache']) {
      const streamed = readLines(recorded(name));
      const single = readLines(whole(name));
      expect([single.text, single.reasoning]).toEqual([streamed.text, streamed.reasoning]);
      expect(single.outcome).toEqual(streamed.outcome);
    }
  });

  it('ended by a refusal is filtered', () => {
    const { outcome } = readLines(recorded('stream-refusal'));
    expect(outcome).toMatchObject({ type: 'answer', finish: 'content_filter' });
  });

  it('that was continued at the token limit is one text that ends with length', () => {
    const { outcome, text } = readLines(recorded('stream-max-tokens'));
    expect(text).toBe(HELLO.repeat(4));
    expect(outcome).toMatchObject({ type: 'answer', finish: 'length' });
  });

  it('ends at its first token limit where the client has set one, with the counts up to there', () => {
    const { outcome, text } = readLines(recorded('stream-max-tokens'), { endsAtLimit: true });
    expect(text).toBe(HELLO);
    expect(outcome).toEqual({
      ...{ type: 'answer', finish: 'length', isEarly: true },
      usage: { type: 'usage', inputTokens: 25, outputTokens: 5, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
    });
  });

  it('that was cut by a limit of turns ends with length', () => {
    expect(readLines(recorded('stream-maxturns')).outcome).toMatchObject({ type: 'answer', finish: 'length' });
  });

  it('without any text is empty', () => {
    const { outcome, text } = readLines(recorded('stream-empty'));
    expect([text, outcome?.type]).toEqual(['', 'answer']);
  });
});

describe('a recorded failure', () => {
  it.each([
    ['stream-400', { status: 400, class: 'unknown', text: 'API Error: 400 messages: invalid' }],
    ['stream-401', { status: 401, class: 'authentication_failed' }],
    ['stream-403', { status: 403, class: 'authentication_failed' }],
    ['stream-404-model', { status: 404, class: 'model_not_found' }],
    ['stream-413', { status: 413, class: 'invalid_request' }],
    ['stream-429', { status: 429, class: 'rate_limit' }],
    ['stream-500', { status: 500, class: 'server_error' }],
    ['stream-529', { status: 529, class: 'server_error' }],
    ['stream-noauth', { status: undefined, class: 'authentication_failed', text: 'Not logged in · Please run /login' }],
    ['stream-refused', { class: 'network' }],
    ['stream-timeout', { class: 'server_error', text: 'Request timed out' }],
    ['stream-miderror-nofallback', { text: 'API Error: Overloaded' }],
    ['stream-sigint-tool', {}],
    ['stream-sigint-result', {}],
  ])('%s is no answer, whatever its subtype says', (name, report) => {
    const { outcome } = readLines(recorded(name));
    expect(outcome).toMatchObject({ type: 'failure', report });
  });

  it.each([
    'stream-400',
    'stream-401',
    'stream-429',
    'stream-500',
    'stream-noauth',
    'stream-refused',
    'stream-timeout',
  ])('%s has no words of the failure in the answer', (name) => expect(readLines(recorded(name)).text).toBe(''));

  it('is known at the first sign of a lost login', () => {
    const { outcome, events } = readLines(recorded('stream-401'));
    expect(outcome).toMatchObject({ type: 'failure', isEarly: true });
    expect(events.map(({ type }) => type)).toEqual(['meta']);
  });

  it('is a command that never reached the model', () => {
    const { outcome, reader, text } = readLines(recorded('stream-slash-unknown'));
    expect([text, outcome, reader.end()?.text]).toEqual(['', undefined, 'Unknown command: /nope']);
  });

  it.each(['stream-sigint', 'stream-sigterm', 'stream-whitespace'])('%s has no end', (name) => {
    expect(readLines(recorded(name)).outcome).toBeUndefined();
  });
});

describe('every recorded run', () => {
  const names = readdirSync(join(repository, 'test/fixtures/claude')).map((file) => file.replace('.jsonl', ''));

  it.each(names)('%s has a text that its prefixes only ever add to', (name) => {
    const lines = recorded(name);
    const { text } = readLines(lines);
    for (let count = 0; count <= lines.length; count += 1) {
      expect(text.startsWith(readLines(lines.slice(0, count)).text)).toBe(true);
    }
  });
});

describe('the counts', () => {
  it('of cached and written tokens are part of the input', () => {
    expect(readLines(recorded('stream-cache')).outcome).toMatchObject({
      usage: {
        ...{ inputTokens: 985, outputTokens: 5, cachedInputTokens: 900, cacheWriteInputTokens: 60, costUsd: 0.001075 },
      },
    });
  });

  it('of all turns are added up', () => {
    const { outcome } = readLines(recorded('stream-tool-bypass'));
    expect(outcome).toMatchObject({ usage: { inputTokens: 50, outputTokens: 12 } });
  });

  it('come from the list by model where the sum is empty', () => {
    const { outcome } = readLines(recorded('stream-miderror'));
    expect(outcome).toMatchObject({ usage: { inputTokens: 25, outputTokens: 5, costUsd: 0.00025 } });
  });
});
