import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wantedSignals } from '../../core/daemon/telemetry/signals';
import { HEALTHY } from '../setup/driver-code';
import { freePort, RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { completion, json, posts, Upstream } from '../setup/upstream';
import { installScripted, logged, logLines } from '../gateway/scripted-driver';
import { OtlpReceiver } from './otlp-receiver';

const CLIENT_TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';

/** Starts a program that prints its variables, and answers with their names. Its first answer to an agent is a tool call. */
const WORKER = `module.exports = (context) => ({ ...${HEALTHY}, async *chat(request, call) {
  const source = 'console.log(Object.keys(process.env).join())';
  const program = await context.spawn(process.execPath, ['-e', source], { signal: call.signal });
  let names = '';
  for await (const line of program.lines()) names += line;
  yield { type: 'text', text: names };
  yield { type: 'finish', reason: 'stop' };
} });`;

const CALLER = `module.exports = () => ({ ...${HEALTHY}, async *chat(request) {
  const isFirst = !request.messages.some(({ role }) => role === 'tool');
  if (isFirst) yield { type: 'tool_call', index: 0, id: 'id-0', name: 'llm_worker', arguments: '{"prompt":"a private prompt"}' };
  else yield { type: 'text', text: 'done' };
  yield { type: 'usage', inputTokens: 5, outputTokens: 2 };
  yield { type: 'finish', reason: isFirst ? 'tool_calls' : 'stop' };
} });`;

const home = new TempHome();
let receiver: OtlpReceiver;
let upstream: Upstream;
let gateway: RunningGateway;

const start = (endpoint: string, env: Record<string, string> = {}) =>
  RunningGateway.start(['--log-format', 'json'], {
    env: home.environment({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      ...env,
    }),
  });

/** The last chat that the backend was asked; it is looked at with `GET /v1/models`, too. */
const asked = () => posts(upstream).at(-1)!;

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  upstream = await Upstream.start();
  installScripted(home);
  home.plugin('worker', { code: WORKER, manifest: { kind: 'cli' } });
  home.plugin('caller', { code: CALLER, manifest: { capabilities: { tools: true } } });
  home.configure(`version: "1"
default_provider: real
providers:
  - { name: real, driver: chat-compat, base_url: '${upstream.url}/v1', default_model: m-1 }
  - { name: broken, driver: plain, default_model: b-1 }
  - { name: worker, driver: worker, default_model: w-1 }
  - { name: caller, driver: caller, default_model: c-1 }
routes:
  - { name: either, targets: [broken, real] }
`);
  gateway = await start(receiver.url, {
    OTEL_SERVICE_NAME: 'my-gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=very-secret',
  });
});
afterAll(async () => {
  await gateway.stop();
  receiver.close();
  await upstream.close();
  home.remove();
});

test('a request of a client, its attempts, and the context that the backend gets are one trace', async () => {
  upstream.answer(json(completion('the private answer')));
  const headers = { traceparent: `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01`, tracestate: 'vendor=1' };
  const messages = [{ role: 'user', content: 'a private question' }];
  const script = [{ fail: ['upstream', 'it broke'] }];
  const response = await gateway.chat({ model: 'either', messages, script }, { headers });
  expect(response.status).toBe(200);
  const request = await receiver.span(({ traceId, kind }) => traceId === CLIENT_TRACE && kind === 'SPAN_KIND_SERVER');
  expect(request).toMatchObject({ name: 'POST /v1/chat/completions', parentSpanId: CLIENT_SPAN, failed: false });
  expect(request.facts).toMatchObject({
    'http.response.status_code': 200,
    'drivebay.provider': 'real',
    'drivebay.route': 'either',
    'drivebay.request_id': response.headers.get('x-request-id'),
  });
  expect(request.resource).toMatchObject({ 'service.name': 'my-gateway', 'deployment.environment.name': 'tests' });
  const first = await receiver.span(({ facts }) => facts['drivebay.provider'] === 'broken');
  const second = await receiver.span(
    ({ name, parentSpanId }) => name === 'chat m-1' && parentSpanId === request.spanId,
  );
  expect(first).toMatchObject({ traceId: CLIENT_TRACE, parentSpanId: request.spanId, failed: true });
  expect(first.facts['error.type']).toBe('upstream');
  expect(second).toMatchObject({ traceId: CLIENT_TRACE, kind: 'SPAN_KIND_CLIENT', failed: false });
  expect(second.facts).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm-1',
    'drivebay.provider': 'real',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(upstream.url).port),
  });
  // The clock of a span is that of its trace, to a few milliseconds.
  expect(second.startMs).toBeGreaterThanOrEqual(first.endMs - 20);
  const sent = asked().headers;
  expect(sent.traceparent).toBe(`00-${CLIENT_TRACE}-${second.spanId}-01`);
  expect(sent.tracestate).toBe('vendor=1');
  expect(receiver.headers.at(-1)).toMatchObject({
    'x-collector-key': 'very-secret',
    'content-type': 'application/x-protobuf',
  });
});

