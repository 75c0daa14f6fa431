import { type HttpAnswer, json } from 'drivebay/testing';
import { installedCli } from '../real-clis/installed-cli';
import { deciding } from '../real-clis/scripted-wires';
import { type Backend, TEXT, TEXT_AFTER_CALL } from '../setup/client-stage';

/** The programs whose model can call the tools of a client, with their drivers. */
export const AGENT_CLIS = { 'Claude Code': 'claude', Codex: 'codex', 'Gemini CLI': 'gemini' } as const;

const DRIVERS = { claude: 'claude-code', codex: 'codex', gemini: 'gemini-cli' } as const;
const RESULT = /"tool_result"|"function_call_output"|"functionResponse"/;

/** A real agent CLI as the provider, with a model that calls the tool of the client once. */
export function agentCliBackend(program: (typeof AGENT_CLIS)[keyof typeof AGENT_CLIS]): Backend {
  return {
    provider: () => ({
      ...{ driver: DRIVERS[program], command: installedCli(program), default_model: 'm-1' },
      ...(program !== 'codex' && { api_key_env: 'MY_KEY' }),
    }),
    environment(url, home) {
      if (program === 'codex') {
        home.write('.codex/auth.json', JSON.stringify({ OPENAI_API_KEY: 'key-of-the-test' }));
        home.write('.codex/config.toml', codexConfig(url));
      }
      return {
        ...{ MY_KEY: 'key-of-the-test', ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url, IS_SANDBOX: '1' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', GEMINI_CLI_HOME: home.directory },
      };
    },
    answer(request, call): HttpAnswer {
      // Programs greet their servers with requests that are no chats.
      if (!/\/messages|\/responses|:streamGenerateContent/.test(request.path)) return json({ models: [] });
      return deciding(({ text }) => {
        if (RESULT.test(text)) return { text: TEXT_AFTER_CALL };
        const name = call && declared(call.name, text);
        return name ? { calls: [{ name, args: call.arguments }] } : { text: TEXT };
      })(request);
    },
  };
}

/** The name under which the program has told its model of the tool. */
function declared(name: string, text: string): string | undefined {
  return new RegExp(`"name":"((?:[\\w-]*__?)?${name})"`).exec(text)?.[1];
}

function codexConfig(url: string): string {
  const provider = [
    'name = "loopback"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'requires_openai_auth = true',
  ];
  const lines = [
    'model_provider = "loopback"',
    '[model_providers.loopback]',
    ...provider,
    'supports_websockets = false',
  ];
  return lines.join('\n');
}
