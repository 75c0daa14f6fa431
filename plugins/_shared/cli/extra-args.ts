/** Flags that work against what a driver passes itself, and what each of them does. `-c KEY` is a setting. */
export type Clashes = readonly (readonly [flags: readonly string[], effect: string])[];

/** Whether an argument is one of the flags, with or without its value: `--model=x` is `--model`, `-mx` is `-m`. */
export function matchesFlag(argument: string, flags: readonly string[]): boolean {
  return flags.some((flag) =>
    flag.startsWith('--')
      ? argument === flag || argument.startsWith(`${flag}=`)
      : argument.startsWith(flag) && !argument.startsWith('--'),
  );
}

/** One sentence for each argument of the user that clashes. It is passed on all the same. */
export function explainClashes(extraArgs: readonly string[], clashes: Clashes): string[] {
  return extraArgs.flatMap((argument) => {
    const [, effect] = clashes.find(([flags]) => matchesFlag(argument, flags)) ?? [];
    return effect === undefined ? [] : [`extra_args: ${argument} ${effect}`];
  });
}
