import { didYouMean } from '../config/did-you-mean';
import { productName } from '../package';

type Advice = readonly [flags: string, advice: string];

const CONFIG: Advice = [
  '--config --file',
  `${productName} config check names the file that counts, and XDG_CONFIG_HOME=<absolute path> moves it`,
];
const MODEL: Advice = ['-m', 'did you mean --model?'];
const PROVIDER: Advice = ['-p', 'did you mean --provider?'];
const DETACH: Advice = ['-d --background --daemon', 'did you mean --detach?'];
const LINES: Advice = ['--tail --last --limit', 'did you mean --lines <number>?'];

const NO_SIGNAL = `no signal is needed, because what does not end is killed: ${productName} kill <pid>`;

const SERVE: readonly Advice[] = [
  ['-c -f', CONFIG[1]],
  CONFIG,
  ['-p', 'did you mean --port?'],
  [
    '-m --model --provider',
    'each request names its model, and default_provider of providers.yaml answers for other names',
  ],
  ['-d --daemon --detach --background', `for a gateway in the background: ${productName} service install`],
  ['-H', 'the gateway listens on 127.0.0.1 only'],
  ['-v --verbose --debug --detailed_debug', 'did you mean --log-level debug?'],
  [
    '--key --api-key --api_key --master-key --token',
    'a key stays in its variable, and --api-key-env takes the NAME of it',
  ],
  ['--cors --cors-origin', 'did you mean --allow-origin?'],
  ['--log-file', `the log goes to stderr: ${productName} serve 2> <file>`],
];

/** Flags of other tools of this kind, by command, and what does it here. A guess by spelling finds none of them. */
export const FOREIGN: Readonly<Record<string, readonly Advice[]>> = {
  serve: SERVE,
  'service install': SERVE,
  run: [
    CONFIG,
    ['-V --version', `the version: ${productName} --version`],
    ['-help', `the help: ${productName} --help`],
    MODEL,
    ['-p --print --prompt', 'an intent needs no flag, and a provider is --provider'],
    DETACH,
    ['-o --output --output-format --format', 'did you mean --json?'],
    ['-v --verbose --debug', `what an agent did: ${productName} trace -f <pid>`],
    ['--resume', 'did you mean --continue?'],
    [
      '--system --system-prompt',
      `${productName} chat has --system, and agents have agent.yaml: ${productName} docs agents`,
    ],
  ],
  chat: [CONFIG, MODEL, PROVIDER, ['-s --system-prompt', 'did you mean --system?']],
  doctor: [
    CONFIG,
    ['-p --provider', `a provider needs no flag: ${productName} doctor <provider>`],
    ['-a --all', 'without a provider, it looks at everything'],
    ['--fix', 'it changes nothing, and prints the command for each mistake'],
  ],
  models: [['-p --provider', `a provider needs no flag: ${productName} models <provider>`]],
  'providers status': [['-p --provider', `about one provider: ${productName} doctor <provider>`]],
  'providers add': [
    MODEL,
    ['--url --host --endpoint --api-base --api_base --base_url', 'did you mean --base-url?'],
    ['--key --api-key --api_key --token', 'a key stays in its variable, and --api-key-env takes the NAME of it'],
    ['--default-model', 'did you mean --model?'],
    ['--driver --provider --type', `the driver needs no flag: ${productName} providers add <driver>`],
  ],
  usage: [
    ['--since --start --today --day --days --last --month', 'did you mean --from <date>?'],
    ['--until --end', 'did you mean --to <date>?'],
  ],
  logs: [LINES],
  'daemon logs': [LINES],
  'debug list': [['-n --lines --limit --tail', 'did you mean --last <number>?']],
  ps: [
    ['-q --quiet', 'did you mean --json?'],
    ['-e -ef -A', 'did you mean --all?'],
  ],
  kill: [
    ['-s --signal -n -KILL -SIGKILL -TERM -SIGTERM -INT -SIGINT -HUP -SIGHUP', NO_SIGNAL],
    ['-a --all', `one pid at a time, as ${productName} ps shows it`],
  ],
  'compose up': [DETACH, ['-f --file', `the file needs no flag: ${productName} compose up <file>`]],
  compose: [['-f --file', `the file stands at the end: ${productName} compose up <file>`]],
  init: [
    ['-f --overwrite', 'did you mean --force?'],
    ['--dry-run', 'did you mean --print?'],
  ],
  uninstall: [['--all --purge', 'did you mean --state?']],
};

/** Words behind a command that takes none of them. */
const WORDS: Readonly<Record<string, string>> = {
  chat: `a provider is named by a flag: ${productName} chat --provider <provider>`,
  kill: `one pid at a time, and ${NO_SIGNAL}`,
  ps: 'did you mean --all?',
  'providers status': `about one provider: ${productName} doctor <provider>`,
  serve: `each request names its model, and Ctrl-C ends a gateway; those that are open: ${productName} daemon status`,
};

/** What an argument that is missing may be. */
const MISSING: Readonly<Record<string, string>> = {
  'providers add': `the drivers: ${productName} plugins list; all that this machine has: ${productName} init --print`,
};

/** Options of another program, which stand behind `--`. */
const BEHIND: Readonly<Record<string, string>> = {
  launch: `options of the program stand behind --: ${productName} launch <client> -- <options>`,
  'mcp add': `the command of the server stands behind --: ${productName} mcp add <name> -- <command>`,
};

/** What a command that commander refuses most likely means: `words` are those of the command, `text` is the message. */
export function meantByError(words: string, text: string): string | undefined {
  if (text.startsWith('error: too many arguments')) return WORDS[words];
  if (text.startsWith('error: missing required argument')) return MISSING[words];
  const flag = /^error: unknown option '([^'=]*)/.exec(text)?.[1];
  if (flag === undefined) return undefined;
  // Without a command, the flag of the program stands where those of `run` do.
  const meant = words === 'run' ? (didYouMean(flag, ['--version']) ?? flag) : flag;
  const known = FOREIGN[words]?.find(([flags]) => flags.split(' ').includes(meant))?.[1];
  return known ?? BEHIND[words];
}
