import { type Options, sandboxMode } from './options';

/** What differs from call to call. */
export interface Run {
  model?: string | undefined;
  effort?: string | undefined;
  /** Settings of the CLI, for this run only. */
  settings: readonly string[];
}

/** Flags that the CLI accepts once only: ours is left out where the user gives it. */
const OUR_FLAGS = ['--json', '--skip-git-repo-check', '--ephemeral'];

const SETTINGS = [
  // Without this, the CLI waits for the network for ever.
  'features.unbounded_connection_retries=false',
  // Plug-ins make each start ask a repository on the public network.
  'features.plugins=false',
];

/** The arguments of one run. The prompt is not among them: `-` makes the CLI read it from its standard input. */
export function commandLine(options: Options, { model, effort, settings }: Run): string[] {
  const { extra_args: extra } = options;
  const chosen = [...SETTINGS, ...settings];
  if (effort !== undefined) chosen.push(`model_reasoning_effort=${tomlString(effort)}`);
  return [
    'exec',
    '--sandbox',
    sandboxMode(options),
    ...OUR_FLAGS.filter((flag) => !extra.includes(flag)),
    ...(model === undefined ? [] : ['-m', model]),
    ...chosen.flatMap((setting) => ['-c', setting]),
    ...extra,
    '-',
  ];
}

/** JSON's strings are TOML's, but for DEL, which TOML does not take as it is. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
