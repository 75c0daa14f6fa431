import type { ChatEvent } from 'drivebay/plugin';
import { isFields, spelled, textOf, type Fields } from '../_shared/fields';
import { ToolCalls, type OpenCall } from '../_shared/http/tool-calls';

interface BlockSummary {
  hasText: boolean;
  callIds: string[];
  /** Thinking blocks exactly as they have to come back. */
  thoughts: Fields[];
}

/** Reads the content blocks of one answer. */
export class BlockReader {
  /** By the block's index. */
  private readonly openThoughts = new Map<unknown, Fields>();
  private readonly openCalls = new Map<unknown, OpenCall>();
  private readonly thoughts: Fields[] = [];
  private readonly calls = new ToolCalls();
  private readonly callIds: string[] = [];
  private hasText = false;

  readDelta(index: unknown, delta: Fields, events: ChatEvent[]): void {
    switch (delta.type) {
      case 'text_delta':
        this.addText(delta.text, events);
        break;
      case 'thinking_delta':
        this.append(index, 'thinking', delta.thinking);
        addThinking(delta.thinking, events);
        break;
      case 'signature_delta':
        this.append(index, 'signature', delta.signature);
        break;
      case 'input_json_delta':
        this.addArguments(this.openCalls.get(index), textOf(delta.partial_json), events);
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
      case 'redacted_thinking': {
        const copy = { ...block };
        this.thoughts.push(copy);
        this.openThoughts.set(index, copy);
        addThinking(block.thinking, events);
        break;
      }
      case 'tool_use':
        this.openCall(index, block, events);
        break;
      default:
        // The vendor's own tools and the like: an answer, though no text. By their places, so that they stay apart.
        events.push({ type: 'extra', delta: { [spelled(block.type)]: { [spelled(index)]: block } } });
    }
  }

  stop(index: unknown, events: ChatEvent[]): void {
    const thought = this.openThoughts.get(index);
    if (thought) this.endThought(index, thought, events);
    const call = this.openCalls.get(index);
    const rest = call && this.calls.close(call);
    if (rest) events.push(rest);
  }

  /** Appends what the server has left open, and tells what there was. */
  conclude(events: ChatEvent[]): BlockSummary {
    for (const [index, thought] of this.openThoughts) this.endThought(index, thought, events);
    events.push(...this.calls.complete());
    return { hasText: this.hasText, callIds: this.callIds, thoughts: this.thoughts };
  }

  private endThought(index: unknown, thought: Fields, events: ChatEvent[]): void {
    this.openThoughts.delete(index);
    events.push({ type: 'reasoning_end', extra: { thinking_blocks: [thought] } });
  }

  private openCall(blockIndex: unknown, { id, name, input }: Fields, events: ChatEvent[]): void {
    // Servers that do not stream arguments send them with the head of the call.
    const call = this.calls.open(textOf(id), isFields(input) ? JSON.stringify(input) : undefined);
    this.openCalls.set(blockIndex, call);
    this.callIds.push(call.id);
    events.push({ type: 'tool_call', index: call.index, id: call.id, name: textOf(name) ?? '' });
  }

  private addText(text: unknown, events: ChatEvent[]): void {
    if (typeof text !== 'string' || text === '') return;
    this.hasText = true;
    events.push({ type: 'text', text });
  }

  private addArguments(call: OpenCall | undefined, piece: string | undefined, events: ChatEvent[]): void {
    if (call && piece !== undefined) events.push(this.calls.add(call, piece));
  }

  private append(index: unknown, name: string, piece: unknown): void {
    const block = this.openThoughts.get(index);
    if (block && typeof piece === 'string') block[name] = (textOf(block[name]) ?? '') + piece;
  }
}

function addThinking(text: unknown, events: ChatEvent[]): void {
  if (typeof text === 'string' && text !== '') events.push({ type: 'reasoning', text });
}
