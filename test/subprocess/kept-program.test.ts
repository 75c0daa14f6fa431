import { firstLine, isAlive, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

test('a program that a driver keeps is no program of its call any more, whose end is not its end', async () => {
  const { signal, abort } = call();
  const program = await workshop.shell('echo up; read line; echo "$line"', { signal });
  const lines = program.lines();
  expect((await lines.next()).value).toBe('up');
  workshop.programs.leaveCall(program.pid);
  await workshop.programs.ended(signal);
  abort();
  await program.write('on\n');
  expect((await lines.next()).value).toBe('on');
});

test('other programs of the call end with it', async () => {
  const { signal, abort } = call();
  const [kept, other] = [await workshop.shell('read line', { signal }), await workshop.shell('read line', { signal })];
  workshop.programs.leaveCall(kept.pid);
  abort();
  await workshop.programs.ended(signal);
  expect([kept.pid, other.pid].filter(isAlive)).toEqual([kept.pid]);
});

test.each([
  ['nothing', 'echo up; read line', true],
  ['a child that runs', 'sleep 60 & echo up; read line', false],
  ['a child that has left its group and its parent', '(setsid sleep 60 &) ; echo up; read line', false],
])('a program that has started %s knows whether it is alone', async (_name, script, isAlone) => {
  const program = await workshop.shell(script);
  await firstLine(program);
  expect(await program.isAlone()).toBe(isAlone);
});

test('a program that has ended is not alone', async () => {
  const program = await workshop.shell('echo up');
  await program.exited;
  expect(await program.isAlone()).toBe(false);
});

function call(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('killed')) };
}