test('a client that is not sampled is not traced, and its backend hears so', async () => {
  upstream.answer(json(completion('x')));
  const trace = CLIENT_TRACE.replaceAll('0', '1');
  await (await gateway.chat({ model: 'real' }, { headers: { traceparent: `00-${trace}-${CLIENT_SPAN}-00` } })).text();
  expect(asked().headers.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  await (await gateway.chat({ model: 'real' }, { headers: { traceparent: 'nonsense' } })).text();
  const own = asked().headers.traceparent!.split('-')[1];
  await receiver.span(({ traceId }) => traceId === own);
  expect(receiver.spans.some(({ traceId }) => traceId === trace)).toBe(false);
});

test('an agent, its steps, its tool calls and their programs are one trace', async () => {
  const { code, stdout, stderr } = await home.run('run', '--provider', 'caller', 'a private intent');
  expect([code, stdout.trim(), stderr.includes('warn')]).toEqual([0, 'done', false]);
  const process = await receiver.span(({ name }) => name === 'invoke_agent');
  const inside = ({ traceId }: { traceId: string }) => traceId === process.traceId;
  const tool = await receiver.span((span) => inside(span) && span.name === 'execute_tool llm_worker');
  const program = await receiver.span((span) => inside(span) && span.name.startsWith('program node'));
  const spanOf = (id: string) => receiver.spans.find(({ spanId }) => spanId === id)!;
  const call = spanOf(program.parentSpanId);
  const step = spanOf(call.parentSpanId);
  expect(call.facts).toMatchObject({ 'drivebay.provider': 'worker', 'gen_ai.operation.name': 'chat' });
  expect(step.name).toMatch(/^step \d$/);
  expect(step.parentSpanId).toBe(tool.spanId);
  expect(tool.parentSpanId).toBe(process.spanId);
  expect(tool.facts).toMatchObject({ 'gen_ai.tool.name': 'llm_worker', 'gen_ai.operation.name': 'execute_tool' });
  expect(Object.keys(tool.facts).filter((name) => /arguments|result/.test(name))).toEqual([]);
  const steps = receiver.spans.filter((span) => inside(span) && span.parentSpanId === process.spanId);
  expect(steps.map(({ name }) => name).sort()).toEqual(['execute_tool llm_worker', 'step 1', 'step 3']);
  const calls = receiver.spans.filter((span) => inside(span) && span.facts['gen_ai.usage.input_tokens'] === 5);
  expect(calls).toHaveLength(2);
});

test('no program of a driver sees the variables, which may hold a key', async () => {
  const response = await gateway.chat({ model: 'worker' });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  const names = choices[0]!.message.content.split(',');
  expect(names).toContain('PATH');
  expect(names.filter((name) => name.startsWith('OTEL_'))).toEqual([]);
});

test('the metrics are those of the page', async () => {
  upstream.answer(json(completion('x')));
  await (await gateway.chat({ model: 'real' })).text();
  await receiver.metric((metrics) => {
    const points = metrics.get('drivebay.requests')?.points ?? [];
    return points.some(({ facts, value }) => facts.provider === 'real' && facts.model === 'up-model' && value > 0);
  });
  const { metrics } = receiver;
  expect(metrics.get('gen_ai.client.operation.duration')).toMatchObject({ kind: 'histogram', unit: 's' });
  expect(metrics.get('drivebay.requests')).toMatchObject({ kind: 'sum', unit: '{request}' });
  expect(metrics.get('process.memory.usage')!.points[0]!.value).toBeGreaterThan(1e7);
  expect(metrics.get('drivebay.provider.up')!.points.map(({ facts }) => facts.provider)).toContain('broken');
});

test('nothing that was sent holds a prompt, an answer or a tool argument', () => {
  expect(receiver.spans.length).toBeGreaterThan(8);
  expect(receiver.text).not.toContain('private');
});

test('with content, spans of chats and tool calls have it in the words of the conventions, and no key', async () => {
  const other = new TempHome();
  const backend = (await Upstream.start()).answer(json(completion('told: sk-very-secret-0123456789')));
  other.plugin('caller', { code: CALLER, manifest: { capabilities: { tools: true } } });
  other.configure(`version: "1"
providers:
  - { name: worker, driver: chat-compat, base_url: '${backend.url}/v1', default_model: m-1, api_key_env: MY_KEY }
  - { name: caller, driver: caller, default_model: c-1 }
`);
  const telling = await RunningGateway.start(['--log-format', 'json'], {
    env: other.environment({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'True',
      MY_KEY: 'sk-very-secret-0123456789',
    }),
  });
  await telling.untilOutput(/traces hold prompts and answers: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT/);
  const messages = [
    { role: 'system', content: 'be open' },
    { role: 'user', content: 'a question that is told' },
  ];
  const response = await telling.chat({ model: 'worker', messages });
  await response.text();
  const span = await receiver.span(({ name, facts }) => name === 'chat m-1' && 'gen_ai.input.messages' in facts);
  const read = (name: string) => JSON.parse(span.facts[name] as string) as unknown;
  expect(read('gen_ai.input.messages')).toEqual([
    { role: 'system', parts: [{ type: 'text', content: 'be open' }] },
    { role: 'user', parts: [{ type: 'text', content: 'a question that is told' }] },
  ]);
  expect(read('gen_ai.output.messages')).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'told: [redacted]' }], finish_reason: 'stop' },
  ]);
  const { code } = await other.run('run', '--provider', 'caller', 'an intent');
  expect(code).toBe(0);
  const tool = await receiver.span(({ facts }) => 'gen_ai.tool.call.arguments' in facts);
  expect(tool).toMatchObject({ name: 'execute_tool llm_worker', failed: false });
  expect(tool.facts).toMatchObject({
    'gen_ai.tool.call.arguments': '{"prompt":"a private prompt"}',
    'gen_ai.tool.call.result': 'told: [redacted]',
  });
  expect(receiver.text).not.toContain('sk-very-secret');
  await telling.stop();
  await backend.close();
  other.remove();
});

