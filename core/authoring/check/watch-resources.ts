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

interface Timer {
  hasRef?(): boolean;
  _destroyed?: boolean;
  /** Of an interval: its time. */
  _repeat?: number | null;
}

/** Notes the resources that have `words`, and the timers, that are opened until `stop` while `counts` holds. */
export function watchResources(words = EARLY, counts: () => boolean = () => true) {
  const opened = new Set<string>();
  const open = new Map<number, string>();
  const timers: Timer[] = [];
  const hook = createHook({
    init: (id, type, _trigger, resource) => {
      const found = words[type];
      if ((found === undefined && type !== 'Timeout') || !counts()) return;
      if (found === undefined) return void timers.push(resource);
      opened.add(found);
      open.set(id, found);
    },
    destroy: (id) => void open.delete(id),
  }).enable();
  return {
    opened,
    /** Those that are still open, in words. */
    open: () => [...open.values()],
    /** Those that have not ended. */
    timers: () => timers.filter(({ _destroyed }) => _destroyed !== true),
    stop: () => void hook.disable(),
  };
}
