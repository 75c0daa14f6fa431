import type { ChatEvent } from '../contract/api';
import { type DriverError, isDriverError } from '../contract/driver-error';
import type { LlmDevice } from './device';

/** The words and deeds of an agent begin its answer. Its thoughts before them do not. */
export function beginsAnswer({ type }: ChatEvent, { driverKind }: Pick<LlmDevice, 'driverKind'>): boolean {
  if (type === 'text' || type === 'tool_call' || type === 'activity') return true;
  return type === 'reasoning' && driverKind !== 'cli';
}

/** Only the driver's own report counts: the call assumes of any agent that ran that it may have acted. */
export function saysThatItActed({ cause }: DriverError): boolean {
  return isDriverError(cause) && cause.sideEffects;
}
