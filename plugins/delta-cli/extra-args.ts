import { matchesFlag } from '../_shared/cli/matches-flag';
import type { Options } from './options';

interface Clash {
  matches: (argument: string, next: string | undefined) => boolean;
  warning: string;
}

const flag =
  (...names: string[]) =>
  (argument: string) =>
    matchesFlag(argument, names);

const setting = (key: string) => (argument: string, next: string | undefined) => {
  const [, inline] = /^(?:-c=?|--config=)(.+)/.exec(argument) ?? [];
  const value = inline ?? (argument === '-c' || argument === '--config' ? next : undefined);
  return value?.trimStart().startsWith(key) === true;
};

const CLASHES: Clash[] = [
  {
    matches: flag('--yolo', '--dangerously-bypass-approvals-and-sandbox'),
    warning: 'wins over sandbox_mode without a word: the model’s commands run without any sandbox',
  },
  {
    matches: flag('--sandbox', '-s'),
    warning: 'makes every call fail, --sandbox is given once only: set sandbox_mode',
  },
  { matches: flag('--approve-for-me'), warning: 'makes every call fail beside --sandbox: set sandbox_mode' },
  { matches: flag('--full-auto'), warning: 'is gone from newer versions of the CLI: set sandbox_mode' },
  { matches: setting('sandbox_mode'), warning: 'has no effect beside --sandbox: set sandbox_mode of the provider' },
  {
    matches: flag('--model', '-m'),
    warning: 'makes calls that name a model fail, -m is given once only: set default_model',
  },
  {
    matches: setting('model_reasoning_effort'),
    warning: 'wins over the effort of every request: set reasoning_effort of the provider',
  },
  { matches: flag('--help', '-h', '--version', '-V'), warning: 'ends every call without an answer: remove it' },
  { matches: (argument) => argument === '-' || argument === '--', warning: 'takes the place of the prompt: remove it' },
];

/** One sentence for each argument that works against what the driver itself passes. */
export function explainClashes({ extra_args: extra }: Options): string[] {
  return extra.flatMap((argument, index) => {
    const clash = CLASHES.find(({ matches }) => matches(argument, extra[index + 1]));
    if (!clash) return [];
    const shown = argument === '-c' || argument === '--config' ? `${argument} ${extra[index + 1]}` : argument;
    return [`extra_args: ${shown} ${clash.warning}`];
  });
}
