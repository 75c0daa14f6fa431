import type { Manifest } from '../../plugins/manifest';
import type { Ability, Backend } from '../fakes/backend';
import type { Stage } from './stage';

/** A property that a driver or its backend must have for a case to apply. */
export type Need =
  Ability | `without:${Ability}` | 'kind:http' | 'kind:cli' | `capability:${string}` | `option:${string}`;

export interface CaseDefinition {
  /** Its meaning never changes, and no other case ever gets it. */
  id: string;
  /** A sentence about a driver that passes. */
  name: string;
  since: '1.0';
  needs: readonly Need[];
  /** Whether the case observes the whole process, so that no other case may run at the same time. */
  isAlone: boolean;
  run(stage: Stage): Promise<void>;
}

/** The cases of one subject. Their ids begin with the subject. */
export function defineCases(subject: string, rules: Record<string, Rule>, isAlone = false): CaseDefinition[] {
  return Object.entries(rules).map(([id, each]) => ({ ...each, id: `${subject}.${id}`, since: '1.0', isAlone }));
}

type Rule = Pick<CaseDefinition, 'name' | 'needs' | 'run'>;

export function rule(name: string, needs: readonly Need[], run: CaseDefinition['run']): Rule {
  return { name, needs, run };
}

export function findExclusion(needs: readonly Need[], manifest: Manifest, backend: Backend): string | undefined {
  for (const need of needs) {
    const [subject, name] = need.split(':') as [string, string | undefined];
    if (name === undefined) {
      const reason = backend.cannot?.[need as Ability];
      if (reason !== undefined) return `the backend has no ${need}: ${reason}`;
    } else if (subject === 'without') {
      if (backend.cannot?.[name as Ability] === undefined) return `the backend has ${name}`;
    } else if (subject === 'kind') {
      if (manifest.kind !== name) return `it is about drivers of kind ${name}`;
    } else if (subject === 'option') {
      if (!Object.hasOwn(manifest.options, name)) return `the manifest does not declare the option ${name}`;
    } else if (!hasCapability(manifest, name)) {
      return `the manifest does not declare the capability ${name}`;
    }
  }
  return undefined;
}

/** `images` includes images in the results of tools. */
function hasCapability({ capabilities }: Manifest, name: string): boolean {
  return capabilities[name] === true || (name === 'resultImages' && capabilities.images === true);
}
