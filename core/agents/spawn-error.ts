import { UsageError } from '../errors';

/** What of a request is wrong: the flag of that name, or the key in a compose file. */
export type SpawnField = 'intent' | 'provider' | 'model' | 'agent' | 'skills';

/** A request that no process can be made of. */
export class SpawnError extends UsageError {
  constructor(
    readonly field: SpawnField,
    message: string,
    hint?: string,
  ) {
    super(message, hint);
    this.name = 'SpawnError';
  }
}
