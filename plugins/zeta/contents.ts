import type { ContentPart, Message, ToolCallPart, ToolResultPart } from 'drivebay/plugin';
import type { Content, Part } from '@google/genai';
import type { MakeError } from '../_shared/http/explain-error';
import { isContent, refuseForeignCalls, saidBy, toArguments } from '../_shared/http/message-parts';
import { NO_SIGNATURE, readSignature, toVendorId } from './call-marks';
import { toPart, toToolResult } from './content-part';

export interface Conversation {
  system: Part[];
  contents: Content[];
}

/**
 * `kept`: signatures as the client sent them. `filled`: the first call of a turn gets a stand-in where it has none.
 * `replaced`: every call's is the stand-in, because the vendor does not accept those that came.
 */
export type Signatures = 'kept' | 'filled' | 'replaced';

type Kind = 'user' | 'model' | 'results';

/** Translates a conversation: neighbours of one kind become one turn, all system messages one instruction. */
export class ConversationBuilder {
  private readonly system: Part[] = [];
  private readonly turns: { kind: Kind; parts: Part[]; orders: number[] }[] = [];
  /** The calls so far: a result names its call by id, to the vendor by the function's name. */
  private readonly calls = new Map<string, { name: string; order: number }>();
  private callCount = 0;

  constructor(
    private readonly signatures: Signatures,
    private readonly makeError: MakeError,
  ) {}

  build(messages: Message[]): Conversation {
    messages.forEach((message, index) => this.add(message, `messages[${index}]`));
    const contents = this.turns.map(({ kind, parts }) => ({ role: kind === 'model' ? 'model' : 'user', parts }));
    return { system: this.system, contents };
  }

  private add(message: Message, path: string): void {
    switch (message.role) {
      case 'system':
      case 'developer':
        this.system.push(...this.contentOf(message.parts.filter(isContent), path));
        return;
      case 'user':
        this.addTo('user', this.contentOf(message.parts.filter(isContent), path));
        return;
      case 'assistant':
        this.addModelTurn(message, path);
        return;
      case 'tool':
        for (const part of message.parts) if (part.type === 'tool_result') this.addResult(part, message.name, path);
    }
  }

  private addModelTurn(message: Message, path: string): void {
    refuseForeignCalls(message, path, this.makeError);
    const { parts } = message;
    const content = this.contentOf(saidBy(message), path);
    const last = content.at(-1);
    const signature = this.signatures === 'replaced' ? undefined : textSignature(message);
    if (last && signature !== undefined) last.thoughtSignature = signature;
    const calls = parts.filter((part) => part.type === 'tool_call').map((call) => this.toCall(call));
    // The vendor signs the first of parallel calls only, and asks for no more.
    if (calls[0] && this.signatures !== 'kept') calls[0].thoughtSignature ??= NO_SIGNATURE;
    this.addTo('model', [...content, ...calls]);
  }

  private toCall({ id, name, arguments: text, extra }: ToolCallPart): Part {
    this.calls.set(id, { name, order: this.callCount });
    this.callCount += 1;
    const thoughtSignature = this.signatures === 'replaced' ? undefined : readSignature(extra);
    return { functionCall: { name, args: toArguments(text), id: toVendorId(id) }, thoughtSignature };
  }

  /** Results of parallel calls stand in the order of the calls: without ids the vendor tells them apart by nothing else. */
  private addResult(result: ToolResultPart, ownName: string | undefined, path: string): void {
    const { callId } = result;
    const call = this.calls.get(callId);
    const name = call?.name ?? ownName;
    if (name === undefined) {
      const message = `there is a result of the tool call "${callId}", and no such call before it`;
      throw this.makeError('invalid_request', message, { param: `${path}.tool_call_id` });
    }
    const part = toToolResult(name, result, path, this.makeError);
    const turn = this.open('results');
    const order = call?.order ?? this.callCount;
    const position = turn.orders.filter((other) => other <= order).length;
    turn.orders.splice(position, 0, order);
    turn.parts.splice(position, 0, part);
  }

  /** A turn without parts is refused. */
  private addTo(kind: Kind, parts: Part[]): void {
    if (parts.length > 0) this.open(kind).parts.push(...parts);
  }

  private open(kind: Kind): { parts: Part[]; orders: number[] } {
    const last = this.turns.at(-1);
    if (last?.kind === kind) return last;
    const turn = { kind, parts: [], orders: [] };
    this.turns.push(turn);
    return turn;
  }

  private contentOf(parts: ContentPart[], path: string): Part[] {
    return parts.flatMap((part, index) => toPart(part, `${path}.content[${index}]`, this.makeError) ?? []);
  }
}

/** With the message, or from a client that knows reasoning only, with that. */
function textSignature({ parts, extra }: Message): string | undefined {
  const reasoning = parts.findLast((part) => part.type === 'reasoning' && readSignature(part.extra) !== undefined);
  return readSignature(extra) ?? (reasoning?.type === 'reasoning' ? readSignature(reasoning.extra) : undefined);
}
