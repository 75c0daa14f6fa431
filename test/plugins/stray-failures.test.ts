import { COMMONJS, HEALTHY, withCheck } from '../setup/driver-code';
import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';

describe('commands go on when a plug-in throws outside of any call', () => {
  const home = tempHome();
  const failing = {
    'at-import': `Promise.reject(new Error('no egg')); ${COMMONJS}`,
    'in-check': withCheck(`Promise.reject(new Error('no egg'))`),
    'in-timer': withCheck(`await new Promise((done) => setTimeout(() => { done(); throw new Error('no egg'); }))`),
  };
  const names = Object.keys(failing);
  home.plugin('sound', { code: COMMONJS });
  for (const [name, code] of Object.entries(failing)) home.plugin(name, { code });
  home.providers(...[...names, 'sound'].map((name) => `name: ${name}, driver: ${name}`));

  test('plugins list names the plug-in, the reason and the place', async () => {
    const { code, stdout, stderr } = await home.run('plugins', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^at-import .* failed /m);
    expect(stdout).toMatch(/^sound .* ready /m);
    expect(stderr).toMatch(/^at-import is failed: it threw outside of any call: no egg \(index\.js:1:16\) \(/m);
  });

  test('providers status and doctor report the others', async () => {
    const [status, doctor] = await Promise.all([home.run('providers', 'status'), home.run('doctor')]);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/^sound +http +healthy/m);
    for (const name of names) {
      expect(status.stderr).toContain(`warning: plug-in "${name}" threw outside of any call: no egg`);
      expect(doctor.stdout).toMatch(new RegExp(`/${name} is failed: it threw outside of any call: no egg`));
    }
  });
});

describe('a gateway goes on when a plug-in throws', () => {
  const WAYS = `{
    timer: (fail) => setTimeout(fail),
    nothing: () => setTimeout(() => { throw null; }),
    microtask: (fail) => queueMicrotask(fail),
    promise: async (fail) => fail(),
    exit: () => process.exit(3),
    exitLater: () => setTimeout(() => process.exit(4)),
    emitter: (fail) => setTimeout(() => new (require('node:events'))().on('x', fail).emit('x')),
    abort: (fail, call) => call.signal.addEventListener('abort', fail),
    socket(fail) {
      const net = require('node:net');
      const server = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1', () =>
        net.connect(server.address().port, '127.0.0.1').on('data', () => { server.close(); fail(); }));
    },
  }`;
  const home = tempHome();
  let gateway: RunningGateway;

  beforeAll(async () => {
    home.plugin('bomb', {
      code: `const ways = ${WAYS};
        module.exports = () => ({ ...${HEALTHY}, async *chat({ model }, call) {
          ways[model](() => { throw new Error('no egg in ' + model); }, call);
          if (model === 'abort') await new Promise((done) => call.signal.addEventListener('abort', done));
          yield { type: 'text', text: 'hi' };
          yield { type: 'finish', reason: 'stop' };
        } });`,
    });
    home.providers('name: bomb, driver: bomb, default_model: m', 'name: hasty, driver: bomb, timeout_sec: 1');
    gateway = await RunningGateway.start([], { env: home.environment() });
  });
  afterAll(() => gateway.stop());

  test.each(['timer', 'microtask', 'promise', 'emitter', 'abort', 'socket'])('in a %s', async (way) => {
    const { status } = await gateway.chat({ model: `${way === 'abort' ? 'hasty' : 'bomb'}:${way}` });
    expect(status).toBe(way === 'abort' ? 504 : 200);
    await gateway.untilOutput(new RegExp(`plug-in "bomb" threw outside of any call: no egg in ${way} \\(index`));
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });

  test('that calls process.exit: the call is its mistake, and nothing ends', async () => {
    const { status, json } = await gateway.chat({ model: 'bomb:exit' }).then(async (answer) => ({
      status: answer.status,
      json: (await answer.json()) as { error: { message: string } },
    }));
    expect(status).toBe(502);
    expect(json.error.message).toMatch(
      /driver "bomb" failed: it called process\.exit\(3\), which would end Drivebay; .*\(index/,
    );
    await gateway.chat({ model: 'bomb:exitLater' });
    await gateway.untilOutput(/plug-in "bomb" threw outside of any call: it called process\.exit\(4\)/);
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });

  test('a value without a stack ends nothing, and equal failures are counted', async () => {
    await gateway.chat({ model: 'bomb:nothing' });
    await gateway.untilOutput(/plug-in "bomb" threw outside of any call: null, which is not an Error and has no stack/);
    await gateway.chat({ model: 'bomb:nothing' });
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
    expect((gateway.stdout + gateway.stderr).match(/which is not an Error/g)).toHaveLength(1);
  });

  test('plugins list and doctor name what has failed in the daemon', async () => {
    const [list, doctor] = await Promise.all([home.run('plugins', 'list'), home.run('doctor')]);
    expect(list.stdout).toMatch(/^bomb .* failed /m);
    expect(list.stderr).toContain(
      'bomb is failed: in the daemon, it threw outside of any call: no egg in timer (index',
    );
    expect(doctor.stdout).toContain('/bomb is failed: in the daemon, it threw outside of any call: no egg in timer');
  });
});
