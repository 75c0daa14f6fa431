import type { ChatRequest, DriverContext, DriverFailure, ErrorKind } from 'drivebay/plugin';
import { isFields, textOf } from '../fields';
import { errorIn, type Advice } from '../http/explain-error';
import { HttpDriver, type HttpOptions, type ModelPage } from '../http/http-driver';
import { CompletionReader } from './completion-reader';
import { resolveEndpoint, type Endpoint } from './endpoint';

const KINDS = new Map<string, ErrorKind>([
  ['insufficient_quota', 'usage_limit'],
  ['context_length_exceeded', 'context_overflow'],
  ['model_not_found', 'model_unavailable'],
]);

/** The base of every driver of this wire. Each driver sends requests in its own way. */
export abstract class WireDriver extends HttpDriver {
  protected readonly endpoint: Endpoint;

  constructor(context: DriverContext<HttpOptions>) {
    super(context);
    this.endpoint = resolveEndpoint(context.options.base_url);
  }

  protected readerFor({ choices = 1 }: ChatRequest): CompletionReader {
    return new CompletionReader(Math.max(1, choices), this.makeError);
  }

  protected chatUrl(): URL {
    return this.endpoint.chat;
  }

  protected listUrl(): URL {
    return this.endpoint.models;
  }

  protected readModels(answer: unknown): ModelPage | undefined {
    const list = Array.isArray(answer) ? answer : isFields(answer) ? (answer.data ?? answer.models) : undefined;
    if (!Array.isArray(list)) return undefined;
    return {
      names: list.flatMap((entry: unknown) => (isFields(entry) ? (textOf(entry.id) ?? textOf(entry.name) ?? []) : [])),
    };
  }

  protected adviceOn({ answer }: DriverFailure, _url: URL): Advice {
    return { kind: KINDS.get(textOf(errorIn(answer).code) ?? '') };
  }
}
