import { WholeResponse } from './whole-response';

/** The conversation that takes the place of a longer one: the answer to clients that ask for it by a path. */
export class Compacted extends WholeResponse {
  override toBody(): Record<string, unknown> {
    const { id, created_at, output, usage } = super.toBody();
    return { id, object: 'response.compaction', created_at, output, usage };
  }
}
