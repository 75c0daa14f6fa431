import type { ReceivedChat, RunningBackend, Situation } from '../fakes/backend';

type Next = Parameters<RunningBackend['script']>[0];

/** The backend of a case: without what was asked of it before the case began. */
export class StagedBackend implements RunningBackend {
  private next: Next | undefined;
  private earlier = 0;

  constructor(private readonly running: RunningBackend) {}

  get options(): Record<string, unknown> {
    return this.running.options;
  }

  get token(): string | undefined {
    return this.running.token;
  }

  /** Whether it is missing. */
  get isAbsent(): boolean {
    return typeof this.next === 'object' && this.next.type === 'absent';
  }

  script(next: Next): Promise<void> {
    this.next = next;
    return this.running.script(next);
  }

  /** Plays the situation until the work is done. Chats of the work are not among those that it has received. */
  async aside(situation: Situation, work: () => Promise<void>): Promise<void> {
    await this.running.script(situation);
    await work();
    this.earlier = this.running.received().length;
    if (this.next) await this.running.script(this.next);
  }

  received(): ReceivedChat[] {
    return this.running.received().slice(this.earlier);
  }

  atWork(): string[] {
    return this.running.atWork();
  }

  open(): string[] {
    return this.running.open();
  }

  waitsFor(): string | undefined {
    return this.running.waitsFor?.();
  }

  close(): Promise<void> {
    return this.running.close();
  }
}
