import type { ChatEvent } from 'drivebay/plugin';
import { Paragraphs, usageOf } from '../_shared/cli/answer-parts';
import type { Reading, RunReader } from '../_shared/cli/cli-run';
import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { countOf, fieldsOf, isFields, listOf, spelled, textOf, type Fields } from '../_shared/fields';
import { COUNTS as RUN_COUNTS, EventReader } from './event-reader';
import { StreamedText } from './streamed-text';

interface ThreadReaderOptions {
  usesProxy: boolean;
  /** Whether the text is passed on while it is written. Otherwise each message is, when the next thing happens. */
  isStreamed: boolean;
  /** The counts of the thread before this turn. */
  before: Fields;
}

const NOTHING: Reading = { events: [] };
const COUNTS = ['inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens', 'outputTokens', 'reasoningOutputTokens'];
/** Items that say nothing of their own: what the user said, and calls that come as requests. */
const SILENT = ['userMessage', 'dynamicToolCall'];

/**
 * Reads what the program tells of one turn of a thread. Items, failures and retries have the words of `codex exec`, which
 * runs the same thread inside: they are read as its events are.
 */
export class ThreadReader implements RunReader {
  /** The counts of the thread so far. */
  total: Fields;
  /** Whether the backend was asked again: the program may then hold a part of the answer twice. */
  hasRetried = false;
  private readonly run: EventReader;
  private readonly text = new StreamedText();
  private readonly reasoning = new Paragraphs('reasoning');
  private thought: string | undefined;

  constructor(private readonly options: ThreadReaderOptions) {
    this.run = new EventReader(options.usesProxy);
    this.total = options.before;
  }

  get hasActed(): boolean {
    return this.run.hasActed;
  }

  read(message: unknown): Reading | undefined {
    if (!isFields(message)) return undefined;
    const reading = this.readMessage(message.method, fieldsOf(message.params));
    return this.text.isAnother ? { events: [], outcome: { type: 'restarted' } } : reading;
  }

  end(): FailureReport | undefined {
    return this.run.end();
  }

  /** The end of a part of the turn: it goes on when its client has run tools. `spent`: the counts of this part. */
  pause(spent: Fields): Reading {
    const sum = (name: string) => (countOf(this.options.before[name]) ?? 0) + (countOf(spent[name]) ?? 0);
    this.total = Object.fromEntries(COUNTS.map((name) => [name, sum(name)]));
    return this.readEnd({ status: 'completed' });
  }

  private readMessage(method: unknown, params: Fields): Reading {
    switch (method) {
      case 'item/agentMessage/delta':
        return this.streamed(() => this.text.add(params.itemId, textOf(params.delta) ?? ''));
      case 'item/reasoning/summaryTextDelta':
        return this.streamed(() =>
          this.think(`${spelled(params.itemId)} ${spelled(params.summaryIndex)}`, params.delta),
        );
      case 'item/started':
        return this.readItem('item.started', fieldsOf(params.item));
      case 'item/completed':
        return this.readItem('item.completed', fieldsOf(params.item));
      case 'warning':
        return this.run.read({ type: 'item.completed', item: { type: 'error', message: params.message } })!;
      case 'error':
        return this.readError(fieldsOf(params.error), params.willRetry === true);
      case 'thread/tokenUsage/updated':
        this.total = fieldsOf(fieldsOf(params.tokenUsage).total);
        this.text.commit();
        return { events: [], usage: usageOf(this.usage(), RUN_COUNTS) };
      case 'turn/completed':
        return this.readEnd(fieldsOf(params.turn));
      default:
        return NOTHING;
    }
  }

  private streamed(events: () => ChatEvent[]): Reading {
    return this.options.isStreamed ? { events: events() } : NOTHING;
  }

  private think(part: string, delta: unknown): ChatEvent[] {
    if (this.thought !== part) this.reasoning.end();
    this.thought = part;
    return this.reasoning.add(textOf(delta) ?? '');
  }

  private readItem(stage: string, item: Fields): Reading {
    const { type, id } = item;
    if (SILENT.includes(spelled(type))) return NOTHING;
    const text = textOf(item.text) ?? '';
    if (this.options.isStreamed && type === 'agentMessage') {
      return stage === 'item.completed' ? { events: this.text.complete(id, text) } : NOTHING;
    }
    if (type === 'reasoning') {
      if (this.options.isStreamed && this.thought?.startsWith(`${spelled(id)} `)) return NOTHING;
      const summary = listOf(item.summary).join('\n\n');
      return this.run.read({ type: stage, item: { id, type, text: summary } })!;
    }
    return this.run.read({ type: stage, item: toRunItem(item) })!;
  }

  private readError({ message, additionalDetails }: Fields, willRetry: boolean): Reading {
    const details = textOf(additionalDetails);
    if (willRetry) {
      this.hasRetried = true;
      this.text.repeat();
    }
    const words = details === undefined ? message : `${spelled(message)} (${details})`;
    return this.run.read({ type: 'error', message: words })!;
  }

  private readEnd({ status, error }: Fields): Reading {
    if (status !== 'completed') return this.run.read({ type: 'turn.failed', error: fieldsOf(error) })!;
    this.text.commit();
    return this.run.read({ type: 'turn.completed', usage: this.usage() })!;
  }

  /** The counts of this turn, by the names that a run has for them. */
  private usage(): Fields {
    const count = (name: string) => (countOf(this.total[name]) ?? 0) - (countOf(this.options.before[name]) ?? 0);
    return {
      input_tokens: count('inputTokens'),
      cached_input_tokens: count('cachedInputTokens'),
      cache_write_input_tokens: count('cacheWriteInputTokens'),
      output_tokens: count('outputTokens'),
      reasoning_output_tokens: count('reasoningOutputTokens'),
    };
  }
}

/** An item as a run tells of it: with other names for the same. */
function toRunItem(item: Fields): Fields {
  const { exitCode: exit_code, ...rest } = item;
  return { ...rest, type: snakeCase(item.type), status: snakeCase(item.status), exit_code };
}

function snakeCase(word: unknown): string | undefined {
  return textOf(word)?.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
