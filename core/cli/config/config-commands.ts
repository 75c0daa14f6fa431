import type { Command } from 'commander';
import {
  addCommand,
  addGroup,
  choiceOption,
  NO_PROJECT,
  parseAddress,
  parseName,
  parseVariable,
} from '../command-options';

export function addConfigCommands(program: Command): void {
  const init = 'find agent programs, keys and local servers, and write a providers.yaml for them';
  addCommand(program, 'init', init, async () => (await import('../init/init')).init)
    .option('--project', 'write .drivebay/providers.yaml of the project; default: your own file, for every folder')
    .option('-y, --yes', 'ask nothing')
    .option('--print', 'print the file instead of writing it')
    .option('--force', 'replace an existing file, and keep the old one beside it');

  const doctor = 'say what is wrong, and the command that fixes it; exit code 1 if something is';
  addCommand(program, 'doctor [provider]', doctor, async () => (await import('../doctor/doctor')).doctor)
    .option('--json', 'print JSON')
    .option('--probe', 'also send each provider one real question; this spends tokens')
    .option('--no-project', NO_PROJECT);

  const providers = addGroup(program, 'providers', 'show and change the configured providers');
  const status = 'check every provider now and print a table';
  addCommand(providers, 'status', status, async () => (await import('./providers-status')).providersStatus)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);
  const explain = 'show what one call would do, without doing it: program or request, options, who pays';
  const explainCall = async () => (await import('./providers-explain')).providersExplain;
  const as = 'a chat of the gateway, or a step of an agent in this folder';
  addCommand(providers, 'explain <provider>', explain, explainCall)
    .option('--model <model>', 'a model other than its default_model', parseName('--model'))
    .option('--reasoning-effort <level>', 'how much to think', parseName('--reasoning-effort'))
    .addOption(choiceOption('--as <what>', as, ['chat', 'agent'], 'chat'))
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);

  const wake = 'end the rests of a provider, so that routes use it again';
  addCommand(providers, 'wake <provider>', wake, async () => (await import('./providers-wake')).providersWake).option(
    '--no-project',
    NO_PROJECT,
  );

  const edit = () => import('./providers-edit');
  const add = 'add a provider to your own file, and check whether it answers';
  addCommand(providers, 'add <driver>', add, async () => (await edit()).providersAdd)
    .option('--name <name>', "the name of the provider; default: the driver's name", parseName('--name'))
    .option('--base-url <url>', 'where the server is', parseAddress('--base-url'))
    .option('--model <model>', 'the default_model', parseName('--model'))
    .option('--api-key-env <name>', 'the NAME of the variable with the key', parseVariable);
  const remove = 'remove a provider or a route from your own file';
  addCommand(providers, 'remove <provider>', remove, async () => (await edit()).providersRemove);
  const setDefault = 'make a provider or a route the default_provider of your own file';
  addCommand(providers, 'set-default <provider>', setDefault, async () => (await edit()).providersSetDefault);

  const models = 'list the models that each provider offers, with their context windows where known';
  addCommand(program, 'models [provider]', models, async () => (await import('./models')).models)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);

  const load = () => import('./config-files');
  const config = addGroup(program, 'config', 'check the configuration');
  const check = 'validate providers.yaml; without a file, the configuration in use';
  addCommand(config, 'check [file]', check, async () => (await load()).configCheck).option('--no-project', NO_PROJECT);
  const of = choiceOption('--of <what>', 'which schema', ['providers', 'manifest'], 'providers');
  const schema = 'print the JSON Schema of providers.yaml, or of a plug-in manifest, for editors';
  addCommand(program, 'schema', schema, async () => (await load()).printSchema).addOption(of);
  const trust =
    'let the project configuration set guarded fields, such as command and base_url, and start its tool servers';
  addCommand(program, 'trust', trust, async () => (await load()).trust);
  const pages = 'print a page of the documentation; without a name, list the pages';
  addCommand(program, 'docs [page]', pages, async () => (await import('./docs')).docs);
}
