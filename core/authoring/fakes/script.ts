import type { Ability, ReceivedChat, RunningBackend, Situation } from './backend';

type Next = Situation | ((chat: ReceivedChat) => Situation);

/** The parts that differ between the kinds of backends. */
interface Parts extends Omit<RunningBackend, 'script' | 'received'> {
  /** Removes the program or the server. */
  vanish: () => void | Promise<void>;
}

/** What a wire cannot do: parts that it leaves out, and what it declares in `cannot`. */
export function cannotOf(wire: {
  vectors?: unknown;
  token?: string;
  cannot?: Partial<Record<Ability, string>>;
}): Partial<Record<Ability, string>> {
  return {
    ...(!wire.vectors && { embeddings: 'its wire has no `vectors`' }),
    ...(!wire.token && { token: 'its wire has no `token`' }),
    ...wire.cannot,
  };
}

/** The script of a backend, and the chats that reached it. */
export class Script {
  next: Next | undefined;
  private readonly chats: ReceivedChat[] = [];

  /** Records a chat and returns its situation. */
  situationFor(chat: ReceivedChat): Situation {
    this.chats.push(chat);
    const situation = typeof this.next === 'function' ? this.next(chat) : this.next;
    if (!situation) throw new Error('a chat arrived that no case expects');
    return situation;
  }

  /** The situation of every chat, if it does not depend on the chat. */
  get fixed(): Situation | undefined {
    return typeof this.next === 'object' ? this.next : undefined;
  }

  /** The situation of what the driver asks besides chats. */
  get ofProbes(): Situation | undefined {
    return this.fixed?.chatsOnly ? undefined : this.fixed;
  }

  run({ vanish, ...parts }: Parts): RunningBackend {
    return {
      ...parts,
      script: async (next) => {
        this.next = next;
        if (this.fixed?.type === 'absent') await vanish();
      },
      received: () => this.chats,
    };
  }
}
