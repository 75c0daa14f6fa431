import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endRun, stagesOf } from '../../core/subprocess/end-of-run';
import { LocalProcesses } from '../../core/subprocess/local-processes';
import { ProcessScanner } from '../../core/subprocess/os-process-table';
import { ProcessTree } from '../../core/subprocess/process-tree';
import { PsTable } from '../../core/subprocess/ps-table';
import { until } from '../setup/until';
import { collect, commandsOf, failureOf, firstLine, isAlive, Workshop } from './open-programs';

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

/** Leaves the group, the session and its parent: only its environment says where it is from. */
const daemonise = (then: string) => `
  const { spawn } = require('node:child_process');
  const middle = "const c = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });" +
    "require('node:fs').writeFileSync('daemon.pid', String(c.pid)); c.unref()";
  spawn(process.execPath, ['-e', middle], { detached: true, stdio: 'ignore' }).on('exit', () => { ${then} });`;

const daemonPid = () => Number(readFileSync(join(workshop.folder, 'daemon.pid'), 'utf8'));

test('a program that is stopped hears of it by the signal, and not by the end of its input', async () => {
  const program = await workshop.shell('trap "echo signal; exit" TERM; echo ready; read line; echo input');
  const lines: string[] = [];
  for await (const line of program.lines()) {
    if (line === 'ready') void program.stop();
    lines.push(line);
  }
  expect(lines).toEqual(['ready', 'signal']);
});

test('a program that ends when asked is asked once, and politely', async () => {
  const program = await workshop.shell(`trap 'echo term; exit 7' TERM; echo up; while :; do sleep 0.01; done`);
  const lines = program.lines();
  expect((await lines.next()).value).toBe('up');
  await program.stop();
  expect(await program.exited).toEqual({ code: 7, signal: null });
  expect(await collect(lines)).toEqual(['term']);
});

test('a program that ignores the polite signal is killed after the grace period, with its children', async () => {
  const program = await workshop.shell(`trap '' TERM; sleep 60 & echo $!; while :; do sleep 0.05; done`, {
    graceMs: 300,
  });
  const child = Number(await firstLine(program));
  const began = performance.now();
  await program.stop();
  expect(performance.now() - began).toBeGreaterThanOrEqual(290);
  expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect([program.pid, child].filter(isAlive)).toEqual([]);
});

test('SIGINT may come first; SIGTERM follows', async () => {
  const program = await workshop.shell(
    `trap 'echo int' INT; trap 'echo term; exit' TERM; echo up; while :; do sleep 0.01; done`,
    { firstSignal: 'SIGINT', graceMs: 4_000 },
  );
  const lines = program.lines();
  await lines.next();
  void program.stop();
  expect(await collect(lines)).toEqual(['int', 'term']);
});

