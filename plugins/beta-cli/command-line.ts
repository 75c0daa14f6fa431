export interface RunKind {
  model: string | undefined;
  /** Whether the run may use tools; without, it is a chat. */
  hasTools: boolean;
}

/** The arguments of a run. The prompt is not among them: the CLI reads it from its standard input. */
export function commandLine({ model, hasTools }: RunKind): string[] {
  return [
    ...['--print', '--output-format', 'stream-json', '--stream-partial-output'],
    // Without it, every folder in which nobody has answered its question refuses to work. It grants no tool anything.
    '--trust',
    // Nobody is there to say yes. The tools have no switch: `ask` leaves those that read, and the folder is empty.
    ...(hasTools ? ['--force', '--approve-mcps'] : ['--mode', 'ask']),
    ...(model === undefined ? [] : ['--model', model]),
  ];
}
