import type { Call, Diagnosis } from 'drivebay/plugin';
import { HANG } from 'drivebay/testing';
import type { Options } from '../../../plugins/gamma-cli/options';
import { TempHome } from '../../setup/temp-home';
import { topic } from '../../setup/diagnosed';
import { newCall } from '../harness';
import { start } from './harness';

const SUBSCRIPTION = '{ "security": { "auth": { "selectedType": "oauth-personal" } } }';
const CHOSEN = /^(?:GEMINI_|GOOGLE_|OPENAI_)/;
const before = process.env;

let home: TempHome;
let harness: Awaited<ReturnType<typeof start>> | undefined;

beforeEach(() => {
  home = new TempHome();
  const neutral = Object.entries(before).filter(([name]) => !CHOSEN.test(name));
  process.env = { ...Object.fromEntries(neutral), GEMINI_CLI_HOME: home.directory };
});

afterEach(async () => {
  process.env = before;
  await harness?.close();
  harness = undefined;
  home.remove();
});

async function diagnosed(options: Partial<Options> = {}, environment = {}): Promise<Diagnosis[]> {
  harness = await start(options, environment);
  harness.script(({ argv }) => (argv.includes('--version') ? ['1.2.3'] : [{ exit: 1 }]));
  return findingsOf(newCall());
}

async function findingsOf(call: Call): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for await (const finding of harness!.driver.diagnose(call)) findings.push(finding);
  return findings;
}

test('the version is what the program says, and it is asked nothing else', async () => {
  const findings = await diagnosed();
  expect(topic(findings, 'version')).toMatchObject({
    severity: 'ok',
    message: expect.stringMatching(/^gemini 1\.2\.3 /),
  });
  expect(harness!.cli.runs.map(({ argv }) => argv)).toEqual([['--version']]);
});

test('without a login it is said how to get one', async () => {
  expect(topic(await diagnosed(), 'login')).toEqual({
    topic: 'login',
    severity: 'warning',
    message: 'no way to log in is chosen in ~/.gemini/settings.json',
    fix: 'run gemini once in a terminal and log in; or set api_key_env',
  });
});

test('a login that is chosen and there is fine, without its file it is worth knowing', async () => {
  home.write('.gemini/settings.json', SUBSCRIPTION);
  expect(topic(await diagnosed(), 'login')).toMatchObject({
    severity: 'note',
    message: expect.stringContaining('its file is not there'),
  });
  await harness!.close();
  home.write('.gemini/oauth_creds.json', '{}');
  expect(topic(await diagnosed(), 'login')).toEqual({ topic: 'login', severity: 'ok', message: 'by subscription' });
});

test('a service that a variable chooses is a login', async () => {
  process.env.GOOGLE_GENAI_USE_VERTEXAI = 'true';
  expect(topic(await diagnosed(), 'login')).toMatchObject({ severity: 'ok', message: 'chosen by a variable' });
});

test('a key in the environment that the program does not get is named', async () => {
  process.env.GEMINI_API_KEY = 'planted-key-0123456789';
  expect(topic(await diagnosed(), 'billing')).toEqual({
    topic: 'billing',
    severity: 'note',
    message: 'GEMINI_API_KEY is set, and not given to the program: its login pays',
    fix: 'to pay with the key: api_key_env: GEMINI_API_KEY',
  });
});

test('a program that hangs is a warning once the time is up', async () => {
  harness = await start();
  harness.script(() => [HANG]);
  const abort = new AbortController();
  const findings = findingsOf(newCall(abort.signal));
  await harness.cli.until(() => harness!.cli.runs.length > 0);
  abort.abort(new Error('the time is up'));
  expect(topic(await findings, 'version')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('--version does not answer'),
  });
});
