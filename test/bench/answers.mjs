// The answers of the upstream. The client knows the text too, so that it notices a lost or garbled answer.
export const ANSWER = 'A piece of string is exactly twice as long as the distance from its middle to its end. '.repeat(
  4,
);

const CREATED = 1_750_000_000;
const USAGE = { prompt_tokens: 212, completion_tokens: 84, total_tokens: 296 };

/** A single-shot answer of about 700 bytes. */
export const COMPLETION = JSON.stringify({
  id: 'chatcmpl-upstream-0123456789',
  object: 'chat.completion',
  created: CREATED,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: ANSWER, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    ...USAGE,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  },
  system_fingerprint: 'fp_bench',
});

export const MODELS = JSON.stringify({
  object: 'list',
  data: [{ id: 'm', object: 'model', created: CREATED, owned_by: 'bench' }],
});

function event(choices, usage) {
  const chunk = { id: 'chatcmpl-upstream-9', object: 'chat.completion.chunk', created: CREATED, model: 'm', choices };
  return `data: ${JSON.stringify(usage === undefined ? chunk : { ...chunk, usage })}\n\n`;
}

/** The text of a chunk: its number, so that the client notices a lost or moved one, and the time of the clock of all processes. */
export function chunkText(number) {
  return `#${number} @${process.hrtime.bigint()} `;
}

/** The events of one stream; with usage as a client gets it that sent `stream_options.include_usage`. */
export function streamEvents(includeUsage) {
  const noUsage = includeUsage ? null : undefined;
  const choice = (delta, finish = null) => [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const [before, after] = event(choice({ content: 'TEXT' }), noUsage).split('TEXT');
  return {
    role: event(choice({ role: 'assistant', content: '' }), noUsage),
    text: (number) => before + chunkText(number) + after,
    end: event(choice({}, 'stop'), noUsage) + (includeUsage ? event([], USAGE) : '') + 'data: [DONE]\n\n',
  };
}
