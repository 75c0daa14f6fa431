import type { Diagnosis } from 'drivebay/plugin';
import { HANG } from 'drivebay/testing';
import { topic } from '../../setup/diagnosed';
import { TempHome } from '../../setup/temp-home';
import { newCall } from '../harness';
import { start } from './harness';

const CHOSEN = /^(?:GEMINI_|GOOGLE_|OPENAI_)/;
const LOGIN = { '.gemini/settings.json': '{ "security": { "auth": { "selectedType": "oauth-personal" } } }' };
const BY_KEY = { '.gemini/settings.json': '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }' };
const COMMENTED = `{ "security": { "auth": {
  // "selectedType": "gemini-api-key",
  "selectedType": "oauth-personal" } } }`;
const before = process.env;

let home: TempHome;
let harness: Awaited<ReturnType<typeof start>>;

beforeEach(async () => {
  home = new TempHome();
  const neutral = Object.entries(before).filter(([name]) => !CHOSEN.test(name));
  process.env = { ...Object.fromEntries(neutral), GEMINI_CLI_HOME: home.directory };
  harness = await start();
  harness.script(({ argv }) => (argv.includes('--version') ? ['1.2.3'] : [{ exit: 1 }]));
});

afterEach(async () => {
  process.env = before;
  await harness.close();
  home.remove();
});

async function diagnosed(call = newCall()): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for await (const finding of harness.driver.diagnose(call)) findings.push(finding);
  return findings;
}

test.each<[Record<string, string>, Record<string, string>, object]>([
  [
    ...([{}, {}] as const),
    {
      severity: 'warning',
      message: 'no way to log in is chosen in ~/.gemini/settings.json',
      fix: 'run gemini once in a terminal and log in; or set api_key_env',
    },
  ],
  [LOGIN, {}, { severity: 'note', message: expect.stringContaining('its file is not there') }],
  [{ ...LOGIN, '.gemini/oauth_creds.json': '{}' }, {}, { severity: 'ok', message: 'by subscription' }],
  [
    { '.gemini/settings.json': COMMENTED, '.gemini/oauth_creds.json': '{}' },
    ...([{}, { severity: 'ok', message: 'by subscription' }] as const),
  ],
  [
    BY_KEY,
    { GEMINI_API_KEY: 'k' },
    { severity: 'warning', fix: 'set api_key_env: GEMINI_API_KEY, unless the program has stored the key itself' },
  ],
  [{ ...BY_KEY, '.gemini/.env': 'GEMINI_API_KEY=k\n' }, {}, { severity: 'ok' }],
  [{}, { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, { severity: 'ok', message: 'chosen by a variable' }],
])('with the files %j and the environment %j the login is %j', async (files, environment, finding) => {
  for (const [file, text] of Object.entries(files)) home.write(file, text);
  Object.assign(process.env, environment);
  expect(topic(await diagnosed(), 'login')).toMatchObject(finding);
  expect(harness.cli.runs.map(({ argv }) => argv)).toEqual([['--version']]);
});

test('a key in the environment that the program does not get is named', async () => {
  process.env.GEMINI_API_KEY = 'planted-key-0123456789';
  expect(topic(await diagnosed(), 'billing')).toEqual({
    topic: 'billing',
    severity: 'note',
    message: 'GEMINI_API_KEY is set, and not given to the program',
    fix: 'to pay with the key: api_key_env: GEMINI_API_KEY',
  });
});

test('a program that hangs is a warning once the time is up', async () => {
  harness.script(() => [HANG]);
  const abort = new AbortController();
  const findings = diagnosed(newCall(abort.signal));
  await harness.cli.until(() => harness.cli.runs.length > 0);
  abort.abort(new Error('the time is up'));
  expect(topic(await findings, 'version')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('--version does not answer'),
  });
});
