import { type Command, InvalidArgumentError } from 'commander';
import { NO_PROJECT } from '../option-parsers';

/** Stands before a word that begins with `-` and is no flag. No word of a command line can have it itself. */
const SHIELD = '\0';
const FLAG = /^--?[a-z][\w-]*(=|$)/i;

/** What decides how a process is made: the flags of `run`, and of `spawn` in the shell. */
export function addSpawnOptions(command: Command, { effortFlag }: { effortFlag: string }): Command {
  return command
    .option('--provider <name>', 'the provider', parseValue)
    .option('--model <model>', 'the model of that provider', parseValue)
    .option(effortFlag, 'how much to think, passed on as it is', parseValue)
    .option('--agent <file>', 'another agent.yaml than that of the project', parseValue)
    .option('--skill <name>', 'a skill, by name or path (repeatable)', (text: string, before: string[] = []) => {
      const value = parseValue(text);
      return value === '' ? before : [...before, value];
    })
    .option('--json', 'print one JSON object at the end, in place of the answer')
    .option('--detach', 'print the pid, and leave the process to itself')
    .option('--no-project', NO_PROJECT);
}

/** Marks the words that only look like flags, up to a `--`: an intent may well be a list with dashes. */
export function shieldWords(words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, index) => (index < end && /^-./.test(word) && !FLAG.test(word) ? SHIELD + word : word));
}

export function unshield(word: string): string {
  return word.startsWith(SHIELD) ? word.slice(SHIELD.length) : word;
}

function parseValue(text: string): string {
  if (/^--[a-z]/i.test(text)) throw new InvalidArgumentError('Its value is missing.');
  return unshield(text);
}
