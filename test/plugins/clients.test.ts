import { parseManifest, PLUGIN_API_VERSION } from '../../core/plugins/manifest';

const SMALLEST = { apiVersion: PLUGIN_API_VERSION, driver: 'parrot', kind: 'http', main: './index.js' };
const CLIENT = { name: 'crow', title: 'Crow', programs: ['crow'] };

const parse = (client: Record<string, unknown>) =>
  parseManifest(JSON.stringify({ ...SMALLEST, clients: [{ ...CLIENT, ...client }] })).clients[0];

test('a client needs three fields; the others have defaults', () => {
  expect(parse({})).toEqual({
    ...CLIENT,
    api: 'chat-completions',
    environment: {},
    arguments: [],
    files: {},
    asksFor: [],
  });
});

test('it may have fields of a later time', () => {
  expect(parse({ smell: 'good' })).toMatchObject({ smell: 'good' });
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ['no program', { programs: [] }, /clients\[0\]\.programs: /],
  ['a name with a space', { name: 'a crow' }, /clients\[0\]\.name: .*lower-case words/],
  ['a variable that is none', { environment: { 'A B': 'x' } }, /clients\[0\]\.environment/],
  [
    'a placeholder that does not exist',
    { environment: { A: '{ulr}' } },
    /environment.*expected no placeholder but \{url\}/,
  ],
  ['one of them in JSON', { environment: { A: { b: ['{ulr}'] } } }, /environment.*expected no placeholder but/],
  ['one of them in the name of a field', { files: { 'a.json': { '{ulr}': 1 } } }, /files.*expected no placeholder but/],
  ['a key in an argument', { arguments: ['--key={key}'] }, /arguments.*expected no \{key\}: other users/],
  ['a key in a group of arguments', { arguments: [['--key', '{key}']] }, /arguments.*expected no \{key\}/],
  ['a file outside of the folder', { files: { '../x': 'y' } }, /files.*expected paths inside the folder/],
  ['a file with an absolute path', { files: { '/x': 'y' } }, /files.*expected paths inside the folder/],
])('%s is refused', (_, client, message) => {
  expect(() => parse(client)).toThrow(message);
});
