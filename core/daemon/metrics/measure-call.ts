import { clientOf, type LedgerEntry } from '../../record/ledger';
import type { Labels, Meter } from './instruments';

/** The ledger's data about a call of the gateway, of an agent or of the dashboard. */
export function measureCall(meter: Meter, entry: LedgerEntry, model: string | undefined): void {
  if (!entry.call) return;
  const { provider, usage, costUsd, warm, asker } = entry;
  const client = clientOf(asker);
  const { driverAlias, operation, ms, firstMs, isStream, failure } = entry.call;
  const call: Labels = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': driverAlias,
    'gen_ai.request.model': model,
    'drivebay.provider': provider,
  };
  meter.record('gen_ai.client.operation.duration', ms / 1000, { ...call, 'error.type': failure });
  if (isStream && firstMs !== undefined) {
    meter.record('gen_ai.client.operation.time_to_first_chunk', firstMs / 1000, call);
    const further = (usage?.outputTokens ?? 0) - 1;
    if (entry.ok && further > 0) {
      meter.record('gen_ai.server.time_per_output_token', Math.max(0, ms - firstMs) / 1000 / further, call);
    }
  }
  if (warm) meter.record('drivebay.warm', 1, { provider, warm });
  if (costUsd > 0) meter.record('drivebay.cost', costUsd, { provider, model, client });
  if (!usage) return;
  const counted = {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cached: usage.cachedInputTokens,
    cache_write: usage.cacheWriteInputTokens,
    reasoning: usage.reasoningTokens,
  };
  for (const [type, tokens] of Object.entries(counted)) {
    if (tokens !== undefined) meter.record('drivebay.tokens', tokens, { provider, model, client, type });
  }
  for (const type of ['input', 'output'] as const) {
    meter.record('gen_ai.client.token.usage', counted[type], { ...call, 'gen_ai.token.type': type });
  }
}
