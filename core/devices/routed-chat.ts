import type { ChatEvent, ChatRequest, Message } from '../contract/api';
import type { Used } from '../providers/caller';
import type { Emit } from '../providers/emit';
import type { Lack } from '../providers/find-lack';
import { beginsAnswer } from './answer-begins';
import type { DeviceCall, LlmDevice } from './device';
import type { Candidate, RoutedCall } from './routed-call';
import { withoutSignatures } from './without-signatures';

/**
 * The chat of a route. It holds the events of a target back until the answer begins, because another target may answer. An
 * answer in one piece is held back as a whole: the client gets nothing before its end.
 */
export class RoutedChat implements RoutedCall<Used> {
  hasBegun = false;
  private held: ChatEvent[] = [];
  private device: LlmDevice | undefined;
  private messages: readonly Message[];
  private tools: ChatRequest['tools'];

  constructor(
    /** Made to fit each target in turn: a copy for each costs more than all else that a route does. */
    private request: ChatRequest,
    private readonly caller: DeviceCall,
    private readonly emit: Emit,
  ) {
    this.messages = request.messages;
    this.tools = request.tools;
  }

  lackOf({ device, model }: Candidate): Lack | undefined {
    const { request } = this;
    const tools = this.toolsFor(device);
    return device.lackFor(request.tools === tools ? request : { ...request, tools }, model);
  }

  async ask(candidate: Candidate): Promise<Used> {
    const { device } = candidate;
    this.device = device;
    this.held = [];
    const result = await device.chat(this.fitTo(candidate), this.caller, this.take);
    if (this.held.length > 0) await this.release();
    return result;
  }

  private fitTo({ device, model }: Candidate): ChatRequest {
    const { request, caller, messages } = this;
    const tools = this.toolsFor(device);
    const isForeign = caller.workspace !== undefined && caller.previous !== device;
    if (request.model !== model) request.model = model;
    request.messages = isForeign ? withoutSignatures(messages) : [...messages];
    if (request.tools !== tools) request.tools = tools;
    return request;
  }

  /** The tools of an agent process are an offer. A program that acts by itself does without them. */
  private toolsFor({ driverKind }: LlmDevice): ChatRequest['tools'] {
    return this.caller.workspace !== undefined && driverKind === 'cli' ? undefined : this.tools;
  }

  private readonly take: Emit = (event) => {
    if (this.hasBegun && this.request.stream) return this.emit(event);
    if (event.type === 'activity') this.hasBegun = true;
    if (!this.request.stream) {
      this.held.push(event);
      return undefined;
    }
    const isAgent = this.caller.workspace !== undefined;
    const isThought = event.type === 'reasoning';
    if (event.type !== 'finish' && !isThought && !beginsAnswer(event, this.device!)) {
      this.held.push(event);
      return undefined;
    }
    // The thoughts of an agent are shown, and are no beginning. A client of the gateway has begun to read with them.
    this.hasBegun ||= !isThought || !isAgent || beginsAnswer(event, this.device!);
    if (this.hasBegun) this.forget();
    for (const before of this.held) void this.emit(before);
    this.held = [];
    return this.emit(event);
  };

  /** No other target will be asked. The request may be large, and its answer long. */
  private forget(): void {
    this.request = { stream: true, messages: [], extra: {} };
    this.messages = [];
    this.tools = undefined;
  }

  private async release(): Promise<void> {
    for (const event of this.held) {
      const wait = this.emit(event);
      if (wait) await wait;
    }
    this.held = [];
  }
}
