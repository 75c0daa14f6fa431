import type { CliWire, ScriptedFailure } from 'drivebay/testing';
import { valueAfter, WARM } from '../cli-harness';
import { inWords, isServer, receivedByServer, serverConversation } from './server-wire';

const WORDS: Record<ScriptedFailure['fault'], (message: string) => string> = {
  auth: (message) =>
    `unexpected status 401 Unauthorized: ${message}, url: https://backend/v1/responses, request id: r1`,
  rejected: (message) => JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }),
  rate_limited: (message) => `rate limit exceeded: ${message}`,
  upstream: (message) => `unexpected status 500 Internal Server Error: ${message}, url: https://backend/v1/responses`,
};

/** How `codex exec --json` speaks, and `codex app-server`, after the recordings of the real program. */
export const deltaCliWire: CliWire = {
  cannot: {
    pieces: 'codex exec prints each message as a whole',
    hold: 'the last message is passed on when the turn is complete',
    length: 'a response that was cut short is a failed turn',
    toolCalls: 'tools of the client cannot be given to the CLI',
    signatures: 'tools of the client cannot be given to the CLI',
  },
  options: (command) => ({ command, warm: WARM, client_tools: false }),
  probe: (run) => (run.argv[0] === 'exec' || isServer(run) ? undefined : ['codex-cli 0.169.0']),
  converse: serverConversation,
  answer: ({ pieces, reasoning, usage }, run) =>
    inWords(run, [
      { type: 'thread.started', thread_id: '01a1fd04-fc55-7570-955d-602728234f9b' },
      { type: 'turn.started' },
      ...(reasoning === undefined ? [] : [item('reasoning', reasoning)]),
      ...(pieces.length === 0 ? [] : [item('agent_message', pieces.join(''))]),
      {
        type: 'turn.completed',
        usage: {
          input_tokens: usage.inputTokens,
          cached_input_tokens: usage.cachedInputTokens ?? 0,
          cache_write_input_tokens: 0,
          output_tokens: usage.outputTokens,
          reasoning_output_tokens: 0,
        },
      },
    ]),
  failure: ({ fault, message }, run) => {
    const words = WORDS[fault](message);
    const failed = [
      { type: 'thread.started', thread_id: '01a1fd04-fc55-7570-955d-602728234f9b' },
      { type: 'turn.started' },
      { type: 'error', message: words },
      { type: 'turn.failed', error: { message: words } },
    ];
    return isServer(run) ? inWords(run, failed) : [...failed, { exit: 1 }];
  },
  received(run) {
    const { argv, stdin, env } = run;
    const key = env.CODEX_API_KEY;
    if (isServer(run)) return { ...receivedByServer(run), key };
    const reasoningEffort = setting(argv, 'model_reasoning_effort');
    return { texts: [stdin ?? ''], model: valueAfter(argv, '-m'), reasoningEffort, key };
  },
};

function item(type: string, text: string) {
  return { type: 'item.completed', item: { id: 'item_1', type, text } };
}

/** The value of a setting that is a TOML string. */
export function setting(argv: string[], name: string): string | undefined {
  const found = argv.find((argument) => argument.startsWith(`${name}=`));
  return found === undefined ? undefined : (JSON.parse(found.slice(name.length + 1)) as string);
}
