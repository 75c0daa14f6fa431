import type { DriverErrorCode, DriverFactory } from 'drivebay/plugin';

interface Options {
  command: string;
  extra_args: string[];
}

const CODES: Record<number, DriverErrorCode> = { 2: 'auth', 3: 'rejected', 4: 'rate_limited' };

/**
 * Runs a program that writes its answer as plain text while it thinks. Put the format of yours in its place.
 *
 *     arguments          --model MODEL, where there is one
 *     standard input     the conversation
 *     standard output    the answer; it is complete when the program ends with exit code 0
 *     standard error     what went wrong, with exit code 2: login, 3: model, 4: limit, or another one
 *
 * Nothing of Drivebay is imported when it runs.
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
      // A character may be split between two pieces.
      const decoder = new TextDecoder();
      for await (const bytes of program.bytes()) {
        const text = decoder.decode(bytes, { stream: true });
        if (text !== '') yield { type: 'text', text };
      }
      const { code } = await program.exited;
      if (code === 0) {
        yield { type: 'finish', reason: 'stop' };
        return;
      }
      // The message has the last line that the program wrote to the standard error.
      const failure = await program.error();
      const known = CODES[code ?? 0];
      throw known ? context.error(known, failure.message) : failure;
    },

    async check() {
      const command = await context.resolveBinary(options.command);
      return { detail: command };
    },
  };
};

export default createDriver;
