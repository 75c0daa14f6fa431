import { type Command, Option } from 'commander';
import { NO_PROJECT } from '../option-parsers';

/** For those who use drivers, and those who write them. */
export function addPluginCommands(program: Command): void {
  const plugins = program.command('plugins').description('list, write and check driver plug-ins').helpCommand(false);
  plugins
    .command('list')
    .description('list every plug-in with its state')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(async (options: import('./plugins-list').PluginsListOptions) =>
      (await import('./plugins-list')).pluginsList(options),
    );

  plugins
    .command('new <name>')
    .description('write a driver to start from, with its test, into drivebay-driver-<name>')
    .addOption(
      new Option('--kind <kind>', 'http: calls a server; cli: runs a program')
        .choices(['http', 'cli'])
        .makeOptionMandatory(),
    )
    .option('--ts', 'in TypeScript, with a build step; default: JavaScript without one')
    .option('--force', 'write over files that are there')
    .action(async (name: string, options: import('./plugins-new').PluginsNewOptions) =>
      (await import('./plugins-new')).pluginsNew(name, options),
    );
  plugins
    .command('check [folder]')
    .description('check a driver: manifest, loading, package; default: the working directory')
    .option('--json', 'print JSON')
    .action(async (folder: string | undefined, options: { json?: boolean }) =>
      (await import('./plugins-check')).pluginsCheck(folder ?? '.', options),
    );
}
