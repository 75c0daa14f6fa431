import { Command, InvalidArgumentError, Option } from 'commander';
import { LOG_FORMATS, LOG_LEVELS } from '../log-options';
import { productName, productVersion } from '../package';
import { addProcessCommands } from './process-commands';
import { addSpawnOptions, unshield } from './spawn-options';

/** Each command's code is loaded when it runs: a start should cost what the command needs. */
export function buildProgram(): Command {
  const program = new Command(productName)
    .description('One local endpoint for every LLM you have')
    .usage('[options] [command]\n       drivebay [options of run] "<intent>"')
    .version(productVersion, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError(`(see: ${productName} --help)`)
    .exitOverride();

  program
    .command('serve')
    .description('start the OpenAI-style gateway on 127.0.0.1')
    .option('--port <number>', 'port to listen on', parsePort, DEFAULT_PORT)
    .option('--demo', 'add a provider "demo" that needs no backend')
    .option('--allow-host <name>', 'accept one more Host name (repeatable)', collect(parseHost))
    .option('--allow-origin <origin>', 'let web pages of an origin call the gateway (repeatable)', collect(parseOrigin))
    .option('--api-key-env <name>', 'demand the key in this variable as "Authorization: Bearer <key>"')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option('--no-project', NO_PROJECT)
    .action((options: import('./serve').ServeOptions) =>
      (require('./serve') as typeof import('./serve')).serve(options),
    );

  addSpawnOptions(
    program
      .command('run <intent...>')
      .description('let an agent work on an intent; the same without the word `run`: drivebay "<intent>"'),
    { effortFlag: '--reasoning-effort <level>' },
  )
    .option('--no-stdin', 'do not add the text on stdin to the intent')
    .action((intent: string[], options: import('./run').RunOptions) =>
      (require('./run') as typeof import('./run')).run(intent.map(unshield), options),
    );

  program
    .command('shell')
    .description('type commands about agents at a prompt, or feed them in from a pipe')
    .action(() => (require('./shell') as typeof import('./shell')).shell());

  const compose = program.command('compose').description('let agents work together').helpCommand(false);
  compose
    .command('up [file]')
    .description('run the agents of a compose file, and print their answers')
    .option('--json', 'print one JSON object at the end, in place of the answers')
    .option('--detach', 'print the name of the run, and leave it to itself')
    .option('--no-project', NO_PROJECT)
    .action((file: string | undefined, options: import('./compose-up').ComposeUpOptions) =>
      (require('./compose-up') as typeof import('./compose-up')).composeUp(file, options),
    );
  compose
    .command('ps [file]')
    .description('list the agents of the compose runs that go on')
    .option('--json', 'print JSON')
    .action((file: string | undefined, options: { json?: boolean }) =>
      (require('./compose-runs') as typeof import('./compose-runs')).composePs(file, options),
    );
  compose
    .command('down [file]')
    .description('end a compose run, and the agents in it')
    .action((file: string | undefined) =>
      (require('./compose-runs') as typeof import('./compose-runs')).composeDown(file),
    );

  addProcessCommands(program);

  program
    .command('logs <pid>')
    .description('print what an agent process had to say besides its answer')
    .option('-f, --follow', 'go on with what comes')
    .action((pid: string, options: { follow?: boolean }) =>
      (require('./process-logs') as typeof import('./process-logs')).processLogs(pid, options),
    );

  program
    .command('usage')
    .description('add up tokens and cost of the gateway and of agents')
    .addOption(choiceOption('--by <what>', 'what to group by', ['provider', 'day', 'project'], 'provider'))
    .option('--json', 'print JSON')
    .action((options: import('./usage').UsageOptions) =>
      (require('./usage') as typeof import('./usage')).usage(options),
    );

  program
    .command('devices')
    .description('list the devices that agents of this project can use')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action((options: import('./devices').DevicesOptions) =>
      (require('./devices') as typeof import('./devices')).devices(options),
    );

  const daemon = program.command('daemon').description('the program behind agents and gateways').helpCommand(false);
  daemon
    .command('start')
    .description('start the daemon in the background')
    .action(() => (require('./daemon') as typeof import('./daemon')).daemonStart());
  daemon
    .command('stop')
    .description('end the daemon, its processes and its gateways')
    .action(() => (require('./daemon') as typeof import('./daemon')).daemonStop());
  daemon
    .command('restart')
    .description('end the daemon and start it with the configuration and the variables of now')
    .action(() => (require('./daemon') as typeof import('./daemon')).daemonRestart());
  daemon
    .command('status')
    .description('say whether the daemon runs; exit code 1 where it does not')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => (require('./daemon') as typeof import('./daemon')).daemonStatus(options));
  daemon
    .command('run')
    .description('run the daemon in the foreground')
    .option('--background', 'as `daemon start` does it: log to the file, outlive the terminal')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .action((options: import('./daemon-run').DaemonRunOptions) =>
      (require('./daemon-run') as typeof import('./daemon-run')).daemonRun(options),
    );
  daemon
    .command('logs')
    .description('print the log of the daemon in the background')
    .option('-n, --lines <number>', 'how many lines', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'go on with what comes')
    .action((options: import('./daemon-logs').DaemonLogsOptions) =>
      (require('./daemon-logs') as typeof import('./daemon-logs')).daemonLogs(options),
    );

  program
    .command('dashboard')
    .description('look at providers, processes, steps and cost in a browser')
    .option(
      '--port <number>',
      'port to open it on; default: a gateway that is open, or any that is free',
      parsePortOrNone,
    )
    .option('--no-open', 'print the address, key included, and open no browser')
    .option('--no-project', NO_PROJECT)
    .action((options: import('./dashboard').DashboardOptions) =>
      (require('./dashboard') as typeof import('./dashboard')).dashboard(options),
    );

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

  pointToHelp(program.commands, productName);
  return program;
}

/** A mistake in a command's options leads to the help of that command. */
function pointToHelp(commands: readonly Command[], before: string): void {
  for (const command of commands) {
    const words = `${before} ${command.name()}`;
    command.showHelpAfterError(`(see: ${words} --help)`);
    pointToHelp(command.commands, words);
  }
}

const NO_PROJECT = 'leave the project configuration and .env files out';
const DEFAULT_PORT = 8080;
const DEFAULT_LINES = 100;

function choiceOption(flags: string, description: string, choices: readonly string[], standard: string): Option {
  const option = new Option(flags, description).choices(choices).default(standard);
  const parse = option.parseArg!;
  // An empty value counts as not given.
  return option.argParser((text, before) => (text === '' ? standard : (parse(text, before) as string)));
}

function parsePort(text: string): number {
  return parsePortOrNone(text) ?? DEFAULT_PORT;
}

function parsePortOrNone(text: string): number | undefined {
  // An empty value counts as not given.
  if (text === '') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('Expected a number from 1 to 65535.');
  return port;
}

function parseCount(text: string): number {
  if (text === '') return DEFAULT_LINES;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number.');
  return Number(text);
}

function parseHost(text: string): string {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    throw new InvalidArgumentError('Expected a host name without scheme and port, for example llm.internal.');
  }
  return text.toLowerCase();
}

function parseOrigin(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/i.test(text)) {
    throw new InvalidArgumentError(
      'Expected one origin, for example http://localhost:3000 or chrome-extension://abc; there is no wildcard.',
    );
  }
  return text;
}

function collect(parse: (text: string) => string): (text: string, before?: string[]) => string[] {
  return (text, before = []) => (text === '' ? before : [...before, parse(text)]);
}
