import { Client } from 'undici';
import { installScripted } from '../gateway/scripted-driver';
import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';
import { casesOf, expectNoStack, MANY } from './hold';
import { bodies, checkErrorForm, formAt } from './request-bodies';
import { requestSamples } from './request-samples';

const PATHS = Object.keys(requestSamples);
// The reading at each path has a hundred thousand cases in a file of its own: here they all share as many, through the whole gateway.
const COUNT = Math.ceil(MANY / PATHS.length);
/** Requests that are on their way at the same time. */
const AT_ONCE = 64;

const home = tempHome();
let gateway: RunningGateway;
let client: Client;

beforeAll(async () => {
  installScripted(home);
  home.configure('version: "1"\nproviders:\n  - { name: main, driver: scripted, default_model: m }\n');
  const env = home.environment();
  gateway = await RunningGateway.start(['--log-level', 'error'], { env });
  client = new Client(gateway.url, { pipelining: AT_ONCE, headersTimeout: 20_000, bodyTimeout: 20_000 });
});
afterAll(async () => {
  await client.close();
  await gateway.stop();
});

async function post(path: string, body: Buffer) {
  const headers = { 'content-type': 'application/json' };
  const answer = await client.request({ method: 'POST', path, headers, body, idempotent: true });
  return { status: answer.statusCode, text: await answer.body.text() };
}

test.each(PATHS)('a body at %s gets an answer of its wire, and the gateway goes on', async (path) => {
  const { dialect } = formAt(path);
  const cases = casesOf(bodies(path), COUNT);
  const work = async (): Promise<void> => {
    for (let body = cases.pop(); body; body = cases.pop()) {
      const { status, text } = await post(path, body);
      expectNoStack(text);
      if (status === 500) throw new Error(`500 for ${body.toString()}: ${text}`);
      if (status !== 200) checkErrorForm(dialect.name, status, JSON.parse(text));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect((await client.request({ method: 'GET', path: '/health' })).statusCode).toBe(200);
});
