import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { installedProgram } from '../servers/installed-program';
import { repository } from '../setup/repository';
import { freePort, type RunningGateway } from '../setup/running-gateway';
import type { TempHome } from '../setup/temp-home';
import { logged, stop, text, useScripted } from './scripted-driver';
import { errorOf } from './wire';

const KEY = 'the-key-of-the-gateway';
const page = readFileSync(join(repository, 'docs/scaling.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp('```' + language + '\n([^]*?)```', 'g'))].map((match) => match[1]!);

const [nginxMachine = '', nginxBalancer = ''] = blocks('nginx');
const envoyMachine = blocks('yaml').find((block) => block.startsWith('static_resources'))!;

/** The settings of the page on free ports of this machine, without TLS. */
const plain = (settings: string, port: number) =>
  settings.replace(/listen \d+ ssl;/, `listen 127.0.0.1:${port};`).replace(/^ *ssl_.*\n/gm, '');

interface Ports {
  gateway: number;
  machine: number;
  balancer: number;
  /** Nobody listens there. */
  dead: number;
}

/** nginx with both settings of the page: the one in front of the gateway, and the one in front of machines. */
function nginx(home: TempHome, { gateway, machine, balancer, dead }: Ports): string[] {
  const front = plain(nginxMachine, machine).replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway}`);
  const above = plain(nginxBalancer, balancer)
    .replace('10.0.0.11:8443', `127.0.0.1:${dead}`)
    .replace('10.0.0.12:8443', `127.0.0.1:${machine}`)
    .replace('https://machines', 'http://machines');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path tmp/${name};`);
  home.write('nginx/tmp/.keep', '');
  const file = home.write(
    'nginx/nginx.conf',
    `daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
     http { access_log off; ${folders.join(' ')}\n${front}\n${above} }`,
  );
  return ['-p', join(home.directory, 'nginx'), '-c', file, '-e', 'stderr'];
}

function envoy(home: TempHome, { gateway, machine }: Ports): string[] {
  const settings = envoyMachine
    .replace('0.0.0.0, port_value: 8443', `127.0.0.1, port_value: ${machine}`)
    .replace('port_value: 8080', `port_value: ${gateway}`);
  return ['-c', home.write('envoy.yaml', settings), '--use-dynamic-base-id', '--concurrency', '1', '-l', 'error'];
}

const proxies = [
  { name: 'nginx', program: 'nginx', make: nginx, front: 'machine' },
  { name: 'nginx before nginx', program: 'nginx', make: nginx, front: 'balancer' },
  { name: 'Envoy', program: 'envoy', make: envoy, front: 'machine' },
] as const;

test('the page has the settings that are run here', () => {
  expect(nginxMachine).toContain('proxy_pass http://127.0.0.1:8080;');
  expect(nginxBalancer).toContain('upstream machines');
  expect(envoyMachine).toContain('port_value: 8080');
});

for (const { name, program, make, front } of proxies) {
  const installed = installedProgram(program);
  (installed ? describe : describe.skip)(`behind ${name}`, () => {
    let gateway: RunningGateway;
    let proxy: ChildProcess;
    let url: string;

    const home = useScripted(
      (started) => (gateway = started),
      () => ({ words: ['--api-key-env', 'GATEWAY_KEY'], env: { GATEWAY_KEY: KEY } }),
    );

    beforeAll(async () => {
      const [machine, balancer, dead] = [await freePort(), await freePort(), await freePort()];
      const ports: Ports = { gateway: gateway.port, machine, balancer, dead };
      proxy = spawn(installed!, make(home, ports), { stdio: 'ignore', cwd: home.directory });
      url = `http://127.0.0.1:${ports[front]}`;
      await untilListening(ports[front], proxy);
    });

    afterAll(async () => {
      const ended = once(proxy, 'close');
      proxy.kill();
      await ended;
    });

    const ask = (body: Record<string, unknown>, init: RequestInit = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
        body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hello' }], ...body }),
        ...init,
      });

    test('a stream arrives piece by piece', async () => {
      const response = await ask({ stream: true, script: [text('Hel'), { until: 'read' }, text('lo'), stop] });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let received = '';
      const readUntil = async (wanted: string) => {
        while (!received.includes(wanted)) {
          const { done, value } = await reader.read();
          // A stream that has ended is read at once, again and again, and no limit of time would end that.
          if (done) throw new Error(`it ended after: ${received}`);
          received += value;
        }
      };
      await readUntil('"Hel"');
      expect(received).not.toContain('"lo"');
      await (await ask({ script: [{ open: 'read' }, text('.'), stop] })).text();
      await readUntil('[DONE]');
      expect(received).toContain('"lo"');
    });

    test('a client that leaves ends the work', async () => {
      const abort = new AbortController();
      const script = [text('Hel'), { say: 'answering' }, { hang: true }];
      const asked = ask({ stream: true, script }, { signal: abort.signal })
        .then((response) => response.text())
        .catch(() => undefined);
      const { id } = (await logged(gateway, 'answering', {})) as { id: string };
      abort.abort();
      await asked;
      expect(await logged(gateway, 'turn aborted', { id })).toMatchObject({ reason: 'client_gone' });
    });

    test.each([
      [4_100_000, 200],
      [4_200_000, 413],
    ])('a body of %i bytes is answered by the gateway: %i', async (length, status) => {
      const response = await ask({ messages: [{ role: 'user', content: 'x'.repeat(length) }] });
      expect(response.status).toBe(status);
      const body = await response.text();
      if (status === 413) expect(errorOf(body).code).toBe('request_too_large');
      else expect(JSON.parse(body)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    });

    test('the dashboard cannot be reached', async () => {
      expect((await fetch(`${url}/dashboard/`)).status).toBe(404);
    });
  });
}

/** Resolves when a program takes connections at a port; rejects when it ends. */
async function untilListening(port: number, program: ChildProcess): Promise<void> {
  for (;;) {
    if (program.exitCode !== null) throw new Error(`the proxy ended with ${program.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => setTimeout(resolve, 20, false)),
    );
    socket.destroy();
    if (isThere) return;
  }
}
