import { messageOf } from '../../errors';
import type { Daemon } from '../../daemon/daemon';
import { EXIT } from '../exit-codes';

/** How long running answers have to send their error when everything ends. */
const LAST_WORDS_MS = 300;

/**
 * Runs a daemon until a signal, or a client, ends it; then ends the program. The first signal lets running answers
 * finish, the second ends at once.
 */
export function runDaemon(daemon: Daemon): Promise<never> {
  const { log, mode } = daemon.parts;
  let isEnding = false;
  const end = async (code: number) => {
    isEnding = true;
    log.info('ending: running answers have 10 s; a second signal ends at once');
    await daemon.close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Whoever closes a terminal does not mean the daemon.
      if (signal === 'SIGHUP' && mode === 'background') return;
      if (isEnding) process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.failure);
      void end(signal === 'SIGINT' ? EXIT.interrupted : EXIT.ok);
    });
  }
  void daemon.stopRequested.then(() => isEnding || end(EXIT.ok));
  survive(daemon);
  return new Promise<never>(() => undefined);
}

/**
 * A promise that a plug-in forgot must not end everybody's daemon. An exception leaves it in an unknown state: it ends,
 * and running answers are told so.
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
