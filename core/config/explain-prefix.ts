import { nameOrHidden, shownName } from '../contract/secrets';
import type { Problem } from '../errors';

/**
 * What to say of a `--model` without `--provider` that begins with the name of one. Requests to the gateway name both so. Here a
 * model goes to its provider as it is: its own name may have a colon.
 */
export function explainPrefix(model: string, providers: readonly string[]): Problem[] {
  const colon = model.indexOf(':');
  const owner = model.slice(0, Math.max(colon, 0));
  if (!providers.includes(owner)) return [];
  const hint = `to ask provider "${owner}": --provider ${owner} --model ${shownName(model.slice(colon + 1))}`;
  return [{ message: `--model ${nameOrHidden(model)} is the full name of a model`, hint }];
}
