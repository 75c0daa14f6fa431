import { readVariables } from '../../config/variables-file';
import type { ServicePlan } from './service-plan';

/** Those variables with keys that a service will not find. */
export function missingKeys(names: readonly string[], { environment, environmentFile }: ServicePlan): string[] {
  const set = readVariables(environmentFile);
  return [...new Set(names)].filter((name) => !set[name] && !environment[name]);
}
