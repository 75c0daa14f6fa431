import { explainClashes, type Clashes } from '../_shared/cli/extra-args';
import { type Options, sandboxMode } from './options';

/** The CLI accepts these flags once only: ours is left out where the user gives it. */
const OUR_FLAGS = ['--json', '--skip-git-repo-check'];
const NO_SESSION = '--ephemeral';

/** Of every run. */
export const SETTINGS = [
  // Without this, the CLI waits for the network for ever.
  'features.unbounded_connection_retries=false',
  // Plug-ins make each start ask a repository on the public network.
  'features.plugins=false',
];

interface RunParts {
  model?: string;
  effort?: string;
  settings: readonly string[];
  /** The session that the program keeps, with the id of the one to go on with. */
  session?: { id?: string };
}

/**
 * The arguments of one run. `settings` are those of the CLI, for this run only. `-` makes the CLI read the prompt from its
 * standard input.
 */
export function commandLine(options: Options, { model, effort, settings, session }: RunParts): string[] {
  const { extra_args: extra } = options;
  const flags = session ? OUR_FLAGS : [...OUR_FLAGS, NO_SESSION];
  const chosen = [...SETTINGS, ...settings];
  if (effort !== undefined) chosen.push(`model_reasoning_effort=${tomlString(effort)}`);
  return [
    'exec',
    '--sandbox',
    sandboxMode(options),
    ...flags.filter((flag) => !extra.includes(flag)),
    ...(model === undefined ? [] : ['-m', model]),
    ...chosen.flatMap((setting) => ['-c', setting]),
    ...extra,
    ...(session?.id === undefined ? [] : ['resume', session.id]),
    '-',
  ];
}

/** A string of JSON is one of TOML, except that TOML takes no bare DEL. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

const CLASHES: Clashes = [
  [
    ['--yolo', '--dangerously-bypass-approvals-and-sandbox'],
    'silently wins over sandbox_mode: the model’s commands run without any sandbox',
  ],
  [['--sandbox', '-s'], 'makes every call fail, the CLI takes --sandbox only once: set sandbox_mode'],
  [['--approve-for-me'], 'makes every call fail beside --sandbox: set sandbox_mode'],
  [['--full-auto'], 'is gone from newer versions of the CLI: set sandbox_mode'],
  [['-c sandbox_mode'], 'has no effect beside --sandbox: set sandbox_mode of the provider'],
  [['--model', '-m'], 'makes calls that name a model fail, the CLI takes -m only once: set default_model'],
  [['-c model_reasoning_effort'], 'wins over the effort of every request: set reasoning_effort of the provider'],
  [['--help', '-h', '--version', '-V'], 'ends every call without an answer: remove it'],
];

/** One sentence for each argument that works against what the driver itself passes. */
export function explainCodexClashes({ extra_args: extra }: Options): string[] {
  const dashes = extra.filter((argument) => argument === '-' || argument === '--');
  return [
    ...explainClashes(withSettings(extra), CLASHES),
    ...dashes.map((argument) => `extra_args: ${argument} takes the place of the prompt: remove it`),
  ];
}

/** The arguments, each setting in the form `-c KEY=VALUE`. */
function withSettings(extra: readonly string[]): string[] {
  return extra.map((argument, index) => {
    const [, inline] = /^(?:-c=?|--config=)(.+)/.exec(argument) ?? [];
    const value = inline ?? (argument === '-c' || argument === '--config' ? extra[index + 1] : undefined);
    return value === undefined ? argument : `-c ${value.trimStart()}`;
  });
}
