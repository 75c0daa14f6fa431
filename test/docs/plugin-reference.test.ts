import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliBackend, conformanceCases, httpBackend } from 'drivebay/testing';
import { PLUGIN_API_VERSION } from '../../core/plugins/manifest';
import { repository } from '../setup/source-files';
import { TempHome } from '../setup/temp-home';
import { CLI_MANIFEST, HTTP_MANIFEST } from '../testing/sample-drivers';
import { sampleCliWire, sampleHttpWire } from '../testing/sample-wires';
import { referenceTables } from './reference-tables';

const file = join(repository, 'docs/plugin-reference.md');
const page = readFileSync(file, 'utf8');
const home = new TempHome();
afterAll(() => home.remove());

test.each(Object.keys(referenceTables))(
  'the table of %s is what the code has: write it anew with UPDATE_DOCS=1',
  (name) => {
    const text = readFileSync(file, 'utf8');
    const place = new RegExp(`(?<=<!-- ${name} -->\n\n)[^]*(?=\n\n<!-- /${name} -->)`);
    expect(text).toMatch(place);
    const fresh = text.replace(place, () => referenceTables[name]!());
    if (process.env.UPDATE_DOCS) writeFileSync(file, fresh);
    else expect(text).toBe(fresh);
  },
);

test('every marked part of the page is generated', () => {
  const marks = [...page.matchAll(/<!-- ([\w-]+) -->/g)].map((match) => match[1]);
  expect(marks.sort()).toEqual(Object.keys(referenceTables).sort());
});

test('the changelog of the API names the version that is spoken', () => {
  const changelog = readFileSync(join(repository, 'docs/plugin-api-changelog.md'), 'utf8');
  expect(/<!-- api-version -->(\d+)/.exec(changelog)?.[1]).toBe(String(PLUGIN_API_VERSION));
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
