import type { Options } from './options';

/** The program takes this one for a subscription. */
const SUBSCRIPTION_TOKEN = 'CLAUDE_CODE_OAUTH_TOKEN';
/** Each of them makes the program use a cloud account in place of a login or a key. */
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/** Who pays, where the environment or the name of the key tells it. */
export function configuredBilling({ api_key_env: keyName }: Pick<Options, 'api_key_env'>): string | undefined {
  const cloud = CLOUDS.find((variable) => /^(?:1|true|yes|on)$/i.test(process.env[variable] ?? ''));
  if (cloud !== undefined) return `cloud account (${cloud})`;
  return keyName === SUBSCRIPTION_TOKEN ? `subscription (${keyName})` : undefined;
}
