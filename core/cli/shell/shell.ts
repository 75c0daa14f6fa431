import { shieldWords } from '../agents/spawn-options';
import { suggest } from '../completion/complete';
import { reportError } from '../report-error';
import { LineLoop } from '../terminal/line-loop';
import { printNote } from '../terminal/print';
import { CHOICE, isYes } from '../terminal/prompt';
import { untilInterrupted } from '../terminal/signals';
import { buildShellProgram } from './shell-program';
import { splitWords } from './split-words';

/** `shell`: commands about agents, one per line, from a terminal or a pipe. */
export async function shell(): Promise<void> {
  await new Shell().run();
}

class Shell extends LineLoop {
  constructor() {
    super({
      prompt: 'drivebay> ',
      history: 'shell_history',
      greeting: '`help` shows the commands, Ctrl-D leaves',
      completer: (line) => complete(line).catch((): [string[], string] => [[], line]),
    });
  }

  protected async work(line: string): Promise<void> {
    if (line.startsWith('#')) return;
    try {
      const words = splitWords(line);
      const program = buildShellProgram(
        () => (this.isOver = true),
        // From a pipe, the next line is no answer.
        process.stdin.isTTY ? (question) => this.ask(question) : undefined,
      );
      await program.parseAsync(words[0] === 'spawn' ? shieldWords(words) : words, { from: 'user' });
    } catch (error) {
      process.exitCode = reportError(error);
    }
  }

  protected interruptIdle(): void {
    this.clearLine();
  }

  /** Asks at the prompt, which has the terminal. */
  private async ask(question: string): Promise<boolean> {
    // Without a prompt readline shows no question.
    if (!this.isTerminal) printNote(question);
    const stop = new AbortController();
    try {
      return isYes(await untilInterrupted(this.lines.question(`${question} ${CHOICE.no} `, { signal: stop.signal })));
    } finally {
      // After Ctrl-C the next line is a command again.
      stop.abort();
    }
  }
}

async function complete(line: string): Promise<[string[], string]> {
  const words = line.split(/\s+/);
  const last = words.at(-1) ?? '';
  const program = buildShellProgram(() => undefined);
  const found = await suggest(program, words.slice(0, -1).filter(Boolean), last);
  return [Array.isArray(found) ? found.map(({ value }) => `${value} `) : [], last];
}
