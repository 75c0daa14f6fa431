import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../errors';
import { collect, NO_PROJECT, parseName } from '../command-options';

/** Stands before a word that begins with `-` and is no flag. A word of a command line cannot contain it. */
const SHIELD = '\0';
/** Only a pid or a uuid behind `--continue` is its value: the words may also begin the intent. */
const PROCESS_ID = /^(\d{1,15}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/;
const CONTINUE = 'continue an earlier process: the one with this pid, or the newest of this folder; -c takes no pid';
const FLAG = /^--?[a-z][\w-]*(=|$)/i;

export function addSpawnOptions(command: Command, effortFlag: string): Command {
  return command
    .option('--provider <name>', 'the provider', (text) => parseName('--provider')(parseValue(text)))
    .option('--model <model>', 'the model of that provider', (text) => parseName('--model')(parseValue(text)))
    .option(effortFlag, 'how much to think; passed on unchanged', (text) =>
      parseName(effortFlag.split(' ')[0]!)(parseValue(text)),
    )
    .option('--agent <file>', "an agent.yaml other than the project's", parseValue)
    .option('--skill <name>', 'a skill, by name or path (repeatable)', collect(parseValue))
    .option('-c, --continue [pid]', CONTINUE, parsePid)
    .option('--json', 'print one JSON object at the end instead of the answer')
    .option('--detach', 'print the pid, and leave the process in the background')
    .option('--no-project', NO_PROJECT);
}

/**
 * Marks the words before `--` that look like flags and are none: an intent may be a list with dashes. Ties a pid to the flag
 * that stands before it.
 */
export function shieldWords(words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const shielded: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    if (index >= end) shielded.push(word);
    else if (word === '-c') {
      if (index + 1 < end) refusePid(words[index + 1]!);
      shielded.push('--continue=');
    } else if (word === '--continue') {
      const hasPid = index + 1 < end && PROCESS_ID.test(words[index + 1]!);
      shielded.push(`--continue=${hasPid ? words[++index] : ''}`);
    } else shielded.push(/^-./.test(word) && !FLAG.test(word) ? SHIELD + word : word);
  }
  return shielded;
}

/** `-c 3 mend it` would send the 3 along, to the newest process. */
function refusePid(word: string): void {
  if (!PROCESS_ID.test(word)) return;
  const hint = `to continue that process: drivebay run --continue ${word} "<intent>"; if the intent begins so: drivebay -c "${word} ..."`;
  throw new UsageError(`-c takes no pid, and ${word} follows it`, hint);
}

/** Whether the words go on with a process: then each other word belongs to the intent. */
export function isContinued(words: readonly string[]): boolean {
  return words.some((word) => /^(-c|--continue(=.*)?)$/.test(word));
}

export function unshield(word: string): string {
  return word.startsWith(SHIELD) ? word.slice(SHIELD.length) : word;
}

function parsePid(text: string): string {
  if (text !== '' && !PROCESS_ID.test(text))
    throw new InvalidArgumentError('Expected a pid, as drivebay ps -a shows it.');
  return text;
}

function parseValue(text: string): string {
  if (/^--[a-z]/i.test(text)) throw new InvalidArgumentError('Its value is missing.');
  return unshield(text);
}
