/**
 * A driver whose answers are written by the test: the request's field `script`, in any wire, is the list of its steps.
 *
 *   an event of the contract            is yielded as it is; so is any garbage under { raw: ... }
 *   { pause: ms }                       waits, unless the call's signal fires
 *   { until: 'x' } and { open: 'x' }    waits for a gate that another request opens; `stubborn: true` ignores the signal
 *   { hang: true }                      waits for the signal, and throws its reason
 *   { fail: ['code', 'message', {}] }   throws context.error(...)
 *   { raise: 'message' }                throws a plain Error
 *   { flood: bytes }                    yields so much text, in pieces of 64 KiB
 *   { say: 'message' }                  logs a line; { say: ..., debug: true } at level debug
 *   { echo: 'request' }                 answers with the request it was given, as JSON
 *   { echo: 'scope' }                   answers with the scope of the call
 *   { key: 'resolve' }                  resolves the API key; { key: 'tell' } answers with it
 *
 * It logs `turn started`, `turn aborted` (with `at` and `reason`) and `turn ended`, so that a test can wait for them.
 */
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { Upstream } from '../setup/upstream';

export type Step = Record<string, unknown>;

const CODE = `
'use strict';
const { EventEmitter, once } = require('node:events');
// Shared by the plug-ins that this code is installed as.
const { gates, open } = (globalThis.scripted ??= { gates: new EventEmitter().setMaxListeners(0), open: new Set() });
const pause = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
});

module.exports = (context) => ({
  chat(request, call) {
    if (scriptOf(request) === 'throws') throw new Error('thrown before the first step');
    return play(request, call, context);
  },
  async check(call) {
    const { check } = context.options;
    if (check === 'key') context.requireApiKey();
    if (check === 'fail') throw context.error('unreachable', 'the backend is down', { hint: 'start it' });
    if (check === 'hang') await new Promise(() => {});
    if (check === 'file' && !require('node:fs').existsSync(process.env.HOME + '/backend-is-up')) {
      throw context.error('unreachable', 'the backend is not up yet');
    }
    if (check === 'tell') return { detail: 'key ' + context.apiKey(), warnings: ['the key is ' + context.apiKey()] };
  },
});

async function* play(request, call, context) {
  call.log.info('turn started', { signal: call.signal.aborted });
  call.signal.addEventListener('abort', () => {
    call.log.info('turn aborted', { at: Date.now(), reason: call.signal.reason.code });
  });
  try {
    for (const step of scriptOf(request) ?? DEFAULT) {
      if (step.type) yield step;
      else if ('raw' in step) yield step.raw;
      else if (step.pause) await pause(step.pause, call.signal);
      else if (step.open) { open.add(step.open); gates.emit(step.open); }
      else if (step.until) {
        if (!open.has(step.until)) await once(gates, step.until, step.stubborn ? {} : { signal: call.signal });
      }
      else if (step.hang) await pause(2 ** 30, call.signal);
      else if (step.fail) throw context.error(...step.fail);
      else if (step.raise) throw new Error(step.raise);
      else if (step.say) call.log[step.debug ? 'debug' : 'info'](step.say, step.fields);
      else if (step.flood) {
        const text = 'x'.repeat(64 * 1024);
        for (let sent = 0; sent < step.flood; sent += text.length) yield { type: 'text', text };
      }
      else if (step.echo === 'scope') yield { type: 'text', text: call.scope };
      else if (step.echo) yield { type: 'text', text: JSON.stringify({ ...request, extra: without(request.extra) }) };
      else if (step.key) {
        const key = context.apiKey();
        if (step.key === 'tell') yield { type: 'text', text: String(key) };
      }
    }
  } finally {
    call.log.info('turn ended', { at: Date.now() });
  }
}

function scriptOf({ extra, origin }) { return extra.script ?? origin?.body.script; }

function without({ script, ...extra }) { return extra; }

const DEFAULT = [
  { type: 'text', text: 'Hello' },
  { type: 'usage', inputTokens: 3, outputTokens: 1 },
  { type: 'finish', reason: 'stop' },
];
`;

const OPTIONS = {
  check: { type: 'string' },
  api_key_env: {},
  reasoning_effort: {},
};

/** Everything the contract can do. */
const CAPABLE = { tools: true, forcedToolChoice: true, images: true, audio: true, files: true, choices: true };

/** Installs the driver three times: `scripted` can do everything, `plain` nothing special, `agent` is an agent CLI. */
export function installScripted(home: TempHome): void {
  home.plugin('scripted', { code: CODE, manifest: { options: OPTIONS, capabilities: CAPABLE } });
  home.plugin('plain', { code: CODE, manifest: { options: { check: OPTIONS.check } } });
  home.plugin('agent', { code: CODE, manifest: { kind: 'cli', options: OPTIONS } });
}

/** Three providers, one per kind of driver; `main` is the default. */
export const PROVIDERS = `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: m-1 }
  - { name: plain, driver: plain, default_model: p-1 }
  - { name: agent, driver: agent, default_model: a-1 }
`;

interface ScriptedOptions {
  yaml?: string;
  words?: string[];
  env?: Record<string, string>;
  cwd?: string;
}

/** The program with scripted providers, logging JSON. */
export function startScripted(home: TempHome, options: ScriptedOptions = {}): Promise<RunningGateway> {
  installScripted(home);
  home.configure(options.yaml ?? PROVIDERS);
  const { words = [], env, cwd } = options;
  return RunningGateway.start(['--log-format', 'json', ...words], { env: home.environment(env), cwd });
}

/** The same for all tests of a file, or of a block. Returns its home. */
export function useScripted(take: (gateway: RunningGateway) => void, options?: () => ScriptedOptions): TempHome {
  const home = new TempHome();
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startScripted(home, options?.());
    take(gateway);
  });
  afterAll(async () => {
    await gateway.stop();
    home.remove();
  });
  return home;
}

/** A server in the place of a vendor's, for all tests of a file; to be called before `useScripted`. */
export function useUpstream(take: (upstream: Upstream) => void): void {
  let upstream: Upstream;
  beforeAll(async () => {
    upstream = await Upstream.start();
    take(upstream);
  });
  afterAll(() => upstream.close());
}

export const text = (value: string): Step => ({ type: 'text', text: value });
export const stop: Step = { type: 'finish', reason: 'stop' };

/** The lines of a log in JSON, one object each. Of the last one a part may have come. */
export function logLines(gateway: RunningGateway): Record<string, unknown>[] {
  return gateway.stderr
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Waits for a log line with the message and fields given. */
export async function logged(
  gateway: RunningGateway,
  message: string,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const matches = (line: Record<string, unknown>) =>
    line.msg === message && Object.entries(fields).every(([name, value]) => line[name] === value);
  let found: Record<string, unknown> | undefined;
  await gateway.untilOutput({ test: () => (found = logLines(gateway).find(matches)) !== undefined });
  return found!;
}
