import { DoorLog } from '../../core/gateway/door-log';
import type { Logger } from '../../core/contract/api';

test('of ten thousand refusals in a second twenty have a line, and one line tells of the others', () => {
  jest.useFakeTimers();
  const lines: string[] = [];
  const log = { warn: (line: string) => lines.push(line) } as unknown as Logger;
  const doorLog = new DoorLog(log);
  const taken = Array.from({ length: 10_000 }, (_, index) => doorLog.takes(index % 2 ? 401 : 403)).filter(Boolean);
  expect([taken.length, lines]).toEqual([20, []]);
  jest.advanceTimersByTime(1_000);
  expect(lines).toEqual(['9980 more requests were answered at the door within a second: 4990 with 403, 4990 with 401']);
  expect(doorLog.takes(401)).toBe(true);
  jest.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(1);
  jest.useRealTimers();
});
