import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installedProgram } from '../../servers/installed-program';
import { SERVERS } from '../../setup/redis-server';
import { freePort } from '../../setup/running-gateway';
import { repository } from '../../setup/repository';
import type { TempHome } from '../../setup/temp-home';
import { logLines } from '../scripted-driver';
import { useStage } from './shared-stage';

const page = readFileSync(join(repository, 'docs/scaling.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp('```' + language + '\n([^]*?)```', 'g'))].map((match) => match[1]!);
const [, nginxBalancer = ''] = blocks('nginx');
const envoyFront = blocks('yaml').find((block) => block.startsWith('static_resources'))!;
const envoyMachines = blocks('yaml').find((block) => block.includes('LEAST_REQUEST'))!;

const stage = useStage();

/** The settings of the page on free ports, without TLS: between them and the gateways stands the other proxy of the page. */
function nginx(home: TempHome, port: number, [one, two]: number[]): string[] {
  const settings = nginxBalancer
    .replace(/listen \d+ ssl;/, `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, '')
    .replace('10.0.0.11:8443', `127.0.0.1:${one}`)
    .replace('10.0.0.12:8443', `127.0.0.1:${two}`)
    .replace('proxy_pass https://machines;', 'proxy_pass http://machines; proxy_set_header Host 127.0.0.1;');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path tmp/${name};`);
  home.write('nginx/tmp/.keep', '');
  const file = home.write(
    'nginx/nginx.conf',
    `daemon off; master_process off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${folders.join(' ')} ${settings} }`,
  );
  return ['-p', join(home.directory, 'nginx'), '-c', file, '-e', 'stderr'];
}

function envoy(home: TempHome, port: number, [one, two]: number[]): string[] {
  const settings =
    envoyFront
      .slice(0, envoyFront.indexOf('  clusters:'))
      .replace('0.0.0.0, port_value: 8443', `127.0.0.1, port_value: ${port}`) +
    envoyMachines
      .replace(/^ {6}transport_socket:\n(?: {8}.*\n)+/m, '')
      .replace('10.0.0.11, port_value: 8443', `127.0.0.1, port_value: ${one}`)
      .replace('10.0.0.12, port_value: 8443', `127.0.0.1, port_value: ${two}`);
  return ['-c', home.write('envoy.yaml', settings), '--use-dynamic-base-id', '--concurrency', '1', '-l', 'error'];
}

const balancers = { nginx, envoy };

for (const name of ['nginx', 'envoy'] as const) {
  const program = SERVERS.Redis && installedProgram(name);
  const test_ = program ? test : test.skip;
  test_(`two machines behind ${name}, as on the page, have one limit`, async () => {
    const machines = await stage().two({ more: ', required: true' });
    const port = await freePort();
    const home = stage().homes[0]!;
    const words = balancers[name](
      home,
      port,
      machines.map((machine) => machine.port),
    );
    const proxy: ChildProcess = spawn(program!, words, { stdio: 'ignore', cwd: home.directory });
    try {
      const ask = () =>
        fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'ten', messages: [{ role: 'user', content: 'Hello' }] }),
        }).then(
          ({ status }) => status,
          () => 0,
        );
      const statuses: number[] = [];
      while (statuses.length < 15) {
        if (proxy.exitCode !== null) throw new Error(`${name} ended with ${proxy.exitCode}`);
        const status = await ask();
        if (status === 0) await pause(50);
        else statuses.push(status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      const served = machines.map((machine) => logLines(machine).filter(({ msg }) => msg === 'turn started').length);
      for (const count of served) expect(count).toBeGreaterThan(0);
    } finally {
      const ended = once(proxy, 'close');
      proxy.kill();
      await ended;
    }
  });
}
