import type { ChatEvent, FinishReason, Usage } from 'drivebay/plugin';
import { toolActivity } from '../_shared/cli/answer-parts';
import type { Outcome, Reading, RunReader } from '../_shared/cli/cli-run';
import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { fieldsOf, isFields, listOf, numberOf, spelled, textOf, type Fields } from '../_shared/fields';
import { AnswerText, CHANNELS } from './answer-text';
import { deniedTools, readFailure, readRetry } from './read-failure';
import { MessageCounts, runTotal } from './usage';

export interface EventReaderOptions {
  /** Whether the answer ends where the model first reaches its token limit. Otherwise the program lets it go on. */
  endsAtLimit: boolean;
  /** Whether an answer without a word ends where a sequence stops it. Otherwise the program asks for one that can be seen. */
  endsAtStop?: boolean;
  /** Whether an answer that begins anew is a failure. Otherwise the second one follows the first. */
  refusesRestart: boolean;
  /** When the call times out, in ms since the epoch: a pause beyond it is not waited for. */
  deadline: number;
  /** What the program has said that its conversation costs, which goes on over several chats. */
  spent?: { costUsd: number };
  /** Whether the tools are the client's: the program does nothing by itself. */
  areClientsTools?: boolean;
  /** Whether the turn began in an earlier chat, which has counted its part. */
  goesOn?: boolean;
}

const NOTHING: Reading = { events: [] };
/** The author of messages that the program writes itself. */
export const SYNTHETIC = '<synthetic>';
const LIMIT_REASONS = ['max_tokens', 'model_context_window_exceeded'];
const MOST_WARNINGS = 5;

/** Reads the lines of one run (`--output-format stream-json`), with and without partial messages. */
export class EventReader implements RunReader {
  hasActed = false;
  /** Whether the answer has ended before the turn of the program. */
  isCut = false;
  /** What was said about a failure before the end, or instead of it. */
  private report: FailureReport = {};
  private readonly answer: AnswerText;
  private stopReason: string | undefined;
  private stopSequence: string | undefined;
  readonly counts = new MessageCounts();
  private warnings = 0;

  constructor(private readonly options: EventReaderOptions) {
    this.answer = new AnswerText(options.refusesRestart);
  }

  read(line: unknown): Reading | undefined {
    if (!isFields(line)) return undefined;
    // A subagent speaks to the agent that started it, not to the user.
    if (line.parent_tool_use_id != null) return NOTHING;
    const reading = this.readOwn(line);
    return this.answer.isRestarted ? { events: [], outcome: { type: 'restarted' } } : reading;
  }

  readErrorLine(line: string): Reading | undefined {
    if (this.warnings === MOST_WARNINGS || !/^\s*warning\b/i.test(line)) return undefined;
    this.warnings += 1;
    return { events: [], warning: line.trim() };
  }

  end(): FailureReport | undefined {
    return this.report.text === undefined ? undefined : this.report;
  }

  private readOwn(line: Fields): Reading {
    switch (line.type) {
      case 'stream_event':
        return this.readStreamed(fieldsOf(line.event));
      case 'assistant':
        return this.readMessage(line);
      case 'result':
        return this.readResult(line);
      case 'system':
        return this.readSystem(line);
      case 'rate_limit_event': {
        const { status, resetsAt } = fieldsOf(line.rate_limit_info);
        if (status === 'rejected') this.report.resetsAt = numberOf(resetsAt);
        return NOTHING;
      }
      default:
        return NOTHING;
    }
  }

