import { matchesFlag } from '../_shared/cli/matches-flag';
import type { Options } from './options';

const CLASHES: [flags: string[], warning: string][] = [
  [
    ['--output-format', '-o'],
    'takes the place of stream-json: answers come late, long ones are cut, "text" never works',
  ],
  [['--model', '-m'], 'wins over the model of every request: set default_model of the provider'],
  [['--prompt', '-p'], 'is added to the prompt of every request'],
  [['--prompt-interactive', '-i'], 'starts a session that needs a terminal: remove it'],
  [['--input-format'], 'makes the CLI take the prompt for something else: remove it'],
  [['--acp', '--experimental-acp'], 'makes the CLI speak another protocol: remove it'],
  [['--resume', '-r', '--continue', '-c', '--session-id'], 'mixes the conversations of all requests: remove it'],
];

/** One sentence for each argument that works against what the driver itself passes. */
export function explainClashes({ extra_args: extra }: Options): string[] {
  return extra.flatMap((argument) => {
    const [, warning] = CLASHES.find(([flags]) => matchesFlag(argument, flags)) ?? [];
    return warning === undefined ? [] : [`extra_args: ${argument} ${warning}`];
  });
}
