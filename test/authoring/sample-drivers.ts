/** Sources of two small third-party drivers that are in order, one for each kind, to be spoilt by tests. */

/** Speaks HTTP: an answer is one JSON object per line. */
export const HTTP_DRIVER = `'use strict';
module.exports = (context) => {
  const address = context.options.base_url.replace(/\\/$/, '');
  const headers = () => ({ 'content-type': 'application/json', authorization: 'Bearer ' + context.requireApiKey() });

  async function request(path, call, body) {
    const { signal } = call;
    const response = await context.http.request(address + path, { headers: headers(), signal, body });
    if (response.status !== 200) throw await response.error();
    return response;
  }

  return {
    async *chat(request_, call) {
      const { model, stream, messages, reasoningEffort, maxTokens, temperature } = request_;
      const texts = messages.flatMap(({ parts }) => parts.map(textIn));
      const body = JSON.stringify({ model, stream, roles: messages.map(({ role }) => role), texts, reasoningEffort, maxTokens, temperature });
      const ignored = context.ignoredFields(request_, ['max_tokens', 'temperature']);
      const response = await request('/chat', call, body);
      const decoder = new TextDecoder();
      let rest = '';
      yield { type: 'meta', model, ignored };
      for await (const bytes of response.bytes()) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\\n');
        rest = lines.pop();
        for (const line of lines) {
          const piece = parse(line);
          if (piece.text !== undefined) yield { type: 'text', text: piece.text };
          if (piece.usage) yield { type: 'usage', inputTokens: piece.usage[0], outputTokens: piece.usage[1] };
          if (piece.end) {
            yield { type: 'finish', reason: piece.end };
            return;
          }
        }
      }
      throw context.error('protocol', 'the answer was cut short', { kind: 'truncated' });
    },
    async check(call) {
      await (await request('/health', call)).text();
    },
    async close() {},
  };

  function textIn({ text }) {
    if (text === undefined) throw context.error('invalid_request', 'it takes text only');
    return text;
  }

  function parse(line) {
    try {
      return JSON.parse(line);
    } catch (cause) {
      throw context.error('protocol', 'a line is not JSON', { cause });
    }
  }
};
`;

export const HTTP_MANIFEST = {
  kind: 'http',
  options: { base_url: {}, api_key_env: { default: 'SAMPLE_API_KEY' }, reasoning_effort: {} },
};

/** Runs a program that prints one JSON object per line, on the means of the contract. */
export const CLI_DRIVER = `'use strict';
module.exports = (context) => ({
  async *chat(request, call) {
    const { model, messages } = request;
    const args = ['--json', ...(model ? ['--model', context.argument(model, 'model')] : []), ...(context.options.extra_args ?? [])];
    const input = JSON.stringify(messages.flatMap(({ role, parts }) => parts.map((part) => role + ': ' + textIn(part, context))));
    const command = await context.resolveBinary(context.options.command);
    const program = await context.spawn(command, args, { input, signal: call.signal });
    yield { type: 'meta', ignored: context.ignoredFields(request) };
    for await (const { json } of program.jsonLines()) {
      if (!json) continue;
      if (json.text !== undefined) yield { type: 'text', text: json.text };
      if (json.usage) yield { type: 'usage', inputTokens: json.usage[0], outputTokens: json.usage[1] };
      if (json.error) throw context.error(json.fault, json.error);
      if (json.end) {
        yield { type: 'finish', reason: json.end };
        return;
      }
    }
    throw await program.error();
  },
  async check() {
    await context.resolveBinary(context.options.command);
  },
});

function textIn({ text }, context) {
  if (text === undefined) throw context.error('invalid_request', 'it takes text only');
  return text;
}
`;

export const CLI_MANIFEST = { kind: 'cli', options: { command: {}, extra_args: {}, grace_sec: {} } };
