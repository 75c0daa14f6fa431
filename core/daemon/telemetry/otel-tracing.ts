import type { IncomingHttpHeaders } from 'node:http';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind as Kind,
  type SpanContext,
  SpanStatusCode,
  createTraceState,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { SpanFacts, SpanKind, Tracing, WorkSpan } from '../../contract/work-span';
import { defined } from '../../fields';
import { productName, productVersion } from '../../package';
import { describeSender } from './resource';

const KINDS: Record<SpanKind, Kind> = { server: Kind.SERVER, client: Kind.CLIENT, internal: Kind.INTERNAL };

/** Traces by the official SDK. It reads its variables itself: sampler, limits, address, headers. */
export class OtelTracing implements Tracing {
  private readonly provider = new BasicTracerProvider({
    resource: describeSender(),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  readonly tracer = this.provider.getTracer(productName, productVersion);

  constructor(readonly withContent: boolean) {}

  begin(name: string, kind: SpanKind, facts: SpanFacts, headers: IncomingHttpHeaders = {}): WorkSpan {
    const remote = parseTraceContext(headers);
    const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
    return start(this, parent, name, kind, facts);
  }

  close(): Promise<void> {
    return this.provider.shutdown();
  }
}

interface Origin {
  tracer: Tracer;
  withContent: boolean;
}

function start(origin: Origin, parent: Context, name: string, kind: SpanKind, facts: SpanFacts = {}): WorkSpan {
  const span = origin.tracer.startSpan(name, { kind: KINDS[kind], attributes: defined(facts) }, parent);
  return new OtelSpan(origin, span, trace.setSpan(parent, span));
}

class OtelSpan implements WorkSpan {
  constructor(
    private readonly origin: Origin,
    private readonly span: Span,
    private readonly context: Context,
  ) {}

  get headers(): Record<string, string> {
    const { traceId, spanId, traceFlags, traceState } = this.span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
    const tracestate = traceState?.serialize();
    return tracestate ? { traceparent, tracestate } : { traceparent };
  }

  /** Content is worth no work for a trace that is not sampled. */
  get takesContent(): boolean {
    return this.origin.withContent && this.span.isRecording();
  }

  child(name: string, kind: SpanKind, facts?: SpanFacts): WorkSpan {
    return start(this.origin, this.context, name, kind, facts);
  }

  end(facts: SpanFacts = {}, failure?: string): void {
    const { span } = this;
    if (!span.isRecording()) return;
    span.setAttributes(defined(failure === undefined ? facts : { ...facts, 'error.type': failure }));
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** As W3C says: what is malformed begins a new trace. */
function parseTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent.trim())) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags!, 16) & TraceFlags.SAMPLED, isRemote: true };
  const state = Array.isArray(tracestate) ? tracestate.join(',') : tracestate;
  return typeof state === 'string' && state.length <= 512
    ? { ...context, traceState: createTraceState(state) }
    : context;
}
