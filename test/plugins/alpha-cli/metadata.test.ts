import { billingOf } from '../../../plugins/alpha-cli/metadata';
import type { Options } from '../../../plugins/alpha-cli/options';

const OPTIONS: Options = { permission_mode: '', extra_args: [], gateway_tools: false };

it.each<[Partial<Options>, string | undefined, NodeJS.ProcessEnv, string]>([
  [{}, undefined, {}, "the program's login"],
  [{}, 'none', {}, 'subscription'],
  [{}, 'oauth', {}, 'subscription'],
  [{}, 'ANTHROPIC_API_KEY', {}, 'api-key (ANTHROPIC_API_KEY)'],
  [{}, '/login managed key', {}, 'api-key (/login managed key)'],
  [{ api_key_env: 'MY_KEY' }, 'none', {}, 'api-key (MY_KEY)'],
  [{ api_key_env: 'CLAUDE_CODE_OAUTH_TOKEN' }, 'none', {}, 'subscription (CLAUDE_CODE_OAUTH_TOKEN)'],
  [{}, 'none', { CLAUDE_CODE_USE_BEDROCK: '1' }, 'cloud account (CLAUDE_CODE_USE_BEDROCK)'],
  [{}, 'none', { CLAUDE_CODE_USE_VERTEX: 'true' }, 'cloud account (CLAUDE_CODE_USE_VERTEX)'],
  [{}, 'none', { CLAUDE_CODE_USE_VERTEX: '0' }, 'subscription'],
])('with %j, the source of keys %j and the environment %j, the purse is known', (options, source, env, expected) => {
  expect(billingOf({ ...OPTIONS, ...options }, source, env)).toBe(expected);
});
