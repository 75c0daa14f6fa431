import { splitErrors } from '../../core/subprocess/output';
import { Workshop } from './open-programs';

test('a program’s standard error is heard line by line while it runs', async () => {
  const workshop = new Workshop();
  const lines: string[] = [];
  const heard = new Promise<void>((resolve) => {
    const onErrorLine = (line: string): void => {
      lines.push(line);
      if (lines.length === 2) resolve();
    };
    void workshop.shell('echo one >&2; printf "tw" >&2; echo o >&2; exec sleep 60', { onErrorLine, graceMs: 0 });
  });
  await heard;
  await workshop.close();
  expect(lines).toEqual(['one', 'two']);
});

test('a listener that throws ends the program, and its error reaches the reader of the output', async () => {
  const workshop = new Workshop();
  const onErrorLine = (): void => {
    throw new Error('no ear');
  };
  const program = await workshop.shell('echo one >&2; exec sleep 60', { onErrorLine, graceMs: 0 });
  await expect(program.lines().next()).rejects.toThrow('no ear');
  await program.exited;
  await workshop.close();
});

test('a line over 64 KiB is passed over, and those after it are heard', () => {
  const lines: string[] = [];
  const take = splitErrors((line) => void lines.push(line));
  take(Buffer.from('before\n'));
  for (let piece = 0; piece < 5; piece += 1) take(Buffer.alloc(20_000, 'x'));
  take(Buffer.from('\nafter\n'));
  expect([lines[0], lines.at(-1)]).toEqual(['before', 'after']);
  expect(lines.every((line) => line.length <= 64 * 1024)).toBe(true);
});
