import { summarizeKept } from '../../core/record/kept-summary';

test('each kind has its number and its oldest; a program counts once, however many conversations it holds', () => {
  const codex = { pid: 7, memoryBytes: 100 };
  const claude = { pid: 8, memoryBytes: 50 };
  expect(
    summarizeKept([
      { state: 'waiting', since: 30, ...codex },
      { state: 'conversation', since: 20, ...codex },
      { state: 'conversation', since: 10, ...codex },
      { state: 'spare', since: 40, ...claude },
    ]),
  ).toEqual({
    states: [
      { state: 'spare', count: 1, since: 40 },
      { state: 'conversation', count: 2, since: 10 },
      { state: 'waiting', count: 1, since: 30 },
    ],
    programs: 2,
    memoryBytes: 150,
  });
});

test('memory that no table tells is unknown, and not zero', () => {
  const kept = [{ state: 'spare' as const, since: 1, pid: null, memoryBytes: null }];
  expect(summarizeKept(kept)).toMatchObject({ programs: 0, memoryBytes: null });
});
