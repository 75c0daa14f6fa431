import type { EventStream } from '../record/event-stream';
import { demandKey } from './project/demand-key';
import type { Listener, ListenerOptions } from './listener';
import type { OpenedProject } from './project/opened-project';

/** The listeners of a daemon. */
export class Listeners {
  private readonly open = new Map<number, Listener>();

  constructor(private readonly stream: EventStream) {}

  /** Rejects with Node's own error, for example EADDRINUSE, and with a UsageError where the project demands a key. */
  async add(opened: OpenedProject, options: ListenerOptions): Promise<Listener> {
    if (!options.access.keyDigest) demandKey(opened.project);
    // The gateway and all it needs is loaded with the first one, which a daemon may do without.
    const { Listener: Opened } = require('./listener') as typeof import('./listener');
    const listener = new Opened(opened, options);
    await listener.listen();
    this.open.set(listener.port, listener);
    this.tell();
    return listener;
  }

  find(port: number): Listener | undefined {
    return this.open.get(port);
  }

  list(): Listener[] {
    return [...this.open.values()].sort((a, b) => a.port - b.port);
  }

  /** Resolves when the running requests of a listener are answered. */
  async close(listener: Listener): Promise<void> {
    await listener.drain();
    if (this.open.get(listener.port) === listener) this.open.delete(listener.port);
    this.tell();
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.list().map((listener) => this.close(listener)));
  }

  abortAll(): void {
    for (const listener of this.list()) listener.abort();
  }

  private tell(): void {
    this.stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'listeners' } });
  }
}
