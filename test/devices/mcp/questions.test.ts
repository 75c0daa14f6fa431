import { makeLogger } from '../../../core/contract/make-logger';
import { Questions } from '../../../core/devices/mcp/questions';

const user = (pid: number) => ({ workingDirectory: '/', log: makeLogger(() => undefined), pid });
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
