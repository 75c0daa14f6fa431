import { buildProgram } from '../../../core/cli/program';
import { productVersion } from '../../../core/package';
import { runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();

/** What a reader of the page sees of a line: its escapes undone. */
const seen = (page: string) => page.replaceAll('\\-', '-').replaceAll('\\(dq', '"').replaceAll('\\e', '\\');

test('the manual page has every command that --help lists, with each of its options', async () => {
  const { stdout, stderr, code } = await runCli(['man'], { env: home.environment() });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const lines = seen(stdout).split('\n');
  expect(lines[0]).toBe(`.TH DRIVEBAY 1 "" "drivebay ${productVersion}"`);

  const help = buildProgram().createHelp();
  const commands = help.visibleCommands(buildProgram());
  const leaves = commands.flatMap((command) => (command.commands.length > 0 ? [...command.commands] : [command]));
  expect(leaves.length).toBeGreaterThan(20);
  for (const leaf of leaves) {
    expect(lines).toContain(`.SS ${help.commandUsage(leaf)}`);
    for (const { flags } of leaf.options.filter(({ hidden }) => !hidden)) expect(lines).toContain(`.B ${flags}`);
  }
  expect(lines.filter((line) => line.includes('__'))).toEqual([]);
});

test('no text of a command is taken for a request of the page', async () => {
  const { stdout } = await runCli(['man'], { env: home.environment() });
  const requests = new Set(stdout.split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []));
  expect([...requests].sort()).toEqual(['B', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf']);
});
