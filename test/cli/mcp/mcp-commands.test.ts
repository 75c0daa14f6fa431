import { buildProgram } from '../../../core/cli/program';

/** The options of a command that its help has. */
function optionsOf(...words: string[]): string[] {
  const command = words.reduce((group, word) => group.commands.find((each) => each.name() === word)!, buildProgram());
  return command.options.filter(({ hidden }) => !hidden).map(({ long }) => long!);
}

test('mcp serve has all options of serve, and two of its own', () => {
  const own = ['--http', '--root'];
  expect(optionsOf('mcp', 'serve').sort()).toEqual([...optionsOf('serve'), ...own].sort());
});
