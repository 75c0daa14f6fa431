import { type Command, InvalidArgumentError } from 'commander';
import { collect, NO_PROJECT } from '../command-options';

/** Stands before a word that begins with `-` and is no flag. A word of a command line cannot contain it. */
const SHIELD = '\0';
const FLAG = /^--?[a-z][\w-]*(=|$)/i;

export function addSpawnOptions(command: Command, effortFlag: string): Command {
  return command
    .option('--provider <name>', 'the provider', parseValue)
    .option('--model <model>', 'the model of that provider', parseValue)
    .option(effortFlag, 'how much to think, passed on as it is', parseValue)
    .option('--agent <file>', 'another agent.yaml than that of the project', parseValue)
    .option('--skill <name>', 'a skill, by name or path (repeatable)', collect(parseValue))
    .option('--json', 'print one JSON object at the end, in place of the answer')
    .option('--detach', 'print the pid, and leave the process in the background')
    .option('--no-project', NO_PROJECT);
}

/** Marks the words before `--` that look like flags and are none: an intent may be a list with dashes. */
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
