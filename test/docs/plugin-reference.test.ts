import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliBackend, conformanceCases, httpBackend } from 'drivebay/testing';
import { PLUGIN_API_VERSION } from '../../core/plugins/manifest';
import { repository } from '../setup/repository';
import { TempHome } from '../setup/temp-home';
import { CLI_MANIFEST, HTTP_MANIFEST } from '../authoring/sample-drivers';
import { sampleCliWire, sampleHttpWire } from '../authoring/sample-wires';
import { testGeneratedParts } from './generated-parts';
import { referenceTables } from './reference-tables';

const page = readFileSync(join(repository, 'docs/plugin-reference.md'), 'utf8');
const home = new TempHome();
afterAll(() => home.remove());

testGeneratedParts('docs/plugin-reference.md', referenceTables);

test('the changelog of the API names the version that is spoken', () => {
  const changelog = readFileSync(join(repository, 'docs/plugin-api-changelog.md'), 'utf8');
  expect(/<!-- api-version -->(\d+)/.exec(changelog)?.[1]).toBe(String(PLUGIN_API_VERSION));
});

test('no member of the contract stands there without a meaning, as an editor would show it', () => {
  expect(page.match(/^\| `[^`]+` \| +\|$/gm)).toBeNull();
});

/** Each example is a whole driver, on the backends of the sample drivers, which speak as it says. */
const examples = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map((match) => [match[1], match[2]!] as const);
const hosts = [
  { name: 'in lines of JSON', manifest: HTTP_MANIFEST, backend: httpBackend(sampleHttpWire) },
  { name: 'of a program', manifest: CLI_MANIFEST, backend: cliBackend(sampleCliWire) },
];

test('there is no example that is not run', () => {
  expect(examples.map(([language]) => language)).toEqual(hosts.map(() => 'js'));
});

test.each(hosts)('the example $name answers', async ({ name, manifest, backend }) => {
  const index = hosts.findIndex((host) => host.name === name);
  const code = examples[index]![1].replace('export default', 'module.exports =');
  const directory = home.plugin(`example-${index}`, { code, manifest });
  const ids = [
    ...['answer.text-streamed', 'answer.text-whole', 'answer.before-the-end', 'answer.split-bytes'],
    ...['request.parts', 'failure.garbage', 'failure.upstream', 'failure.cut-short', 'cancel.midway'],
  ];
  const cases = conformanceCases({ directory, backend }).filter(({ id }) => ids.includes(id));
  expect(cases).toHaveLength(ids.length);
  for (const { run } of cases) await run();
});
