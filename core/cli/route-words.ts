import type { Command } from 'commander';
import { didYouMean } from '../config/did-you-mean';
import { isSurelyKey } from '../contract/secrets';
import { UsageError } from '../errors';
import { isContinued, shieldWords } from './agents/spawn-options';
import { COMMAND_WORDS, LONE_WORDS } from './command-words';
import { keepDashes } from './launch/words-behind';
import { keysInWords } from './hide-keys';
import { isProgram, meantByTwo, meantByVerb, meantInGroup } from './mistyped-words';
import { shellWords } from '../shell-words';

const PROGRAM_FLAGS = ['-h', '--help', '-v', '--version'];
const RUN = 'run';
/** No command of the program: it becomes the flag of the command that it asks about. */
const HELP = 'help';

/**
 * Makes a command line for commander: an intent gets a `run` in front. Throws a UsageError for words that look like a command:
 * a model would take them for a task.
 */
export function routeWords(words: string[], program: Command): string[] {
  const [first] = words;
  if (first === undefined || PROGRAM_FLAGS.includes(first)) return words;
  if (first === HELP && isCommandPath(words.slice(1), program)) return [...words.slice(1), '--help'];
  if (isCommand(first, program)) {
    if (words.length === 2 && words[1] === HELP && first !== RUN) return [first, '--help'];
    refuseInGroup(words, program);
    if (first === 'launch') return keepDashes(words);
    if (first !== RUN) return words;
    const given = words.slice(1);
    refuseKeys(given, program);
    return [RUN, ...shieldWords(given)];
  }
  if (!words.includes('--') && !isContinued(words)) refuseCommands(words, program);
  refuseKeys(words, program);
  return [RUN, ...shieldWords(words)];
}

/** Throws a UsageError if the only word is the name of a program that `launch` starts. */
export async function refuseProgram(words: string[], program: Command): Promise<void> {
  const [word = '', ...others] = words;
  if (word === '' || word.startsWith('-') || others.length > 0 || isCommand(word, program) || !(await isProgram(word)))
    return;
  throw mistake(word, [`launch ${word}`], words, program);
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

/** Commander would take the word for an argument of a group that does something on its own. */
function refuseInGroup([first, second = '']: readonly string[], program: Command): void {
  const group = program.commands.find((each) => each.name() === first)!;
  if (group.commands.length === 0 || second === '' || second.startsWith('-') || isCommand(second, group)) return;
  const near = meantInGroup(second, group);
  const all = group.commands.map((each) => each.name()).join(', ');
  const here = near === undefined ? `the commands of ${first}: ${all}` : `Did you mean ${first} ${near}?`;
  throw new UsageError(`unknown command '${second}'`, `${here} (see: ${program.name()} ${first} --help)`);
}

function refuseCommands(words: string[], program: Command): void {
  const texts = textsIn(words, program);
  const [first = ''] = texts;
  if (isCommand(first, program)) refuseFlagsFirst(words, first, program);
  const asked = first === HELP ? texts.slice(1) : [];
  const meant = asked.length > 0 ? meantByHelp(asked, program) : meantBy(texts, program);
  if (meant) throw mistake(asked.length > 0 ? asked.join(' ') : first, meant, words, program);
}

/** `help statsu` and `help provider status` ask about a command, `help me out` does not. */
function meantByHelp(asked: readonly string[], program: Command): readonly string[] | undefined {
  const [word = '', second = ''] = asked;
  if (asked.length === 1) return meantBy(asked, program) ?? [];
  const name = didYouMean(
    word,
    program.commands.map((each) => each.name()),
  );
  const group = program.commands.find((each) => each.name() === name);
  const near = group && asked.length === 2 ? meantInGroup(second, group) : undefined;
  return near === undefined ? undefined : [`${name} ${near}`];
}

/**
 * A key that is pasted alone or with few words would be sent to a model, and kept in the record. Beside other words the hash of a
 * commit and a long name of code look like one, and are none.
 */
function refuseKeys(words: string[], program: Command): void {
  if (words.includes('--')) return;
  const texts = textsIn(words, program);
  const isAlone = (key: string) => texts.length === 1 && texts[0] === key;
  if (texts.length > 3 || !keysInWords(texts).some((key) => isAlone(key) || isSurelyKey(key))) return;
  throw new UsageError(
    'the intent: a word of it (not shown) looks like a key',
    'keys come from variables: export MY_KEY=..., and give the NAME where a command asks for one. ' +
      `To send the words to a model all the same: ${program.name()} ${RUN} -- ...`,
  );
}

function mistake(word: string, meant: readonly string[], words: string[], program: Command): UsageError {
  // Speed: `Intl` loads tables of all languages, so only this error pays for it.
  const anyOf = new Intl.ListFormat('en', { type: 'disjunction' }).format(meant);
  const advice = meant.length > 0 ? `Did you mean ${anyOf}?` : 'There is no such command.';
  const other = keysInWords(words).length > 0 ? '' : ` ${howToSend(words, program)}`;
  return new UsageError(`unknown command '${word}'`, advice + other);
}

/** The commands that a first word stands for, or undefined for the first word of an intent. */
function meantBy([word = '', ...others]: readonly string[], program: Command): readonly string[] | undefined {
  if (/\s/.test(word)) return others.length === 0 ? meantByTwo(word.trim().split(/\s+/), program) : undefined;
  const two = meantByTwo([word, ...others], program);
  if (two) return two;
  const known = COMMAND_WORDS.get(word.toLowerCase());
  if (known) return known;
  const commands = program.createHelp().visibleCommands(program);
  const paths = commands.flatMap((group) => group.commands.map((each) => `${group.name()} ${each.name()}`));
  const dashed = paths.find((path) => path.replace(' ', '-') === word);
  if (dashed !== undefined) return [dashed];
  const near = didYouMean(word, [...commands.map((command) => command.name()), HELP]);
  if (near === HELP && word !== HELP && isCommandPath(others, program)) return [HELP];
  const command = commands.find((each) => each.name() === near);
  // Many words are close to a command. Three of them are a sentence, but for a group with one of its commands.
  if (command && (others.length < 2 || command.commands.some((each) => each.name() === others[0]))) return [near!];
  if (others.length > 0) return undefined;
  const alone = LONE_WORDS.get(word.toLowerCase()) ?? meantByVerb(word, program);
  if (alone) return alone;
  // A word that stands alone may also be a misspelt word of the list, or the end of a command. Short ones are close to too much.
  const ends = commands.flatMap((group) => group.commands.map((each) => each.name()));
  const end = didYouMean(word, [...ends, ...[...COMMAND_WORDS.keys()].filter(({ length }) => length > 4)]);
  if (end === undefined || COMMAND_WORDS.has(end)) return end === undefined ? undefined : COMMAND_WORDS.get(end);
  const groups = commands.filter((group) => group.commands.some((each) => each.name() === end));
  return groups.map((group) => `${group.name()} ${end}`);
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
