import type { Argument, Command, Option } from 'commander';
import { printable } from '../../log/printable';
import { printAnswer } from '../terminal/print';
import { ofKind, type Suggestion, type Suggestions } from './suggestions';

/**
 * `__complete`: answers the scripts of `completion`. The first line says whether the shell offers `files`, `folders`, or the
 * `words` that follow, each with a tab and a description. Prints no errors: they would get into the line that the user types.
 */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const found = await suggest(program, words.slice(0, -1), words.at(-1) ?? '').catch(() => []);
  if (!Array.isArray(found)) return printAnswer(found);
  const lines = found.map(({ value, about }) => (about ? `${oneLine(value)}\t${oneLine(about)}` : oneLine(value)));
  printAnswer(['words', ...lines].join('\n'));
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** A position in a command line: the current command, and what it still lacks. */
interface Spot {
  command: Command;
  /** How many arguments of the command come before. */
  argument: number;
  /** The option whose value comes next. */
  option?: Option;
  /** The values of options so far, by attribute: the models depend on the provider. */
  given: Map<string, string>;
}

const RUN = 'run';

/** The words that may end a command line: `before` are its complete words, `last` is the beginning of the next one. */
export async function suggest(program: Command, before: readonly string[], last: string): Promise<Suggestions> {
  const spot = findSpot(program, before);
  if (spot.option) return startingWith(last, await valuesOf(spot.option, spot));
  const [, flag, start] = /^(--[a-z-]+)=(.*)$/.exec(last) ?? [];
  const option = flag === undefined ? undefined : findOption(spot.command, flag);
  if (option) {
    const values = startingWith(start!, await valuesOf(option, spot));
    return Array.isArray(values) ? values.map(({ value, about }) => ({ value: `${flag}=${value}`, about })) : values;
  }
  if (last.startsWith('-')) return startingWith(last, flagsOf(spot.command));
  // The arguments of `help` are the commands beside it.
  const group = spot.command.name() === 'help' && spot.command.parent ? spot.command.parent : spot.command;
  if (group.commands.length > 0) return startingWith(last, commandsOf(group));
  const argument = argumentAt(spot);
  return argument ? startingWith(last, await valuesOf(argument, spot)) : [];
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
      enter(spot, word);
    }
  }
  return spot;
}

function enter(spot: Spot, word: string): void {
  const next = commandsIn(spot.command).find((command) => command.name() === word) ?? intentCommand(spot.command);
  if (next) spot.command = next;
  else spot.argument += 1;
}

/** The command for words that name no command: they are an intent. */
function intentCommand(command: Command): Command | undefined {
  return command.parent ? undefined : command.commands.find((each) => each.name() === RUN);
}

function optionsOf(command: Command): Option[] {
  return [...command.createHelp().visibleOptions(command), ...(intentCommand(command)?.options ?? [])];
}

function findOption(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

function flagsOf(command: Command): Suggestion[] {
  return optionsOf(command).map(({ long, short, description }) => ({ value: long ?? short!, about: description }));
}

function commandsIn(group: Command): Command[] {
  return group.createHelp().visibleCommands(group);
}

function commandsOf(group: Command): Suggestion[] {
  return commandsIn(group).map((each) => ({ value: each.name(), about: each.description() }));
}

function argumentAt({ command, argument }: Spot): Argument | undefined {
  const { registeredArguments: all } = command;
  return all[argument] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
}

/** The values of an option or an argument: a closed list, or the things that its name stands for. */
async function valuesOf(holder: Option | Argument, { given }: Spot): Promise<Suggestions> {
  if (holder.argChoices) return holder.argChoices.map((value) => ({ value }));
  const name = 'attributeName' in holder ? holder.attributeName() : holder.name();
  return ofKind(name, given.get('provider'));
}

function startingWith(start: string, suggestions: Suggestions): Suggestions {
  return Array.isArray(suggestions) ? suggestions.filter(({ value }) => value.startsWith(start)) : suggestions;
}
