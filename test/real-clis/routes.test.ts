import { FakeHttpServer, type HttpAnswer, json } from 'drivebay/testing';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { completion, posts } from '../setup/upstream';
import { refuses as refuseClaude } from './claude-answers';
import { codexConfig } from './codex-answers';
import { refuses as refuseGemini } from './gemini-answers';
import { installedCli } from './installed-cli';

const HOUR_S = 3600;
/** The beginning of a minute, two to three hours from now, in seconds since the epoch. */
const RESET = Math.floor(Date.now() / 60_000) * 60 + 3 * HOUR_S;

let vendor: FakeHttpServer;
let spare: FakeHttpServer;
let home: TempHome;
let gateway: RunningGateway;

beforeEach(async () => {
  [vendor, spare, home] = [await FakeHttpServer.start(), await FakeHttpServer.start(), new TempHome()];
  spare.answer(json(completion('from the spare')));
});

afterEach(async () => {
  await gateway.stop();
  await Promise.all([vendor.close(), spare.close()]);
  home.remove();
});

interface Case {
  program: string;
  driver: string;
  options?: string;
  limit: () => HttpAnswer;
  /** By how many seconds the rest may end later: a program may name the minute alone, or count from its own clock. */
  later: number;
}

const cases: Case[] = [
  {
    program: 'claude',
    driver: 'claude-code',
    options: ', api_key_env: MY_KEY',
    limit: () => refuseClaude(429, `Claude AI usage limit reached|${RESET}`, 'rate_limit_error'),
    later: 1,
  },
  {
    program: 'codex',
    driver: 'codex',
    limit: () => json({ error: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: RESET } }, { status: 429 }),
    later: 61,
  },
  {
    program: 'gemini',
    driver: 'gemini-cli',
    options: ', api_key_env: MY_KEY',
    limit: () => {
      const left = RESET - Math.floor(Date.now() / 1000);
      const words = `${Math.floor(left / HOUR_S)}h${Math.floor((left % HOUR_S) / 60)}m${left % 60}s`;
      return refuseGemini(
        429,
        `You have exhausted your capacity on this model. Your quota will reset after ${words}.`,
        'RESOURCE_EXHAUSTED',
      );
    },
    // Counted from the moment when the program tells it.
    later: 30,
  },
];

test.each(cases)(
  '$program: the route goes on from a used-up limit, and the provider rests until it is renewed',
  async (one) => {
    const { program, driver, options = '', limit, later } = one;
    vendor.answer(({ method, path }) =>
      method === 'POST' && !path.includes('count') && /messages|responses|enerateContent/.test(path)
        ? limit()
        : json({}),
    );
    home.write('.codex/config.toml', codexConfig(vendor.url));
    home.configure(`version: "1"
providers:
  - { name: program, driver: ${driver}, command: "${installedCli(program)}"${options} }
  - { name: spare, driver: chat-compat, base_url: "${spare.url}/v1", default_model: m }
routes:
  - { name: smart, targets: [program, spare] }
`);
    const env = home.environment({
      ...{ ANTHROPIC_BASE_URL: vendor.url, GOOGLE_GEMINI_BASE_URL: vendor.url, IS_SANDBOX: '1' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
      ...{ MY_KEY: 'key-of-the-test', LOOPBACK_KEY: 'key-of-the-test' },
    });
    gateway = await RunningGateway.start([], { env });
    const first = await gateway.chat({ model: 'smart' });
    expect(await first.json()).toMatchObject({ choices: [{ message: { content: 'from the spare' } }] });
    expect(first.headers.get('x-drivebay-attempts')).toBe('program=usage_limit');
    const { data } = (await (await fetch(`${gateway.url}/v1/models`)).json()) as {
      data: { id: string; rests_until?: string }[];
    };
    const until = Date.parse(data.find(({ id }) => id === 'program')!.rests_until!) / 1000;
    expect(until).toBeGreaterThanOrEqual(RESET);
    expect(until).toBeLessThanOrEqual(RESET + later + 1);
    // The next request does not even start the program.
    const asked = posts(vendor).length;
    expect((await gateway.chat({ model: 'smart' })).headers.get('x-drivebay-attempts')).toBeNull();
    expect(posts(vendor)).toHaveLength(asked);
  },
);
