import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_PORT } from './serve/default-port';

/** What `--no-project` does. */
export const NO_PROJECT = 'leave the project configuration and .env files out';
export const DEFAULT_LINES = 100;

/** An option that takes one of several words. */
export function choiceOption(flags: string, description: string, choices: readonly string[], standard: string): Option {
  const option = new Option(flags, description).choices(choices).default(standard);
  const parse = option.parseArg!;
  // An empty value counts as not given.
  return option.argParser((text, before) => (text === '' ? standard : (parse(text, before) as string)));
}

export function parsePort(text: string): number {
  return parseGivenPort(text) ?? DEFAULT_PORT;
}

export function parseGivenPort(text: string): number | undefined {
  // An empty value counts as not given.
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

export function parseHost(text: string): string {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    throw new InvalidArgumentError('Expected a host name without scheme and port, for example llm.internal.');
  }
  return text.toLowerCase();
}

export function parseOrigin(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/i.test(text)) {
    throw new InvalidArgumentError(
      'Expected one origin, for example http://localhost:3000 or chrome-extension://abc; there is no wildcard.',
    );
  }
  return text;
}

/** For an option that may be given more than once. */
export function collect(parse: (text: string) => string): (text: string, before?: string[]) => string[] {
  return (text, before = []) => (text === '' ? before : [...before, parse(text)]);
}
