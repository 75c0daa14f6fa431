import type { Command } from 'commander';
import { buildProgram } from '../../core/cli/program';
import { markdownTable } from './markdown-table';

/** Every command that does something, in the groups and the order of `--help`, with its options. */
export function commandSections(): string {
  const shown = buildProgram().commands.filter(isShown);
  const groups = [...new Set(shown.map((command) => command.helpGroup()))];
  const sections = groups.map((group) => {
    const leaves = shown.filter((command) => command.helpGroup() === group).flatMap(leavesOf);
    return [`## ${group.replace(/:$/, '')}`, ...leaves.map(section)].join('\n\n');
  });
  return sections.join('\n\n');
}

/** Those whose names begin with `__` are there for scripts. */
const isShown = (command: Command) => !command.name().startsWith('__');

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.filter(isShown).flatMap(leavesOf);
}

function section(command: Command): string {
  const help = command.createHelp();
  const usage = help.commandUsage(command).replace(' [options]', '');
  const rows = [
    ...help.visibleArguments(command).map((each) => [`\`${each.name()}\``, plain(help.argumentDescription(each))]),
    ...help.visibleOptions(command).map((each) => [`\`${each.flags}\``, plain(help.optionDescription(each))]),
  ].filter(([name]) => name !== '`-h, --help`');
  const [title, ...operands] = usage.split(/(?= [[<])/);
  const about = plain(command.description());
  const sentence = about.charAt(0).toUpperCase() + about.slice(1);
  const parts = [`### ${title}`, operands.length > 0 ? `\`${usage}\`\n\n${sentence}` : sentence];
  if (rows.length > 0) parts.push(markdownTable(['option', 'effect'], rows));
  return parts.join('\n\n');
}

/** A word in angle brackets is no tag. */
const plain = (text: string) => text.replaceAll('<', '\\<');
