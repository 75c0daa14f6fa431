import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliStep, CliWire, ScriptedAnswer, ScriptedFailure } from 'drivebay/testing';
import { valueAfter, WARM } from '../cli-harness';
import { isAcp } from './acp';

const GEMINI_WORDS: Record<ScriptedFailure['fault'], (message: string) => string> = {
  auth: (message) => apiError(401, message, 'UNAUTHENTICATED'),
  rejected: (message) => apiError(400, message, 'INVALID_ARGUMENT'),
  rate_limited: (message) => apiError(429, message, 'RESOURCE_EXHAUSTED'),
  upstream: (message) => apiError(500, message, 'INTERNAL'),
};

const CANNOT = {
  toolCalls: 'a run of the program takes no tools of clients, and sessions are played by client-tools.slow.test.ts',
  signatures: 'calls have none',
  length: 'the CLI does not say that an answer was cut at the token limit',
};

function apiError(code: number, message: string, status: string): string {
  return `[API Error: ${JSON.stringify({ error: { code, message, status } })}]`;
}

/** A version that holds no sessions ends where it is asked for one. warm-chats.slow.test.ts plays those that hold some. */
const converse = () => ({ isOne: isAcp, answer: () => [{ exit: 1 }] });

/** How `gemini --output-format stream-json` speaks, after the recordings of the real program. */
export const geminiWire: CliWire = {
  cannot: { ...CANNOT, reasoning: 'the CLI keeps thoughts to itself' },
  options: (command) => ({ command: called('gemini', command), warm: WARM }),
  probe: ({ argv }) => (argv.includes('--version') ? ['0.61.0'] : undefined),
  converse,
  answer: ({ pieces, usage }, { stdin }) => [
    { type: 'init', session_id: 's', model: 'gemini-2.5-flash' },
    { type: 'message', role: 'user', content: stdin },
    ...pieces.map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
    {
      type: 'result',
      status: 'success',
      stats: {
        total_tokens: usage.inputTokens + usage.outputTokens,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cached: usage.cachedInputTokens ?? 0,
        models: {},
      },
    },
  ],
  failure: ({ fault, message, status }) => [
    { type: 'init', session_id: 's', model: 'gemini-2.5-flash' },
    { type: 'result', status: 'error', error: { type: 'unknown', message: GEMINI_WORDS[fault](message) } },
    { exit: status & 255 },
  ],
  received: ({ argv, stdin, env }) => ({
    texts: [systemPrompt(env.GEMINI_SYSTEM_MD), stdin ?? ''],
    model: valueAfter(argv, '-m'),
    key: env.GEMINI_API_KEY,
  }),
};

/** How `qwen --output-format stream-json --include-partial-messages` speaks. */
export const qwenWire: CliWire = {
  cannot: CANNOT,
  options: (command) => ({ command: called('qwen', command), warm: WARM }),
  probe: ({ argv }) => (argv.includes('--version') ? ['0.15.10'] : undefined),
  converse,
  answer: qwenAnswer,
  failure: ({ status, message }) => {
    const words = `[API Error: ${status} ${message}]`;
    return [
      { type: 'system', subtype: 'init', session_id: 's', tools: [] },
      piece({ type: 'message_start', message: { id: 'm1' } }),
      textPiece(words),
      wholeMessage([{ type: 'text', text: words }]),
      { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message: words } },
      { exit: 1 },
    ];
  },
  received: ({ argv, stdin, env }) => ({
    texts: [systemPrompt(env.QWEN_SYSTEM_MD), stdin ?? ''],
    model: valueAfter(argv, '-m'),
    key: env.OPENAI_API_KEY,
  }),
};

/** The same program under the name that says what it is. */
function called(name: string, command: string): string {
  const link = join(dirname(command), name);
  symlinkSync(command, link);
  return link;
}

function qwenAnswer({ pieces, reasoning, usage }: ScriptedAnswer): CliStep[] {
  const counted = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(usage.cachedInputTokens !== undefined && { cache_read_input_tokens: usage.cachedInputTokens }),
  };
  const text = pieces.join('');
  return [
    { type: 'system', subtype: 'init', session_id: 's', tools: [] },
    piece({ type: 'message_start', message: { id: 'm1' } }),
    ...(reasoning === undefined
      ? []
      : [
          piece({ type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: reasoning } }),
          wholeMessage([{ type: 'thinking', thinking: reasoning }]),
        ]),
    ...pieces.map(textPiece),
    wholeMessage([{ type: 'text', text }], counted),
    { type: 'result', subtype: 'success', is_error: false, result: text, usage: counted },
  ];
}

function piece(event: object): object {
  return { type: 'stream_event', parent_tool_use_id: null, event };
}

function textPiece(text: string): object {
  return piece({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
}

function wholeMessage(content: object[], usage: object = { input_tokens: 0, output_tokens: 0 }): object {
  return { type: 'assistant', parent_tool_use_id: null, message: { role: 'assistant', content, usage } };
}

function systemPrompt(file: string | undefined): string {
  return file === undefined ? '' : readFileSync(file, 'utf8');
}
