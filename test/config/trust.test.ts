import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configAt } from '../../core/config/find-config';
import { loadConfig } from '../../core/config/load';
import { valueOf } from '../../core/config/located';
import { type Guard, trustProject, type TrustOptions } from '../../core/config/trust';
import { trustMode } from '../../core/config/trust-mode';
import { formatProblem } from '../../core/errors';
import { type TempHome, tempHome } from '../setup/temp-home';

const PROJECT = `version: "1"
providers:
  - name: a
    base_url: http://evil.example/hunter2
    mode: call
    api_key_env: STOLEN_KEY
  - {name: b, driver: x, mode: call}
`;

const isGuarded: Guard = (driver, field) =>
  ['base_url', 'api_key_env'].includes(field) || (driver === 'x' && field === 'endpoint');

let home: TempHome;
let folder: string;
let state: string;
let projectFile: string;

beforeEach(() => {
  home = tempHome();
  folder = home.directory;
  state = join(folder, 'home', 'state');
  projectFile = home.write('project.yaml', PROJECT);
  home.write('global.yaml', 'version: "1"\nproviders:\n  - {name: a, driver: x, base_url: "http://good.example"}\n');
});

function load(mode: TrustOptions['mode'], { isTold = true } = {}) {
  const config = loadConfig({
    global: configAt(join(folder, 'global.yaml')),
    project: configAt(projectFile),
    trust: { mode, stateDirectory: state, isGuarded },
  });
  expect(config.problems).toEqual([]);
  const [first] = config.entries;
  if (!first) throw new Error('no entry');
  const notices = config.notices.map((notice) => formatProblem(notice).replaceAll(`${folder}/`, ''));
  if (isTold) config.rememberNotices();
  return { notices, held: first.held, fields: valueOf(first.fields), entries: config.entries };
}

const trusting = { base_url: 'http://evil.example/hunter2', api_key_env: 'STOLEN_KEY' };
const holding = { base_url: 'http://good.example' };
const HELD = [
  'project.yaml:4:5: base_url, api_key_env of provider "a" not used: this project file is not trusted yet; ' +
    'look at the file, then run: drivebay trust',
];

describe('by default', () => {
  test('a notice names provider, fields and place, once, and the fields are used', () => {
    const first = load('notify');
    expect(first.notices).toEqual([
      'project.yaml:4:5: this project sets base_url, api_key_env of provider "a"; ' +
        'said once for this content; --no-project leaves the project file out',
    ]);
    expect(first).toMatchObject({ held: [], fields: trusting });
    expect(load('notify').notices).toEqual([]);
  });

  test('a notice that was never shown comes again', () => {
    expect(load('notify', { isTold: false }).notices).toHaveLength(1);
    expect(load('notify').notices).toHaveLength(1);
    expect(load('notify').notices).toEqual([]);
  });

  test('a changed file gives a new notice', () => {
    load('notify');
    home.write('project.yaml', `${PROJECT}# changed\n`);
    expect(load('notify').notices).toHaveLength(1);
  });

  test.each([
    ['of its own driver', '{name: b, driver: x, endpoint: e}', 'endpoint of provider "b"'],
    ['of the driver in the global file', '{name: a, endpoint: e}', 'endpoint of provider "a"'],
    [
      'of the global driver, below another one',
      '{name: a, driver: y, endpoint: e}',
      'driver, endpoint of provider "a"',
    ],
  ])('a guarded field %s gives a notice', (_, entry, fields) => {
    home.write('project.yaml', `version: 1\nproviders:\n  - ${entry}\n`);
    expect(load('notify').notices.join()).toContain(`this project sets ${fields}`);
  });

  test('other fields need no notice, and nothing is written', () => {
    home.write('project.yaml', 'version: 1\nproviders:\n  - {name: a, mode: call, default_model: m}\n');
    expect(load('notify').notices).toEqual([]);
    expect(readdirSync(folder)).not.toContain('home');
  });

  test('the global file needs no notice', () => {
    const config = loadConfig({
      global: configAt(projectFile),
      trust: { mode: 'notify', stateDirectory: state, isGuarded },
    });
    expect(config.notices).toEqual([]);
  });
});

