import type { ChatMessage } from '../../daemon/control/chat-protocol';
import type { ProjectInfo } from '../../daemon/control/protocol';

type Said = ChatMessage & { content: string };
type Known = Pick<ProjectInfo, 'providers' | 'defaultProvider'>;

/** A conversation with a model, which may change in the middle of it. */
export class Conversation {
  readonly messages: Said[] = [];

  /** Without a provider the default one answers, without a model the default one of the provider. */
  constructor(
    public provider: string | undefined,
    public model: string | undefined,
    public system: string | undefined,
  ) {}

  /** The messages for the next answer. */
  asking(text: string): Said[] {
    const system: Said[] = this.system ? [{ role: 'system', content: this.system }] : [];
    return [...system, ...this.messages, { role: 'user', content: text }];
  }

  /** Keeps the words of the model, also of an interrupted answer. A question without any answer leaves no trace. */
  keep(question: string, answer: string): void {
    if (answer === '') return;
    this.messages.push({ role: 'user', content: question }, { role: 'assistant', content: answer });
  }

  clear(): void {
    this.messages.length = 0;
  }

  /** Takes another model: the name of a provider, `<provider>:<model>`, or a model of the same provider. */
  choose(name: string, { providers }: Known): void {
    const [, before = '', after = ''] = /^([^:]*):(.*)$/s.exec(name) ?? [];
    const isProvider = (text: string) => providers.some((each) => each.name === text);
    if (isProvider(name)) [this.provider, this.model] = [name, undefined];
    else if (isProvider(before)) [this.provider, this.model] = [before, after || undefined];
    else this.model = name;
  }

  /** Provider and model as far as they are known before an answer. */
  describe({ providers, defaultProvider }: Known): string {
    const name = this.provider ?? defaultProvider ?? undefined;
    const model = this.model ?? providers.find((each) => each.name === name)?.model ?? undefined;
    return [name ?? 'the built-in provider', model].filter(Boolean).join(', ');
  }
}
