import type { ChatEvent } from 'drivebay/plugin';
import { countOf, type Fields, isFields, textOf } from '../_shared/fields';
import { retryReason } from './retry-notice';

/** What a line says besides the events of the answer. */
export interface Reading {
  events: ChatEvent[];
  /** The reason of a notice that the CLI tries again. */
  retry?: string;
  /** Something to look at beside the answer: a warning, or a tool at work. */
  note?: Fields;
}

/** Items that are words; every other kind is a tool. */
const WORDS = new Set(['agent_message', 'reasoning', 'error']);

/**
 * Reads the events of one run, in the order in which they come. A message is passed on when the next thing happens: when the
 * CLI asks its backend again instead, the message belongs to an answer that broke off and that the next one replaces.
 */
export class EventReader {
  /** Whether the turn is complete. */
  isComplete = false;
  /** Why the turn failed, when it did. */
  failure: string | undefined;
  /** The last error that was no notice of a retry: the reason of a run that ends without saying more. */
  lastError: string | undefined;
  /** Whether a tool has been at work. */
  hasActed = false;
  private readonly begun = new Set<unknown>();
  private held: string | undefined;
  private isAskedAgain = false;
  private hasText = false;
  private hasReasoning = false;

  read(value: unknown): Reading {
    if (!isFields(value)) return { events: [] };
    switch (value.type) {
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return isFields(value.item) ? this.readItem(value.item, value.type) : { events: [] };
      case 'error':
        return this.readError(textOf(value.message) ?? 'an error without a message');
      case 'turn.failed':
        this.failure = (isFields(value.error) && textOf(value.error.message)) || this.lastError || 'the turn failed';
        return { events: [] };
      case 'turn.completed':
        this.isComplete = true;
        return { events: [...this.release(), ...readUsage(value.usage), { type: 'finish', reason: 'stop' }] };
      default:
        return { events: [] };
    }
  }

  private readItem(item: Fields, stage: string): Reading {
    const type = textOf(item.type) ?? 'unknown';
    if (!WORDS.has(type)) {
      const events = this.release();
      if (!this.hasBegun(item)) events.push(toActivity(type, item));
      this.hasActed = true;
      return { events, note: { item: type, stage, ...noteOf(item) } };
    }
    if (stage !== 'item.completed') return { events: [] };
    if (type === 'error') return { events: [], note: { item: 'warning', message: textOf(item.message) ?? '' } };
    const text = textOf(item.text);
    if (text === undefined) return { events: [] };
    if (type === 'reasoning') {
      const separated = this.hasReasoning ? `\n\n${text}` : text;
      this.hasReasoning = true;
      return { events: [{ type: 'reasoning', text: separated }] };
    }
    const events = this.isAskedAgain ? [] : this.release();
    this.isAskedAgain = false;
    this.held = text;
    return { events };
  }

  /** Some tools are only told of when they are done. */
  private hasBegun({ id }: Fields): boolean {
    const isKnown = this.begun.has(id);
    this.begun.add(id);
    return isKnown;
  }

  private readError(message: string): Reading {
    const retry = retryReason(message);
    if (retry === undefined) {
      this.lastError = message;
      return { events: [] };
    }
    this.isAskedAgain = true;
    return { events: [], retry };
  }

  private release(): ChatEvent[] {
    const { held } = this;
    this.isAskedAgain = false;
    if (held === undefined) return [];
    const text = this.hasText ? `\n\n${held}` : held;
    this.held = undefined;
    this.hasText = true;
    return [{ type: 'text', text }];
  }
}

function toActivity(tool: string, item: Fields): ChatEvent {
  const detail = textOf(item.command) ?? textOf(item.query) ?? textOf(item.tool);
  return { type: 'activity', tool, ...(detail !== undefined && { detail }) };
}

/** What identifies a tool's work, without its output. */
function noteOf(item: Fields): Fields {
  const shown = ['command', 'status', 'exit_code', 'server', 'tool', 'query'].filter((name) => item[name] != null);
  return Object.fromEntries(shown.map((name) => [name, item[name]]));
}

/** The CLI's input count includes the cached tokens. */
function readUsage(usage: unknown): ChatEvent[] {
  if (!isFields(usage)) return [];
  const inputTokens = countOf(usage.input_tokens);
  const outputTokens = countOf(usage.output_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return [];
  const cached = countOf(usage.cached_input_tokens);
  const written = countOf(usage.cache_write_input_tokens);
  const reasoning = countOf(usage.reasoning_output_tokens);
  return [
    {
      type: 'usage',
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      ...(cached !== undefined && { cachedInputTokens: cached }),
      ...(written !== undefined && { cacheWriteInputTokens: written }),
      ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    },
  ];
}
