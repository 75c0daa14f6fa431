import { Turns } from '../../core/authoring/conformance/turns';

/** Work that says when it begins and ends, and ends when it is told to. */
function work(log: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
  };
  return { run, end };
}

test('what looks at the whole process runs after what is running and before what comes later', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const [first, second, alone, last] = ['first', 'second', 'alone', 'last'].map((name) => work(log, name)) as [
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
  ];
  const all = [turns.beside(first.run), turns.beside(second.run), turns.alone(alone.run), turns.beside(last.run)];
  second.end();
  await all[1];
  last.end();
  alone.end();
  first.end();
  await Promise.all(all);
  expect(log).toEqual([
    ...['first begins', 'second begins', 'second ends', 'first ends'],
    ...['alone begins', 'alone ends', 'last begins', 'last ends'],
  ]);
});

test('a case that fails stops no other', async () => {
  const turns = new Turns();
  const failing = () => Promise.reject(new Error('no'));
  await expect(turns.beside(failing)).rejects.toThrow('no');
  await expect(turns.alone(failing)).rejects.toThrow('no');
  await turns.beside(() => Promise.resolve());
});
