import { inspect } from 'node:util';

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

type Print = (...values: unknown[]) => unknown;

/**
 * Records the output of this process until `stop`, where `counts` holds at that moment. Does not record the output of its
 * children.
 */
export function captureOutput(counts: () => boolean = () => true): { lines: string[]; stop(): void } {
  const lines: string[] = [];
  const undo: (() => void)[] = [];

  function listen(target: object, method: string, passOn: boolean): void {
    const printers = target as Record<string, Print>;
    const print = printers[method] as Print;
    printers[method] = (...values) => {
      const isCounted = counts();
      if (isCounted) lines.push(values.map(toText).join(' '));
      return passOn || !isCounted ? print.apply(target, values) : undefined;
    };
    undo.push(() => (printers[method] = print));
  }

  // Passed on, because the test runner prints here too.
  for (const stream of [process.stdout, process.stderr]) listen(stream, 'write', true);
  // The console of a test runner may delay its output.
  for (const method of METHODS) listen(console, method, false);
  return { lines, stop: () => undo.forEach((restore) => restore()) };
}

function toText(value: unknown): string {
  if (ArrayBuffer.isView(value)) return Buffer.from(value as Uint8Array).toString('utf8');
  return typeof value === 'string' ? value : inspect(value, { depth: 10 });
}
