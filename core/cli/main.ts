import { CommanderError } from 'commander';
import { Console } from 'node:console';
import { codeOf, ConfigError, formatProblem, messageOf, UsageError } from '../errors';
import { EXIT } from './exit-codes';
import { printNote } from './print';
import { buildProgram } from './program';
import { InterruptedError } from './until-interrupted';

/** Runs one command line. Ends the process when it is done: a plug-in may have left timers or sockets behind. */
export async function main(words: string[]): Promise<void> {
  // A plug-in that prints must not get into a command's answer.
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.on('error', (error) => {
    // A reader that has left (`drivebay ... | head`) is no failure.
    if (codeOf(error) === 'EPIPE') return;
    printNote(`error: the output cannot be written: ${messageOf(error)}`);
    process.exit(EXIT.failure);
  });
  process.stderr.on('error', () => undefined);
  try {
    await buildProgram().parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit();
}

/** Resolves when everything before has reached the system, or nobody reads it any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

function report(error: unknown): number {
  // Help and version come this way, too; what commander has to say is printed already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof ConfigError) {
    const count = error.problems.length;
    printNote(`error: the configuration has ${count === 1 ? 'a problem' : `${count} problems`}`);
    error.problems.forEach((problem) => printNote(`  ${formatProblem(problem)}`));
    return EXIT.usage;
  }
  printNote(`error: ${messageOf(error)}`);
  if (error instanceof UsageError) {
    if (error.hint) printNote(`  ${error.hint}`);
    return EXIT.usage;
  }
  if (error instanceof Error && 'hint' in error && typeof error.hint === 'string') printNote(`  ${error.hint}`);
  return EXIT.failure;
}
