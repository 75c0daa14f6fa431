import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';

export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;
export type SpanKind = 'server' | 'client' | 'internal';

/** A piece of work in a trace. There are none as long as traces are not sent anywhere. */
export interface WorkSpan {
  /** The trace context for whom the work asks: `traceparent`, perhaps `tracestate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the user wants prompts and answers in the facts of it and its children. */
  readonly takesContent: boolean;
  child(name: string, kind: SpanKind, facts?: SpanFacts): WorkSpan;
  /** `failure` is a short word, such as the kind of a failure. */
  end(facts?: SpanFacts, failure?: string): void;
}

export interface Tracing {
  /** Begins a trace, or goes on with that of the headers. */
  begin(name: string, kind: SpanKind, facts: SpanFacts, headers?: IncomingHttpHeaders): WorkSpan;
}

let scope: AsyncLocalStorage<WorkSpan> | undefined;

/** Everything that `work` starts belongs to the span: its requests to servers, its programs. */
export function within<T>(span: WorkSpan | undefined, work: () => T): T {
  if (!span) return work();
  scope ??= new AsyncLocalStorage();
  return scope.run(span, work);
}

export function currentSpan(): WorkSpan | undefined {
  return scope?.getStore();
}