  private readStreamed(event: Fields): Reading {
    switch (event.type) {
      case 'content_block_delta': {
        const { type, text, thinking } = fieldsOf(event.delta);
        if (type === 'text_delta' && typeof text === 'string') return toReading(this.answer.delta('text', text));
        if (type !== 'thinking_delta' || typeof thinking !== 'string') return NOTHING;
        return toReading(this.answer.delta('reasoning', thinking));
      }
      case 'content_block_start': {
        const block = fieldsOf(event.content_block);
        if (this.isOwnTool(block)) this.hasActed = true;
        return toReading(this.answer.startBlock(CHANNELS.get(block.type), textOf(block.text) ?? ''));
      }
      case 'message_start': {
        const message = fieldsOf(event.message);
        this.counts.count(message.usage);
        this.answer.start(textOf(message.id) ?? '');
        return NOTHING;
      }
      case 'message_delta': {
        const { stop_reason: reason, stop_sequence: sequence } = fieldsOf(event.delta);
        this.stopReason = textOf(reason) ?? this.stopReason;
        this.stopSequence = textOf(sequence);
        this.counts.count(event.usage);
        const { endsAtLimit, endsAtStop } = this.options;
        const isStopped = endsAtStop && this.stopReason === 'stop_sequence' && this.answer.isBlank;
        this.isCut = isStopped || (endsAtLimit && this.stopReason === 'max_tokens');
        if (!this.isCut) return NOTHING;
        return { events: [], outcome: this.answered(this.stopReason, this.counts.total()) };
      }
      case 'message_stop':
        this.counts.endMessage();
        this.answer.stop(this.stopReason === 'max_tokens');
        return { events: [], usage: this.counts.total() };
      default:
        return NOTHING;
    }
  }

  private readMessage(line: Fields): Reading {
    const message = fieldsOf(line.message);
    const blocks = listOf(message.content).map(fieldsOf);
    if (message.model === SYNTHETIC || line.error != null) {
      this.report.text = blocks.map((block) => textOf(block.text) ?? '').join('') || this.report.text;
      this.report.class = textOf(line.error) ?? this.report.class;
      return NOTHING;
    }
    const events: ChatEvent[] = [];
    for (const block of blocks) {
      if (this.isOwnTool(block)) {
        this.hasActed = true;
        events.push(toolActivity(block.name, block.input));
      }
      const channel = CHANNELS.get(block.type);
      if (!channel) continue;
      const event = this.answer.whole(textOf(message.id) ?? '', channel, textOf(block.text ?? block.thinking) ?? '');
      if (event) events.push(event);
    }
    return { events };
  }

  private readResult(line: Fields): Reading {
    const text = textOf(line.result) ?? '';
    const reason = textOf(line.stop_reason) ?? this.stopReason;
    const { spent, goesOn } = this.options;
    const sum = runTotal(line, spent);
    const usage = goesOn && sum ? { ...sum, ...this.counts.total() } : sum;
    const warning = deniedTools(line);
    const failure = readFailure(line, this.report);
    const end = (outcome: Outcome): Reading => ({ events: [], outcome, warning });
    if (!failure) {
      // A command that the program answered by itself, or an old task that it reports first: not the model's answer.
      if (line.num_turns === 0 && !this.answer.hasContent && !usage?.outputTokens) {
        this.report.text = text || this.report.text;
        return NOTHING;
      }
      const { events } = toReading(this.answer.final(text));
      return { ...end(this.answered(reason, usage)), events };
    }
    if (reason === 'refusal') return end({ type: 'answer', finish: 'content_filter', usage });
    const isCut = failure.class === 'max_output_tokens' || line.subtype === 'error_max_turns';
    if (isCut && this.answer.hasText) return end({ type: 'answer', finish: 'length', usage });
    // Some failures report a sum of 0, although their messages have counts.
    return { ...end({ type: 'failure', report: failure }), usage: usage?.inputTokens ? usage : undefined };
  }

  private answered(reason: string | undefined, usage: Usage | undefined): Outcome {
    const { stopSequence, isCut } = this;
    return { type: 'answer', finish: toFinish(reason), stopSequence, usage, isCut };
  }

  private readSystem(line: Fields): Reading {
    if (line.subtype === 'init') {
      const about = { version: textOf(line.claude_code_version), keySource: textOf(line.apiKeySource) };
      const model = textOf(line.model);
      return { events: model === undefined ? [] : [{ type: 'meta', model }], about };
    }
    const report = line.subtype === 'api_retry' ? readRetry(line, this.report, this.options.deadline) : undefined;
    return report ? { events: [], outcome: { type: 'failure', report } } : NOTHING;
  }

  private isOwnTool({ type }: Fields): boolean {
    return this.options.areClientsTools !== true && spelled(type).endsWith('tool_use');
  }
}

function toFinish(reason: string | undefined): FinishReason {
  if (reason === 'refusal') return 'content_filter';
  return reason !== undefined && LIMIT_REASONS.includes(reason) ? 'length' : 'stop';
}

function toReading(event: ChatEvent | undefined): Reading {
  return event ? { events: [event] } : NOTHING;
}
