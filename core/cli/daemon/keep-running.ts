import type { Logger } from '../../contract/api';
import type { Daemon } from '../../daemon/daemon';
import { messageOf } from '../../errors';
import { RepeatCounter } from '../../log/repeat-counter';
import { EXIT } from '../exit-codes';
import { handleStrays } from '../handle-strays';
import { GracefulEnd } from '../terminal/signals';

/** After an exception, running answers have this long to send their error. So has the last line of the log. */
const LAST_WORDS_MS = 300;
/** Running answers have 10 s, then programs and the last lines of records. The rest is left behind. */
const LONGEST_END_MS = 30_000;
/** The first clients of a start come before the cleaning. */
const TIDY_AFTER_MS = 100;

/** Keeps a daemon running until a signal or a client ends it, then ends the program. */
export function keepRunning(daemon: Daemon): Promise<never> {
  const { log } = daemon.parts;
  const end = new GracefulEnd(log, (exitCode) => {
    setTimeout(() => leaveBehind(log, exitCode), LONGEST_END_MS);
    void daemon.close().then(() => process.exit(exitCode));
  });
  end.onSignals({ reload: () => void daemon.live.reloadAndLog() });
  void daemon.stopRequested.then(() => end.begin(EXIT.ok));
  survive(daemon);
  return new Promise<never>(() => undefined);
}

/** `process.exit` runs what ends programs, and would wait for a disk that holds one of the threads: a signal does not. */
function leaveBehind(log: Logger, exitCode: number): void {
  const seconds = LONGEST_END_MS / 1000;
  log.warn(
    `something does not end within ${seconds} s, such as a disk or a plug-in that does not answer: ending without it`,
  );
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  setTimeout(() => process.exit(exitCode), LAST_WORDS_MS);
}

export function tidyUpSoon(daemon: Daemon): void {
  setTimeout(() => void daemon.tidyUp(), TIDY_AFTER_MS);
}

/**
 * An exception that a plug-in throws outside of any call ends nothing. An exception that came from our code, or passed
 * through it, may have left the daemon in a broken state, so the daemon ends, and running answers get an error.
 */
function survive({ parts: { log, redactor }, listeners }: Daemon): void {
  // A timer of a plug-in may throw the same many times a second.
  const counter = new RepeatCounter((line) => log.error(line));
  handleStrays({
    redact: (text) => redactor.redact(text),
    tell: ({ message }) => counter.add(message),
    rejected: (reason) => counter.add(`unhandled rejection: ${messageOf(reason)}`),
    broken: (error, failure) => {
      log.error(`unexpected error: ${failure?.message ?? messageOf(error)}; ending`);
      listeners.abortAll();
      setTimeout(() => process.exit(EXIT.failure), LAST_WORDS_MS);
    },
  });
}
