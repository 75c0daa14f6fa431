import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors';
import { isDriverError } from '../../contract/driver-error';
import { CallAborted } from '../../providers/call-clock';
import type { LlmDevice } from '../../devices/device';
import { formatCost, formatDuration } from '../terminal/format';
import { type Finding, finding } from './finding';

/** A model on a laptop may have to be loaded first. */
const LIMIT_MS = 60_000;

/** One real question, as small as there is one. This spends tokens. */
export async function probe(device: LlmDevice): Promise<Finding> {
  if (device.driverKind === 'http' && device.defaultModel === undefined) {
    return finding('probe', 'note', 'not tried: there is no default_model');
  }
  const abort = new AbortController();
  const late = new CallAborted('timeout', `no answer within ${LIMIT_MS / 1000} s`);
  const timer = setTimeout(() => abort.abort(late), LIMIT_MS);
  const started = performance.now();
  let first: number | undefined;
  try {
    const { usage, costUsd, model } = await device.chat(
      {
        ...(device.defaultModel !== undefined && { model: device.defaultModel }),
        stream: true,
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Reply with the word OK.' }] }],
        extra: {},
      },
      { id: `doctor-${randomUUID()}`, asker: { type: 'gateway' }, abort, arrivedAt: Date.now() },
      ({ type }) => {
        if (type === 'text' || type === 'reasoning') first ??= performance.now() - started;
        return undefined;
      },
    );
    const facts = [
      `answered in ${formatDuration(performance.now() - started)}`,
      first === undefined ? '' : `first piece after ${formatDuration(first)}`,
      model === undefined ? '' : `model ${model}`,
      usage ? `${usage.inputTokens} tokens in, ${usage.outputTokens} out` : 'tokens not told',
      costUsd > 0 ? formatCost(costUsd) : 'cost not known',
    ];
    return finding('probe', 'ok', facts.filter(Boolean).join(', '));
  } catch (error) {
    const hint = isDriverError(error) ? error.hint : undefined;
    return finding('probe', 'broken', `a real question failed: ${messageOf(error)}`, hint);
  } finally {
    clearTimeout(timer);
    await device.ended(abort.signal);
  }
}
