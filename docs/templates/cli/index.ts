import type { DriverErrorCode, DriverFactory, FinishReason } from 'drivebay/plugin';

/** What manifest.json declares. */
interface Options {
  command: string;
  extra_args: string[];
}

/** One line of the program's output. */
interface WireLine {
  text?: string;
  usage?: { input: number; output: number };
  finish?: FinishReason;
  error?: string;
  reason?: string;
}

/**
 * Runs a program of this form. Put the format of yours in its place.
 *
 *     arguments          --model MODEL, where there is one
 *     standard input     the conversation
 *     standard output    lines of JSON: {"text"} ... {"usage": {"input", "output"}}, {"finish": "stop" | "length"},
 *                        or {"error": "what went wrong", "reason": "login" | "model" | "limit"}
 */
const createDriver: DriverFactory<Options> = (context) => {
  const { options } = context;

  return {
    async *chat(request, call) {
      const command = await context.resolveBinary(options.command);
      // A client's text must not act as an option of the program.
      const model = request.model && context.argument(request.model, 'model');
      const args = [...(model ? ['--model', model] : []), ...options.extra_args];
      // Texts go to the standard input: every user of the machine can read arguments.
      const { prompt } = context.layoutPrompt(request.messages);
      // The signal ends the program when the client leaves or the time is up.
      const program = await context.spawn(command, args, { input: prompt, signal: call.signal });
      // What has no effect here: the client is told in a response header.
      yield { type: 'meta', ignored: context.ignoredFields(request) };
      for await (const { json, text: line } of program.jsonLines()) {
        if (typeof json !== 'object' || json === null) {
          call.log.debug(`not an event: ${line}`);
          continue;
        }
        const { text, usage, finish, error, reason } = json as WireLine;
        if (error) throw context.error(toCode(reason), error);
        if (text) yield { type: 'text', text };
        if (usage) yield { type: 'usage', inputTokens: usage.input, outputTokens: usage.output };
        if (finish) {
          yield { type: 'finish', reason: finish };
          return;
        }
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

function toCode(reason?: string): DriverErrorCode {
  if (reason === 'login') return 'auth';
  if (reason === 'model') return 'rejected';
  return reason === 'limit' ? 'rate_limited' : 'upstream';
}

export default createDriver;