test('a grace period of 0 is SIGKILL at once', async () => {
  const program = await workshop.shell(`trap '' TERM; echo up; while :; do sleep 0.05; done`, { graceMs: 0 });
  await firstLine(program);
  await program.stop();
  expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test('what left the process group and its parent is stopped as well', async () => {
  const program = await workshop.node(daemonise(`console.log('up'); setInterval(() => {}, 1000)`));
  await firstLine(program);
  expect(isAlive(daemonPid())).toBe(true);
  await program.stop();
  expect([program.pid, daemonPid()].filter(isAlive)).toEqual([]);
});

test('what a program leaves behind that ended well is gone soon after', async () => {
  const program = await workshop.node(daemonise(`console.log('done'); process.exit(0)`), { graceMs: 500 });
  expect(await collect(program.lines())).toEqual(['done']);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  await program.gone;
  expect(isAlive(daemonPid())).toBe(false);
});

test('a tool that is started while the program is being stopped is stopped as well', async () => {
  const program = await workshop.shell(
    `trap 'setsid sleep 60 & echo $!; exit 0' TERM; echo up; while :; do sleep 0.01; done`,
  );
  const lines = program.lines();
  await lines.next();
  const stopped = program.stop();
  const late = Number((await lines.next()).value);
  await stopped;
  expect(late).toBeGreaterThan(1);
  expect(isAlive(late)).toBe(false);
});

test('a grandchild that holds the output open does not hold the answer', async () => {
  const program = await workshop.shell('echo answer; sleep 60 & exit 0');
  expect(await collect(program.lines())).toEqual(['answer']);
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test('a program that goes on after its last line is stopped when the loop of its call is left', async () => {
  const call = new AbortController();
  const program = await workshop.shell('echo answer; while :; do echo more; sleep 0.2; done', { signal: call.signal });
  for await (const line of program.lines()) {
    expect(line).toBe('answer');
    break;
  }
  expect(await collect(program.lines())).toEqual([]);
  await program.gone;
  expect((await program.exited).signal).toBe('SIGTERM');
});

test('patience lets a program end by itself', async () => {
  const program = await workshop.shell('read line; exit 5');
  await program.stop({ patienceMs: 5_000 });
  expect(await program.exited).toEqual({ code: 5, signal: null });
});

describe('the signal of a call', () => {
  test('fired before: nothing is started', async () => {
    const tool = workshop.script('touch started');
    expect(await failureOf(workshop.spawn(tool, [], { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'canceled',
    });
    expect(() => readFileSync(join(workshop.folder, 'started'))).toThrow('ENOENT');
  });

  test('fired while it runs: the lines throw at once, and nothing is left', async () => {
    const call = new AbortController();
    const program = await workshop.shell(`trap '' TERM; sleep 60 & echo $!; wait; sleep 60`, {
      signal: call.signal,
      graceMs: 200,
    });
    const lines = program.lines();
    const child = Number((await lines.next()).value);
    const waiting = failureOf(lines.next());
    call.abort(new Error('client gone'));
    expect(await waiting).toMatchObject({ code: 'canceled' });
    expect(isAlive(program.pid)).toBe(true);
    await program.gone;
    expect([program.pid, child].filter(isAlive)).toEqual([]);
  });

  test('fired after it ended: nothing happens', async () => {
    const call = new AbortController();
    const program = await workshop.shell('exit 0', { signal: call.signal });
    await program.gone;
    call.abort();
    await program.stop();
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });
});

test('closing stops what a driver forgot, and starts nothing more', async () => {
  const programs = await Promise.all([workshop.shell('sleep 60'), workshop.shell('sleep 60')]);
  const late = failureOf(workshop.shell('sleep 60'));
  await workshop.programs.close();
  expect(await late).toMatchObject({ code: 'canceled' });
  expect(programs.map(({ pid }) => pid).filter(isAlive)).toEqual([]);
  expect(await failureOf(workshop.shell('true'))).toMatchObject({ code: 'canceled' });
});

describe('the error of a program that ended without its answer', () => {
  test.each<[string, string, object]>([
    [
      'names the exit code and the last line of the standard error',
      'echo first >&2; echo "Error: broken" >&2; exit 3',
      { code: 'upstream', kind: 'crashed', message: 'sh ended with exit code 3: Error: broken' },
    ],
    [
      'names the reason above a stack',
      `printf 'SyntaxError: too new\\n    at x (y.js:1:1)\\n\\nNode.js v20.0.0\\n' >&2; exit 1`,
      { message: 'sh ended with exit code 1: SyntaxError: too new' },
    ],
    [
      'names the error above its stack and its fields',
      `exec '${process.execPath}' /nonexistent.js`,
      { message: "sh ended with exit code 1: Error: Cannot find module '/nonexistent.js'" },
    ],
    [
      'names what npm could not do, and not where its log is',
      `printf 'npm error code E404\nnpm error 404 Not Found - GET /tool\nnpm error 404\nnpm error A complete log of this run can be found in: /x\n' >&2; exit 1`,
      { message: 'sh ended with exit code 1: npm error 404 Not Found - GET /tool' },
    ],
    ['names the signal', 'kill -SEGV $$', { code: 'upstream', kind: 'crashed', message: 'sh was ended by SIGSEGV' }],
    ['is truncated after a good exit', 'exit 0', { code: 'protocol', kind: 'truncated' }],
    ['is no crash if we ended it', 'exec >&- 2>&-; while :; do sleep 0.1; done', { kind: 'truncated' }],
  ])('%s', async (_, script, error) => {
    expect(await (await workshop.shell(script)).error()).toMatchObject(error);
  });

  test('has the kind and the hint that the driver gives', async () => {
    const advice = { kind: 'login_required', hint: 'run: tool login' } as const;
    expect(await (await workshop.shell('exit 3')).error(advice)).toMatchObject({ code: 'upstream', ...advice });
  });

  test('a missing interpreter is a missing installation', async () => {
    const tool = workshop.script('', '/usr/bin/env no-such-interpreter');
    const error = await (await workshop.spawn(tool)).error({ hint: 'run: tool login' });
    expect(error).toMatchObject({ code: 'not_installed', kind: 'interpreter_missing' });
    expect(error.message).toContain('no-such-interpreter');
    expect(error.hint).toContain('install no-such-interpreter');
  });
});

test('two hundred runs that are canceled at any moment leave nothing', async () => {
  const tool = workshop.script(
    `(setsid sleep 97.31 & sleep 97.31 & exit 0) ; sleep 97.31 & echo $$; trap '' TERM; read line; sleep 97.31`,
  );
  let seed = 20_240_607;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  let started = 0;
  const oneRun = async (_: unknown, index: number) => {
    const call = new AbortController();
    const abortSoon = (withinMs: number) => setTimeout(() => call.abort(), random() * withinMs);
    // Every other one perhaps before it starts, the rest in any later state.
    let timer = index % 2 ? abortSoon(200) : undefined;
    try {
      const program = await workshop.spawn(tool, [], { signal: call.signal, graceMs: 50 });
      started += 1;
      clearTimeout(timer);
      timer = abortSoon(30);
      await collect(program.lines());
    } catch (error) {
      expect(error).toMatchObject({ code: 'canceled' });
    }
  };
  for (let batch = 0; batch < 4; batch += 1) await Promise.all(Array.from({ length: 50 }, oneRun));
  expect(started).toBeGreaterThanOrEqual(100);
  await workshop.programs.close();
  expect(commandsOf('sleep\x0097.31')).toEqual([]);
  expect(commandsOf(tool)).toEqual([]);
});

describe('where no process table can be read', () => {
  let path: string | undefined;
  beforeEach(() => (path = process.env.PATH));
  afterEach(() => (process.env.PATH = path));

  /** As on a system without /proc, and with nothing on the PATH. */
  function tableless(): LocalProcesses {
    process.env.PATH = workshop.folder;
    const table = new PsTable();
    return Object.assign(new LocalProcesses(), { table, scanner: new ProcessScanner(table) });
  }

  test('the group is ended all the same, and the reason is told', async () => {
    const program = await workshop.shell(`trap '' TERM; sleep 60 & echo $!; while :; do sleep 0.05; done`);
    const child = Number(await firstLine(program));
    let hasExited = false;
    void program.exited.then(() => (hasExited = true));
    const tree = new ProcessTree({ leader: program.pid, since: 0, marker: 'x' });
    const doomed = { tree, exited: program.exited, hasExited: () => hasExited };
    const { left, failure } = await endRun(program.pid, doomed, stagesOf('SIGTERM', 200), tableless());
    expect(failure).toMatch(/^the process table cannot be read: .*ps/);
    expect(left).toEqual([]);
    await until(() => ![program.pid, child].some(isAlive));
  });

  test('an exit of the daemon does not fail over it', () => {
    expect(tableless().table?.readSync()).toEqual([]);
  });
});
