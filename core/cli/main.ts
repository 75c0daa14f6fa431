import { Console } from 'node:console';
import { codeOf, messageOf } from '../errors';
import { EXIT } from './exit-codes';
import { buildProgram } from './program';
import { reportError } from './report-error';
import { nearestCommands, routeWords } from './route-words';
import { printNote } from './terminal/print';

/** Runs one command line and ends the process, because a plug-in may have left timers or sockets behind. */
export async function main(words: string[]): Promise<void> {
  // The output of a plug-in must not get into the answer of a command.
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.on('error', (error) => {
    // A reader that closes the pipe (`drivebay ... | head`) is no failure.
    if (codeOf(error) === 'EPIPE') return;
    printNote(`error: the output cannot be written: ${messageOf(error)}`);
    process.exit(EXIT.failure);
  });
  process.stderr.on('error', () => undefined);
  try {
    await runWords(words);
  } catch (error) {
    process.exitCode = reportError(error);
  }
  // An exit code above 128 stands for a signal. Then the program does not wait: the reader may never read.
  const isInterrupted = Number(process.exitCode ?? EXIT.ok) > 128;
  if (!isInterrupted) await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit();
}

async function runWords(typed: string[]): Promise<void> {
  const [first = ''] = typed;
  const program = buildProgram(first);
  const { words, isIntent } = routeWords(typed, program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // `serv --port 80` reads as an intent with a flag that `run` does not have.
    if (isIntent && codeOf(error) === 'commander.unknownOption') {
      const [near] = nearestCommands(first, program);
      if (near !== undefined) printNote(`  or did you mean the command ${near}?`);
    }
    throw error;
  }
}

/** Resolves when the system has everything that was written before, or when the reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
