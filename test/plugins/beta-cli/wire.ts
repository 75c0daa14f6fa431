import type { CliWire, ScriptedFailure } from 'drivebay/testing';
import { valueAfter } from '../cli-harness';
import { init, piece, result, thought, thoughtDone, whole } from './lines';

const WORDS: Record<ScriptedFailure['fault'], (message: string) => string> = {
  auth: (message) => `Error: Authentication required. Please run 'agent login' first (${message})`,
  rejected: (message) => `Error: Cannot use this model: ${message}. Available models: auto`,
  rate_limited: (message) => `Error: T: [resource_exhausted] ${message}`,
  upstream: (message) => `Error: T: [internal] ${message}`,
};

/** How `agent --print --output-format stream-json --stream-partial-output` speaks, after public reports. */
export const betaCliWire: CliWire = {
  cannot: {
    length: 'the CLI does not say that an answer ran into a token limit',
    toolCalls: 'tools of the client cannot be given to the CLI',
    signatures: 'tools of the client cannot be given to the CLI',
  },
  options: (command) => ({ command }),
  probe: ({ argv }) => (argv.includes('--print') ? undefined : ['2026.01.01-abc']),
  answer: ({ pieces, reasoning, usage }) => [
    init(),
    ...(reasoning === undefined ? [] : [thought(reasoning), thoughtDone]),
    ...pieces.map(piece),
    ...(pieces.length === 0 ? [] : [whole(pieces.join(''))]),
    result(pieces.join(''), {
      usage: {
        inputTokens: usage.inputTokens - (usage.cachedInputTokens ?? 0),
        outputTokens: usage.outputTokens,
        cacheReadTokens: usage.cachedInputTokens ?? 0,
        cacheWriteTokens: 0,
      },
    }),
  ],
  failure: ({ fault, message }) => [init(), { stderr: `${WORDS[fault](message)}\n` }, { exit: 1 }],
  received: ({ argv, stdin, env }) => ({
    texts: [stdin ?? ''],
    model: valueAfter(argv, '--model'),
    key: env.CURSOR_API_KEY,
  }),
};
