import type { LlmDevice } from '../devices/device';
import { type CallRecord, spellAttempts } from './call-record';

type Attempts = Parameters<CallRecord['turnTo']>[1];

/** Tells the client and the record which target of a route is asked, and which ones have failed before it. */
export function noteTarget(
  target: LlmDevice,
  before: Attempts,
  headers: Record<string, string>,
  record: CallRecord,
): void {
  headers['x-drivebay-provider'] = target.name;
  if (before.length > 0) headers['x-drivebay-attempts'] = spellAttempts(before);
  record.turnTo(target.name, before);
}
