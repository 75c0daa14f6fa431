import { RepeatCounter } from '../../core/log/repeat-counter';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a line is said at once, equal ones are counted, and after a minute the next one is said again', () => {
  const said: string[] = [];
  const counter = new RepeatCounter((line) => said.push(line));
  for (const line of ['one', 'two', 'one', 'one', 'three', 'three']) counter.add(line);
  expect(said).toEqual(['one', 'two', 'three']);
  jest.advanceTimersByTime(60_000);
  expect(said.slice(3)).toEqual(['one (2 more times since)', 'three (once more since)']);
  counter.add('one');
  jest.advanceTimersByTime(60_000);
  expect(said.slice(5)).toEqual(['one']);
});
