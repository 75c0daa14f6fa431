import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../core/cli/program';
import { requestFields } from '../../core/gateway/dialects/chat-completions/request-fields';
import { upstreamStatuses } from '../../core/gateway/dialects/chat-completions/upstream-status';
import { errorKinds } from '../../core/contract/driver-error';
import { repository } from '../setup/repository';
import { sourceFiles } from '../setup/source-files';

const page = readFileSync(join(repository, 'docs/gateway.md'), 'utf8');
const section = (heading: string) => page.split(`\n${heading}\n`)[1]!.split(/\n##?#? /)[0]!;
const source = [...sourceFiles('core/gateway'), ...sourceFiles('core/serving')]
  .map(({ path }) => readFileSync(join(repository, path), 'utf8'))
  .join('\n');
const missing = (words: Iterable<string>, text: string) =>
  [...new Set(words)].filter((word) => !text.toLowerCase().includes(`\`${word}\``));

test('every option of serve is explained, and no other', () => {
  const serve = buildProgram().commands.find((command) => command.name() === 'serve')!;
  const named = [...section('## Options').matchAll(/^\| `(--[\w-]+)` \|/gm)].map((match) => match[1]);
  const shown = serve.options.filter(({ hidden }) => !hidden);
  expect(named.sort()).toEqual(shown.map(({ long }) => long).sort());
});

test('every field that is known is named', () => {
  expect(missing(Object.keys(requestFields.shape), section('## Requests'))).toEqual([]);
});

test('every header that is sent or read is explained', () => {
  const named = [...source.matchAll(/'((?:x|access-control|retry|www|content|cache)-[a-z-]+)'/g)].map(
    ([, name]) => name!,
  );
  expect(named).toEqual(
    expect.arrayContaining(['x-drivebay-provider', 'x-should-retry', 'access-control-max-age', 'content-encoding']),
  );
  // Express is told not to send `x-powered-by`.
  const plain = ['authorization', 'host', 'origin', 'expect', 'server', 'allow', 'vary'];
  const tables = section('### Headers of a request') + section('### Headers of a response');
  expect(missing([...named.filter((name) => name !== 'x-powered-by'), ...plain], tables)).toEqual([]);
});

test('every kind of error is explained', () => {
  expect(missing(errorKinds, section('## Errors'))).toEqual([]);
});

test('the status of each kind is that of the code', () => {
  const rows = [...section('### The status of a failure').matchAll(/^\| `(\w+)` \| ([^|]+) \|([^|]+)\|$/gm)];
  const kept = rows.map(([, kind, status, sent]) => [kind, [status, ...sent!.split(',')].map(Number).filter(Boolean)]);
  expect(Object.fromEntries(kept)).toEqual(upstreamStatuses);
});
