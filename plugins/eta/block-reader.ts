import type { ChatEvent } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';

interface OpenCall {
  type: 'tool_use';
  index: number;
  hasArguments: boolean;
  /** Servers that do not stream arguments send them with the head of the call. */
  input: Fields;
}

type OpenBlock = OpenCall | { type: 'thought'; block: Fields };

export interface BlockSummary {
  hasText: boolean;
  callIds: string[];
  /** Thinking blocks exactly as they have to come back. */
  thoughts: Fields[];
}

/** Reads the content blocks of one answer. Blocks of the vendor's own tools are its own business, and left out. */
export class BlockReader {
  private readonly open = new Map<unknown, OpenBlock>();
  private readonly thoughts: Fields[] = [];
  private readonly callIds: string[] = [];
  private calls = 0;
  private hasText = false;

  readDelta(index: unknown, delta: Fields, events: ChatEvent[]): void {
    switch (delta.type) {
      case 'text_delta':
        this.addText(delta.text, events);
        break;
      case 'thinking_delta':
        this.addThinking(this.open.get(index), delta.thinking, events);
        break;
      case 'signature_delta':
        append(this.open.get(index), 'signature', delta.signature);
        break;
      case 'input_json_delta':
        this.addArguments(this.open.get(index), delta.partial_json, events);
        break;
      default:
    }
  }

  start(index: unknown, block: Fields, events: ChatEvent[]): void {
    switch (block.type) {
      case 'text':
        this.addText(block.text, events);
        break;
      case 'thinking':
      case 'redacted_thinking':
        this.open.set(index, this.openThought(block));
        if (textOf(block.thinking)) events.push({ type: 'reasoning', text: block.thinking as string });
        break;
      case 'tool_use':
        this.open.set(index, this.openCall(block, events));
        break;
      default:
    }
  }

  stop(index: unknown, events: ChatEvent[]): void {
    const block = this.open.get(index);
    this.open.delete(index);
    // Clients parse the arguments of every call.
    if (block?.type !== 'tool_use' || block.hasArguments) return;
    events.push({ type: 'tool_call', index: block.index, arguments: JSON.stringify(block.input) });
  }

  /** Closes what the server has left open, and tells what there was. */
  conclude(events: ChatEvent[]): BlockSummary {
    for (const index of [...this.open.keys()]) this.stop(index, events);
    return { hasText: this.hasText, callIds: this.callIds, thoughts: this.thoughts };
  }

  private openThought(block: Fields): OpenBlock {
    const copy = { ...block };
    this.thoughts.push(copy);
    return { type: 'thought', block: copy };
  }

  private openCall({ id, name, input }: Fields, events: ChatEvent[]): OpenBlock {
    const index = this.calls;
    this.calls += 1;
    const known = textOf(id);
    if (known !== undefined) this.callIds.push(known);
    events.push({ type: 'tool_call', index, ...(known !== undefined && { id: known }), name: textOf(name) ?? '' });
    return { type: 'tool_use', index, hasArguments: false, input: isFields(input) ? input : {} };
  }

  private addText(text: unknown, events: ChatEvent[]): void {
    if (typeof text !== 'string' || text === '') return;
    this.hasText = true;
    events.push({ type: 'text', text });
  }

  private addThinking(block: OpenBlock | undefined, text: unknown, events: ChatEvent[]): void {
    if (typeof text !== 'string' || text === '') return;
    append(block, 'thinking', text);
    events.push({ type: 'reasoning', text });
  }

  private addArguments(block: OpenBlock | undefined, piece: unknown, events: ChatEvent[]): void {
    if (block?.type !== 'tool_use' || typeof piece !== 'string' || piece === '') return;
    block.hasArguments = true;
    events.push({ type: 'tool_call', index: block.index, arguments: piece });
  }
}

function append(open: OpenBlock | undefined, name: string, piece: unknown): void {
  if (open?.type !== 'thought' || typeof piece !== 'string') return;
  open.block[name] = (textOf(open.block[name]) ?? '') + piece;
}
