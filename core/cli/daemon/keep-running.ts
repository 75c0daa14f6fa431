import type { Daemon } from '../../daemon/daemon';
import { messageOf } from '../../errors';
import { EXIT } from '../exit-codes';
import { GracefulEnd } from '../terminal/signals';

/** After an exception, running answers have this long to send their error. */
const LAST_WORDS_MS = 300;
/** The first clients of a start come before the cleaning. */
const TIDY_AFTER_MS = 100;

/** Keeps a daemon running until a signal or a client ends it, then ends the program. */
export function keepRunning(daemon: Daemon): Promise<never> {
  const { log, mode } = daemon.parts;
  const end = new GracefulEnd(log, (exitCode) => void daemon.close().then(() => process.exit(exitCode)));
  end.onSignals({ ignoreHangUp: mode === 'background' });
  void daemon.stopRequested.then(() => end.begin(EXIT.ok));
  survive(daemon);
  return new Promise<never>(() => undefined);
}

export function tidyUpSoon(daemon: Daemon): void {
  setTimeout(() => void daemon.tidyUp(), TIDY_AFTER_MS);
}

/**
 * An unhandled rejection in a plug-in must not end a daemon that others use. An exception leaves the daemon in an unknown
 * state, so the daemon ends, and running answers get an error.
 */
function survive({ parts: { log }, projects, listeners }: Daemon): void {
  const describe = async (thrown: unknown) => {
    const stack = typeof thrown === 'object' && thrown !== null && 'stack' in thrown ? String(thrown.stack) : '';
    const plugins = (await projects.list()).flatMap(({ project }) => project.plugins.list());
    const owner = plugins.find(({ codeDirectory }) => stack.includes(codeDirectory));
    return `${owner ? ` in plug-in "${owner.driver}" (${owner.directory})` : ''}: ${messageOf(thrown)}`;
  };
  process.on('unhandledRejection', (reason) => {
    void describe(reason).then((text) => log.error(`unhandled rejection${text}`));
  });
  process.on('uncaughtException', (error: unknown) => {
    void describe(error).then((text) => log.error(`unexpected error${text}; ending`));
    listeners.abortAll();
    setTimeout(() => process.exit(EXIT.failure), LAST_WORDS_MS);
  });
}
