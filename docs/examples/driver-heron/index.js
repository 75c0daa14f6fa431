// @ts-check

/**
 * Runs a program that stays between chats.
 *
 *     arguments          --model MODEL, where there is one
 *     standard input     a line of JSON for each chat: {"messages", "tools"}
 *     standard output    lines of JSON: {"text"} ... {"call": {"index", "id", "name", "arguments"}}, {"usage": {"input", "output"}},
 *                        {"finish": "stop" | "length" | "tool_calls"}, or {"error", "reason": "login" | "model" | "limit"}
 *
 * @typedef {{ command: string, extra_args: string[], warm: boolean, warm_idle_sec: number }} Options
 * @typedef {import('drivebay/plugin').Subprocess} Subprocess
 * @type {import('drivebay/plugin').DriverFactory<Options>}
 */
const createDriver = (context) => {
  const { options } = context;
  /** @type {{ program: Subprocess, model: string | undefined, kept: import('drivebay/plugin').Kept }[]} */
  const spares = [];

  /** @param {string | undefined} model */
  async function start(model) {
    const command = await context.resolveBinary(options.command);
    const args = [...(model ? ['--model', context.argument(model, 'model')] : []), ...options.extra_args];
    // Without `signal` and `input`: the program belongs to the driver, and its input stays open.
    return context.spawn(command, args);
  }

  /** @param {string | undefined} model */
  function takeSpare(model) {
    const index = spares.findIndex((spare) => spare.model === model);
    const [spare] = index < 0 ? [] : spares.splice(index, 1);
    // False when Drivebay has ended it meanwhile.
    return spare?.kept.take() ? spare.program : undefined;
  }

  /** @param {Subprocess} program @param {string | undefined} model */
  async function keep(program, model) {
    // What the program has started would go on in the next chat.
    if (!(await program.isAlone())) return program.stop();
    const spare = { program, model, kept: { take: () => false } };
    const end = () => {
      const index = spares.indexOf(spare);
      if (index >= 0) spares.splice(index, 1);
      void program.stop();
    };
    spares.push(spare);
    // Where memory is short, it calls `end` at once.
    spare.kept = context.keep({
      state: 'spare',
      most: 2,
      forMs: options.warm_idle_sec * 1000,
      pid: program.pid,
      end,
    });
    // A program that ends by itself counts no longer.
    void program.exited.then(() => spare.kept.take() && end());
  }

  return {
    async *chat(request, call) {
      const { model, messages, tools } = request;
      const spare = takeSpare(model);
      const program = spare ?? (await start(model));
      const stop = () => void program.stop();
      call.signal.addEventListener('abort', stop);
      let isDone = false;
      try {
        call.signal.throwIfAborted();
        yield { type: 'meta', warm: spare ? 'hit' : 'cold', ignored: ignoredOf(request) };
        await program.write(`${JSON.stringify({ messages, tools })}\n`);
        for await (const { json, text: line } of program.jsonLines()) {
          if (typeof json !== 'object' || json === null) {
            call.log.debug(`not an event: ${line}`);
            continue;
          }
          const { text, tool, usage, finish, error, reason } = read(json);
          if (error) throw context.error(toCode(reason), error);
          if (text) yield { type: 'text', text };
          if (tool) yield { type: 'tool_call', ...tool };
          if (usage) yield { type: 'usage', inputTokens: usage.input, outputTokens: usage.output };
          if (!finish) continue;
          isDone = true;
          yield { type: 'finish', reason: finish };
          return;
        }
        throw await program.error();
      } finally {
        call.signal.removeEventListener('abort', stop);
        if (isDone && options.warm) await keep(program, model);
        else stop();
      }
    },

    async check() {
      const command = await context.resolveBinary(options.command);
      return { detail: command };
    },

    async close() {
      await Promise.all(spares.splice(0).map(({ program, kept }) => kept.take() && program.stop()));
    },
  };

  /** @param {import('drivebay/plugin').ChatRequest} request */
  function ignoredOf(request) {
    const ignored = context.ignoredFields(request);
    return request.toolChoice ? [...ignored, 'tool_choice'] : ignored;
  }
};

/** @param {object} json */
function read(json) {
  const { call: tool, ...line } = /** @type {any} */ (json);
  return { ...line, tool };
}

/**
 * @param {string} [reason]
 * @returns {import('drivebay/plugin').DriverErrorCode}
 */
function toCode(reason) {
  if (reason === 'login') return 'auth';
  if (reason === 'model') return 'rejected';
  return reason === 'limit' ? 'rate_limited' : 'upstream';
}

export default createDriver;
