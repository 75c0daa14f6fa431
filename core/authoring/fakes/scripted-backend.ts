import type { ReceivedChat, RunningBackend, Situation } from './backend';

/** The script of a backend, and the chats that reached it: the part that every kind of backend has. */
export abstract class ScriptedBackend implements RunningBackend {
  abstract readonly options: Record<string, unknown>;
  protected next: Situation | ((chat: ReceivedChat) => Situation) | undefined;
  private readonly chats: ReceivedChat[] = [];

  async script(next: Situation | ((chat: ReceivedChat) => Situation)): Promise<void> {
    this.next = next;
    if (typeof next === 'object' && next.type === 'absent') await this.vanish();
  }

  received(): ReceivedChat[] {
    return this.chats;
  }

  abstract atWork(): string[];
  abstract open(): string[];
  abstract close(): Promise<void>;

  /** Takes the program or the server away. */
  protected abstract vanish(): Promise<void>;

  /** Notes a chat, and tells what it gets. */
  protected situationFor(chat: ReceivedChat): Situation {
    this.chats.push(chat);
    const situation = typeof this.next === 'function' ? this.next(chat) : this.next;
    if (!situation) throw new Error('a chat arrived that no case has asked for');
    return situation;
  }
}
