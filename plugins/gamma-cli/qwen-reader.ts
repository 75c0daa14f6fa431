import type { ChatEvent, Usage } from 'drivebay/plugin';
import { addUsage, toolActivity } from '../_shared/cli/answer-parts';
import { failureOf, type Outcome, type Reading } from '../_shared/cli/cli-run';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../_shared/fields';
import type { Answer } from './gemini-reader';
import { messageUsage, usageSince } from './usage';

/**
 * The CLI prints an error as if the model had said it, as a piece of its own. It may report the error afterwards, or not. The
 * error stands in brackets, with advice after them where it is a limit, or has the words of the CLI's own login.
 */
const ERROR_PIECE = /^(?:\[API Error: |Qwen OAuth (?:quota exceeded|free tier has been discontinued))/;
const ERROR_AT_END =
  /(?:\[API Error: [^]*\](?:\s*(?:Please wait|Possible quota limitations)[^\n]*)?|^Qwen OAuth (?:quota exceeded|free tier has been discontinued)[^]*)\s*$/;

/** Reads the events of Qwen Code. Each message comes whole, and in pieces before that where the version can. */
export class QwenReader {
  private held: string | undefined;
  /** What has come in pieces since the last whole message. */
  private streamed = { text: false, thinking: false };
  private counted: Usage | undefined;
  /** The message begins anew; the pieces of the first attempt were passed on already. */
  private isRepeated = false;
  private sinceWhole = '';

  constructor(
    private readonly text: Answer,
    private readonly refusesRestart: boolean,
    /** The total of a session that goes on. */
    private readonly before?: Usage,
  ) {}

  read(event: Fields): Reading {
    // The words of a subagent are the work of a tool.
    const isOwn = event.parent_tool_use_id == null;
    switch (event.type) {
      case 'system':
        return event.subtype === 'retry' ? this.readRetry(fieldsOf(event.data)) : { events: [] };
      case 'stream_event':
        return { events: isOwn ? this.readPiece(fieldsOf(event.event)) : [] };
      case 'assistant':
        return isFields(event.message) ? this.readMessage(event.message, isOwn) : { events: [] };
      case 'result': {
        const events: ChatEvent[] = [];
        const usage = this.spent(messageUsage(event.usage));
        return { events, usage, outcome: this.readResult(event, events, usage) };
      }
      default:
        return { events: [] };
    }
  }

  private readRetry(data: Fields): Reading {
    const item = { stage: 'retry', attempt: data.attempt, delay_ms: data.delayMs };
    this.held = undefined;
    // Otherwise it asks the model to go on where it was.
    if (data.preserveText === true || this.sinceWhole === '') return { events: [], item };
    if (this.refusesRestart) return { events: [], item, outcome: { type: 'restarted' } };
    this.isRepeated = true;
    return { events: [], item };
  }

  private readPiece({ type, delta }: Fields): ChatEvent[] {
    if (type !== 'content_block_delta' || !isFields(delta)) return [];
    const thinking = delta.type === 'thinking_delta' ? textOf(delta.thinking) : undefined;
    if (thinking !== undefined) {
      this.streamed.thinking = true;
      return this.isRepeated ? [] : [{ type: 'reasoning', text: thinking }];
    }
    const text = delta.type === 'text_delta' ? textOf(delta.text) : undefined;
    if (text === undefined) return [];
    this.streamed.text = true;
    return this.isRepeated ? [] : this.say(text, ERROR_PIECE);
  }

  private readMessage({ content, usage }: Fields, isOwn: boolean): Reading {
    this.counted = addUsage(this.counted, messageUsage(usage));
    const events: ChatEvent[] = [];
    let item: Fields | undefined;
    for (const block of listOf(content).map(fieldsOf)) {
      if (block.type === 'tool_use') {
        events.push(...this.release(), toolActivity(block.name, block.input));
        this.text.act();
        item = { stage: 'tool_use', tool: block.name };
      } else if (!isOwn) continue;
      else if (block.type === 'text') events.push(...this.readWhole(textOf(block.text) ?? ''));
      else if (block.type === 'thinking' && !this.streamed.thinking) {
        const thinking = textOf(block.thinking);
        if (thinking !== undefined) events.push({ type: 'reasoning', text: thinking });
      }
    }
    if (isOwn) {
      this.streamed = { text: false, thinking: false };
      this.sinceWhole = '';
      this.isRepeated = false;
    }
    return { events, item, usage: this.counted };
  }

  private readWhole(text: string): ChatEvent[] {
    if (this.isRepeated) {
      // The same beginning goes on; another one is a paragraph of its own.
      const isSame = text.startsWith(this.sinceWhole);
      return this.say(isSame ? text.slice(this.sinceWhole.length) : `\n\n${text}`, ERROR_AT_END);
    }
    return this.streamed.text ? [] : this.say(text, ERROR_AT_END);
  }

  /** Passes a text on, unless it may be an error: then only when more follows. */
  private say(text: string, error: RegExp): ChatEvent[] {
    const events = this.release();
    if (error.test(text)) {
      this.held = text;
      return events;
    }
    this.sinceWhole += text;
    return [...events, ...this.text.add(text)];
  }

  private release(): ChatEvent[] {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.sinceWhole += held;
    return this.text.add(held ?? '');
  }

  /** Only the total has the tokens of what the CLI asks for itself, such as the memories that it keeps. */
  private spent(total: Usage | undefined): Usage | undefined {
    const { counted } = this;
    const spent = total && usageSince(total, this.before);
    return spent && spent.inputTokens > (counted?.inputTokens ?? 0) ? spent : (counted ?? spent);
  }

  private readResult(event: Fields, events: ChatEvent[], usage: Usage | undefined): Outcome {
    const { held, text } = this;
    const said = textOf(event.result);
    const subtype = textOf(event.subtype) ?? '';
    const words = textOf(fieldsOf(event.error).message) ?? textOf(event.error);
    if (subtype === 'error_max_turns' && text.hasText) return { type: 'answer', finish: 'length', usage };
    if (event.is_error === true || subtype.startsWith('error') || words !== undefined) {
      return failureOf(words ?? held ?? said ?? `the run ended with ${subtype || 'an error'}`);
    }
    // Older versions report success.
    if (held !== undefined) return failureOf(held.slice(Math.max(0, held.search(ERROR_AT_END))));
    if (!text.hasText && said !== undefined) {
      if (ERROR_PIECE.test(said)) return failureOf(said);
      events.push(...text.add(said));
    }
    return { type: 'answer', finish: 'stop', usage };
  }
}
