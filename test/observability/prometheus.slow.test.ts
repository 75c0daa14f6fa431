import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instruments } from '../../core/daemon/metrics/instruments';
import { prometheusName } from '../../core/daemon/metrics/prometheus-meter';
import { readPage } from '../daemon/metrics/read-page';
import { PROVIDERS, startScripted, stop, text } from '../gateway/scripted-driver';
import type { RunningGateway } from '../setup/running-gateway';
import { repository } from '../setup/repository';
import { TempHome } from '../setup/temp-home';
import { promtool, PrometheusServer, withPrometheus } from './prometheus-server';

const folder = join(repository, 'docs/observability');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const KEY = 'key-for-prometheus';
const HASTY_KEY = 'key-of-the-hasty-1';
const USAGE = { type: 'usage', inputTokens: 30, outputTokens: 11, costUsd: 0.25 };
const yaml = `${PROVIDERS}  - { name: narrow, driver: scripted, default_model: n-1, max_concurrency: 2 }
routes:
  - { name: either, targets: [plain, main] }
clients:
  - { name: hasty, api_key_env: HASTY_KEY, allow: [plain] }
`;
const home = new TempHome();
let gateway: RunningGateway;
let server: PrometheusServer | undefined;
beforeAll(async () => {
  gateway = await startScripted(home, {
    yaml,
    words: ['--metrics', '--api-key-env', 'INBOUND_KEY'],
    env: { INBOUND_KEY: KEY, HASTY_KEY },
  });
});
afterAll(async () => {
  await server?.stop();
  await gateway.stop();
  home.remove();
});

interface Panel {
  title: string;
  targets: { expr: string }[];
}

const panels = (JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }).panels;

/** A query of the dashboard, as Grafana sends it. */
const filled = (expression: string) =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll(/\$(job|instance)/g, '.*');

async function work(): Promise<void> {
  const ask = async (fields: Record<string, unknown>, key = KEY) =>
    (await gateway.chat(fields, { headers: { authorization: `Bearer ${key}` } })).text();
  for (const stream of [true, false]) {
    await ask({ model: 'narrow', stream, script: [{ type: 'meta', warm: 'hit' }, text('a'), text('b'), USAGE, stop] });
    await ask({ model: 'either', stream, script: [{ fail: ['upstream', 'it broke'] }] });
  }
  await ask({ model: 'main', script: [stop] }, HASTY_KEY);
}

/** Parts of the dashboard that only agent CLIs and agents fill. */
const EMPTY_HERE = /gen_ai_execute_tool|drivebay_provider_kept/;

withPrometheus('promtool finds no fault in the rules, the example and a page', async () => {
  promtool(['check', 'rules', join(folder, 'prometheus-rules.yml')]);
  promtool(['check', 'config', join(folder, 'prometheus.yml')]);
  await work();
  const { text: page } = await readPage(gateway.url, { authorization: `Bearer ${KEY}` });
  promtool(['check', 'metrics'], page);
});

withPrometheus(
  'a real Prometheus scrapes it with the key, and each query of the dashboard and each rule finds something',
  async () => {
    const rate = { instance: `127.0.0.1:${gateway.port}` };
    const configuration = join(home.directory, 'prometheus.yml');
    writeFileSync(
      configuration,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
scrape_configs:
  - job_name: drivebay
    static_configs: [{ targets: ['${rate.instance}'] }]
    authorization: { credentials: ${KEY} }
rule_files: ['${join(folder, 'prometheus-rules.yml')}']
`,
    );
    server = await PrometheusServer.start(home.directory, configuration);
    const { query, until, rules } = {
      query: server.query.bind(server),
      until: server.until.bind(server),
      rules: server.rules.bind(server),
    };
    await until(async () => (await query('up{job="drivebay"}')).some(({ value }) => value === 1));
    // Between two scrapes a counter has to grow, or its rate is nothing.
    await until(async () => {
      await work();
      return (await query('sum(rate(drivebay_requests_total[1m]))')).some(({ value }) => value > 0);
    });
    const missing: string[] = [];
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        if (EMPTY_HERE.test(expr)) await query(filled(expr));
        else if ((await query(filled(expr))).length === 0) missing.push(`${title}: ${expr}`);
      }
    }
    expect(missing).toEqual([]);
    await until(async () => (await rules()).every(({ health }) => health === 'ok'));
    await until(async () => (await query('drivebay:requests:rate5m')).length > 0);
  },
);

withPrometheus('requests of clients over a limit of their own are no failures of a provider', () => {
  const file = join(home.directory, 'rules-test.yml');
  writeFileSync(
    file,
    `rule_files: ['${join(folder, 'prometheus-rules.yml')}']
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'drivebay_requests_total{client="hasty",status="429"}', values: '0+60x20' }
      - { series: 'drivebay_requests_total{provider="good",status="200"}', values: '0+60x20' }
      - { series: 'drivebay_requests_total{provider="bad",status="502"}', values: '0+60x20' }
    alert_rule_test:
      - eval_time: 15m
        alertname: DrivebayRequestsFail
        exp_alerts:
          - exp_labels: { severity: warning, provider: bad }
            exp_annotations: { summary: 100% of the requests to bad fail }
`,
  );
  promtool(['test', 'rules', file]);
  return Promise.resolve();
});

test('dashboard and rules name no series that is not there', () => {
  const known = new Set(
    Object.entries(instruments).flatMap(([name, { kind, unit }]) => {
      const spelled = prometheusName(name, { kind, unit });
      return kind === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${spelled}_${part}`) : [spelled];
    }),
  );
  const queries = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    read('prometheus-rules.yml'),
  ].join('\n');
  const named = [...queries.matchAll(/\b((?:drivebay|gen_ai|nodejs|process|v8js)_\w+)(?=[{\[ )])/g)].map(
    ([, name]) => name!,
  );
  expect(named.length).toBeGreaterThan(30);
  const labels = new Set(
    Object.values(instruments).flatMap((each) => each.labels.map((label: string) => label.replaceAll('.', '_'))),
  );
  expect([...new Set(named)].filter((name) => !known.has(name) && !labels.has(name))).toEqual([]);
});
