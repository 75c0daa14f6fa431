import type { ReceivedChat, RunningBackend, Situation } from './backend';

/** The part that every kind of backend has: the script and the received chats. */
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

  /** Removes the program or the server. */
  protected abstract vanish(): Promise<void>;

  /** Records a chat and returns its situation. */
  protected situationFor(chat: ReceivedChat): Situation {
    this.chats.push(chat);
    const situation = typeof this.next === 'function' ? this.next(chat) : this.next;
    if (!situation) throw new Error('a chat arrived that no case expects');
    return situation;
  }
}
