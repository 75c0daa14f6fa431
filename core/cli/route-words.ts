import type { Command } from 'commander';
import { didYouMean } from '../config/did-you-mean';
import { UsageError } from '../errors';
import { shieldWords } from './agents/spawn-options';

const PROGRAM_FLAGS = ['-h', '--help', '--version'];
const RUN = 'run';

/**
 * Makes a command line for commander: an intent gets a `run` in front. Throws a UsageError for words that look like a mistyped
 * command.
 */
export function routeWords(words: string[], program: Command): { words: string[]; isIntent: boolean } {
  const [first] = words;
  if (first === undefined || PROGRAM_FLAGS.includes(first)) return { words, isIntent: false };
  if (first === 'help' && isCommandPath(words.slice(1), program)) {
    return { words: [...words.slice(1), '--help'], isIntent: false };
  }
  if (isCommand(first, program)) {
    return { words: first === RUN ? [RUN, ...shieldWords(words.slice(1))] : words, isIntent: false };
  }
  if (words.length === 1) refuseMisspelt(first, program);
  refuseFlagsFirst(words, program);
  return { words: [RUN, ...shieldWords(words)], isIntent: true };
}

/** `help me out` is an intent. */
function isCommandPath(words: string[], program: Command): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  const command = program.commands.find((each) => each.name() === first);
  return command !== undefined && isCommandPath(rest, command);
}

function isCommand(word: string, program: Command): boolean {
  return program.commands.some((command) => command.name() === word);
}

/** The commands that a mistyped word may mean. */
export function nearestCommands(word: string, program: Command): string[] {
  // `status` belongs to more than one command.
  const below = program.commands.flatMap((group) =>
    group.commands.filter((command) => command.name() === word).map((command) => `${group.name()} ${command.name()}`),
  );
  const names = program.commands.map((command) => command.name());
  const near = didYouMean(word, names);
  return near === undefined ? below : [near, ...below];
}

function refuseMisspelt(word: string, program: Command): void {
  const meant = nearestCommands(word, program);
  if (/\s/.test(word) || meant.length === 0) return;
  // Speed: `Intl` loads tables of all languages, so only this error pays for it.
  const anyOf = new Intl.ListFormat('en', { type: 'disjunction' }).format(meant);
  throw new UsageError(
    `unknown command '${word}'`,
    `Did you mean ${anyOf}? To send the word to a model: ${program.name()} ${RUN} ${word}`,
  );
}

/** `--json ps`: the name of a command is not an intent to pay for. */
function refuseFlagsFirst(words: string[], program: Command): void {
  const texts = textsIn(words, program);
  const [word] = texts;
  if (word === undefined || texts.length > 1 || words.includes('--') || !isCommand(word, program)) return;
  const flags = words.toSpliced(words.lastIndexOf(word), 1).join(' ');
  throw new UsageError(
    `flags come after the command: ${program.name()} ${word} ${flags}`,
    `To send the word to a model: ${program.name()} ${RUN} ${flags} ${word}`,
  );
}

/** The words that are neither flags of `run` nor their values. */
function textsIn(words: string[], program: Command): string[] {
  const { options = [] } = program.commands.find((command) => command.name() === RUN) ?? {};
  const takesValue = (flag: string) => options.some(({ long, required }) => required && long === flag);
  return words.filter((word, index) => !word.startsWith('-') && !takesValue(words[index - 1] ?? ''));
}
