import type { SpanFacts, WorkSpan } from '../contract/work-span';
import type { LedgerEntry } from '../record/ledger';
import type { Caller } from './caller';
import type { ProviderSettings } from './settings';

/** The span of a call to a backend: one attempt of a route. */
export function openCallSpan(
  { span, route }: Caller,
  { name, driverAlias, endpoint }: ProviderSettings,
  { operation, model }: { operation: string; model: string | undefined },
  content: SpanFacts | undefined,
): WorkSpan | undefined {
  const server = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  return span?.child(`${operation} ${model ?? name}`, 'client', {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': driverAlias,
    'gen_ai.request.model': model,
    'server.address': server?.hostname,
    'server.port': server && (Number(server.port) || (server.protocol === 'https:' ? 443 : 80)),
    'drivebay.provider': name,
    'drivebay.route': route,
    ...content,
  });
}

export function endCallSpan(
  span: WorkSpan,
  { model, usage, costUsd, warm, call }: LedgerEntry,
  content: SpanFacts | undefined,
): void {
  const facts = {
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteInputTokens,
    'drivebay.cost_usd': costUsd || undefined,
    'drivebay.warm': warm,
    'drivebay.first_ms': call?.firstMs,
    ...content,
  };
  span.end(facts, call?.failure);
}
