import type { Capabilities } from './capabilities';
import type { Options } from './options';

/** The program takes this one for a subscription. */
const SUBSCRIPTION_TOKEN = 'CLAUDE_CODE_OAUTH_TOKEN';

export function capabilityMetadata(can: Capabilities): Record<string, string> {
  return {
    cap_partial_messages: String(can.partialMessages),
    cap_add_dir: String(can.addDir),
    cap_permission_mode: String(can.permissionMode),
  };
}

/** Which purse pays. `keySource` is what the program said in its last run, if there was one. */
export function billingOf({ api_key_env: name }: Options, keySource: string | undefined): string {
  if (name !== undefined) return name === SUBSCRIPTION_TOKEN ? `subscription (${name})` : `api-key (${name})`;
  if (keySource === undefined) return "the program's login";
  return keySource === 'none' ? 'subscription' : `api-key (${keySource})`;
}

/** Whether a key pays that the provider does not name, from the settings of the program. */
export function paysUnasked({ api_key_env: name }: Options, keySource: string | undefined): boolean {
  return name === undefined && keySource !== undefined && /api_?key|managed key/i.test(keySource);
}
