import type { Command, Help } from 'commander';
import { productVersion } from '../../package';

/** The manual page in the language of man(7), made from the same commands as `--help`. */
export function manPage(program: Command): string {
  const name = program.name();
  const help = program.createHelp();
  const shown = help.visibleCommands(program);
  const groups = [...new Set(shown.map((command) => command.helpGroup()))];
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${productVersion}"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(program.description())}`,
    '.SH SYNOPSIS',
    '.nf',
    ...help
      .commandUsage(program)
      .split('\n')
      .map((line) => roff(line.trim())),
    '.fi',
    ...termsOf(program, help),
    ...groups.flatMap((group) => [
      `.SH ${roff(group.replace(/:$/, '').toUpperCase())}`,
      ...shown.filter((command) => command.helpGroup() === group).flatMap((command) => sectionsOf(command, help)),
    ]),
    ...EXIT_STATUS,
    ...FILES,
    '',
  ].join('\n');
}

const EXIT_STATUS = [
  '.SH EXIT STATUS',
  ...term('0', 'success'),
  ...term('1', 'failure: the message says which'),
  ...term('2', 'a mistake on the command line or in the configuration: nothing was started'),
  ...term('130', 'interrupted by Ctrl-C'),
];

const FILES = [
  '.SH FILES',
  ...term('~/.config/drivebay/providers.yaml', 'your providers; drivebay init writes it'),
  ...term('.drivebay/providers.yaml', 'the providers of a project'),
  ...term('~/.local/state/drivebay', 'records of processes, the log of the daemon'),
];

/** A part for the command, or for each one below it. */
function sectionsOf(command: Command, help: Help): string[] {
  const below = help.visibleCommands(command);
  if (below.length > 0) return below.flatMap((each) => sectionsOf(each, help));
  const about = help.commandDescription(command);
  const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
  return [`.SS ${roff(help.commandUsage(command))}`, roff(sentence), ...termsOf(command, help)];
}

function termsOf(command: Command, help: Help): string[] {
  return [
    ...help.visibleArguments(command).flatMap((each) => term(help.argumentTerm(each), help.argumentDescription(each))),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .flatMap((each) => term(help.optionTerm(each), help.optionDescription(each))),
  ];
}

function term(name: string, meaning: string): string[] {
  return ['.TP', `.B ${roff(name)}`, roff(meaning)];
}

/** A text as man(7) prints it unchanged: a dash could be a hyphen, a dot at the start of a line a request. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq').replace(/^[.']/gm, '\\&$&');
}
