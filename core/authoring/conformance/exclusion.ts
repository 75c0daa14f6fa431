import type { Manifest } from '../../plugins/manifest';
import type { Ability, Backend } from '../fakes/backend';
import type { Need } from './case-definition';

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
