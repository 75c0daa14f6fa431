import type { LaunchClient } from './clients';
import type { Manifest } from './manifest';
import { starPattern } from './star-pattern';

/**
 * What a user can do about a client that asks the gateway for a model that no provider serves. `served`: a name that the
 * gateway takes, as an example.
 */
export function adviseOnModel(model: string, manifests: readonly Manifest[], served: string | undefined): string {
  const name = served ?? 'a provider';
  const client = manifests
    .flatMap(({ clients }) => clients)
    .find(({ asksFor }) => asksFor.some((pattern) => starPattern(pattern).test(model)));
  if (!client) return `set the model of the client to a name that the gateway has, such as ${name}`;
  const variables = modelVariables(client);
  const byHand = variables.length > 0 ? `, or set ${variables.join(', ')} to a name such as ${name}` : '';
  return `${client.title} asks for such names: start it by drivebay launch ${client.name}${byHand}`;
}

/** The variables that hold nothing but the name of a model. */
function modelVariables({ environment }: LaunchClient): string[] {
  return Object.entries(environment)
    .filter(([, value]) => value === '{model}' || value === '{small_model}')
    .map(([variable]) => variable);
}
