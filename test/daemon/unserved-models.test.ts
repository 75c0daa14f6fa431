import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';

const CODE = `module.exports = ({ error }) => ({
  async *chat({ model }) {
    if (model !== 'm-1') throw error('upstream', 'there is no ' + model, { kind: 'model_unavailable' });
    yield { type: 'text', text: 'hi' };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});`;

const home = new DaemonHome();
let gateway: RunningGateway;

beforeAll(async () => {
  const clients = [
    { name: 'crow', title: 'Crow', programs: ['crow'], asksFor: ['caw-*'], environment: { CROW_MODEL: '{model}' } },
  ];
  home.plugin('nest', { code: CODE, manifest: { clients } });
  home.configure('version: "1"\ndefault_provider: a\nproviders:\n  - { name: a, driver: nest, default_model: m-1 }\n');
  gateway = await RunningGateway.start([], { env: home.environment() });
});

afterAll(() => gateway.stop());

test('a name that no provider serves is in the log once, with what helps, and in doctor', async () => {
  for (const model of ['caw-5', 'caw-5', 'other', 'a/m-2', 'm-1', 'a', 'a:nothing'])
    await (await gateway.chat({ model })).text();
  await gateway.untilOutput(/chat .*model=a:nothing/);
  const notices = gateway.stderr.split('\n').filter((line) => line.includes('no provider serves'));
  expect(notices.map((line) => line.replace(/^\S+ +/, ''))).toEqual([
    'warn  a client asked for the model "caw-5", which no provider serves; Crow asks for such names: start it by drivebay launch crow, or set CROW_MODEL to a name such as a:m-1',
    'warn  a client asked for the model "other", which no provider serves; set the model of the client to a name that the gateway has, such as a:m-1',
    'warn  a client asked for the model "a/m-2", which no provider serves; set the model of the client to a name that the gateway has, such as a:m-2',
  ]);
  const { findings } = JSON.parse((await home.run('doctor', '--json')).stdout) as { findings: { code: string }[] };
  expect(findings.filter(({ code }) => code === 'unserved_model')).toMatchObject([
    { severity: 'warning', message: 'a client asked for the model "caw-5", which no provider serves' },
    { severity: 'warning', fix: 'set the model of the client to a name that the gateway has, such as a:m-1' },
    { severity: 'warning', fix: 'set the model of the client to a name that the gateway has, such as a:m-2' },
  ]);
});
