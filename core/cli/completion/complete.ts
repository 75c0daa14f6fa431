import type { Argument, Command, Option } from 'commander';
import { printable } from '../../log/printable';
import { printAnswer } from '../terminal/print';
import { ofKind, type Suggestions } from './suggestions';

/**
 * `__complete`: answers the scripts of `completion`. The first line says whether the shell offers `files`, `folders`, or the
 * `words` that follow, each with a tab and a description. Prints no errors: they would get into the line that the user types.
 */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const found = await suggest(program, words.slice(0, -1), words.at(-1) ?? '').catch(() => []);
  if (!Array.isArray(found)) return printAnswer(found);
  const oneLine = (text: string) => printable(text).replace(/\s+/g, ' ').trim();
  const lines = found.map(({ value, about }) => (about ? `${oneLine(value)}\t${oneLine(about)}` : oneLine(value)));
  printAnswer(['words', ...lines].join('\n'));
}

/** A position in a command line: the current command, and what it still lacks. */
interface Spot {
  command: Command;
  argument: number;
  option?: Option;
  /** The values of options so far, by attribute: the models depend on the provider. */
  given: Map<string, string>;
}

/** The words that may end a command line: `before` are its complete words, `last` is the beginning of the next one. */
export async function suggest(program: Command, before: readonly string[], last: string): Promise<Suggestions> {
  const spot = findSpot(program, before);
  const [, flag = '', start = ''] = /^(--[a-z-]+=)(.*)$/.exec(last) ?? [];
  const option = spot.option ? undefined : findOption(spot.command, flag.slice(0, -1));
  const found = await candidates(spot, option, last);
  if (!Array.isArray(found)) return found;
  const [prefix, typed] = option ? [flag, start] : ['', last];
  return found
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, about }) => ({ value: prefix + value, about }));
}

async function candidates(spot: Spot, option: Option | undefined, last: string): Promise<Suggestions> {
  const { command, argument, given } = spot;
  const wanted = spot.option ?? option;
  if (wanted) return valuesOf(wanted, wanted.attributeName(), given);
  if (last.startsWith('-')) {
    return optionsOf(command).map(({ long, short, description }) => ({ value: long ?? short!, about: description }));
  }
  // The arguments of `help` are the commands beside it.
  const group = command.name() === 'help' && command.parent ? command.parent : command;
  if (group.commands.length > 0) {
    return commandsIn(group).map((each) => ({ value: each.name(), about: each.description() }));
  }
  const { registeredArguments: all } = command;
  const next = all[argument] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return next ? valuesOf(next, next.name(), given) : [];
}

/** The values of an option or an argument: a closed list, or the things that its name stands for. */
function valuesOf(holder: Option | Argument, name: string, given: Map<string, string>): Promise<Suggestions> {
  if (holder.argChoices) return Promise.resolve(holder.argChoices.map((value) => ({ value })));
  return ofKind(name, given.get('provider'));
}

function findSpot(program: Command, words: readonly string[]): Spot {
  const spot: Spot = { command: program, argument: 0, given: new Map() };
  for (const word of words) {
    if (spot.option) {
      spot.given.set(spot.option.attributeName(), word);
      spot.option = undefined;
    } else if (word.startsWith('-')) {
      const [flag = '', value] = word.split(/=(.*)/s);
      const option = findOption(spot.command, flag);
      if (!option?.required) continue;
      if (value === undefined) spot.option = option;
      else spot.given.set(option.attributeName(), value);
    } else {
      const known = commandsIn(spot.command).find((command) => command.name() === word);
      const next = known ?? intentCommand(spot.command);
      if (next) spot.command = next;
      else spot.argument += 1;
    }
  }
  return spot;
}

/** The command for words that name no command: they are an intent. */
function intentCommand(command: Command): Command | undefined {
  return command.parent ? undefined : command.commands.find((each) => each.name() === 'run');
}

function optionsOf(command: Command): Option[] {
  return [...command.createHelp().visibleOptions(command), ...(intentCommand(command)?.options ?? [])];
}

function findOption(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

function commandsIn(group: Command): Command[] {
  return group.createHelp().visibleCommands(group);
}
