/** Whether an argument is one of the flags, with or without its value: `--model=x` is `--model`, `-mx` is `-m`. */
export function matchesFlag(argument: string, flags: readonly string[]): boolean {
  return flags.some((flag) =>
    flag.startsWith('--')
      ? argument === flag || argument.startsWith(`${flag}=`)
      : argument.startsWith(flag) && !argument.startsWith('--'),
  );
}