test.each(['', 'false', 'NO_CONTENT', 'EVENT_ONLY', '1'])(
  'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=%s: no content',
  (value) => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'x', OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value };
    expect(wantedSignals(environment)).toMatchObject({ traces: true, content: false });
  },
);

test('a collector that is down is told once, and costs no request anything', async () => {
  const other = new TempHome();
  installScripted(other);
  other.configure('version: "1"\nproviders:\n  - { name: main, driver: scripted, default_model: m }\n');
  const nowhere = `http://127.0.0.1:${await freePort()}/v1/traces`;
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: nowhere, OTEL_BSP_SCHEDULE_DELAY: '20' };
  const words = ['--log-format', 'json'];
  const lonely = await RunningGateway.start(words, {
    env: other.environment({ ...env, OTEL_METRIC_EXPORT_INTERVAL: '100', OTEL_EXPORTER_OTLP_TIMEOUT: '200' }),
  });
  const isTold = ({ msg }: Record<string, unknown>) => String(msg).startsWith('telemetry cannot be sent');
  for (let n = 0; n < 5; n += 1) expect((await lonely.chat({ model: 'main' })).status).toBe(200);
  await lonely.untilOutput({ test: () => logLines(lonely).some(isTold) });
  expect((await lonely.chat({ model: 'main' })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const told = logLines(lonely).filter(isTold);
  expect(told).toEqual([
    expect.objectContaining({
      msg: expect.stringMatching(/until it can: connect ECONNREFUSED [\d.:]+; see OTEL_EXPORTER_OTLP_TRACES_ENDPOINT$/),
    }),
  ]);
  expect(await lonely.stop()).toBe(0);
  other.remove();
});

test('the log quotes a collector that refuses metrics, and then a part of them', async () => {
  const other = new TempHome();
  other.configure('version: "1"\nproviders: []\n');
  // ExportMetricsServiceResponse: two data points are refused, "too old".
  const partial = Buffer.from([0x0a, 0x0b, 0x08, 0x02, 0x12, 0x07, ...Buffer.from('too old')]);
  let asked = 0;
  const picky = createServer((request, response) => {
    request.resume();
    asked += 1;
    if (asked === 1) response.writeHead(401).end('no');
    else response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(partial);
  }).listen(0, '127.0.0.1');
  await once(picky, 'listening');
  const { port } = picky.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRIC_EXPORT_INTERVAL: '1000' };
  const words = ['--log-format', 'json'];
  const refused = await RunningGateway.start(words, { env: other.environment(env) });
  await refused.untilOutput(/refuses a part/);
  const told = logLines(refused).flatMap(({ msg }) => (/telemetry/.test(String(msg)) ? [msg] : []));
  const see = 'see OTEL_EXPORTER_OTLP_METRICS_ENDPOINT';
  expect(told).toEqual([
    `telemetry cannot be sent, and is dropped until it can: Unauthorized; ${see}`,
    `the collector refuses a part of the telemetry: {"rejectedDataPoints":2,"errorMessage":"too old"}; ${see}`,
  ]);
  await refused.stop();
  picky.closeAllConnections();
  picky.close();
  other.remove();
});

