import { DaemonHome } from '../../setup/daemon-home';
import { HEALTHY } from '../../setup/driver-code';
import type { CliResult } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const home = new DaemonHome();
const models = (body: string) => `module.exports = (context) => ({ ...${HEALTHY}, async models(call) { ${body} } });`;

/** It waits for 5 s, so it begins before the other tests. */
let withEndless: Promise<CliResult>;

beforeAll(() => {
  const patient = tempHome();
  patient.plugin('names', { code: models(`return ['small'];`) });
  patient.plugin('endless', { code: models(`await new Promise(() => {});`) });
  patient.providers('name: prompt, driver: names', 'name: endless, driver: endless');
  withEndless = patient.run('models');
  home.plugin('names', { code: models(`return ['small', 'large'];`) });
  home.plugin('rich', {
    code: models(`return [{ name: 'wide', contextWindow: 200000 }, { name: 'known' }, 'plain'];`),
  });
  home.plugin('silent', { code: `module.exports = () => (${HEALTHY});`, manifest: { kind: 'cli' } });
  home.plugin('wrong', { code: models(`return [{ id: 'x' }];`) });
  home.plugin('locked', {
    code: models('context.requireApiKey();'),
    manifest: { options: { api_key_env: {} } },
  });
  home.providers(
    'name: names, driver: names',
    'name: rich, driver: rich, models: { known: { context_window: 8000 } }',
    'name: silent, driver: silent, default_model: sonnet',
    'name: wrong, driver: wrong',
    'name: locked, driver: locked, api_key_env: THE_KEY',
  );
});

const TABLE = `Provider  Model   Context
names     small   -
names     large   -
rich      wide    200000
rich      known   8000
rich      plain   -
silent    sonnet  -
`;

function expectAll({ code, stdout, stderr }: CliResult): void {
  expect([code, stdout]).toEqual([0, TABLE]);
  expect(stderr).toContain('silent does not say which models it has\n');
  expect(stderr).toMatch(
    /wrong gives no list of models: .*its models\(\) has to resolve with a list of names, .* found an object/,
  );
  expect(stderr).toMatch(/locked gives no list of models: no API key: THE_KEY is not set/);
}

test('every model of every provider, with its window; who cannot be asked is named with the reason', async () => {
  expectAll(await home.run('models'));
});

test('--json has the same for machines', async () => {
  const { stdout } = await home.run('models', 'rich', '--json');
  const window = (name: string, contextWindow: number | null) => ({ name, contextWindow });
  expect(JSON.parse(stdout)).toEqual({
    providers: [
      {
        provider: 'rich',
        models: [window('wide', 200000), window('known', 8000), window('plain', null)],
        listed: true,
        reason: null,
        hint: null,
      },
    ],
  });
});

test('the exit code is 1 when none could be asked', async () => {
  expect(await home.run('models', 'locked')).toMatchObject({ code: 1 });
  expect(await home.run('models', 'locked', '--json')).toMatchObject({ code: 1, stderr: '' });
});

test('the completion of a shell offers what was listed last', async () => {
  const { stdout } = await home.run('__complete', '--', 'do it', '--provider', 'rich', '--model', '');
  expect(stdout).toBe('words\nknown\trich\nwide\trich\nplain\trich\n');
});

test('a running daemon is asked, and knows the same providers', async () => {
  await home.start();
  expectAll(await home.run('models'));
  const { code, stderr } = await home.run('models', 'rihc');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/there is no provider "rihc"[^]*rich/)]);
});

test('a provider that does not answer in time is named, and the others are listed', async () => {
  const { code, stdout, stderr } = await withEndless;
  expect([code, stdout]).toEqual([0, 'Provider  Model  Context\nprompt    small  -\n']);
  expect(stderr).toContain('endless gives no list of models: no answer within 5 s\n');
});
