import { type Command, InvalidArgumentError, Option } from 'commander';
import { keysIn } from '../config/addresses';
import { beginsLikeKey, looksLikeKey, nameHoldsKey } from '../contract/secrets';
import { UsageError } from '../errors';

export const NO_PROJECT = 'ignore the project configuration and its .env files';
export const DEFAULT_LINES = 100;

export interface CommonFlags {
  json?: boolean;
  project: boolean;
}

/** Adds a command. Its code loads when the command runs, so that a start costs only what the command needs. */
export function addCommand<Given extends unknown[]>(
  parent: Command,
  words: string,
  about: string,
  load: () => Promise<(...given: Given) => unknown>,
  options?: { isDefault: boolean },
): Command {
  const run = async (...given: Given): Promise<void> => {
    const action = await load();
    await action(...given);
  };
  return parent.command(words, options).description(about).action(run);
}

/** Adds a word that more commands follow. */
export function addGroup(program: Command, name: string, about: string): Command {
  return program.command(name).description(about).helpCommand(false);
}

/** An option that takes one of several words. An empty value counts as not given, here and below. */
export function choiceOption(flags: string, description: string, choices: readonly string[], standard: string): Option {
  const option = new Option(flags, description).choices(choices);
  if (standard !== '') option.default(standard);
  const parse = option.parseArg!;
  return option.argParser((text, before) => (text === '' ? standard : (parse(text, before) as string)));
}

/** The NAME of a variable. The user may have typed the key in its place, so no message shows it: terminals and logs keep messages. */
export function parseVariable(text: string): string {
  // Of all flags this one must not count as absent when it is empty: a gateway would be open to everybody.
  if (text === '') {
    const hint = 'give the name of a variable: --api-key-env MY_KEY; or leave the option out';
    throw new UsageError('--api-key-env is empty', hint);
  }
  if (/^[A-Za-z_]\w*$/.test(text) && !looksLikeKey(text)) return text;
  throw new UsageError(
    '--api-key-env wants the NAME of an environment variable; its value (not shown) is not a name, or looks like a key',
    'put the key into a variable (export MY_KEY=...) and give its name: --api-key-env MY_KEY',
  );
}

/** A name that is going to stand in a file. A key in its place is shown nowhere, as with parseVariable. */
export function parseName(what: string): (text: string) => string {
  return (text) => {
    if (!nameHoldsKey(text)) return text;
    throw keyIn(`${what}: its value (not shown) looks like a key`);
  };
}

/** The same for an address. A path may hold long mixtures that are no keys, such as the number of an account. */
export function parseAddress(what: string): (text: string) => string {
  return (text) => {
    if (keysIn(text).length === 0 && !beginsLikeKey(text.replace(/^\w+:\/\/[^/]*/, ''))) return text;
    throw keyIn(`${what}: its value (not shown) has a password in it, or what looks like a key`);
  };
}

function keyIn(message: string): UsageError {
  return new UsageError(
    message,
    'keys come from variables: export MY_KEY=..., and give the NAME where a command asks for one',
  );
}

export function parsePort(text: string): number | undefined {
  if (text === '') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('Expected a number from 1 to 65535.');
  return port;
}

export function parseCount(text: string): number {
  if (text === '') return DEFAULT_LINES;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number.');
  return Number(text);
}

/** For an option that may be given more than once. */
export function collect(parse: (text: string) => string): (text: string, before?: string[]) => string[] {
  return (text, before = []) => (text === '' ? before : [...before, parse(text)]);
}
