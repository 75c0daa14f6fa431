import { AnswerFold } from '../contract/answer-fold';
import type { ChatEvent, ChatRequest, ContentPart, Message, Part } from '../contract/api';
import type { Redactor } from '../contract/redact';
import type { SpanFacts } from '../contract/work-span';
import { defined } from '../fields';

/** In characters: of one text, and of one attribute about. A trace is no place for megabytes. */
const TEXT_LIMIT = 8_192;
const LIMIT = 32_768;
const PART_SIZE = 64;
/** A key that the cut goes through has to be whole when it is looked for. */
const LONGEST_KEY = 8_192;

type Form = Record<string, unknown>;

/**
 * Prompt and answer of a chat, or arguments and result of a tool call, as the GenAI conventions of OpenTelemetry write them into
 * a span: as JSON, without the bytes of images and files, cut, and without the keys that are known.
 */
export class CallContent {
  /** By choice. */
  private readonly answers = new Map<number, AnswerFold>();
  private left = LIMIT;
  private isCut = false;
  private taken = 0;

  constructor(private readonly redactor: Pick<Redactor, 'redact' | 'redactData'>) {}

  /** Of a long conversation the last messages stay. */
  asked({ messages, origin }: ChatRequest): SpanFacts {
    this.left = LIMIT;
    // Where the API has a place of its own for instructions, they are no part of the conversation.
    const isSystem = ({ role }: Message) => role === 'system' || role === 'developer';
    const begins = origin ? [...messages, undefined].findIndex((each) => !each || !isSystem(each)) : 0;
    const system = messages.slice(0, begins).flatMap(({ parts }) => this.parts(parts));
    const input = messages
      .slice(begins)
      .toReversed()
      .map((message) => this.message(message))
      .filter((message) => message !== undefined)
      .toReversed();
    return {
      'gen_ai.system_instructions': system.length > 0 ? JSON.stringify(system) : undefined,
      'gen_ai.input.messages': JSON.stringify(input),
      ...this.cut(),
    };
  }

  /** Takes a piece of the answer. */
  take(event: ChatEvent): void {
    const choice = ('choice' in event && event.choice) || 0;
    if (event.type === 'text' || event.type === 'reasoning') this.taken += event.text.length;
    else if (event.type === 'tool_call') this.taken += event.arguments?.length ?? 0;
    else if (event.type !== 'finish') return;
    // More than is kept, so that a key on the border is whole.
    if (this.taken > LIMIT + LONGEST_KEY && event.type !== 'finish') {
      this.isCut = true;
      return;
    }
    let answer = this.answers.get(choice);
    if (!answer) this.answers.set(choice, (answer = new AnswerFold()));
    answer.add(event);
  }

  said(): SpanFacts {
    this.left = LIMIT;
    const output = [...this.answers.values()].map((answer) => {
      const calls = answer.toolCalls((index) => `call_${index}`);
      const parts: Part[] = [
        ...(answer.reasoning ? [{ type: 'reasoning' as const, text: answer.reasoning }] : []),
        ...(answer.text ? [{ type: 'text' as const, text: answer.text }] : []),
        ...calls,
      ];
      const finish = answer.finish === 'tool_calls' ? 'tool_call' : (answer.finish ?? 'error');
      return { role: 'assistant', parts: this.parts(parts), finish_reason: finish };
    });
    return output.length > 0 ? { 'gen_ai.output.messages': JSON.stringify(output), ...this.cut() } : {};
  }

  /** The arguments of a tool call, as its model wrote them. */
  called(text: string): SpanFacts {
    return this.toolFact('gen_ai.tool.call.arguments', () => this.json(text));
  }

  /** What a tool call gave to its model. */
  returned(content: readonly ContentPart[]): SpanFacts {
    return this.toolFact('gen_ai.tool.call.result', () => this.response(content));
  }

  private toolFact(name: string, make: () => unknown): SpanFacts {
    this.left = LIMIT;
    const value = make();
    return { [name]: typeof value === 'string' ? value : JSON.stringify(value), ...this.cut() };
  }

  private cut(): SpanFacts {
    return { 'drivebay.content_cut': this.isCut || undefined };
  }

  private message({ role, name, parts }: Message): Form | undefined {
    const kept = this.parts(parts);
    if (kept.length === 0 && parts.length > 0) return undefined;
    return defined({ role, name: name && this.text(name), parts: kept });
  }

  private parts(parts: readonly Part[]): Form[] {
    const kept: Form[] = [];
    for (const part of parts) {
      this.left -= PART_SIZE;
      if (this.left > 0) kept.push(this.part(part));
      else this.isCut = true;
    }
    return kept;
  }

  private part(part: Part): Form {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return { type: part.type, content: this.text(part.text) };
      case 'tool_call':
        return {
          type: 'tool_call',
          id: this.text(part.id),
          name: this.text(part.name),
          arguments: this.json(part.arguments),
        };
      case 'tool_result':
        return { type: 'tool_call_response', id: this.text(part.callId), response: this.response(part.content) };
      default:
        return this.medium(part);
    }
  }

  private response(content: readonly ContentPart[]): unknown {
    const [first] = content;
    return content.length === 1 && first?.type === 'text' ? this.text(first.text) : this.parts(content);
  }

  /** What it is, and not its bytes. */
  private medium(part: Exclude<ContentPart, { type: 'text' }>): Form {
    switch (part.type) {
      case 'image': {
        const [, mime_type] = /^data:([^;,]{1,80})/.exec(part.url) ?? [];
        if (mime_type !== undefined) return { type: 'image', mime_type, characters: part.url.length };
        return { type: 'uri', modality: 'image', uri: this.text(part.url) };
      }
      case 'audio':
        return { type: 'audio', format: this.text(part.format), characters: part.data.length };
      case 'file':
        if (part.id !== undefined) return { type: 'file', modality: 'document', file_id: this.text(part.id) };
        return defined({
          type: 'document',
          filename: part.filename && this.text(part.filename),
          characters: part.data?.length,
        });
      default:
        return { type: 'other' };
    }
  }

  /** The arguments of a tool, as data where all of them fit. */
  private json(text: string): unknown {
    if (text.length > Math.min(TEXT_LIMIT, this.left)) return this.text(text);
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return this.text(text);
    }
    this.left -= text.length;
    // Only now: a key with escapes in it is whole in the data alone.
    return this.redactor.redactData(data);
  }

  private text(text: string): string {
    const most = Math.max(0, Math.min(TEXT_LIMIT, this.left));
    const known = this.redactor.redact(text.slice(0, most + LONGEST_KEY));
    const kept = known.slice(0, most);
    if (kept.length < known.length || text.length > most + LONGEST_KEY) this.isCut = true;
    this.left -= kept.length;
    return kept;
  }
}
