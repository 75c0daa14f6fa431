import { KeptTable } from '../../../../../core/plugins/kept-table';
import { Servers } from '../../../../../plugins/_shared/cli/warm/servers';
import type { Spare, SpareKind } from '../../../../../plugins/_shared/cli/warm/spare';
import { OpenContext } from '../../../../setup/open-context';

class Program implements Spare {
  isGone = false;
  readonly ready: Promise<void>;
  isReady: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  private leave: () => void = () => undefined;
  readonly gone = new Promise<void>((resolve) => (this.leave = resolve));

  constructor(readonly key: string) {
    this.ready = new Promise((resolve, reject) => ([this.isReady, this.fail] = [resolve, reject]));
  }

  stop(): Promise<void> {
    this.isGone = true;
    this.leave();
    return this.gone;
  }

  warnOfEnd(): Promise<void> {
    throw new Error('it did not end by itself');
  }
}

const open = new OpenContext('alpha-cli', {}, {});
let kept = new KeptTable(() => Infinity).of();
let started: Program[] = [];
beforeEach(() => ((kept = new KeptTable(() => Infinity).of()), (started = [])));
afterEach(() => kept.close());
afterAll(() => open.close());

const serversOf = (most: number) =>
  new Servers<Program>({ log: open.context.log, keep: kept.keep }, { most, forMs: 60_000 });

function kindOf(key: string, slot: string | undefined): SpareKind<Program> {
  const start = () => {
    const program = new Program(key);
    started.push(program);
    return Promise.resolve(program);
  };
  return { key, slot, name: 'program', program: 'program 1', start };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Lets the latest program be ready. */
async function ready(): Promise<Program> {
  await settled();
  const program = started.at(-1)!;
  program.isReady();
  await settled();
  return program;
}

test('two kinds that are used at the same moment have a program each, one start after the other', async () => {
  const servers = serversOf(2);
  const [one, other] = [kindOf('one', 'one'), kindOf('other', 'other')];
  for (const kind of [one, other, one]) servers.refill(kind);
  await settled();
  expect(started.map(({ key }) => key)).toEqual(['one']);
  await ready();
  await ready();
  expect(started.map(({ key, isGone }) => [key, isGone])).toEqual([
    ['one', false],
    ['other', false],
  ]);
  expect([servers.find(one), servers.find(other)]).toEqual(started);
  expect(kept.list()).toHaveLength(2);
});

test('a start that fails keeps no other kind from its own, and is not repeated before it is asked for', async () => {
  const servers = serversOf(2);
  const [one, other] = [kindOf('one', 'one'), kindOf('other', 'other')];
  for (const kind of [one, other, one]) servers.refill(kind);
  await settled();
  started[0]!.fail(new Error('it cannot'));
  await ready();
  expect(started.map(({ key }) => key)).toEqual(['one', 'other']);
  servers.close();
  servers.refill(one);
  await settled();
  expect(started).toHaveLength(2);
});

test('a kind takes the place of another one in its slot only, when that has no user any more', async () => {
  const servers = serversOf(4);
  const [old, latest, beside] = [kindOf('old', 'one'), kindOf('new', 'one'), kindOf('beside', 'two')];
  const programs: Program[] = [];
  for (const kind of [old, beside]) {
    servers.refill(kind);
    programs.push(await ready());
  }
  servers.hold(programs[0]!);
  servers.refill(latest);
  programs.push(await ready());
  expect(programs.map(({ isGone }) => isGone)).toEqual([false, false, false]);
  servers.release(programs[0]!);
  expect(programs.map(({ isGone }) => isGone)).toEqual([true, false, false]);
  expect([servers.find(latest), servers.find(beside)]).toEqual([programs[2], programs[1]]);
  expect(kept.list()).toHaveLength(2);
});

test('one that is taken is for the caller alone, and the next one leaves it alone', async () => {
  const servers = serversOf(1);
  const kind = kindOf('one', 'one');
  servers.refill(kind);
  const taken = await ready();
  expect(servers.take(kind)).toBe(taken);
  expect([servers.take(kind), kept.list()]).toEqual([undefined, []]);
  servers.refill(kind);
  const next = await ready();
  kept.close();
  expect([taken.isGone, next.isGone]).toEqual([false, true]);
});
