import type { ChatEvent, ChatRequest, Warmth } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { messageOf } from '../errors';
import type { Used } from '../providers/caller';
import type { HttpError } from '../serving/http-error';
import type { CallContext, DialectCall } from './dialect';
import { noteOverhead, withIgnored } from './answer-headers';
import { type FurtherModel, modelsOfTools, takeFurtherModels } from './further-models';

/** What spells an answer in a wire. */
export interface AnswerForm {
  /** Fields of the request without effect, besides those that the driver names. Read for the head of the answer. */
  readonly ignored?: string[];
  /** The names of fields in this wire, by their names in chat completions, which drivers use. Absent: the same. */
  readonly fieldNames?: ReadonlyMap<string, string>;
  /** Called before the first event. The context also has what is known only later, such as the provider that is asked. */
  begin?(context: CallContext): void;
  /** An event without the fields of the backend's own, for a client that must not know which one it is. */
  veil(event: ChatEvent): ChatEvent;
}

/** A chat in any wire: asks the device. A subclass sends the answer, which `Form` spells. */
export abstract class ChatCall<Form extends AnswerForm> implements DialectCall {
  readonly isStream: boolean;
  /** Undefined once it runs: it may be large, and its answer long. */
  chat: ChatRequest | undefined;
  protected context!: CallContext;
  private ignored: Set<string> | undefined;
  private warm: Warmth | undefined;

  constructor(
    readonly model: string,
    chat: ChatRequest,
    protected readonly form: Form,
  ) {
    this.chat = chat;
    this.isStream = chat.stream;
  }

  async run(context: CallContext): Promise<Used> {
    this.context = context;
    const { device, caller, own } = context;
    this.begin();
    try {
      const emit = context.isVeiled ? (event: ChatEvent) => this.emit(this.form.veil(event)) : this.emit;
      const used = await device.chat(this.takeChat(), caller, emit);
      const sending = this.end();
      if (sending) {
        own.pause();
        await sending;
      }
      return used;
    } finally {
      this.stop();
    }
  }

  keepToModel(): FurtherModel[] {
    const { extra, origin, tools = [] } = this.chat!;
    for (const fields of origin ? [extra, origin.body] : [extra]) {
      for (const name of takeFurtherModels(fields)) this.noteIgnored(name);
    }
    return modelsOfTools(origin?.body ?? { ...extra, tools: tools.map(({ raw }) => raw) });
  }

  private takeChat(): ChatRequest {
    const chat = this.chat!;
    this.chat = undefined;
    if (this.context.model !== undefined) chat.model = this.context.model;
    return chat;
  }

  abstract fail(error: HttpError): void;

  /** Takes an event. A promise means that the client is slower than the driver. */
  protected abstract readonly emit: (event: ChatEvent) => Promise<void> | undefined;

  /** Ends a complete answer. A promise means that sending takes many turns of the event loop. */
  protected abstract end(): Promise<void> | undefined;

  protected begin(): void {
    this.form.begin?.(this.context);
  }

  /** Called when the call is over, however it ended. */
  protected stop(): void {}

  protected note({ ignored = [], warm }: Extract<ChatEvent, { type: 'meta' }>): void {
    const { fieldNames } = this.form;
    for (const name of ignored) this.noteIgnored(fieldNames?.get(name) ?? name);
    this.warm = warm ?? this.warm;
  }

  private noteIgnored(name: string): void {
    (this.ignored ??= new Set()).add(name);
  }

  /** For the head of the answer. */
  protected headers(): Record<string, string> {
    for (const name of this.form.ignored ?? []) this.noteIgnored(name);
    let { headers } = this.context;
    noteOverhead(headers, this.context.own);
    // Only programs are kept, so the header would tell the kind of the target of a route.
    if (this.warm && !this.context.isVeiled) headers = { ...headers, 'x-drivebay-warm': this.warm };
    return this.ignored ? withIgnored(headers, this.ignored) : headers;
  }
}

/** Fields that a driver passes on from its backend may be nested too deeply for JSON, or no data at all. */
export function noJson(error: unknown): DriverError {
  return new DriverError('protocol', `the answer cannot be written as JSON: ${messageOf(error)}`, { cause: error });
}