test('the log reports an address without http://, and nothing is sent to another one', async () => {
  const other = new TempHome();
  other.configure('version: "1"\nproviders: []\n');
  const env = other.environment({ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' });
  const lost = await RunningGateway.start([], { env });
  const told = 'no telemetry is sent: OTEL_EXPORTER_OTLP_ENDPOINT must hold a URL that begins with http:// or https://';
  await lost.untilOutput({ test: (output) => output.includes(told) });
  await lost.stop();
  other.remove();
});

test('a collector that takes everything and never answers holds up no end', async () => {
  const other = new TempHome();
  installScripted(other);
  other.configure('version: "1"\nproviders:\n  - { name: main, driver: scripted, default_model: m }\n');
  let isAsked!: () => void;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const silent = createServer(() => isAsked()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const timing = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_EXPORT_TIMEOUT: '60000', ...timing };
  const patient = await RunningGateway.start([], { env: other.environment(env) });
  expect((await patient.chat({ model: 'main' })).status).toBe(200);
  await asked;
  const began = performance.now();
  expect(await patient.stop()).toBe(0);
  // The exporter alone would wait for 30 s and more.
  expect(performance.now() - began).toBeLessThan(20_000);
  silent.closeAllConnections();
  silent.close();
  other.remove();
});

test.each([
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
])('%s=%s: the backend gets no trace context of ours', async (name, value) => {
  const other = new TempHome();
  other.configure(`version: "1"
providers:
  - { name: real, driver: chat-compat, base_url: '${upstream.url}/v1', default_model: m-1 }
`);
  const env = other.environment({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, [name]: value });
  const quiet = await RunningGateway.start(['--log-format', 'json'], { env });
  upstream.answer(json(completion('x')));
  const response = await quiet.chat({ model: 'real' });
  await response.text();
  expect(asked().headers.traceparent).toBeUndefined();
  await logged(quiet, 'chat', { id: response.headers.get('x-request-id') });
  await quiet.stop();
  other.remove();
});
