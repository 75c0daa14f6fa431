import type { Command } from 'commander';
import { COMMAND_WORDS } from './command-words';

/**
 * The commands that exactly two words stand for: `check config`, `list providers`. Undefined for an intent: `fix tests`, and
 * `update docs`, because nothing here updates.
 */
export function meantByTwo(words: readonly string[], program: Command): readonly string[] | undefined {
  const [first = '', second = '', ...further] = words;
  if (second === '' || further.length > 0) return undefined;
  const group = program.commands.find((each) => each.name() === second);
  if (group?.commands.some((each) => each.name() === first)) return [`${second} ${first}`];
  const named = COMMAND_WORDS.get(first.toLowerCase())?.filter((command) => command.split(' ').includes(second));
  return named && named.length > 0 ? named : undefined;
}

/** The command that `add openai` stands for. Only the plug-ins know the names of drivers, and they are read for such words alone. */
export async function meantByDriver(texts: readonly string[], program: Command): Promise<string | undefined> {
  const [first = '', driver = '', ...further] = texts.length === 1 ? texts[0]!.trim().split(/\s+/) : texts;
  if (driver === '' || further.length > 0) return undefined;
  const takesDriver = (command: Command): boolean =>
    command.name() === first && command.registeredArguments[0]?.name() === 'driver';
  const group = program.commands.find((each) => each.commands.some(takesDriver));
  if (!group) return undefined;
  const [{ openPlugins }, { pathsHere }] = await Promise.all([
    import('../daemon/project/open-plugins'),
    import('./here'),
  ]);
  const isDriver = openPlugins(pathsHere(), { environment: process.env }).find(driver) !== undefined;
  return isDriver ? `${group.name()} ${first} ${driver}` : undefined;
}
