import { withCheck } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
home.plugin('parrot', { code: withCheck('') });
home.plugin('owl', { code: withCheck("throw context.error('unreachable', 'asleep');") });
home.configure(`version: "1"
default_provider: smart
providers:
  - { name: grey, driver: parrot, default_model: m }
  - { name: night, driver: owl, default_model: m }
routes:
  - { name: smart, order: spread, targets: [{ target: "night:big", weight: 3 }, grey] }
  - { name: dark, targets: [night] }
  - { name: "any-*", targets: [grey] }
`);

interface Status {
  providers: { name: string; kind: string; status: string; route: unknown; rests: unknown[] }[];
}

interface Finding {
  provider: string | null;
  code: string;
  severity: string;
  message: string;
}

test('providers status has each route with its targets, and the health of its best one', async () => {
  const { providers } = JSON.parse((await home.run('providers', 'status', '--json')).stdout) as Status;
  expect(providers.map(({ name, kind, status }) => [name, kind, status])).toEqual([
    ['grey', 'http', 'healthy'],
    ['night', 'http', 'offline'],
    ['smart', 'route', 'healthy'],
    ['dark', 'route', 'offline'],
  ]);
  const targets = [
    { name: 'night', model: 'big', weight: 3 },
    { name: 'grey', weight: 1 },
  ];
  expect(providers[2]!.route).toEqual({ order: 'spread', targets });
  const { stdout, stderr } = await home.run('providers', 'status');
  expect(stdout).toMatch(/\nsmart +route +healthy/);
  expect(stderr).toContain('smart: a route over night:big, grey, in turn\n');
  expect(stderr).toContain('dark is offline: all of its targets are offline (night: asleep)');
});

test('doctor looks at a route by its name, and takes it as the default', async () => {
  const diagnose = async (...words: string[]) =>
    (JSON.parse((await home.run('doctor', ...words, '--json')).stdout) as { findings: Finding[] }).findings;
  expect((await diagnose('smart')).filter(({ provider }) => provider === 'smart')).toMatchObject([
    { code: 'answers', message: 'leads to night, grey' },
  ]);
  const standard = (await diagnose()).find(({ code }) => code === 'default_provider');
  expect(standard).toMatchObject({ severity: 'ok', message: expect.stringContaining('smart') as string });
});

test('explain names the targets, and shows the call of the first that does not rest', async () => {
  const { stdout } = await home.run('providers', 'explain', 'smart', '--json');
  const targets = [
    { provider: 'night', model: 'big', until: null },
    { provider: 'grey', model: null, until: null },
  ];
  expect(JSON.parse(stdout)).toMatchObject({ route: { name: 'smart', targets }, provider: 'night' });
  const { stdout: text } = await home.run('providers', 'explain', 'smart');
  expect(text).toMatch(/^route +smart: night.*, grey/);
});

test('a name that is near that of a route is a mistake with its cure', async () => {
  const { stderr, code } = await home.run('say it', '--provider', 'smrt');
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean smart?')]);
});
