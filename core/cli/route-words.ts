import type { Command } from 'commander';
import { didYouMean } from '../config/did-you-mean';
import { UsageError } from '../errors';
import { shieldWords } from './agents/spawn-options';
import { COMMAND_WORDS } from './command-words';
import { shellWords } from './terminal/format';

const PROGRAM_FLAGS = ['-h', '--help', '--version'];
const RUN = 'run';

/**
 * Makes a command line for commander: an intent gets a `run` in front. Throws a UsageError for words that look like a command:
 * a model would take them for a task.
 */
export function routeWords(words: string[], program: Command): string[] {
  const [first] = words;
  if (first === undefined || PROGRAM_FLAGS.includes(first)) return words;
  if (first === 'help' && isCommandPath(words.slice(1), program)) return [...words.slice(1), '--help'];
  if (isCommand(first, program)) return first === RUN ? [RUN, ...shieldWords(words.slice(1))] : words;
  if (!words.includes('--')) refuseCommands(words, program);
  return [RUN, ...shieldWords(words)];
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

function refuseCommands(words: string[], program: Command): void {
  const texts = textsIn(words, program);
  const [first = '', second = ''] = texts;
  const isAlone = texts.length === 1;
  if (isCommand(first, program)) refuseFlagsFirst(words, first, program);
  // `help statsu` asks about a command, `help me out` does not.
  const word = first === 'help' && texts.length === 2 ? second : first;
  const meant = meantBy(word, program, { isAlone: isAlone || word === second });
  if (!meant) return;
  // Speed: `Intl` loads tables of all languages, so only this error pays for it.
  const anyOf = new Intl.ListFormat('en', { type: 'disjunction' }).format(meant);
  const advice = meant.length > 0 ? `Did you mean ${anyOf}?` : 'There is no such command.';
  throw new UsageError(`unknown command '${word}'`, `${advice} ${howToSend(words, program)}`);
}

/**
 * The commands that a first word stands for, or undefined for a word of an intent. A word that stands alone is no sentence, so
 * it may also be a misspelt word of a list, or the end of a command: `status` belongs to more than one.
 */
function meantBy(word: string, program: Command, { isAlone }: { isAlone: boolean }): readonly string[] | undefined {
  const names = program.commands.map((command) => command.name());
  const ends = program.commands.flatMap((group) => group.commands.map((command) => command.name()));
  const known = word.toLowerCase();
  if (/\s/.test(word)) return undefined;
  if (COMMAND_WORDS.has(known)) return COMMAND_WORDS.get(known);
  const near = didYouMean(word, isAlone ? [...names, ...ends, ...COMMAND_WORDS.keys()] : names);
  if (near === undefined || names.includes(near)) return near === undefined ? undefined : [near];
  if (COMMAND_WORDS.has(near)) return COMMAND_WORDS.get(near);
  const groups = program.commands.filter((group) => group.commands.some((command) => command.name() === near));
  return groups.map((group) => `${group.name()} ${near}`);
}

/** `--json ps`: the name of a command is not an intent to pay for. */
function refuseFlagsFirst(words: string[], word: string, program: Command): never {
  const others = words.toSpliced(words.lastIndexOf(word), 1);
  throw new UsageError(
    `flags come after the command: ${program.name()} ${shellWords([word, ...others])}`,
    howToSend(words, program),
  );
}

function howToSend(words: string[], program: Command): string {
  return `To send the words to a model: ${program.name()} ${RUN} ${shellWords(words)}`;
}

/** The words that are neither flags of `run` nor their values. */
function textsIn(words: string[], program: Command): string[] {
  const { options = [] } = program.commands.find((command) => command.name() === RUN) ?? {};
  const takesValue = (flag: string) => options.some(({ long, required }) => required && long === flag);
  return words.filter((word, index) => !word.startsWith('-') && !takesValue(words[index - 1] ?? ''));
}
