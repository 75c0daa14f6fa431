import { reportServers } from '../../core/devices/report-servers';

const server = (file: string, activity: object) => ({
  ...{ name: 'files', target: 'npx files', file },
  activity: { running: 0, users: 0, tools: null, fault: null, ...activity },
});

test('a server of the user is reported once for all projects, with what it does in each', () => {
  const [report, ...others] = reportServers([
    { toolServers: [server('mcp.json', { running: 1, users: 2, tools: 4 })], heldServers: [] },
    { root: '/a', toolServers: [server('mcp.json', { running: 1, users: 1, fault: 'it ended' })], heldServers: [] },
  ]);
  expect(others).toEqual([]);
  expect(report).toMatchObject({
    projects: [null, '/a'],
    activity: { running: 2, users: 3, tools: 4, fault: 'it ended' },
  });
});

test('servers of the same name in two projects are two, and those that wait for trust are named', () => {
  const reports = reportServers([
    { root: '/a', toolServers: [server('/a/mcp.json', {})], heldServers: [] },
    { root: '/b', toolServers: [], heldServers: ['/dev/mcp/files'] },
  ]);
  expect(reports.map(({ name, projects, file, activity }) => [name, projects, file, activity === null])).toEqual([
    ['files', ['/a'], '/a/mcp.json', false],
    ['files', ['/b'], null, true],
  ]);
});
