import { type Command, Option } from 'commander';
import { addCommand, addGroup, NO_PROJECT } from '../command-options';

export function addPluginCommands(program: Command): void {
  const plugins = addGroup(program, 'plugins', 'list, write and check driver plug-ins');
  const list = 'list every plug-in with its state';
  addCommand(plugins, 'list', list, async () => (await import('./plugins-list')).pluginsList)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);
  const write = 'write a driver to start from, with its test, into drivebay-driver-<name>';
  const kind = new Option('--kind <kind>', 'http: calls a server; cli: runs a program').choices(['http', 'cli']);
  addCommand(plugins, 'new <name>', write, async () => (await import('./plugins-new')).pluginsNew)
    .addOption(kind)
    .option('--plain', 'for --kind cli: the program writes its answer as plain text; default: lines of JSON')
    .option('--ts', 'in TypeScript, with a build step; default: JavaScript without one')
    .option('--force', 'replace existing files');
  const check = 'check a driver: manifest, loading, package; default: the working directory';
  addCommand(plugins, 'check [folder]', check, async () => (await import('./plugins-check')).pluginsCheck).option(
    '--json',
    'print JSON',
  );
}
