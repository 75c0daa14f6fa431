import { COMMONJS, ES_MODULE, HEALTHY } from '../setup/driver-code';
import { runCli } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

// Every case is a plug-in of one home, and `plugins list` and `providers status` look at all of them at once.
const home = tempHome();

interface Case {
  code: string;
  main?: string;
  packageJson?: Record<string, unknown>;
  manifest?: Record<string, unknown>;
}

const good: Record<string, Case> = {
  commonjs: { code: COMMONJS },
  'module-by-extension': { code: ES_MODULE, main: './index.mjs' },
  'module-by-package': { code: ES_MODULE, packageJson: { type: 'module' } },
  'module-without-extension-in-main': { code: ES_MODULE, main: './driver', packageJson: { type: 'module' } },
  'module-unannounced': { code: ES_MODULE },
  'top-level-await': { code: `await Promise.resolve(); ${ES_MODULE}`, main: './index.mjs' },
  'typescript-default': { code: `exports.__esModule = true; exports.default = () => (${HEALTHY});` },
  'factory-promise': { code: `module.exports = async () => (${HEALTHY});` },
  'left-a-timer': { code: `setInterval(() => {}, 1000); ${COMMONJS}` },
  'strange-check': {
    code: `module.exports = () => ({ ...${HEALTHY}, check: () => ({ state: 'odd', detail: 'v1', warnings: ['old'] }) });`,
  },
};

/** With the reason each one gives. */
const bad: Record<string, Case & { reason: RegExp }> = {
  throws: { code: 'throw new Error("no beak")', reason: /^no beak \(index\.js:1:7\)$/ },
  'throws-null': { code: 'throw null', reason: /null/ },
  'module-throws': {
    code: 'throw new Error("no wing"); export default 1',
    main: './index.mjs',
    reason: /^no wing \(index\.mjs:1:7\)$/,
  },
  'exports-nothing': { code: '', reason: /must export a driver factory as default, found no exports/ },
  'exports-object': { code: 'module.exports = { chat() {} }', reason: /found an object with the keys chat/ },
  'module-exports-names': {
    code: 'export const create = 1;',
    main: './index.mjs',
    reason: /found an object with the keys create/,
  },
  'syntax-error': { code: '\n\nmodule.exports = () => {{', reason: /syntax-error\/index\.js:\d+: / },
  'missing-package': { code: 'require("not-installed")', reason: /Cannot find module 'not-installed'/ },
  'missing-main': { code: '', manifest: { main: './gone.js' }, reason: /main "\.\/gone\.js" names no file in / },
};

/** Those whose code loads and whose factory fails: the plug-in is fine, the provider is not. */
const unusable: Record<string, Case & { reason: RegExp }> = {
  'factory-throws': {
    code: 'module.exports = () => { throw new Error("bad options") }',
    reason: /^bad options \(index\.js:1:32\)$/,
  },
  'factory-rejects': { code: 'module.exports = async () => { throw "a text" }', reason: /^a text$/ },
  'factory-nothing': {
    code: 'module.exports = () => undefined',
    reason: /an object with chat and check, found undefined/,
  },
  'check-throws': {
    code: `module.exports = () => ({ chat() {}, check() { throw new Error('rain') } })`,
    reason: /rain/,
  },
};

interface Listed {
  driver: string;
  state: string;
  reason: string | null;
  providers: string[];
}

interface Checked {
  name: string;
  status: string;
  reason: string | null;
  warnings: string[];
  detail: string | null;
}

let listed: Map<string, Listed>;
let status: Map<string, Checked>;
let statusErrors: string;

beforeAll(async () => {
  const all = { ...good, ...bad, ...unusable };
  for (const [driver, { code, main = './index.js', packageJson, manifest }] of Object.entries(all)) {
    const file = main === './driver' ? './driver.js' : main;
    const folder = home.plugin(driver, { code, main: file, manifest: { main, ...manifest } });
    if (packageJson) home.write(`${folder.slice(home.directory.length + 1)}/package.json`, JSON.stringify(packageJson));
  }
  home.plugin('nobodys', { code: 'throw new Error("was imported")' });
  home.write('.config/drivebay/plugins/bad-json/manifest.json', '{"driver": ');
  home.plugin('from-the-future', { code: COMMONJS, manifest: { apiVersion: 99 } });
  home.plugin('bad-schema', { code: COMMONJS, manifest: { options: { speed: { type: 'warp' } } } });
  home.plugin('copy', { folder: '.config/drivebay/plugins/zz-copy', code: COMMONJS, manifest: { driver: 'commonjs' } });
  const names = [...Object.keys(all), 'from-the-future', 'bad-schema', 'bad-json'];
  const entries = names.map((name) => `  - { name: ${name}, driver: ${name} }\n`);
  home.configure(`version: "1"\nproviders:\n${entries.join('')}`);

  const [list, providers] = await Promise.all([
    runCli(['plugins', 'list', '--json'], { env: home.environment() }),
    runCli(['providers', 'status', '--json'], { env: home.environment() }),
  ]);
  expect([list.code, providers.code]).toEqual([0, 0]);
  const plugins = (JSON.parse(list.stdout) as { plugins: Listed[] }).plugins;
  listed = new Map(plugins.filter(({ state }) => state !== 'shadowed').map((plugin) => [plugin.driver, plugin]));
  const rows = (JSON.parse(providers.stdout) as { providers: Checked[] }).providers;
  status = new Map(rows.map((row) => [row.name, row]));
  statusErrors = providers.stderr;
});

