// The table of everything that is measured. Names and attributes are those of the OpenTelemetry conventions for generative
// AI where these have one; https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ tells what each of them means.

export interface Instrument {
  kind: 'counter' | 'histogram' | 'gauge';
  /** As in UCUM: seconds are `s`, bytes `By`, and counts of things stand in braces. */
  unit: string;
  help: string;
  labels: readonly string[];
  buckets?: readonly number[];
}

/** Those of the conventions, and three more: an agent CLI works for minutes. */
const DURATION = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68,
];
const PER_TOKEN = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
const OVERHEAD = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** Of a call to a backend: each attempt of a route is one. */
const OF_CALL = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'drivebay.provider'] as const;
const OF_REQUEST = ['dialect', 'provider', 'model'] as const;
/** `client`: one of those of the configuration; absent for every other caller. */
const OF_USE = ['provider', 'model', 'client'] as const;

export const instruments = {
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of a call to a backend, from the question to the complete answer',
    labels: [...OF_CALL, 'error.type'],
    buckets: DURATION,
  },
  'gen_ai.client.operation.time_to_first_chunk': {
    kind: 'histogram',
    unit: 's',
    help: 'Time from the question to the first words of a streamed answer',
    labels: OF_CALL,
    buckets: DURATION,
  },
  'gen_ai.server.time_per_output_token': {
    kind: 'histogram',
    unit: 's',
    help: 'Time per output token after the first one, of a streamed answer',
    labels: OF_CALL,
    buckets: PER_TOKEN,
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    help: 'Tokens of a call',
    labels: [...OF_CALL, 'gen_ai.token.type'],
    buckets: TOKENS,
  },
  'drivebay.request.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of a request at the gateway, from its arrival to the end of the answer',
    labels: [...OF_REQUEST, 'status'],
    buckets: DURATION,
  },
  'gen_ai.execute_tool.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Duration of a tool call of an agent process',
    labels: ['gen_ai.tool.name', 'error.type'],
    buckets: DURATION,
  },
  'drivebay.request.overhead': {
    kind: 'histogram',
    unit: 's',
    help: "The gateway's own part of a request: without the time of the client, the queue and the driver",
    labels: ['dialect'],
    buckets: OVERHEAD,
  },
  'drivebay.requests': {
    kind: 'counter',
    unit: '{request}',
    help: 'Requests at the gateway that have ended',
    labels: [...OF_REQUEST, 'route', 'client', 'status'],
  },
  'drivebay.turned_away': {
    kind: 'counter',
    unit: '{request}',
    help: 'Requests of a client that a limit of it, or its list of what is allowed, turned away, also at /mcp',
    labels: ['client', 'reason'],
  },
  'drivebay.tokens': {
    kind: 'counter',
    unit: '{token}',
    help: 'Tokens as the backends counted them, of every caller; input includes cached and cache_write',
    labels: [...OF_USE, 'type'],
  },
  'drivebay.cost': { kind: 'counter', unit: 'USD', help: 'Cost of all calls, of every caller', labels: OF_USE },
  'drivebay.warm': {
    kind: 'counter',
    unit: '{call}',
    help: 'Calls of drivers that keep their program, by how they came to it: hit, resumed or cold',
    labels: ['provider', 'warm'],
  },
  'drivebay.failed_attempts': {
    kind: 'counter',
    unit: '{attempt}',
    help: 'Targets of routes that did not answer a request which another one was asked for then',
    labels: ['route', 'provider', 'error.type'],
  },
  'drivebay.processes.ended': {
    kind: 'counter',
    unit: '{process}',
    help: 'Agent processes that have ended',
    labels: ['state'],
  },
  'drivebay.lost_events': {
    kind: 'counter',
    unit: '{event}',
    help: 'Events that came faster than they could be counted; anything but 0 means that the counters are too low',
    labels: [],
  },
  'drivebay.info': { kind: 'gauge', unit: '', help: 'Always 1', labels: ['version', 'mode'] },
  'drivebay.requests.in_flight': {
    kind: 'gauge',
    unit: '{request}',
    help: 'Calls at the gateways that are not answered yet',
    labels: [],
  },
  'drivebay.processes': { kind: 'gauge', unit: '{process}', help: 'Agent processes that live', labels: [] },
  'drivebay.provider.running': {
    kind: 'gauge',
    unit: '{call}',
    help: 'Calls that have a slot of a provider with max_concurrency',
    labels: ['provider'],
  },
  'drivebay.provider.waiting': {
    kind: 'gauge',
    unit: '{call}',
    help: 'Calls that wait for a slot of a provider with max_concurrency',
    labels: ['provider'],
  },
  'drivebay.provider.limit': { kind: 'gauge', unit: '{call}', help: 'max_concurrency', labels: ['provider'] },
  'drivebay.provider.up': {
    kind: 'gauge',
    unit: '',
    help: '1 for a provider that is healthy, 0 for one that is offline; absent while it is not known',
    labels: ['provider'],
  },
  'drivebay.provider.rests': {
    kind: 'gauge',
    unit: '{rest}',
    help: 'Active rests: of the provider, or of one of its models',
    labels: ['provider'],
  },
  'drivebay.provider.kept': {
    kind: 'gauge',
    unit: '{program}',
    help: 'What drivers keep for further calls: spare programs, conversations, programs that wait for a client',
    labels: ['provider', 'state'],
  },
  'drivebay.provider.programs': {
    kind: 'gauge',
    unit: '{program}',
    help: 'Child processes that drivers have started and that have not ended',
    labels: ['provider'],
  },
  'nodejs.eventloop.delay.p50': { kind: 'gauge', unit: 's', help: 'Delay of the event loop, median', labels: [] },
  'nodejs.eventloop.delay.p99': { kind: 'gauge', unit: 's', help: 'Delay of the event loop, 99 %', labels: [] },
  'nodejs.eventloop.delay.max': { kind: 'gauge', unit: 's', help: 'Delay of the event loop, longest', labels: [] },
  'process.memory.usage': { kind: 'gauge', unit: 'By', help: 'Physical memory in use', labels: [] },
  'v8js.memory.heap.used': { kind: 'gauge', unit: 'By', help: 'Heap in use', labels: [] },
  'process.cpu.time': { kind: 'gauge', unit: 's', help: 'CPU time since the start, of this process alone', labels: [] },
  'process.uptime': { kind: 'gauge', unit: 's', help: 'Time since the start', labels: [] },
} as const satisfies Record<string, Instrument>;

export type InstrumentName = keyof typeof instruments;
/** A label without a value is left out. */
export type Labels = Readonly<Record<string, string | undefined>>;

/** Takes measured values: into the page of Prometheus, or to a collector. */
export interface Meter {
  record(name: InstrumentName, value: number, labels: Labels): void;
}

export interface Reading {
  name: InstrumentName;
  value: number;
  labels: Labels;
}
