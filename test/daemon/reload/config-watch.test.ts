import { ConfigWatch } from '../../../core/daemon/reload/config-watch';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('looks once at a time where a watcher left and another came during a look', async () => {
  const looks: (() => void)[] = [];
  const watch = new ConfigWatch(
    () => new Promise((resolve) => looks.push(() => resolve([]))),
    () => Promise.resolve(),
  );
  const start = async () => {
    const started = watch.start();
    looks.pop()!();
    return started;
  };
  const leave = await start();
  await jest.advanceTimersByTimeAsync(500);
  leave();
  const [goesOn] = looks.splice(0);
  const leaveAgain = await start();
  goesOn!();
  await jest.advanceTimersByTimeAsync(500);
  expect(looks).toHaveLength(1);
  leaveAgain();
});
