import { Environment } from '../../../core/config/environment';
import type { ServerEntry } from '../../../core/config/mcp/mcp-file';
import { serverSchema } from '../../../core/config/mcp/mcp-schema';
import { Redactor } from '../../../core/contract/redact';
import { serverSettingsOf } from '../../../core/devices/mcp/server-settings';
import { hintOf } from '../../../core/errors';

const root = '/no/such/project';

function adviceFor(values: Record<string, unknown>, { isOfProject = true, hasDaemon = true, isReachable = true }) {
  const place = { file: `${root}/.drivebay/mcp.json` };
  const entry: ServerEntry = { name: 'box', values: serverSchema.parse(values), place, isOfProject };
  const environment = new Environment({
    projectRoot: root,
    processEnvironment: {},
    ...(hasDaemon && { daemon: { name: 'the daemon', restart: 'drivebay daemon restart', isReachable } }),
  });
  try {
    return serverSettingsOf(entry, { environment, redactor: new Redactor(), folder: root });
  } catch (error) {
    return hintOf(error);
  }
}

const FILE = `, or add it to ${root}/.env.local`;
const BROUGHT = 'the next drivebay command in that terminal takes it along';

test.each<
  [string, Record<string, unknown>, { isOfProject?: boolean; hasDaemon?: boolean; isReachable?: boolean }, string]
>([
  [
    'a key of a project',
    { command: 'x', env: { API_KEY: '${A_KEY}' } },
    {},
    `run: export A_KEY=...; ${BROUGHT}${FILE}`,
  ],
  [
    'a key of the user',
    { url: 'http://h/', headers: { Authorization: '${T}' } },
    { isOfProject: false },
    `run: export T=...; ${BROUGHT}`,
  ],
  [
    'a key for a daemon that no command finds',
    { command: 'x', env: { API_KEY: '${A_KEY}' } },
    { isReachable: false },
    `run: export A_KEY=...; drivebay daemon restart${FILE}`,
  ],
  [
    'what is no key',
    { command: 'x', env: { LEVEL: '${LEVEL}' } },
    {},
    `run: export LEVEL=...; drivebay daemon restart${FILE}`,
  ],
  ['what chooses a program', { command: '${X_KEY}' }, {}, 'run: export X_KEY=...; drivebay daemon restart'],
  ['what chooses an address', { url: '${URL}' }, {}, 'run: export URL=...; drivebay daemon restart'],
  [
    'what chooses a program, and is a value',
    { command: 'x', args: ['${A}'], env: { A: '${A}' } },
    {},
    'run: export A=...; drivebay daemon restart',
  ],
  ['a command without a daemon', { command: '${X}' }, { hasDaemon: false }, 'run: export X=... and the command again'],
])('the advice about a variable that is not set is of use: %s', (_, values, given, advice) => {
  expect(adviceFor(values, given)).toBe(advice);
});
