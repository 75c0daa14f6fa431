import { type Command, Option } from 'commander';
import { choiceOption, NO_PROJECT } from './option-parsers';

/** What is needed to configure providers, and to write drivers. */
export function addSetupCommands(program: Command): void {
  const providers = program.command('providers').description('look at the configured providers').helpCommand(false);
  providers
    .command('status')
    .description('check every provider now and print a table')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action((options: import('./providers-status').StatusOptions) =>
      (require('./providers-status') as typeof import('./providers-status')).providersStatus(options),
    );

  const plugins = program.command('plugins').description('list, write and check driver plug-ins').helpCommand(false);
  plugins
    .command('list')
    .description('list every plug-in with its state')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action((options: import('./plugins-list').PluginsListOptions) =>
      (require('./plugins-list') as typeof import('./plugins-list')).pluginsList(options),
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
    .action((name: string, options: import('./plugins-new').PluginsNewOptions) =>
      (require('./plugins-new') as typeof import('./plugins-new')).pluginsNew(name, options),
    );
  plugins
    .command('check [folder]')
    .description('check a driver: manifest, loading, package; default: the working directory')
    .option('--json', 'print JSON')
    .action((folder: string | undefined, options: { json?: boolean }) =>
      (require('./plugins-check') as typeof import('./plugins-check')).pluginsCheck(folder ?? '.', options),
    );

  const config = program.command('config').description('look at the configuration').helpCommand(false);
  config
    .command('check [file]')
    .description('validate providers.yaml; without a file, the configuration in use')
    .option('--no-project', NO_PROJECT)
    .action((file: string | undefined, options: import('./config-check').ConfigCheckOptions) =>
      (require('./config-check') as typeof import('./config-check')).configCheck(file, options),
    );

  program
    .command('schema')
    .description('print the JSON Schema of providers.yaml, or of a plug-in manifest, for editors')
    .addOption(choiceOption('--of <what>', 'which schema', ['providers', 'manifest'], 'providers'))
    .action((options: { of: 'providers' | 'manifest' }) =>
      (require('./schema') as typeof import('./schema')).printSchema(options.of),
    );

  program
    .command('trust')
    .description('let the project configuration set command, extra_args, base_url and api_key_env')
    .action(() => (require('./trust') as typeof import('./trust')).trust());
}
