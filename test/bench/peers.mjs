import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARM_CLIS } from './warm-clis.mjs';

/** LiteLLM refuses to start without a strong one. */
const KEY = `sk-${randomBytes(32).toString('hex')}`;
/** LiteLLM imports for half a minute on a slow machine. */
export const PEER_START_LIMIT_MS = 90_000;

/**
 * Other gateways that can be measured beside ours. `variable` names the folder where one is installed, `door` the one that
 * is asked. `place` is given the ports of the peer and of the upstream, and returns what starts the peer and what it asks of
 * a request.
 */
export const PEERS = {
  portkey: {
    variable: 'BENCH_PORTKEY',
    door: 'chat',
    place: (folder, { port, upstream }) => ({
      args: [portkeyProgram(folder), '--headless', `--port=${port}`],
      healthPath: '/',
      headers:
        'x-portkey-provider: openai\r\n' +
        `x-portkey-custom-host: http://127.0.0.1:${upstream}/v1\r\n` +
        `authorization: Bearer ${KEY}\r\n`,
    }),
  },
  litellm: litellm('chat'),
  'litellm-messages': litellm('messages'),
  'litellm-responses': litellm('responses'),
};

function litellm(door) {
  return {
    variable: 'BENCH_LITELLM',
    door,
    place(folder, { port, upstream, cwd }) {
      const config = join(cwd, 'config.yaml');
      writeFileSync(config, litellmConfig(upstream));
      return {
        command: join(folder, 'bin', 'litellm'),
        args: ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
        env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_MASTER_KEY: KEY },
        healthPath: '/health/liveliness',
        headers: `authorization: Bearer ${KEY}\r\n`,
      };
    },
  };
}

/** The programs of others that are not installed, or of which the bench was not told: a line for each. */
export function missingPeers(scenarios) {
  return Object.entries({ ...PEERS, ...WARM_CLIS })
    .filter(([name, { variable }]) => scenarios.includes(name) && !process.env[variable])
    .map(([name, { variable }]) => ({ name, note: `${name} is skipped: ${variable} names no folder` }));
}

/** An installed package, or a build of its sources. */
function portkeyProgram(folder) {
  const installed = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  return existsSync(installed) ? installed : join(folder, 'build/start-server.js');
}

// JSON is YAML. As a vendor that only speaks chat completions, so that the other doors have something to translate.
function litellmConfig(upstream) {
  const at = { api_base: `http://127.0.0.1:${upstream}/v1`, api_key: KEY };
  const params = { model: 'hosted_vllm/*', use_chat_completions_api: true, ...at };
  return JSON.stringify({ model_list: [{ model_name: '*', litellm_params: params }] });
}
