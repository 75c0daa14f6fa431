import type { Command } from 'commander';
import { choiceOption, lazy, NO_PROJECT } from '../command-options';

export function addConfigCommands(program: Command): void {
  program
    .command('init')
    .description('find agent programs, keys and local servers, and write a providers.yaml for them')
    .option('--project', 'write .drivebay/providers.yaml of the project; default: your own file, for every folder')
    .option('-y, --yes', 'ask nothing')
    .option('--print', 'print the file instead of writing it')
    .option('--force', 'replace an existing file, and keep the old one beside it')
    .action(lazy(async () => (await import('../init/init')).init));

  program
    .command('doctor [provider]')
    .description('say what is wrong, and the command that fixes it; exit code 1 if something is')
    .option('--json', 'print JSON')
    .option('--probe', 'also send each provider one real question; this spends tokens')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('../doctor/doctor')).doctor));

  const providers = program.command('providers').description('look at the configured providers').helpCommand(false);
  providers
    .command('status')
    .description('check every provider now and print a table')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('./providers-status')).providersStatus));
  const kinds = choiceOption(
    '--as <what>',
    'a chat of the gateway, or a step of an agent in this folder',
    ['chat', 'agent'],
    'chat',
  );
  providers
    .command('explain <provider>')
    .description('show what one call would do, without doing it: program or request, options, who pays')
    .option('--model <model>', 'another model than its default_model')
    .option('--reasoning-effort <level>', 'how much to think')
    .addOption(kinds)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('./providers-explain')).providersExplain));

  const config = program.command('config').description('look at the configuration').helpCommand(false);
  config
    .command('check [file]')
    .description('validate providers.yaml; without a file, the configuration in use')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('./config-check')).configCheck));

  program
    .command('schema')
    .description('print the JSON Schema of providers.yaml, or of a plug-in manifest, for editors')
    .addOption(choiceOption('--of <what>', 'which schema', ['providers', 'manifest'], 'providers'))
    .action(lazy(async () => (await import('./schema')).printSchema));

  program
    .command('trust')
    .description('let the project configuration set command, extra_args, base_url and api_key_env')
    .action(lazy(async () => (await import('./trust')).trust));
}
