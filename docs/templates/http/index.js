// @ts-check

/**
 * Talks to a server of this form. Put the format of yours in its place.
 *
 *     POST {base_url}/chat     {"model", "messages": [{"role", "content"}], "max_tokens", "temperature"}
 *     its answer               server-sent events: {"text"} ... {"usage": {"input", "output"}}, {"finish": "stop" | "length"}
 *     GET {base_url}/models    status 200 when it could answer
 *
 * The types come from `drivebay/plugin`; nothing of Drivebay is imported when it runs.
 *
 * @typedef {{ base_url: string }} Options
 * @type {import('drivebay/plugin').DriverFactory<Options>}
 */
const createDriver = (context) => {
  const { http, options } = context;

  /**
   * @param {string} path
   * @param {import('drivebay/plugin').Call} call
   * @param {string} [body]
   */
  async function send(path, call, body) {
    const response = await http.request(options.base_url.replace(/\/$/, '') + path, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${context.requireApiKey()}` },
      // Ends the request when the client leaves or the time is up.
      call,
      ...(body !== undefined && { body }),
    });
    if (response.status !== 200) throw await response.error();
    return response;
  }

  return {
    // A streamed answer serves single-shot requests as well.
    async *chat(request, call) {
      const response = await send('/chat', call, JSON.stringify(toBody(request)));
      // What has no effect here, all but those of toBody: the client is told in a response header.
      yield { type: 'meta', ignored: context.ignoredFields(request, ['max_tokens', 'temperature']) };
      for await (const data of response.events()) {
        const { text, usage, finish } = parse(data);
        if (text) yield { type: 'text', text };
        if (usage) yield { type: 'usage', inputTokens: usage.input, outputTokens: usage.output };
        if (finish) return yield { type: 'finish', reason: finish };
      }
      throw context.error('protocol', 'the answer was cut short', { kind: 'truncated' });
    },

    async check(call) {
      const response = await send('/models', call);
      await response.text();
    },
  };

  /** @param {string} data */
  function parse(data) {
    try {
      return JSON.parse(data);
    } catch (cause) {
      throw context.error('protocol', `an event is not JSON: ${data.slice(0, 200)}`, { cause });
    }
  }

  /** @param {import('drivebay/plugin').ChatRequest} request */
  function toBody({ model, messages, maxTokens, temperature }) {
    return {
      model,
      messages: messages.map(({ role, parts }) => ({ role, content: textOf(parts) })),
      // Left out of the JSON where the request does not say.
      max_tokens: maxTokens,
      temperature,
    };
  }

  /**
   * @param {import('drivebay/plugin').Part[]} parts
   * @returns {string}
   */
  function textOf(parts) {
    const texts = parts.map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'tool_result') return textOf(part.content);
      // An answer to the rest alone would mislead.
      if (part.type === 'other') throw context.error('invalid_request', 'it takes text only', { param: 'messages' });
      return '';
    });
    return texts.join('');
  }
};

export default createDriver;
