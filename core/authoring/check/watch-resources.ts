import { createHook } from 'node:async_hooks';

/** Words for the resources of Node that a driver must not open early. Files are absent, because an import reads files. */
const WORDS: Record<string, string> = {
  TCPWRAP: 'a connection',
  PIPECONNECTWRAP: 'a connection',
  UDPWRAP: 'a socket',
  TCPSERVERWRAP: 'a server',
  PIPESERVERWRAP: 'a server',
  GETADDRINFOREQWRAP: 'a DNS look-up',
  QUERYWRAP: 'a DNS look-up',
  PROCESSWRAP: 'a process',
  WORKER: 'a thread',
  FSEVENTWRAP: 'a file watcher',
  STATWATCHER: 'a file watcher',
};

/** Records the resources that are opened until `stop`. */
export function watchResources(): { stop(): string[] } {
  const opened = new Set<string>();
  const hook = createHook({
    init: (_id, type) => {
      const words = WORDS[type];
      if (words !== undefined) opened.add(words);
    },
  }).enable();
  return {
    stop() {
      hook.disable();
      return [...opened];
    },
  };
}