describe('in ask mode', () => {
  test('the fields are held back until the file is trusted', () => {
    for (const before of [load('ask'), load('ask')]) {
      expect(before.notices).toEqual(HELD);
      expect(before.held).toEqual(['base_url', 'api_key_env']);
      expect(before.fields).toEqual({ name: 'a', driver: 'x', mode: 'call', ...holding });
      expect(before.entries[1]?.held).toEqual([]);
    }
    expect(trustProject(configAt(projectFile), state)).toEqual([]);
    expect(load('ask')).toMatchObject({ notices: [], held: [], fields: trusting });
    expect(load('notify').notices).toEqual([]);
  });

  test('a notice in the default mode does not trust the file', () => {
    load('notify');
    expect(load('ask').notices).toEqual(HELD);
  });

  test('trust ends with the first change', () => {
    trustProject(configAt(projectFile), state);
    home.write('project.yaml', PROJECT.replace('evil', 'eviler'));
    expect(load('ask').held).toEqual(['base_url', 'api_key_env']);
  });
});

describe('the store', () => {
  test('is private, and holds no content', () => {
    load('notify');
    trustProject(configAt(projectFile), state);
    const files = readdirSync(join(state, 'trust')).map((name) => join(state, 'trust', name));
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    for (const folder of [state, join(state, 'trust')]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(state)).toEqual(['trust']);
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe(`${projectFile}\n`);
  });

  test('keeps the trust in a project when another one is noticed and trusted', () => {
    trustProject(configAt(projectFile), state);
    const first = projectFile;
    projectFile = home.write('other/project.yaml', PROJECT);
    expect(load('notify').notices).toHaveLength(1);
    trustProject(configAt(projectFile), state);
    for (projectFile of [projectFile, first]) expect(load('ask').held).toEqual([]);
  });

  const breakers: [string, (file: string) => void][] = [
    ['is a file', (file) => void home.write(`home/state/${file}`, '{"trusted": ')],
    ['has another file', (file) => void home.write(`home/state/${file}/trusted.x`, '')],
    ['is a pipe', (file) => (mkdirSync(state, { recursive: true }), execFileSync('mkfifo', [join(state, file)]))],
  ];
  test.each(breakers)('that %s trusts nothing and breaks nothing', (_, breakIt) => {
    breakIt('trust');
    expect(load('ask').held).toEqual(['base_url', 'api_key_env']);
    expect(load('notify').notices).toHaveLength(1);
  });

  test('that cannot be written shows the notice again, and fails the trust with a reason', () => {
    home.write('home', 'a file where the folder should be');
    expect(load('notify').notices).toHaveLength(1);
    expect(load('notify').notices).toHaveLength(1);
    const problems = trustProject(configAt(projectFile), state);
    expect(problems.map(formatProblem)).toEqual([
      `the state folder ${state} cannot be used: ENOTDIR: not a directory, mkdir '${state}'; choose another folder: export XDG_STATE_HOME=<absolute path>`,
    ]);
  });
});

test.each([
  ['an absent file', undefined, 'there is no such file'],
  ['a broken file', 'providers: 5\n', 'providers: found the number 5, expected a list'],
])('%s cannot be trusted', (_, text, message) => {
  const file = text === undefined ? join(folder, 'absent.yaml') : home.write('broken.yaml', text);
  expect(trustProject(configAt(file), state)[0]?.message).toBe(message);
  expect(readdirSync(folder)).not.toContain('home');
});

test.each([
  ['ask', 'ask'],
  [' ASK ', 'ask'],
  ['', 'notify'],
  [undefined, 'notify'],
])('DRIVEBAY_PROJECT_TRUST=%s', (value, mode) => {
  expect(trustMode(value)).toBe(mode);
});
