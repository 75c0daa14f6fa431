import { conformanceCases, httpBackend } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';

const home = tempHome();
const USE = 'const { signal } = call;';
const CLOSE = 'async close() {}';

/** What a driver opens at each request, and what it does about it in `close`. */
test.each([
  ['a thread', "held ??= new (require('node:worker_threads').Worker)('', { eval: true })", 'await held?.terminate()'],
  [
    'a connection that is kept',
    `held ??= new (require('node:http').Agent)({ keepAlive: true });
     await new Promise((done) => require('node:http').get(address, { agent: held }, (answer) => answer.resume().on('end', done)))`,
    'held?.destroy()',
  ],
  ['a file watcher', "held ??= require('node:fs').watch(__dirname)", 'held?.close()'],
  ['a server', "held ??= require('node:net').createServer().listen(0, '127.0.0.1')", 'held?.close()'],
  ['a file', "held ??= await require('node:fs/promises').open(__filename)", 'await held?.close(); held = undefined'],
  ['an interval', 'held ??= setInterval(() => {}, 1000)', 'clearInterval(held)'],
  ['a cache of all providers, which lasts', 'cache ??= setInterval(() => {}, 1000).unref()', ''],
])('a driver with %s leaves nothing over', async (what, use, close) => {
  const made = HTTP_DRIVER.replace('const address', () => 'let held;\nconst address')
    .replace(USE, () => `${USE} ${use};`)
    .replace(CLOSE, () => `async close() { ${close}; }`);
  const manifest = { ...HTTP_MANIFEST };
  const directory = home.plugin(what.replaceAll(/\W+/g, '-'), { code: `let cache;\n${made}`, manifest });
  const cases = conformanceCases({ directory, backend: httpBackend(sampleHttpWire) });
  await cases.find(({ id }) => id === 'guest.leftovers')!.run();
});
