import type { Manifest } from '../../plugins/manifest';
import type { Ability, Backend } from '../fakes/backend';
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

/** Why a case says nothing about this driver; undefined when it does. */
export function findExclusion(needs: readonly Need[], manifest: Manifest, backend: Backend): string | undefined {
  for (const need of needs) {
    const [subject, name] = need.split(':') as [string, string | undefined];
    if (name === undefined) {
      const reason = backend.cannot?.[need as Ability];
      if (reason !== undefined) return `the backend has no ${need}: ${reason}`;
    } else if (subject === 'kind') {
      if (manifest.kind !== name) return `it is about drivers of kind ${name}`;
    } else if (subject === 'option') {
      if (!Object.hasOwn(manifest.options, name)) return `the manifest does not declare the option ${name}`;
    } else if (manifest.capabilities[name] !== true) {
      return `the manifest does not declare the capability ${name}`;
    }
  }
  return undefined;
}
