import { groupProviders } from '../../../core/dashboard/page/group-providers';
import type { ProviderRow } from '../../../core/dashboard/protocol';
import { NO_TURNS } from '../../../core/record/usage';

const GLOBAL = '/home/me/.config/drivebay/providers.yaml';
const KEPT = { state: 'spare' as const, since: 1, pid: 7, memoryBytes: null };
const OWN = '/p/.drivebay/providers.yaml';

function row(project: string | null, more: Partial<ProviderRow> = {}): ProviderRow {
  return {
    ...{ name: 'a', driver: 'd-1', driverAlias: 'd', kind: 'http', status: 'healthy', model: null },
    ...{
      latencyMs: null,
      timedOut: false,
      reason: null,
      hint: null,
      detail: null,
      warnings: [],
      pays: null,
    },
    ...{ rests: [], route: null, kept: [] },
    ...{ latency: [], turns: [], sinceStart: NO_TURNS, today: NO_TURNS, project, files: [GLOBAL] },
    ...more,
  };
}

const turn = (time: number) => ({ time, ms: 1, ok: true });

test('a global provider is one row with the sums of all projects, as of its latest check', () => {
  const used = { ...NO_TURNS, turns: 2, failed: 1, costUsd: 0.5 };
  const groups = groupProviders([
    row(null, { sinceStart: used, turns: [turn(1), turn(4)], latency: [{ time: 1, ms: 90 }], latencyMs: 90 }),
    row('/p', { sinceStart: used, turns: [turn(3)], latency: [{ time: 2, ms: 20 }], latencyMs: 20 }),
    row('/q', { status: 'unchecked', pays: 'KEY', today: used, kept: [KEPT] }),
  ]);
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ status: 'healthy', latencyMs: 20, pays: 'KEY', today: used, kept: [KEPT] });
  expect(groups[0]!.sinceStart).toMatchObject({ turns: 4, failed: 2, costUsd: 1 });
  expect(groups[0]!.turns.map(({ time }) => time)).toEqual([1, 3, 4]);
});

test('a route adds up what its targets have answered in each project', () => {
  const route = { order: 'sequence' as const, targets: [] };
  const rows = [
    row(null, { route, answers: { a: 1, b: 2 } }),
    row('/p', { route, answers: { b: 3 } }),
    row('/q', { route }),
  ];
  expect(groupProviders(rows)).toMatchObject([{ answers: { a: 1, b: 5 } }]);
});

test('what differs stays apart: another file, another name, a failure in one project only', () => {
  const offline = { status: 'offline', reason: 'no key' } as const;
  const rows = [row(null), row('/p', { files: [GLOBAL, OWN] }), row('/p', { name: 'b' }), row('/q', offline)];
  expect(groupProviders([...rows, row('/r', offline)])).toEqual([
    ...rows.slice(0, 3),
    expect.objectContaining(offline),
  ]);
});

test('an offline provider is one row with the reason of each project, each once', () => {
  const offline = (project: string | null, reason: string) =>
    row(project, { status: 'offline', reason, hint: `hint of ${reason}` });
  const groups = groupProviders([offline(null, 'no key'), offline('/p', 'no key in /p/.env'), offline('/q', 'no key')]);
  expect(groups).toHaveLength(1);
  expect(groups[0]!.reasons).toMatchObject([
    { reason: 'no key', hint: 'hint of no key' },
    { reason: 'no key in /p/.env', hint: 'hint of no key in /p/.env' },
  ]);
});

test('a check in another project does not change in which project a provider is asked', () => {
  const rows = (time: number) => [
    row('/p', { latency: [{ time: 5, ms: 1 }] }),
    row('/q', { latency: [{ time, ms: 1 }] }),
  ];
  expect([4, 6].map((time) => groupProviders(rows(time))[0]!.project)).toEqual(['/p', '/p']);
});
