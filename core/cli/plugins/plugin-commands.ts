import { type Command, Option } from 'commander';
import { lazy, NO_PROJECT } from '../command-options';

export function addPluginCommands(program: Command): void {
  const plugins = program.command('plugins').description('list, write and check driver plug-ins').helpCommand(false);
  plugins
    .command('list')
    .description('list every plug-in with its state')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('./plugins-list')).pluginsList));
  const kind = new Option('--kind <kind>', 'http: calls a server; cli: runs a program').choices(['http', 'cli']);
  plugins
    .command('new <name>')
    .description('write a driver to start from, with its test, into drivebay-driver-<name>')
    .addOption(kind.makeOptionMandatory())
    .option('--ts', 'in TypeScript, with a build step; default: JavaScript without one')
    .option('--force', 'replace existing files')
    .action(lazy(async () => (await import('./plugins-new')).pluginsNew));
  plugins
    .command('check [folder]')
    .description('check a driver: manifest, loading, package; default: the working directory')
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('./plugins-check')).pluginsCheck));
}
