import { writtenKeys } from '../../../core/config/mcp/written-keys';

test.each<[string, Parameters<typeof writtenKeys>[0], string[]]>([
  [
    'a variable',
    { command: 'x', env: { TOKEN: 'abc', MODE: 'fast', OTHER: 'sk-abc' } },
    ['variable TOKEN', 'variable OTHER'],
  ],
  ['a header', { url: 'http://h/', headers: { Authorization: 'Bearer abc', Accept: 'x' } }, ['header Authorization']],
  ['the url', { url: 'http://h/mcp?token=abc' }, ['url']],
  ['a url whose host is a variable', { url: 'http://${HOST}/mcp?token=abc' }, ['url']],
  ['a password', { url: 'http://u:pw@h/mcp' }, ['url']],
  ['an argument', { command: 'x', args: ['--token', 'sk-abc'] }, ['argument 2']],
  ['the command', { command: 'sk-abc' }, ['command']],
  ['a default', { command: 'x', env: { TOKEN: '${TOKEN:-abc}' } }, ['variable TOKEN']],
])('a key is found in %s', (_, values, places) => {
  expect(writtenKeys(values)).toEqual(places);
});

test('variables that stand for keys are none', () => {
  const headers = { Authorization: 'Bearer ${TOKEN}', 'x-api-key': '${env:KEY}' };
  expect(writtenKeys({ url: 'https://u:${PASSWORD}@${HOST}/mcp?token=${TOKEN}&v=1', headers })).toEqual([]);
  const env = { API_KEY: '${KEY}', EMPTY_TOKEN: '' };
  expect(writtenKeys({ command: 'npx', args: ['-y', '@scope/server', '--token=${TOKEN}'], env })).toEqual([]);
});
