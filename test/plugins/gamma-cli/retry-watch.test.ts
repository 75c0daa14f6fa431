import { isHopeless, RetryWatch } from '../../../plugins/gamma-cli/retry-watch';
import { recording } from '../recordings';

function notices(stderr: string) {
  const watch = new RetryWatch();
  return stderr.split('\n').flatMap((line) => watch.read(line) ?? []);
}

test('each attempt of Gemini CLI is noticed, over several lines, with its wait', () => {
  const all = notices(recording('gemini', 'stream-json-http429').stderr);
  expect(all).toHaveLength(7);
  expect(all[0]).toEqual({
    attempt: 1,
    message: 'Resource has been exhausted (e.g. check quota).\nSuggested retry after 60s..',
    waitMs: 67_434,
  });
});

test('so is one that failed with a status', () => {
  const [first] = notices(recording('gemini', 'stream-json-http500').stderr);
  expect(first).toMatchObject({ attempt: 1, waitMs: undefined });
  expect(first!.message).toContain('"code":500');
});

test('the last attempt, and other lines, are none', () => {
  expect(notices(recording('gemini', 'stream-json-http429-maxAttempts1').stderr)).toEqual([]);
  expect(notices(recording('gemini', 'stream-json-shell-yolo').stderr)).toEqual([]);
});

test('Qwen Code says it in one line', () => {
  expect(notices(recording('qwen', 'v0.24-stream-json-http429').stderr)).toEqual([
    { attempt: 1, message: '[API Error: 429 Rate limit reached for requests]', waitMs: 60_000 },
  ]);
});

const broken = { attempt: 1, message: '[API Error: 500 broken]', waitMs: undefined };

test.each([
  ['nothing has begun', broken, false, true],
  ['work has begun', broken, true, false],
  ['the network is dead', { ...broken, message: 'exception TypeError: fetch failed sending request' }, true, true],
  ['the wait is long', { ...broken, waitMs: 60_000 }, true, true],
  ['the wait is longer than the call may last', { ...broken, waitMs: 20_000 }, true, true],
  ['it has failed often enough', { ...broken, attempt: 3 }, true, true],
])('when %s, hopeless is %s', (_, notice, hasBegun, expected) => {
  expect(isHopeless(notice, hasBegun, 10_000)).toBe(expected);
});
