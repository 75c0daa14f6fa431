import type { ChatEvent } from 'drivebay/plugin';
import { Paragraphs, usageOf } from '../_shared/cli/answer-parts';
import { failureOf, type Reading, type RunReader } from '../_shared/cli/cli-run';
import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { type Fields, fieldsOf, isFields, numberOf, textOf } from '../_shared/fields';
import { isHopeless, retryReason } from './retry-notice';

const NOTHING: Reading = { events: [] };
/** Items that are words. Every other kind is a tool. */
const WORDS = ['agent_message', 'reasoning', 'error'];

/**
 * Reads the events of one run, in the order in which they come. A message is passed on when the next thing happens: when the
 * CLI asks its backend again instead, the message belongs to an answer that broke off, and the next message replaces it.
 */
export class EventReader implements RunReader {
  hasActed = false;
  /** The last error that was no notice of a retry: the reason of a run that ends without saying more. */
  private lastError: string | undefined;
  private readonly begun = new Set<unknown>();
  private held = '';
  private isAskedAgain = false;
  private readonly text = new Paragraphs();
  private readonly reasoning = new Paragraphs('reasoning');

  /** `before`: what the program has counted in the session before, for it counts on. */
  constructor(
    private readonly usesProxy: boolean,
    private readonly before: Fields = {},
  ) {}

  read(value: unknown): Reading | undefined {
    if (!isFields(value)) return undefined;
    switch (value.type) {
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return isFields(value.item) ? this.readItem(value.item, value.type) : NOTHING;
      case 'error':
        return this.readError(textOf(value.message) ?? 'an error without a message');
      case 'turn.failed': {
        const text = textOf(fieldsOf(value.error).message) ?? this.lastError ?? 'the turn failed';
        return { events: [], outcome: failureOf(text) };
      }
      case 'turn.completed': {
        const usage = usageOf(sinceThen(fieldsOf(value.usage), this.before), COUNTS);
        return { events: this.release(), outcome: { type: 'answer', finish: 'stop', usage } };
      }
      default:
        return NOTHING;
    }
  }

  end(): FailureReport | undefined {
    return this.lastError === undefined ? undefined : { text: this.lastError };
  }

  private readItem(item: Fields, stage: string): Reading {
    const type = textOf(item.type) ?? 'unknown';
    if (!WORDS.includes(type)) {
      const events = this.release();
      // Some tools are only told of when they are done.
      if (!this.begun.has(item.id)) events.push(toActivity(type, item));
      this.begun.add(item.id);
      this.hasActed = true;
      return { events, item: { item: type, stage, ...factsOf(item) } };
    }
    if (stage !== 'item.completed') return NOTHING;
    if (type === 'error') return { events: [], item: { item: 'warning', message: textOf(item.message) ?? '' } };
    const text = textOf(item.text);
    if (text === undefined) return NOTHING;
    if (type === 'reasoning') {
      this.reasoning.end();
      return { events: this.reasoning.add(text) };
    }
    const events = this.isAskedAgain ? [] : this.release();
    this.isAskedAgain = false;
    this.held = text;
    return { events };
  }

  private readError(message: string): Reading {
    const reason = retryReason(message);
    if (reason === undefined) {
      this.lastError = message;
      return NOTHING;
    }
    this.isAskedAgain = true;
    const retry = { reason };
    if (!isHopeless(reason, this.usesProxy)) return { events: [], retry };
    return { events: [], retry, outcome: failureOf(reason) };
  }

  private release(): ChatEvent[] {
    this.isAskedAgain = false;
    this.text.end();
    const events = this.text.add(this.held);
    this.held = '';
    return events;
  }
}

function toActivity(tool: string, item: Fields): ChatEvent {
  return { type: 'activity', tool, detail: textOf(item.command) ?? textOf(item.query) ?? textOf(item.tool) };
}

/** What identifies a tool's work, without its output. */
function factsOf(item: Fields): Fields {
  const shown = ['command', 'status', 'exit_code', 'server', 'tool', 'query'].filter((name) => item[name] != null);
  return Object.fromEntries(shown.map((name) => [name, item[name]]));
}

function sinceThen(usage: Fields, before: Fields): Fields {
  const since = Object.entries(before).map(([name, count]) => [
    name,
    (numberOf(usage[name]) ?? NaN) - (numberOf(count) ?? NaN),
  ]);
  return { ...usage, ...(Object.fromEntries(since) as Fields) };
}

/** The input count includes the cached tokens. */
export const COUNTS = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cached_input_tokens',
  written: 'cache_write_input_tokens',
  reasoning: 'reasoning_output_tokens',
};
