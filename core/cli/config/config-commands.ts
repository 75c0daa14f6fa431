import type { Command } from 'commander';
import { choiceOption, NO_PROJECT } from '../option-parsers';

/** What is configured, and whether it works. */
export function addConfigCommands(program: Command): void {
  program
    .command('init')
    .description('find agent programs, keys and local servers, and write a providers.yaml of them')
    .option('--project', 'write .drivebay/providers.yaml of the project; default: your own, for everywhere')
    .option('-y, --yes', 'ask nothing')
    .option('--print', 'print the file instead of writing it')
    .option('--force', 'replace a file that is there; it is kept beside the new one')
    .action(async (options: import('../init/init').InitOptions) => (await import('../init/init')).init(options));

  program
    .command('doctor [provider]')
    .description('say what is wrong, and the command that fixes it; exit code 1 if something is')
    .option('--json', 'print JSON')
    .option('--probe', 'ask each provider one real question, too; this spends tokens')
    .option('--no-project', NO_PROJECT)
    .action(async (provider: string | undefined, options: import('../doctor/doctor').DoctorOptions) =>
      (await import('../doctor/doctor')).doctor(provider, options),
    );

  const providers = program.command('providers').description('look at the configured providers').helpCommand(false);
  providers
    .command('status')
    .description('check every provider now and print a table')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(async (options: import('./providers-status').StatusOptions) =>
      (await import('./providers-status')).providersStatus(options),
    );

  providers
    .command('explain <provider>')
    .description('show what one call would do, without doing it: program or request, options, who pays')
    .option('--model <model>', 'another model than its default_model')
    .option('--reasoning-effort <level>', 'how much to think')
    .addOption(
      choiceOption(
        '--as <what>',
        'a chat of the gateway, or a step of an agent in this folder',
        ['chat', 'agent'],
        'chat',
      ),
    )
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(async (provider: string, options: import('./providers-explain').ExplainCommandOptions) =>
      (await import('./providers-explain')).providersExplain(provider, options),
    );

  const config = program.command('config').description('look at the configuration').helpCommand(false);
  config
    .command('check [file]')
    .description('validate providers.yaml; without a file, the configuration in use')
    .option('--no-project', NO_PROJECT)
    .action(async (file: string | undefined, options: import('./config-check').ConfigCheckOptions) =>
      (await import('./config-check')).configCheck(file, options),
    );

  program
    .command('schema')
    .description('print the JSON Schema of providers.yaml, or of a plug-in manifest, for editors')
    .addOption(choiceOption('--of <what>', 'which schema', ['providers', 'manifest'], 'providers'))
    .action(async (options: { of: 'providers' | 'manifest' }) => (await import('./schema')).printSchema(options.of));

  program
    .command('trust')
    .description('let the project configuration set command, extra_args, base_url and api_key_env')
    .action(async () => (await import('./trust')).trust());
}
