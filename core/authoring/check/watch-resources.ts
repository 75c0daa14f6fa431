import { createHook } from 'node:async_hooks';

/** Words for the resources of Node that a driver must not use when it is loaded or made. */
const EARLY: Readonly<Record<string, string>> = {
  TCPWRAP: 'a connection',
  PIPECONNECTWRAP: 'a connection',
  UDPWRAP: 'a socket',
  TCPSERVERWRAP: 'a server',
  PIPESERVERWRAP: 'a server',
  PROCESSWRAP: 'a process',
  WORKER: 'a thread',
  FSEVENTWRAP: 'a file watcher',
  STATWATCHER: 'a file watcher',
  GETADDRINFOREQWRAP: 'a DNS look-up',
  QUERYWRAP: 'a DNS look-up',
};

/** Notes such resources from now on, in words. */
export function watchResources(): ReadonlySet<string> {
  const opened = new Set<string>();
  createHook({
    init: (_id, type) => {
      const found = EARLY[type];
      if (found !== undefined) opened.add(found);
    },
  }).enable();
  return opened;
}