test.each(Object.keys(good))('%s loads', (name) => {
  expect(listed.get(name)).toMatchObject({ state: 'ready', reason: null, providers: [name] });
  expect(status.get(name)).toMatchObject({ status: 'healthy', reason: null });
});

test.each(Object.keys(bad))('%s is `failed` with the reason, and its provider offline', (name) => {
  expect(listed.get(name)).toMatchObject({ state: 'failed', providers: [name] });
  expect(listed.get(name)?.reason).toMatch(bad[name]!.reason);
  expect(status.get(name)).toMatchObject({ status: 'offline' });
  expect(status.get(name)?.reason).toContain(`failed to load: ${listed.get(name)?.reason}`);
});

test.each(Object.keys(unusable))('%s leaves its provider offline, and the plug-in ready', (name) => {
  expect(listed.get(name)).toMatchObject({ state: 'ready' });
  expect(status.get(name)).toMatchObject({ status: 'offline' });
  expect(status.get(name)?.reason).toMatch(unusable[name]!.reason);
});

test.each([
  ['from-the-future', /written for plug-in API 99, this drivebay offers \d+: upgrade drivebay$/],
  ['bad-schema', /options\.speed: it cannot be used: Unsupported type: warp/],
  ['bad-json', /^manifest\.json is not JSON/],
])('%s is `failed` before any code runs, and its provider offline', (name, reason) => {
  expect(listed.get(name)?.state).toBe('failed');
  expect(listed.get(name)?.reason).toMatch(reason);
  expect(status.get(name)?.status).toBe('offline');
  expect(statusErrors).toContain(`plugins/${name} is failed: ${listed.get(name)?.reason}`);
});

test('a plug-in that no provider uses is not imported', () => {
  expect(listed.get('nobodys')).toMatchObject({ state: 'unused', reason: null, providers: [] });
});

test('a check adds a detail and warnings, and cannot choose its own state', () => {
  expect(status.get('strange-check')).toMatchObject({ status: 'healthy', detail: 'v1', warnings: ['old'] });
});

test('a driver name that is taken is said on stderr, with both folders', () => {
  expect(statusErrors).toMatch(
    /plugins\/zz-copy is shadowed: the driver name "commonjs" belongs to .*plugins\/commonjs/,
  );
});

test('many providers at once make Node complain about nothing', () => {
  expect(status.size).toBeGreaterThan(20);
  expect(statusErrors).not.toMatch(/Warning|ExperimentalWarning|at .*\(.*:\d+:\d+\)/);
});

test('an import that never ends fails after 10 s, and holds nobody else up', async () => {
  const hanging = tempHome();
  hanging.plugin('hangs', { code: 'await new Promise(() => {}); export default 1;', main: './index.mjs' });
  hanging.plugin('runs', { code: COMMONJS });
  hanging.configure('version: "1"\nproviders:\n  - { name: a, driver: hangs }\n  - { name: b, driver: runs }\n');
  const started = Date.now();
  const timed = async (words: string[]) => {
    const result = await runCli(words, { env: hanging.environment() });
    return { ...result, seconds: (Date.now() - started) / 1000 };
  };
  const [status, list] = await Promise.all([timed(['providers', 'status']), timed(['plugins', 'list'])]);
  expect(status.stdout).toMatch(/^a +http +offline +- +timeout\nb +http +healthy/m);
  expect(status.stderr).toContain('a is offline: driver "hangs" was not set up within 3 s');
  expect(status.code).toBe(0);
  // The status is there after its own 3 s.
  expect(status.seconds).toBeLessThan(list.seconds);
  expect(list.stdout).toMatch(/^hangs .* failed [^]*^runs .* ready /m);
  expect(list.stderr).toContain('hangs is failed: importing ./index.mjs did not finish within 10 s');
});
