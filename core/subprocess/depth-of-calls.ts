/** The depth of the asker by the signal of its call. Only calls of agents are in it. */
const depths = new WeakMap<AbortSignal, number>();

export function noteDepth(signal: AbortSignal, depth: number): void {
  depths.set(signal, depth);
}

/** The depth of a program that a call starts. Without a signal the program is the driver's own. */
export function depthFor(signal: AbortSignal | undefined): number {
  return ((signal && depths.get(signal)) ?? 0) + 1;
}
