import { Console } from 'node:console';
import { codeOf, messageOf } from '../errors';
import { EXIT } from './exit-codes';
import { handleStrays } from './handle-strays';
import { buildProgram } from './program';
import { reportError } from './report-error';
import { refuseProgram, routeWords } from './route-words';
import { printNote } from './terminal/print';
import { endByHangup } from './terminal/signals';

/** Runs one command line and ends the process, because a plug-in may have left timers or sockets behind. */
export async function main(words: string[]): Promise<void> {
  endByHangup();
  // The output of a plug-in must not get into the answer of a command.
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.on('error', (error) => {
    // A reader that closes the pipe (`drivebay ... | head`) is no failure.
    if (codeOf(error) === 'EPIPE') return;
    printNote(`error: the output cannot be written: ${messageOf(error)}`);
    process.exit(EXIT.failure);
  });
  process.stderr.on('error', () => undefined);
  // One broken plug-in must not end a command that looks at all of them.
  handleStrays({
    tell: ({ message }) => printNote(`warning: ${message}`),
    rejected: endWith,
    broken: endWith,
  });
  try {
    const program = buildProgram(words[0]);
    const routed = routeWords(words, program);
    await refuseProgram(words, program);
    await program.parseAsync(routed, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error);
  }
  // An exit code above 128 stands for a signal. Then the program does not wait: the reader may never read.
  const isInterrupted = Number(process.exitCode ?? EXIT.ok) > 128;
  if (!isInterrupted) await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit();
}

/** Resolves when the system has everything that was written before, or when the reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** An error that no code has handled is a mistake of ours. Its stack helps to find it. */
function endWith(error: unknown): never {
  console.error(error);
  process.exit(EXIT.failure);
}
