import { createHook } from 'node:async_hooks';

/** Words for the resources of Node that stay open until they are closed. Files are no such resources. */
export const RESOURCES: Readonly<Record<string, string>> = {
  TCPWRAP: 'a connection',
  PIPECONNECTWRAP: 'a connection',
  UDPWRAP: 'a socket',
  TCPSERVERWRAP: 'a server',
  PIPESERVERWRAP: 'a server',
  PROCESSWRAP: 'a process',
  WORKER: 'a thread',
  FSEVENTWRAP: 'a file watcher',
  STATWATCHER: 'a file watcher',
};

/** And those that a driver must not use when it is loaded or made. */
const EARLY: Readonly<Record<string, string>> = {
  ...RESOURCES,
  GETADDRINFOREQWRAP: 'a DNS look-up',
  QUERYWRAP: 'a DNS look-up',
};

/** Files, by asynchronous functions. Node tells of no others. */
export const FILES: Readonly<Record<string, string>> = { FSREQCALLBACK: 'a file', FSREQPROMISE: 'a file' };

/** Records the resources that are opened until `stop`, while `counts` holds. */
export function watchResources(words = EARLY, counts: () => boolean = () => true): { stop(): string[] } {
  const opened = new Set<string>();
  const hook = createHook({
    init: (_id, type) => {
      const found = words[type];
      if (found !== undefined && counts()) opened.add(found);
    },
  }).enable();
  return {
    stop() {
      hook.disable();
      return [...opened];
    },
  };
}
