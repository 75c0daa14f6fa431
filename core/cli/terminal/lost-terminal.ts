import { isatty } from 'node:tty';

/**
 * Call it at the start. A Node program whose terminal was closed cannot give the terminal back at its end: it aborts, and the
 * system keeps the memory of a crash. Such a program ends by SIGHUP, as one without a listener does.
 */
export function endByHangup(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    if (terminals.every((descriptor) => isatty(descriptor))) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}
