// @ts-check

/**
 * Runs a program of this form. Put the format of yours in its place.
 *
 *     arguments          --model MODEL, where there is one
 *     standard input     the conversation
 *     standard output    lines of JSON: {"text"} ... {"usage": {"input", "output"}}, {"finish": "stop" | "length"},
 *                        or {"error": "what went wrong", "reason": "login" | "model" | "limit"}
 *
 * The types come from `drivebay/plugin`; nothing of Drivebay is imported when it runs.
 *
 * @typedef {{ command: string, extra_args: string[] }} Options
 * @type {import('drivebay/plugin').DriverFactory<Options>}
 */
const createDriver = (context) => {
  const { options } = context;

  return {
    async *chat(request, call) {
      const command = await context.resolveBinary(options.command);
      const args = [...(request.model ? ['--model', request.model] : []), ...options.extra_args];
      // Texts go to the standard input: everybody on the machine can read arguments. The signal ends the program.
      const program = await context.spawn(command, args, { input: toPrompt(request.messages), signal: call.signal });
      yield { type: 'meta', ignored: ignoredFields(request) };
      for await (const { json, text: line } of program.jsonLines()) {
        if (typeof json !== 'object' || json === null) {
          call.log.debug(`not an event: ${line}`);
          continue;
        }
        const { text, usage, finish, error, reason } = /** @type {any} */ (json);
        if (error) throw context.error(toCode(reason), error);
        if (text) yield { type: 'text', text };
        if (usage) yield { type: 'usage', inputTokens: usage.input, outputTokens: usage.output };
        if (finish) return yield { type: 'finish', reason: finish };
      }
      // It ended without its answer: this waits for its exit code and looks at what it wrote to the standard error.
      throw await program.error();
    },

    async check() {
      const command = await context.resolveBinary(options.command);
      return { detail: command };
    },
  };
};

/**
 * @param {string} [reason]
 * @returns {import('drivebay/plugin').DriverErrorCode}
 */
function toCode(reason) {
  if (reason === 'login') return 'auth';
  if (reason === 'model') return 'rejected';
  return reason === 'limit' ? 'rate_limited' : 'upstream';
}

/** @param {import('drivebay/plugin').Message[]} messages */
function toPrompt(messages) {
  if (messages.length === 1 && messages[0]) return textOf(messages[0].parts);
  return messages.map(({ role, parts }) => `${role}: ${textOf(parts)}`).join('\n\n');
}

/**
 * @param {import('drivebay/plugin').Part[]} parts
 * @returns {string}
 */
function textOf(parts) {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool_result' ? textOf(part.content) : ''))
    .join('');
}

/**
 * What has no effect here, by its name in the request: the client is told in a response header.
 *
 * @param {import('drivebay/plugin').ChatRequest} request
 */
function ignoredFields({ maxTokens, temperature, topP, stop, responseFormat, extra }) {
  /** @type {Record<string, unknown>} */
  const fields = { max_tokens: maxTokens, temperature, top_p: topP, stop, response_format: responseFormat, ...extra };
  // The gateway itself acts on this one.
  delete fields.stream_options;
  return Object.keys(fields).filter((name) => fields[name] !== undefined);
}

export default createDriver;
