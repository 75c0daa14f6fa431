import type { ChatEvent, FinishReason } from 'drivebay/plugin';
import { isBlank, isFields, textOf, type Fields } from '../fields';
import { toFinishReason } from './finish-reason';
import { readContent } from './read-content';
import { ToolCalls } from './tool-calls';

/** Reads the pieces of one choice. The order of its events within a piece: unknown fields, reasoning, text, calls. */
export class ChoiceReader {
  /** The server's own word for how the choice ended. */
  endWord: string | undefined;
  private readonly calls = new ToolCalls();
  private hasContent = false;
  private hasDelta = false;

  constructor(readonly index: number) {}

  read(choice: Fields, events: ChatEvent[]): void {
    const { delta } = choice;
    let message: Fields | undefined;
    if (isFields(delta)) {
      message = delta;
      this.hasDelta = true;
    } else if (!this.hasDelta && isFields(choice.message)) {
      message = choice.message;
    }
    this.readUnknown(choice, message, events);
    if (message) this.readMessage(message, message === delta, events);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.endWord = choice.finish_reason;
  }

  /** Undefined when the server says that the choice failed. */
  finishReason(): FinishReason | undefined {
    return toFinishReason(this.endWord ?? 'stop', this.hasContent, this.calls.count > 0);
  }

  /** What is missing at the end, before the finish. */
  complete(events: ChatEvent[]): void {
    for (const event of this.calls.complete()) events.push(this.mark(event));
  }

  /** One pass over both objects; an ordinary piece allocates nothing here. */
  private readUnknown(choice: Fields, message: Fields | undefined, events: ChatEvent[]): void {
    let delta: Fields | undefined;
    let choiceFields: Fields | undefined;
    for (const name in choice) {
      if (name === 'index' || name === 'delta' || name === 'message' || name === 'finish_reason') continue;
      if (isBlank(choice[name]) || name === '__proto__') continue;
      (choiceFields ??= {})[name] = choice[name];
    }
    for (const name in message) {
      if (name === 'content' || name === 'role' || name === 'tool_calls' || name === 'reasoning_content') continue;
      const value = message[name];
      if (isBlank(value) || name === '__proto__' || (name === 'reasoning' && typeof value === 'string')) continue;
      (delta ??= {})[name] = value;
    }
    if (!delta && !choiceFields) return;
    events.push(this.mark({ type: 'extra', ...(delta && { delta }), ...(choiceFields && { choiceFields }) }));
  }

  private readMessage(message: Fields, isPiece: boolean, events: ChatEvent[]): void {
    const { content } = message;
    // Servers that send both names send the same text twice.
    const reasoning = textOf(message.reasoning_content) ?? textOf(message.reasoning);
    if (reasoning !== undefined) events.push(this.mark({ type: 'reasoning', text: reasoning }));
    if (typeof content === 'string') {
      if (content !== '') this.addText(content, events);
    } else if (Array.isArray(content)) {
      const parts = readContent(content);
      if (parts.reasoning !== '') events.push(this.mark({ type: 'reasoning', text: parts.reasoning }));
      if (parts.text !== '') this.addText(parts.text, events);
    }
    if (!Array.isArray(message.tool_calls)) return;
    for (const call of message.tool_calls.filter(isFields)) {
      events.push(this.mark(isPiece ? this.calls.readPiece(call) : this.calls.readWhole(call)));
    }
  }

  private addText(text: string, events: ChatEvent[]): void {
    this.hasContent = true;
    events.push(this.index === 0 ? { type: 'text', text } : { type: 'text', text, choice: this.index });
  }

  private mark<Event extends ChatEvent>(event: Event): Event {
    return this.index === 0 ? event : { ...event, choice: this.index };
  }
}
