import { reloadLines } from '../../../core/daemon/reload/reload-lines';

const kept = (name: string) => ({ name, change: 'kept' as const, what: [] });
const form = (providers: object[], settings: string[] = [], root: string | null = null) =>
  ({ root, files: ['providers.yaml'], providers, routes: [], servers: [], settings }) as never;
const lines = (...projects: never[]) => reloadLines({ dryRun: false, projects, warnings: [], restart: [] });

test('a folder that is open with the demo and without is told once', () => {
  expect(lines(form([kept('a')]), form([kept('a'), kept('demo')]))).toEqual([
    'outside of projects (providers.yaml)\n  kept      a, demo',
  ]);
});

test('what one form keeps and another one changes has changed; each setting and each other folder stands for itself', () => {
  const changed = { name: 'a', change: 'changed', what: ['base_url'] };
  const added = { name: 'b', change: 'added', what: [] };
  expect(
    lines(form([kept('a')], ['clients']), form([changed, added], ['clients']), form([kept('a')], [], '/work')),
  ).toEqual([
    'outside of projects (providers.yaml)\n  changed   a (base_url)\n  added     b\n  changed   clients',
    'project /work (providers.yaml)\n  kept      a',
  ]);
});
