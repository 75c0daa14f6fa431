'use strict';
const { setTimeout: pause } = require('node:timers/promises');

/**
 * A complete driver: it answers with the last user message, word by word.
 *
 * The types come from `drivebay/plugin`; nothing of Drivebay is imported when it runs.
 *
 * @typedef {{ prefix: string, delay_ms: number }} Options
 * @type {import('drivebay/plugin').DriverFactory<Options>}
 */
const createDriver = ({ options }) => ({
  async *chat(request, call) {
    const question = textOf(request.messages.findLast((message) => message.role === 'user'));
    const answer = options.prefix + question;
    yield { type: 'meta', model: request.model, ignored: unusedFields(request) };

    // A single-shot request gets the answer in one piece.
    const pieces = request.stream ? words(answer) : [answer];
    for (const text of pieces) {
      // The signal fires when the client leaves or the time is up: whatever waits has to listen to it.
      if (options.delay_ms > 0) await pause(options.delay_ms, undefined, { signal: call.signal });
      yield { type: 'text', text };
    }

    const inputTokens = request.messages.reduce((sum, message) => sum + words(textOf(message)).length, 0);
    yield { type: 'usage', inputTokens, outputTokens: words(answer).length };
    yield { type: 'finish', reason: 'stop' };
  },

  // A driver with a backend asks it here, cheaply, and throws context.error(...) when it could not answer.
  async check() {
    return { detail: 'always ready' };
  },
});

/**
 * What has no effect here, by its name in the request: the client is told in a response header.
 *
 * @param {import('drivebay/plugin').ChatRequest} request
 */
function unusedFields(request) {
  const fields = {
    temperature: request.temperature,
    top_p: request.topP,
    max_tokens: request.maxTokens,
    stop: request.stop,
    response_format: request.responseFormat,
    ...request.extra,
    // Usage is always reported, and the gateway passes it on if asked.
    stream_options: undefined,
  };
  return Object.keys(fields).filter((name) => fields[name] !== undefined);
}

/** The words of a text, each with the white space before it, so that they join to the text again. */
function words(text) {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
}

/** @param {import('drivebay/plugin').Message | undefined} message */
function textOf(message) {
  const parts = message?.parts ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

module.exports = createDriver;
