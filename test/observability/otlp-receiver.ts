import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Root } from 'protobufjs';
import { repository } from '../setup/repository';
import { until } from '../setup/until';

const DEFINITIONS = join(repository, 'test/fixtures/opentelemetry-proto');
const COLLECTOR = 'opentelemetry.proto.collector';

export interface ReceivedSpan {
  name: string;
  kind: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  startMs: number;
  endMs: number;
  failed: boolean;
  facts: Record<string, string | number | boolean>;
  resource: Record<string, string | number | boolean>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
}

interface TracesRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        kind: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes?: Attribute[];
        status?: { code?: string };
      }[];
    }[];
  }[];
}

export interface ReceivedMetric {
  name: string;
  unit: string;
  kind: 'sum' | 'gauge' | 'histogram';
  points: { facts: Record<string, unknown>; value: number; count: number }[];
}

interface Points {
  dataPoints: { attributes?: Attribute[]; asDouble?: number; asInt?: string; sum?: number; count?: string }[];
}

interface MetricsRequest {
  resourceMetrics: {
    scopeMetrics: { metrics: { name: string; unit: string; sum?: Points; gauge?: Points; histogram?: Points }[] }[];
  }[];
}

/** A collector that reads what it is sent by the official definitions. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** As the last export had them, by name. */
  readonly metrics = new Map<string, ReceivedMetric>();
  readonly headers: IncomingHttpHeaders[] = [];
  /** Every byte that came. */
  text = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const root = new Root();
    root.resolvePath = (_origin, target) => join(DEFINITIONS, target);
    const parts = ['trace/v1/trace_service.proto', 'metrics/v1/metrics_service.proto'];
    await root.load(parts.map((part) => `opentelemetry/proto/collector/${part}`));
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = Buffer.concat(pieces);
        receiver.headers.push(request.headers);
        receiver.text += body.toString('latin1');
        const [kind, type] =
          request.url === '/v1/traces' ? (['trace', 'Trace'] as const) : (['metrics', 'Metrics'] as const);
        const definition = root.lookupType(`${COLLECTOR}.${kind}.v1.Export${type}ServiceRequest`);
        const read = definition.toObject(definition.decode(body), { longs: String, enums: String, bytes: String });
        if (type === 'Trace') receiver.takeSpans(read as TracesRequest);
        else receiver.takeMetrics(read as MetricsRequest);
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for a span. */
  async span(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    await until(() => this.spans.some(isWanted));
    return this.spans.find(isWanted)!;
  }

  async metric(isThere: (metrics: ReadonlyMap<string, ReceivedMetric>) => boolean): Promise<void> {
    await until(() => isThere(this.metrics));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private takeSpans({ resourceSpans }: TracesRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          name: span.name,
          kind: span.kind,
          traceId: hex(span.traceId),
          spanId: hex(span.spanId),
          parentSpanId: hex(span.parentSpanId ?? ''),
          startMs: Number(span.startTimeUnixNano) / 1e6,
          endMs: Number(span.endTimeUnixNano) / 1e6,
          failed: span.status?.code === 'STATUS_CODE_ERROR',
          facts: factsOf(span.attributes),
          resource: factsOf(resource.attributes),
        });
      }
    }
  }

  private takeMetrics({ resourceMetrics }: MetricsRequest): void {
    for (const { name, unit, sum, gauge, histogram } of resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics),
    )) {
      const kind = sum ? 'sum' : gauge ? 'gauge' : 'histogram';
      const { dataPoints } = (sum ?? gauge ?? histogram)!;
      const points = dataPoints.map((point) => ({
        facts: factsOf(point.attributes),
        value: point.asDouble ?? Number(point.asInt ?? point.sum ?? 0),
        count: Number(point.count ?? 0),
      }));
      this.metrics.set(name, { name, unit, kind, points });
    }
  }
}

const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');

function factsOf(attributes: Attribute[] = []): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value;
      return [key, stringValue ?? doubleValue ?? boolValue ?? Number(intValue)];
    }),
  );
}
