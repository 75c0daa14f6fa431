import { looksLikeKey } from '../contract/secrets';
import { commonOptions, sharedOptions } from './schema';
import { VARIABLE } from './field-types';

/** The names that other programs have for a field, by the field. Of several fields with one name, the first that may stand at the place counts. */
const NAMES: Readonly<Record<string, string>> = {
  base_url: 'url api_base endpoint host server base',
  default_model: 'model model_name model_id',
  timeout_sec: 'timeout request_timeout',
  max_concurrency: 'max_parallel_requests parallel',
  max_tokens: 'max_output_tokens max_completion_tokens num_predict',
  requests_per_minute: 'rpm max_rpm rpm_limit',
  tokens_per_minute: 'tpm max_tpm tpm_limit',
  budget_usd: 'budget max_budget budget_limit',
  mode: 'stream streaming',
  command: 'cmd binary executable',
  extra_args: 'args arguments',
  reasoning_effort: 'effort reasoning',
  targets: 'use providers models members backends deployments fallback fallbacks',
  order: 'strategy routing_strategy load_balancing policy mode',
  allow: 'models allowed_models providers model',
  name: 'model_name alias match pattern',
  agents: 'services',
  instructions: 'prompt system system_prompt',
  intent: 'prompt task',
  args: 'arguments',
  env: 'environment',
  needs: 'depends_on',
};

/** Advice for names that stand for no field. It counts at places where `field` may stand. */
const ADVICE: readonly [field: string, names: string, advice: string][] = [
  [
    'providers',
    'model_list models services servers backends endpoints llms',
    'each is an entry of providers: - { name: NAME, driver: DRIVER, default_model: MODEL }',
  ],
  [
    'providers',
    'router router_settings fallbacks model_group_alias',
    'one name for several providers is an entry of routes, see: drivebay docs routes',
  ],
  [
    'providers',
    'general_settings litellm_settings settings gateway port host',
    'the gateway has flags for its settings, see: drivebay serve --help',
  ],
  [
    'providers',
    'api_key key token',
    'keys are never in this file: api_key_env of a provider names the variable of its key',
  ],
  ['providers', 'keys api_keys virtual_keys master_key users', 'for a key of a client: drivebay clients new NAME'],
  ['providers', 'mcp mcp_servers tools', 'tool servers stand in mcp.json, see: drivebay docs mcp'],
  [
    'requests_per_minute',
    'limit limits rate_limit rate_limits',
    'requests_per_minute, tokens_per_minute and budget_usd stand beside the name',
  ],
  [
    'key_sha256',
    'key api_key token virtual_key',
    'keys are never in this file: api_key_env: NAME_OF_A_VARIABLE, or see: drivebay clients new --help',
  ],
  [
    'default_model',
    'context_window context_length max_input_tokens num_ctx',
    'models: { MODEL: { context_window: NUMBER } } says it',
  ],
  [
    'default_model',
    'usd_per_mtok input_cost_per_token output_cost_per_token cost price prices pricing',
    'models: { MODEL: { usd_per_mtok: { input: 1, output: 2 } } } says it',
  ],
  [
    'default_model',
    'fallback fallbacks retries num_retries max_retries weight alias aliases',
    'a route gives providers another name, and asks the next one where one fails, see: drivebay docs routes',
  ],
  ['default_model', 'enabled disabled', 'to leave a provider out, put # in front of its lines'],
  ['target', 'provider name model', 'write it as PROVIDER, PROVIDER:MODEL or { target: PROVIDER:MODEL, weight: 2 }'],
];

/** Which of these fields is meant by a name that other programs use. */
export function fieldFor(name: string, fields: readonly string[]): string | undefined {
  const word = plain(name);
  return Object.keys(NAMES).find((field) => fields.includes(field) && NAMES[field]!.split(' ').includes(word));
}

/** What to write in place of a name that no field stands for. */
export function adviceFor(name: string, fields: readonly string[]): string | undefined {
  const word = plain(name);
  const known = ADVICE.find(([field, names]) => fields.includes(field) && names.split(' ').includes(word));
  if (known) return known[2];
  const isOption = Object.hasOwn(commonOptions, word) || Object.hasOwn(sharedOptions, word);
  return isOption && fields.includes('providers') ? 'it belongs to an entry of providers' : undefined;
}

/** The variable in a text such as `$NAME`, `${NAME}`, `os.environ/NAME` or `env:NAME`. */
export function variableIn(text: string): string | undefined {
  const name = /^(?:\$\{?|os\.environ\/|\{?env[:.])(\w+)\}?$/.exec(text)?.[1];
  return name !== undefined && VARIABLE.test(name) && !looksLikeKey(name) ? name : undefined;
}

/** Some programs write `apiBase`. */
function plain(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}
