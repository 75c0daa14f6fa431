import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../setup/until';
import { collect, failureOf, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

test('a program gets its input and gives its lines', async () => {
  const program = await workshop.spawn('/bin/cat', [], { input: 'one\ntwo\r\n\nlast' });
  expect(await collect(program.lines())).toEqual(['one', 'two', '', 'last']);
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test('input much larger than a pipe flows in while the output flows out', async () => {
  const text = `${'x'.repeat(999)}\n`.repeat(4_000);
  const program = await workshop.spawn('/bin/cat', [], { input: text });
  expect((await collect(program.lines())).length).toBe(4_000);
});

describe('plain text', () => {
  test('arrives while the program still thinks, without a line feed', async () => {
    const program = await workshop.shell('printf Hel; read word; printf lo');
    const bytes = program.bytes();
    expect(Buffer.from((await bytes.next()).value!).toString()).toBe('Hel');
    await program.write('\n');
    expect(Buffer.concat(await collect(bytes)).toString()).toBe('lo');
  });

  test('is there whole, byte for byte, also where the program ended before it was read', async () => {
    const program = await workshop.spawn('/bin/cat', [], { input: 'one\r\ntwo\n\nü' });
    await program.exited;
    expect(Buffer.concat(await collect(program.bytes())).toString()).toBe('one\r\ntwo\n\nü');
  });

  test('is no longer cut into lines once it is read as it comes', async () => {
    const program = await workshop.shell('echo one');
    await collect(program.bytes());
    expect(() => program.lines()).toThrow('the output is read as bytes already');
  });
});

test('lines that the program wrote before it is read are there', async () => {
  const program = await workshop.shell('printf "one\\ntwo"');
  await program.exited;
  expect(await collect(program.lines())).toEqual(['one', 'two']);
});

test('a conversation goes on over several loops', async () => {
  const program = await workshop.spawn('/bin/cat');
  for (const question of ['a', 'b', 'c']) {
    await program.write(`${question}\n`);
    for await (const line of program.lines()) {
      expect(line).toBe(question);
      break;
    }
  }
  program.end();
  expect(await collect(program.lines())).toEqual([]);
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test('arguments arrive as they are', async () => {
  const args = [
    'with space',
    '"quotes" \'both\'',
    'line\nbreak',
    '--dash',
    '$HOME `id` ; rm *',
    '',
    'ünï \u2028 😀',
    '-',
  ];
  const print = 'console.log(JSON.stringify(process.argv.slice(2)))';
  const program = await workshop.spawn(workshop.script(print, process.execPath), args);
  const [line] = await collect(program.lines());
  expect(JSON.parse(line ?? '')).toEqual(args);
});

test('a line of 20 MiB is refused, and the program stopped', async () => {
  const program = await workshop.node(
    `process.stdout.write('first\\n' + 'x'.repeat(20 << 20) + '\\n'); setInterval(() => {}, 1000)`,
  );
  const lines = program.lines();
  expect((await lines.next()).value).toBe('first');
  const error = await failureOf(lines.next());
  expect(error).toMatchObject({ code: 'protocol', kind: 'line_too_long' });
  expect(error.message).toContain('16 MiB');
  await program.gone;
});

test('lines up to 16 MiB arrive, and leave the others their turn', async () => {
  const program = await workshop.node(
    `for (let i = 0; i < 6; i++) process.stdout.write(JSON.stringify({text: 'x'.repeat(15 << 20)}) + '\\n')`,
  );
  // In processor time, which does not depend on other programs of this machine.
  const longest = watchTurns();
  const lengths = (await collect(program.jsonLines())).map(({ json }) => (json as { text: string }).text.length);
  expect(lengths).toEqual(Array<number>(6).fill(15 << 20));
  // One line takes about 100 ms, and six in one turn at least 600.
  expect(longest()).toBeLessThan(500);
});

/** Returns what ends the watching, and tells the most that was done between two turns of the event loop, in ms. */
function watchTurns(): () => number {
  let longest = 0;
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.cpuUsage();
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

test('a line that is not JSON is given back', async () => {
  const program = await workshop.shell(`printf '{"a":1}\\nWarning: x\\nnull\\n'`);
  expect(await collect(program.jsonLines())).toEqual([
    { text: '{"a":1}', json: { a: 1 } },
    { text: 'Warning: x', json: undefined },
    { text: 'null', json: null },
  ]);
});

test('a flood on the standard error is read, and its end is kept', async () => {
  const program = await workshop.node(
    `const all = 'ü'.repeat(1 << 20) + '\\n'; for (let i = 0; i < 20; i++) process.stderr.write(all); process.stderr.write('the end\\n'); process.stdout.write('ok\\n')`,
  );
  expect(await collect(program.lines())).toEqual(['ok']);
  await program.exited;
  expect(program.stderr.endsWith('ü\nthe end\n')).toBe(true);
  expect(program.stderr).not.toContain('\uFFFD');
  expect(Buffer.byteLength(program.stderr)).toBeLessThanOrEqual(64 * 1024);
});

test('a program that never reads its input does no harm', async () => {
  const program = await workshop.shell('exec <&-; echo gone; exit 3', { input: 'x'.repeat(3_000_000) });
  expect(await collect(program.lines())).toEqual(['gone']);
  expect(await program.exited).toEqual({ code: 3, signal: null });
  await program.write('still there?');
});

test('output that is not taken is held back at the source, and not lost', async () => {
  const program = await workshop.node(`
    const line = 'x'.repeat(1 << 20) + '\\n';
    let written = 0;
    (function next() {
      if (written === 100) return;
      written += 1;
      require('node:fs').writeFileSync('written', String(written));
      process.stdout.write(line, next);
    })()`);
  const written = () => Number(readFileSync(join(workshop.folder, 'written'), 'utf8'));
  await until(() => existsSync(join(workshop.folder, 'written')) && written() > 30);
  // It is still writing, or stuck: only the latter is allowed to last.
  await pause(200);
  expect(written()).toBeLessThan(40);
  expect((await collect(program.lines())).length).toBe(100);
});
