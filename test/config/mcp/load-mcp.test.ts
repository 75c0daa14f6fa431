import { rmSync } from 'node:fs';
import { configAt } from '../../../core/config/find-config';
import { editMcp } from '../../../core/config/mcp/edit-mcp';
import { fillVariables, findBadVariable } from '../../../core/config/mcp/fill-variables';
import { findMcpFiles } from '../../../core/config/mcp/find-mcp-files';
import { loadMcp } from '../../../core/config/mcp/load-mcp';
import { TrustStore } from '../../../core/config/trust-store';
import { formatProblem } from '../../../core/errors';
import { findPaths } from '../../../core/paths';
import { type TempHome, tempHome } from '../../setup/temp-home';

let home: TempHome;

beforeEach(() => {
  home = tempHome();
});

afterEach(() => home.remove());

const GLOBAL = '.config/drivebay/mcp.json';
const PROJECT = 'work/.drivebay/mcp.json';
const file = (servers: unknown) => JSON.stringify({ mcpServers: servers }, undefined, 2);

function load(useProject = true) {
  const paths = findPaths(home.environment(), `${home.directory}/work`);
  const loaded = loadMcp(paths, useProject);
  const told = (list: Parameters<typeof formatProblem>[0][]) =>
    list.map((problem) => formatProblem(problem).replaceAll(home.directory, '~'));
  return {
    paths,
    names: loaded.servers.map(({ name }) => name),
    servers: loaded.servers,
    held: loaded.held.map(({ name }) => name),
    problems: told(loaded.problems),
    warnings: told(loaded.warnings),
    notices: told(loaded.notices),
  };
}

test('without a file there is no server, and nothing to say', () => {
  home.write('work/.drivebay/providers.yaml', '');
  expect(load()).toMatchObject({ names: [], held: [], problems: [], warnings: [], notices: [] });
});

