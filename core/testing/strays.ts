import { setImmediate as nextTurn } from 'node:timers/promises';

/** Collects the rejections that nobody handles, until `stop`. */
export function collectStrays(): { found(): Promise<unknown[]>; stop(): void } {
  const strays: unknown[] = [];
  const note = (reason: unknown) => void strays.push(reason);
  process.on('unhandledRejection', note);
  return {
    async found() {
      // They are reported after the turn that they happen in.
      await nextTurn();
      return strays;
    },
    stop: () => void process.off('unhandledRejection', note),
  };
}
