import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../setup/repository';
import { runCli } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();

/** Under jest no listener sees them, so the case runs in a process of its own. */
const RUN = `
import { conformanceCases, httpBackend, json, sse } from ${JSON.stringify(join(repository, 'dist/testing.js'))};
const backend = httpBackend({
  options: (url) => ({ base_url: url }),
  probe: ({ method }) => (method === 'GET' ? json([]) : undefined),
  answer: ({ pieces }) => sse([pieces.join('')].map((text) => ({ text }))),
  failure: ({ status, message }) => json({ error: message }, { status }),
  received: () => ({ texts: [] }),
});
const [, , directory] = process.argv;
const { run } = conformanceCases({ directory, backend }).find(({ id }) => id === 'guest.stray-errors');
console.log(await run().then(() => 'passes', (error) => error.message));
`;

const driver = (more: string) => `
module.exports = (context) => ({
  async *chat(request, call) {
    ${more}
    const response = await context.http.request(context.options.base_url, { method: 'POST', signal: call.signal, body: '{}' });
    if (response.status !== 200) throw await response.error();
    for await (const data of response.events()) yield { type: 'text', ...JSON.parse(data) };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});`;

beforeAll(() => runCli(['--version'], { env: home.environment() }));

test.each([
  ['', 'passes'],
  ["setTimeout(() => { throw new Error('late'); }, 500);", 'an error outside of any call: late'],
  ["Promise.reject(new Error('lost'));", 'an error outside of any call: lost'],
  ["call.signal.addEventListener('abort', () => { throw new Error('left'); });", 'an error outside of any call: left'],
])('a driver that does %p on each chat: %s', async (more, outcome) => {
  const directory = home.plugin('straying', {
    code: driver(more),
    manifest: { kind: 'http', options: { base_url: {} } },
  });
  const script = home.write('run.mjs', RUN);
  const { stdout } = await promisify(execFile)(process.execPath, [script, directory], { env: home.environment() });
  expect(stdout.trim()).toBe(outcome);
});
