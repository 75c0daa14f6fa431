import type { Call, ChatRequest, DriverFactory, FinishReason, Part } from 'drivebay/plugin';

/** What manifest.json declares. */
interface Options {
  base_url: string;
}

/** One event of an answer. */
interface WireEvent {
  text?: string;
  usage?: { input: number; output: number };
  finish?: FinishReason;
}

/**
 * Talks to a server of this form. Put the format of yours in its place.
 *
 *     POST {base_url}/chat     {"model", "messages": [{"role", "content"}], "max_tokens", "temperature"}
 *     its answer               server-sent events: {"text"} ... {"usage": {"input", "output"}}, {"finish": "stop" | "length"}
 *     GET {base_url}/models    status 200 when it could answer
 */
const createDriver: DriverFactory<Options> = (context) => {
  const { http, options } = context;

  async function send(path: string, call: Call, body?: string) {
    const response = await http.request(options.base_url.replace(/\/$/, '') + path, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${context.requireApiKey()}` },
      // Ends the request when the client leaves or the time is up.
      call,
      ...(body !== undefined && { body }),
    });
    if (response.status !== 200) throw await response.error();
    return response;
  }

  function parse(data: string): WireEvent {
    try {
      return JSON.parse(data) as WireEvent;
    } catch (cause) {
      throw context.error('protocol', `an event is not JSON: ${data.slice(0, 200)}`, { cause });
    }
  }

  function toBody({ model, messages, maxTokens, temperature }: ChatRequest) {
    return {
      model,
      messages: messages.map(({ role, parts }) => ({ role, content: textOf(parts) })),
      // Left out of the JSON where the request does not say.
      max_tokens: maxTokens,
      temperature,
    };
  }

  function textOf(parts: readonly Part[]): string {
    const texts = parts.map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'tool_result') return textOf(part.content);
      // An answer to the rest alone would mislead.
      if (part.type === 'other') throw context.error('invalid_request', 'it takes text only', { param: 'messages' });
      return '';
    });
    return texts.join('');
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
        if (finish) {
          yield { type: 'finish', reason: finish };
          return;
        }
      }
      throw context.error('protocol', 'the answer was cut short', { kind: 'truncated' });
    },

    async check(call) {
      const response = await send('/models', call);
      await response.text();
    },
  };
};

export default createDriver;