test('the form that editors write is read, with tabs and in one line, too', () => {
  home.write(
    GLOBAL,
    '{\n\t"mcpServers": {\n\t\t"files": {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}\n\t}\n}\n',
  );
  const [server] = load().servers;
  expect(server).toMatchObject({
    name: 'files',
    isOfProject: false,
    values: { command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
  });
  home.write(
    GLOBAL,
    '{"mcpServers":{"web":{"type":"http","url":"https://h/mcp","headers":{"Authorization":"Bearer ${T}"}},"my box":{"command":"x","disabled":true}}}',
  );
  expect(load()).toMatchObject({ names: ['web'], problems: [], warnings: [] });
});

test('comments and last commas are left out, as editors write them', () => {
  home.write(
    GLOBAL,
    `// mine
{
  /* of all
     projects */
  "mcpServers": {
    // "old": { "command": "gone" },
    "web": { "url": "https://h/mcp", }, // "//" in a text stays
    "files": { "command": "npx", "args": ["/* no comment */", "\\"//"] },
    "odd": { "comand": "x" }
  },
}
`,
  );
  const { servers, problems } = load();
  expect(servers.map(({ values }) => values)).toMatchObject([
    { url: 'https://h/mcp' },
    { args: ['/* no comment */', '"//'] },
  ]);
  expect(problems).toEqual([
    '~/.config/drivebay/mcp.json:9:12: mcpServers.odd: found neither command nor url, expected one of them',
  ]);
});

test.each<[string, string, string]>([
  [
    '{"mcpServers": {"a": {"comand": "x"}}}',
    'problems',
    '~/.config/drivebay/mcp.json:1:22: mcpServers.a: found neither command nor url, expected one of them',
  ],
  [
    '{"mcpServers": {"a": {"command": "x", "arg": []}}}',
    'warnings',
    'mcp.json:1:39: mcpServers.a.arg: unknown key, ignored; did you mean args?',
  ],
  ['{"mcpservers": {}}', 'warnings', 'mcpservers: unknown key, ignored; did you mean mcpServers?'],
  [
    '{"mcpServers": {"a": {"command": "x", "url": "http://h"}}}',
    'problems',
    'found command and url, expected one of them',
  ],
  ['{"mcpServers": {"a": {"command": 5}}}', 'problems', 'mcpServers.a.command: found the number 5, expected a text'],
  [
    '{"mcpServers": {"a": {"command": "x", "args": "-y"}}}',
    'problems',
    'mcpServers.a.args: found the text "-y", expected a list',
  ],
  [
    '{"mcpServers": {"a": {"command": "x", "type": "http"}}}',
    'problems',
    'mcpServers.a.type: a server of type http needs url',
  ],
  ['{"mcpServers": {"a": {"url": "x", "type": "htp"}}}', 'problems', 'did you mean http?'],
  ['{"mcpServers": {"a": {"url": "ftp://h/"}}}', 'problems', 'mcpServers.a.url: expected an http(s) URL'],
  [
    '{"mcpServers": {"a": {"command": "x", "env": {"K": "${input:key}"}}}}',
    'problems',
    'mcpServers.a.env.K: found ${input:key, expected ${NAME} or ${NAME:-default}',
  ],
  [
    '{"mcpServers": {"a": {"command": "x", "headers": {}}}}',
    'warnings',
    'mcpServers.a.headers: has no effect on a server with a command',
  ],
  [
    '{"mcpServers": {"a/b": {"command": "x"}}}',
    'problems',
    'found "a/b", expected a name of 1 to 100 characters without "/"',
  ],
  ['{"mcpServers": []}', 'problems', 'mcpServers: found a list, expected a map'],
  ['[]', 'problems', 'found a list, expected a map with mcpServers'],
  ['{"mcpServers": {', 'problems', 'not valid JSON: found no closing }'],
])('%s', (text, list, message) => {
  home.write(GLOBAL, text);
  const loaded = load();
  expect(loaded[list as 'problems' | 'warnings'].join('\n')).toContain(message);
  if (list === 'problems') expect(loaded.names).toEqual([]);
});

describe('a project', () => {
  beforeEach(() => {
    home.write(GLOBAL, file({ mine: { command: 'mine' }, both: { command: 'mine' } }));
    home.write(PROJECT, file({ both: { command: 'theirs' }, new: { command: 'theirs' } }));
  });

  test('waits until its file is trusted, whatever DRIVEBAY_PROJECT_TRUST says; the own servers stay', () => {
    const { names, servers, held, notices } = load();
    expect([names, held]).toEqual([
      ['mine', 'both'],
      ['both', 'new'],
    ]);
    expect(servers[1]?.values.command).toBe('mine');
    expect(notices[1]).toBe(
      '~/work/.drivebay/mcp.json:6:5: tool server "new" of this project is not used: its file is not trusted yet; look at the file, then run: drivebay trust',
    );
  });

  test('counts when it is trusted, and a change of the file takes the trust away', () => {
    const { paths } = load();
    const path = `${home.directory}/${PROJECT}`;
    new TrustStore(paths.state).add('trusted', { file: path, text: configAt(path).document.text ?? '' });
    const trusted = load();
    expect([trusted.names, trusted.held, trusted.notices]).toEqual([['mine', 'both', 'new'], [], []]);
    expect(trusted.servers[1]).toMatchObject({ isOfProject: true, values: { command: 'theirs' } });
    expect(load(false).names).toEqual(['mine', 'both']);
    home.write(PROJECT, file({ both: { command: 'worse' } }));
    expect(load()).toMatchObject({ names: ['mine', 'both'], held: ['both'] });
  });
});

test('the file of the user stands beside the providers.yaml that counts', () => {
  const environment = { ...home.environment(), XDG_CONFIG_HOME: `${home.directory}/moved` };
  const place = () => findMcpFiles(findPaths(environment, home.directory)).global.replace(home.directory, '~');
  home.configure('');
  expect(place()).toBe('~/.config/drivebay/mcp.json');
  const own = home.write('moved/drivebay/mcp.json', file({}));
  expect(place()).toBe('~/moved/drivebay/mcp.json');
  rmSync(own);
  home.write('moved/drivebay/providers.yml', '');
  home.write(GLOBAL, file({ mine: { command: 'x' } }));
  expect(place()).toBe('~/moved/drivebay/mcp.json');
});

test('variables are replaced by their values, else by their defaults, and what is missing is named', () => {
  const missing: string[] = [];
  const values: Record<string, string> = { A: '1' };
  const fill = (text: string) => fillVariables(text, (name) => values[name], missing);
  expect(fill('${A}-${env:A}-${B:-two}-${C:-}-$A-{A}')).toBe('1-1-two--$A-{A}');
  expect(missing).toEqual([]);
  expect(fill('${D}${E}')).toBe('');
  expect(missing).toEqual(['D', 'E']);
  expect(findBadVariable('${A} ${A:-b c}')).toBeUndefined();
  expect(findBadVariable('x ${workspace.root}')).toBe('${workspace.root');
});

test('an edit keeps what it does not change, and refuses what it could not keep', () => {
  const text = '{\n\t"other": 1,\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n';
  expect(editMcp(text, (servers) => servers)).toBe(text);
  expect(editMcp(undefined, () => ({ b: { url: 'u' } }))).toBe(file({ b: { url: 'u' } }) + '\n');
  expect(editMcp('# mine\n{}', (servers) => servers)).toBeUndefined();
});

test('a folder of the user that cannot be read is a problem, with the variable that moves it', () => {
  home.write('.config', 'a file in its place');
  expect(load().problems).toEqual([
    '~/.config/drivebay/mcp.json: the file cannot be read (ENOTDIR); choose another folder: export XDG_CONFIG_HOME=<absolute path>',
  ]);
});
