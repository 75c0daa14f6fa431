import { once } from 'node:events';
import { RawConnection } from '../../gateway/wire';
import { HEALTHY } from '../../setup/driver-code';
import { RunningGateway } from '../../setup/running-gateway';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const running: RunningGateway[] = [];

beforeAll(() => {
  // Answers in two parts; the second waits for a file, so that the test decides when.
  home.plugin('gated', {
    code: `const { existsSync, watch } = require('node:fs');
      module.exports = ({ options }) => ({
        ...${HEALTHY},
        async *chat(request, call) {
          yield { type: 'text', text: 'first ' };
          await new Promise((resolve, reject) => {
            call.signal.addEventListener('abort', () => reject(call.signal.reason));
            const look = () => existsSync(options.gate) && (watcher.close(), resolve());
            const watcher = watch(require('node:path').dirname(options.gate), look);
            look();
          });
          yield { type: 'text', text: 'second' };
          yield { type: 'finish', reason: 'stop' };
        },
        async close() { process.stderr.write('driver closed\\n'); },
      });`,
    manifest: { options: { gate: { type: 'string' } } },
  });
});

afterAll(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
});

let count = 0;

async function start(): Promise<{ gateway: RunningGateway; open: () => void }> {
  count += 1;
  const gate = `gates/${count}/open`;
  home.write(`gates/${count}/placeholder`, '');
  home.write(
    `${count}/drivebay/providers.yaml`,
    `version: "1"\nproviders:\n  - { name: a, driver: gated, gate: "${home.directory}/${gate}" }\n`,
  );
  const env = home.environment({
    XDG_CONFIG_HOME: `${home.directory}/${count}`,
    DRIVEBAY_PLUGIN_PATH: `${home.directory}/.config/drivebay/plugins`,
  });
  const gateway = await RunningGateway.start([], { env });
  running.push(gateway);
  // The driver is there, and its close can be seen.
  await gateway.untilOutput(/a is healthy/);
  return { gateway, open: () => void home.write(gate, '') };
}

/** A streamed answer that has begun. */
async function beginAnswer(gateway: RunningGateway) {
  const response = await gateway.chat({ model: 'a:m', stream: true });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const until = async (part: string) => {
    while (!text.includes(part)) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value);
    }
    return text;
  };
  await until('first ');
  return until;
}

describe('one signal, nothing running, whatever connections are open', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('%s ends with %d, and the drivers are closed', async (signal, code) => {
    const { gateway } = await start();
    const silent = await RawConnection.open(gateway.port);
    await (await fetch(`${gateway.url}/health`)).text();
    const started = performance.now();
    expect(await gateway.stop(signal)).toBe(code);
    // Less than the 10 s that an answer has.
    expect(performance.now() - started).toBeLessThan(9_500);
    await silent.closed;
    expect(gateway.stderr).toContain('driver closed');
  });
});

describe('an answer is running', () => {
  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('%s takes no new request, and lets it end before it ends with %d', async (signal, code) => {
    const { gateway, open } = await start();
    const until = await beginAnswer(gateway);
    gateway.child.kill(signal);
    await gateway.untilOutput(/ending: running answers have 10 s/);
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
    const closed = once(gateway.child, 'close');
    open();
    const text = await until('[DONE]');
    expect(text).toMatch(/second[^]*"finish_reason":"stop"[^]*data: \[DONE\]/);
    expect(await closed).toEqual([code, null]);
    expect(gateway.stderr).toContain('driver closed');
  });

  test.each([
    ['SIGTERM', 1],
    ['SIGINT', 130],
  ] as const)('a second %s ends at once, with %d', async (signal, code) => {
    const { gateway } = await start();
    const until = await beginAnswer(gateway);
    gateway.child.kill(signal);
    await gateway.untilOutput(/a second signal ends at once/);
    const closed = once(gateway.child, 'close');
    gateway.child.kill(signal);
    expect(await closed).toEqual([code, null]);
    // The answer was cut, and must not look complete.
    expect(await until('[DONE]').catch((error: Error) => error.message)).not.toContain('"finish_reason":"stop"');
  });
});
