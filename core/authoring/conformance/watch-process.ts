import type { EventEmitter } from 'node:events';

const LISTEN = ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'] as const;
/** A listener of these changes when and how the process ends. */
const EVENTS = ['uncaughtException', 'unhandledRejection', 'SIGHUP', 'SIGINT', 'SIGTERM'];

/** Notes what is changed of the process until `stop`, while `counts` holds. Changes of other code go on as they were. */
export function watchProcess(counts: () => boolean): { changes: string[]; stop(): void } {
  const changes: string[] = [];
  const note = (change: string) => void (counts() && changes.push(change));
  const { env } = process;
  const chdir = process.chdir.bind(process);
  process.env = new Proxy(env, {
    set: (target, name, value: string) => {
      note(`sets the variable ${String(name)}`);
      return Reflect.set(target, name, value);
    },
    deleteProperty: (target, name) => {
      note(`removes the variable ${String(name)}`);
      return Reflect.deleteProperty(target, name);
    },
  });
  process.chdir = (folder) => {
    note('changes the working directory');
    chdir(folder);
  };
  const emitter: EventEmitter = process;
  const before = LISTEN.map((name) => [name, emitter[name].bind(emitter)] as const);
  for (const [name, listen] of before) {
    emitter[name] = (event, listener) => {
      if (EVENTS.includes(String(event))) note(`listens to ${String(event)}`);
      return listen(event, listener);
    };
  }
  return {
    changes,
    stop: () => {
      Object.assign(process, { env, chdir });
      for (const [name, listen] of before) emitter[name] = listen;
    },
  };
}
