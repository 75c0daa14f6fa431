import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../core/cli/program';
import { requestFields } from '../../core/gateway/request-fields';
import { errorKinds } from '../../core/contract/error-kinds';
import { repository, sourceFiles } from '../setup/source-files';

const page = readFileSync(join(repository, 'docs/gateway.md'), 'utf8');
const section = (heading: string) => page.split(`\n${heading}\n`)[1]!.split(/\n##? /)[0]!;
const source = sourceFiles('core/gateway')
  .map(({ path }) => readFileSync(join(repository, path), 'utf8'))
  .join('\n');
const missing = (words: Iterable<string>, text: string) =>
  [...new Set(words)].filter((word) => !text.toLowerCase().includes(`\`${word}\``));

test('every option of serve is explained, and no other', () => {
  const serve = buildProgram().commands.find((command) => command.name() === 'serve')!;
  const named = [...section('## Options').matchAll(/^\| `(--[\w-]+)` \|/gm)].map((match) => match[1]);
  expect(named.sort()).toEqual(serve.options.map(({ long }) => long).sort());
});

test('every field that is known is named', () => {
  expect(missing(Object.keys(requestFields.shape), section('## Requests'))).toEqual([]);
});

test('every header that is sent is explained', () => {
  const sent = [
    ...source.matchAll(/^\s*(?:\.\.\.\([^{]*\{)?\s*'((?:x|access-control|retry|www|content|cache)-[a-z-]+)':/gm),
  ];
  const set = [...source.matchAll(/(?:setHeader\(|(?<!request\.)headers\[)'([a-z-]+)'/g)];
  const names = [...sent, ...set].map((match) => match[1]!).filter((name) => name !== 'content-length');
  expect(names).toEqual(expect.arrayContaining(['x-drivebay-provider', 'x-should-retry', 'access-control-max-age']));
  const table = page.split('### Headers of a response')[1]!.split('\n#')[0]!;
  expect(missing([...names, 'server', 'allow', 'vary'], table)).toEqual([]);
});

test('every header that is read is explained', () => {
  const read = [...source.matchAll(/request\.headers(?:\.|\[')([a-z-]+)/g)].map((match) => match[1]!);
  const taken = [...source.matchAll(/const \{ ([^}]*) \} = request\.headers/g)].flatMap(([, names]) =>
    names!.split(', ').map((name) => name.split(' ')[0]!),
  );
  expect([...read, ...taken]).toEqual(expect.arrayContaining(['authorization', 'origin', 'content-type']));
  const table = page.split('### Headers of a request')[1]!.split('\n#')[0]!;
  expect(missing([...read, ...taken], table)).toEqual([]);
});

test('every kind of error is explained', () => {
  expect(missing(errorKinds, section('## Errors'))).toEqual([]);
});
