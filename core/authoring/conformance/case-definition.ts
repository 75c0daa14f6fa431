import type { Ability } from '../fakes/backend';
import type { Stage } from './stage';

/** What has to be true of a driver or its backend for a case to say anything. */
export type Need = Ability | 'kind:http' | 'kind:cli' | `capability:${string}` | `option:${string}`;

/** A case before anything is known of the driver it will test. */
export interface CaseDefinition {
  /** Never changes its meaning, and is never given to another case. */
  id: string;
  /** A sentence about what a driver does. */
  name: string;
  /** The level that it came with. */
  since: '1.0';
  needs: readonly Need[];
  /** Whether it looks at the whole process, so that no other case may run meanwhile. */
  isAlone: boolean;
  run(stage: Stage): Promise<void>;
}

/** Cases of one subject; the ids begin with it. */
export function defineCases(
  subject: string,
  cases: Record<string, [name: string, needs: readonly Need[], run: CaseDefinition['run'], way?: 'alone']>,
): CaseDefinition[] {
  return Object.entries(cases).map(([id, [name, needs, run, way]]) => ({
    ...{ id: `${subject}.${id}`, name, since: '1.0' as const, needs, run, isAlone: way === 'alone' },
  }));
}
