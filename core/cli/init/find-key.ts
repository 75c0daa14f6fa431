import type { Environment } from '../../config/environment';
import type { DetectedKey } from '../../plugins/detect';
import type { Manifest } from '../../plugins/manifest';
import type { Sighting } from './sighting';

/** Looks for a key where drivers get theirs. Its value is not kept. */
export function findKey(
  { variables, models, get, provider }: DetectedKey,
  manifest: Manifest,
  environment: Environment,
): Sighting {
  const [usual = ''] = variables;
  const variable = variables.find((name) => environment.get(name)) ?? usual;
  const how = `export ${usual}=...${get === undefined ? '' : ` (${get})`}`;
  const sighting: Sighting = {
    ...{ sort: 'key', manifest, get: how, preferredModels: models },
    provider: { ...provider, api_key_env: variable },
  };
  const found = environment.get(variable);
  if (!found) return sighting;
  const isElsewhere = environment.process[variable]?.trim();
  return {
    ...sighting,
    where: `${variable}, from ${found.source}`,
    ...(environment.isFromFile(variable) && !isElsewhere && { projectOnly: variable }),
  };
}
