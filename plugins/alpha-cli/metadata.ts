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

/** Each of them makes the program use a cloud account in place of a login or a key. */
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];
/** How the program names a source of keys that is none. */
const LOGINS = ['none', 'oauth'];

/** Which purse pays. `keySource` is what the program said in its last run, if there was one. */
export function billingOf(
  { api_key_env: name }: Options,
  keySource: string | undefined,
  environment: NodeJS.ProcessEnv,
): string {
  const cloud = CLOUDS.find((variable) => /^(?:1|true|yes|on)$/i.test(environment[variable] ?? ''));
  if (cloud !== undefined) return `cloud account (${cloud})`;
  if (name !== undefined) return name === SUBSCRIPTION_TOKEN ? `subscription (${name})` : `api-key (${name})`;
  if (keySource === undefined) return "the program's login";
  return LOGINS.includes(keySource) ? 'subscription' : `api-key (${keySource})`;
}

/** Whether a key pays that the provider does not name, from the settings of the program. */
export function paysUnasked({ api_key_env: name }: Options, keySource: string | undefined): boolean {
  return name === undefined && keySource !== undefined && /api_?key|managed key/i.test(keySource);
}
