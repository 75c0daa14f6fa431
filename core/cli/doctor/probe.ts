import { randomUUID } from 'node:crypto';
import { CallEnd } from '../../contract/call-end';
import { isDriverError } from '../../contract/driver-error';
import type { LlmDevice } from '../../devices/device';
import { messageOf } from '../../errors';
import { defined } from '../../fields';
import { CallAborted } from '../../providers/call-clock';
import { formatCost, formatDuration } from '../terminal/format';
import { type DoctorFinding, finding } from './finding';

/** A local server may first have to load the model. */
const LIMIT_MS = 60_000;

/** Sends one real question, as small as possible. This spends tokens. */
export async function probe(device: LlmDevice): Promise<DoctorFinding> {
  const { defaultModel } = device;
  if (device.route) return finding('probe', 'note', 'not tried: each of its targets is');
  if (device.needsModel) {
    return finding('probe', 'note', 'not tried: there is no default_model');
  }
  const abort = new CallEnd();
  const late = new CallAborted('timeout', `no answer within ${LIMIT_MS / 1000} s`);
  const timer = setTimeout(() => abort.abort(late), LIMIT_MS);
  const started = performance.now();
  let first: number | undefined;
  try {
    const question = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Reply with the word OK.' }] };
    const request = defined({ model: defaultModel, stream: true, messages: [question], extra: {} });
    const caller = { id: `doctor-${randomUUID()}`, asker: { type: 'gateway' as const }, abort, arrivedAt: Date.now() };
    const { usage, costUsd, nominalUsd, priced, model } = await device.chat(request, caller, ({ type }) => {
      if (type === 'text' || type === 'reasoning') first ??= performance.now() - started;
      return undefined;
    });
    const facts = [
      `answered in ${formatDuration(performance.now() - started)}`,
      first === undefined ? '' : `first piece after ${formatDuration(first)}`,
      model === undefined ? '' : `model ${model}`,
      usage ? `${usage.inputTokens} tokens in, ${usage.outputTokens} out` : 'tokens not known',
      formatCost(costUsd, nominalUsd) || (priced === undefined ? 'cost not known' : 'no cost'),
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
