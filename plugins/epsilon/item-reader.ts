import type { ChatEvent } from 'drivebay/plugin';
import { isFields, listOf, spelled, textOf, type Fields } from '../_shared/fields';
import { ToolCalls, type OpenCall } from '../_shared/http/tool-calls';

/** Reads the items of one answer. Of each item the deltas count, or else the whole item. */
export class ItemReader {
  private readonly calls = new ToolCalls();
  /** By the item's place in the answer. */
  private readonly open = new Map<unknown, OpenCall>();
  /** The items of which a delta has come. */
  private readonly said = new Set<unknown>();
  private hasFinished = false;

  get callCount(): number {
    return this.calls.count;
  }

  /** Whether nothing has come of any item. */
  private get isSilent(): boolean {
    return this.said.size === 0 && this.open.size === 0 && !this.hasFinished;
  }

  readDelta(piece: Fields, events: ChatEvent[]): void {
    const text = textOf(piece.delta);
    if (text === undefined) return;
    const place = piece.output_index;
    switch (piece.type) {
      case 'response.output_text.delta':
        this.said.add(place);
        events.push({ type: 'text', text });
        break;
      case 'response.refusal.delta':
        this.said.add(place);
        events.push({ type: 'extra', delta: { refusal: text } });
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.said.add(place);
        events.push({ type: 'reasoning', text });
        break;
      case 'response.function_call_arguments.delta': {
        const call = this.open.get(place);
        if (call) events.push(this.calls.add(call, text));
        break;
      }
      default:
    }
  }

  start(place: unknown, item: Fields, events: ChatEvent[]): void {
    if (!isCall(item) || this.open.has(place)) return;
    const call = this.calls.open(textOf(item.call_id));
    this.open.set(place, call);
    events.push({ type: 'tool_call', index: call.index, id: call.id, name: nameOf(item) });
  }

  /** The items of a complete answer. Some servers tell in pieces nothing of them, or nothing of what calls are made with. */
  finishAll(items: Fields[], events: ChatEvent[]): void {
    if (this.isSilent) items.forEach((item, index) => this.finish(index, item, events));
    else for (const item of items.filter(isCall)) this.fillIn(item, events);
  }

  finish(place: unknown, item: Fields, events: ChatEvent[]): void {
    this.hasFinished = true;
    if (isCall(item)) {
      this.start(place, item, events);
      const call = this.open.get(place)!;
      if (!call.hasArguments) events.push(this.calls.add(call, argumentsOf(item)));
    } else if (item.type === 'reasoning') {
      if (!this.said.has(place)) addReasoning(item, events);
      events.push({ type: 'reasoning_end' });
    } else if (item.type !== 'message') {
      // The vendor's own tools and the like: an answer, though no text.
      events.push({ type: 'extra', delta: { [spelled(item.type)]: item } });
    } else if (!this.said.has(place)) {
      addContent(item, events);
    }
  }

  private fillIn(item: Fields, events: ChatEvent[]): void {
    const call = [...this.open.values()].find(({ id }) => id === item.call_id);
    if (call && !call.hasArguments) events.push(this.calls.add(call, argumentsOf(item)));
  }

  /** Appends what the server has left open. */
  conclude(events: ChatEvent[]): void {
    events.push(...this.calls.complete());
  }
}

function isCall({ type }: Fields): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** As a request of other wires names the tools of a namespace. */
function nameOf({ namespace, name }: Fields): string {
  const own = textOf(name) ?? '';
  return textOf(namespace) === undefined ? own : `${spelled(namespace)}__${own}`;
}

/** The text of a custom tool is no JSON. */
function argumentsOf(item: Fields): string {
  if (item.type === 'custom_tool_call') return JSON.stringify({ input: textOf(item.input) ?? '' });
  return textOf(item.arguments) ?? '{}';
}

function addReasoning({ summary, content }: Fields, events: ChatEvent[]): void {
  const parts = [...listOf(summary), ...listOf(content)].filter(isFields);
  const text = parts.map((part) => textOf(part.text) ?? '').join('');
  if (text !== '') events.push({ type: 'reasoning', text });
}

function addContent({ content }: Fields, events: ChatEvent[]): void {
  for (const part of listOf(content).filter(isFields)) {
    const text = textOf(part.text);
    const refusal = textOf(part.refusal);
    if (text !== undefined) events.push({ type: 'text', text });
    else if (refusal !== undefined) events.push({ type: 'extra', delta: { refusal } });
  }
}
