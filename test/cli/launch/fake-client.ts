import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { DaemonHome } from '../../setup/daemon-home';
import { LiveCli } from '../../setup/live-cli';

/** Says what it was started with, asks the gateway, and does what its arguments say. */
const PROGRAM = `
const { readFileSync, statSync } = require('node:fs');
const { CROW_URL: url, CROW_KEY: key, CROW_MODEL: model } = process.env;
const args = process.argv.slice(2);
const [task, value] = args.slice(args.indexOf('--') + 1);
const say = (fields) => console.log(JSON.stringify(fields));
const ask = async (path, init) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { headers, ...init });
  return { status: response.status, body: await response.json() };
};
const chat = async (name) => {
  const body = JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Hello' }] });
  const answer = await ask('/v1/chat/completions', { method: 'POST', body }).catch(({ cause }) => ({ body: {}, status: cause.code }));
  return { status: answer.status, text: answer.body.choices?.[0].message.content };
};
async function main() {
  if (task === 'look') {
    const file = args[args.indexOf('--config') + 1];
    const mode = (statSync(file).mode & 0o777).toString(8);
    const { CROW_OLD: old = null, CROW_SMALL: small, CROW_WINDOW: window = null } = process.env;
    say({ url, key, model, small, old, window, args, file, mode, config: JSON.parse(readFileSync(file, 'utf8')), cwd: process.cwd() });
    return;
  }
  if (task === 'chat') return say(await chat(model));
  if (task === 'until') return setInterval(() => require('node:fs').existsSync(value) && process.exit(0), 10);
  if (task === 'exit') process.exit(Number(value));
  if (task === 'die') return process.kill(process.pid, value);
  if (task === 'input') return process.stdin.pipe(process.stdout);
  if (task === 'terminal') return say({ tty: [0, 1, 2].map((fd) => require('node:tty').isatty(fd)) });
  if (task === 'stop') {
    process.on('SIGCONT', () => { console.log('goes on'); process.exit(4); });
    setInterval(() => undefined, 1000);
    console.log('stops itself');
    return process.kill(process.pid, 'SIGSTOP');
  }
  if (task === 'wait') {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => { console.log('got ' + signal); process.exit(5); });
    setInterval(() => undefined, 1000);
    say({ pid: process.pid, url, key, file: args[args.indexOf('--config') + 1] });
    for await (const line of require('node:readline').createInterface({ input: process.stdin })) {
      if (line === 'chat') say(await chat(model));
      if (line === 'end') process.exit(0);
    }
  }
}
void main();
`;

const CLIENT = {
  name: 'crow',
  title: 'Crow',
  programs: ['crow'],
  install: 'brew install crow',
  environment: {
    CROW_URL: '{url}',
    CROW_KEY: '{key}',
    CROW_MODEL: '{model}',
    CROW_SMALL: '{small_model}',
    CROW_WINDOW: '{context}',
    CROW_OLD: null,
  },
  arguments: [['--config', '{folder}/deep/config.json'], '--'],
  files: { 'deep/config.json': { model: '{model}', window: '{context}' } },
};

const CODE = `module.exports = ({ error }) => ({
  async *chat({ model }) {
    if (model === 'bad') throw error('auth', 'the model is bad');
    yield { type: 'text', text: 'it is ' + model };
    yield { type: 'finish', reason: 'stop' };
  },
  async check() {},
});`;

const DOWN = `module.exports = ({ error }) => ({
  async *chat() { throw error('unreachable', 'nobody is there'); },
  async check() { throw error('unreachable', 'nobody is there'); },
});`;

export const PROVIDERS = `version: "1"
default_provider: main
providers:
  - { name: main, driver: nest, default_model: m-1, models: { m-1: { context_window: 64000 } } }
  - { name: other, driver: nest, default_model: o-1 }
  - { name: talks, driver: talker, default_model: t-1 }
  - { name: down, driver: sunk, default_model: d-1 }
`;

/** A home with the program \`crow\`, a plug-in that describes it as a client, and providers. */
export class CrowHome extends DaemonHome {
  readonly bin = `${this.directory}/bin`;

  constructor() {
    super();
    this.plugin('nest', {
      manifest: {
        capabilities: { tools: true },
        clients: [
          CLIENT,
          { name: 'magpie', title: 'Magpie', programs: ['magpie'], install: 'get magpie' },
          { name: 'mute', title: 'Mute', programs: ['crow'], api: 'song' },
        ],
      },
      code: CODE,
    });
    this.plugin('talker', { code: CODE });
    this.plugin('sunk', { manifest: { capabilities: { tools: true } }, code: DOWN });
    this.configure(PROVIDERS);
    chmodSync(this.write('bin/crow', `#!${process.execPath}\n${PROGRAM}`), 0o755);
  }

  override environment(more: Record<string, string> = {}): Record<string, string> {
    const environment = super.environment({ CROW_OLD: 'of the user', ...more });
    return { ...environment, PATH: `${this.bin}${delimiter}${environment.PATH}` };
  }

  /** `launch` with these words, not waited for. */
  launch(...words: string[]): LiveCli {
    return new LiveCli(['launch', ...words], { env: this.environment(), cwd: this.directory });
  }

  /** Runs a script as a shell does. */
  sh(script: string): LiveCli {
    return new LiveCli(['-c', script], { env: this.environment(), cwd: this.directory }, ['sh']);
  }

  /** The gateways of the daemon. */
  async gateways(): Promise<{ port: number; program?: number }[]> {
    const { text } = await this.call('GET', '/v1/listeners');
    return (JSON.parse(text) as { listeners: { port: number; program?: number }[] }).listeners;
  }
}
