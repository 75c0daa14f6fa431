import { type Fields, isFields } from '../../../fields';
import { frame, wireUsage } from './wire-parts';

const EMPTY: Record<string, Fields> = {
  text: { type: 'text_delta', text: '' },
  thinking: { type: 'thinking_delta', thinking: '' },
  tool_use: { type: 'input_json_delta', partial_json: '' },
};

/** Clients fail on a message, or on the end of one, that has no counts. Some servers leave them out. */
function counted(holder: Fields): Fields {
  return isFields(holder.usage) ? holder : { ...holder, usage: wireUsage(undefined) };
}

/** A message as its client has to see it. */
export function named(message: Fields, model: string | undefined): Fields {
  return model === undefined ? counted(message) : { ...counted(message), model };
}

/** Later counts win, null says nothing. */
function told(first: Fields, later: unknown): Fields {
  const counts = Object.entries(isFields(later) ? later : {}).filter(([, count]) => count !== null);
  return { ...first, ...Object.fromEntries(counts) };
}

/** Passes the events of a backend of this wire on, and knows enough of them to end a stream that breaks. */
export class NativeStream {
  private open: { index: unknown; type: string } | undefined;
  private stopped = 0;
  private next = 0;
  /** The counts of the beginning. The end tells them where the client did not get it, and where it has none of its own. */
  private usage: Fields | undefined;
  private isUsageTold = true;

  /** `hasStarted`: the client got a beginning from us already. `name`: see `nameForClient`. */
  constructor(
    private hasStarted: boolean,
    private readonly name: string | undefined,
  ) {}

  frames(event: Fields): string {
    const { type } = event;
    if (typeof type !== 'string') return '';
    switch (type) {
      case 'message_start': {
        const { message } = event;
        if (isFields(message) && isFields(message.usage)) this.usage = message.usage;
        if (this.hasStarted) {
          this.isUsageTold = false;
          return '';
        }
        this.hasStarted = true;
        if (isFields(message)) return frame({ ...event, type, message: named(message, this.name) });
        break;
      }
      case 'content_block_start':
        this.open = { index: event.index, type: isFields(event.content_block) ? String(event.content_block.type) : '' };
        this.next = typeof event.index === 'number' ? event.index + 1 : this.next + 1;
        break;
      case 'content_block_stop':
        this.open = undefined;
        this.stopped += 1;
        break;
      case 'message_delta':
        if (!this.usage) return frame({ ...counted(event), type });
        if (!this.isUsageTold || !isFields(event.usage))
          return frame({ ...event, type, usage: told(this.usage, event.usage) });
        break;
      case 'error':
        // The driver fails with it, in words of its own.
        return '';
      default:
    }
    return frame({ ...event, type });
  }

  /** Undefined where no block is open that could be told of. */
  nudge(): string | undefined {
    const { open } = this;
    const delta = open && EMPTY[open.type];
    return delta && frame({ type: 'content_block_delta', index: open.index, delta });
  }

  /** As `breakOff` of AnswerBlocks. */
  breakOff(): string {
    const { open } = this;
    const isCall = open?.type.endsWith('tool_use') ?? false;
    if (open && !isCall) return this.stop(open.index);
    if (this.stopped > 0) return '';
    const start = { type: 'content_block_start', index: this.next, content_block: { type: 'text', text: '' } };
    return frame(start) + this.stop(this.next);
  }

  private stop(index: unknown): string {
    return frame({ type: 'content_block_stop', index });
  }
}
