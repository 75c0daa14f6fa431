import type { ChatEvent, Usage } from 'drivebay/plugin';
import { addUsage } from '../../_shared/cli/answer-parts';
import type { Outcome, Reading, RunReader } from '../../_shared/cli/cli-run';
import { countOf, fieldsOf, textOf, type Fields } from '../../_shared/fields';
import { toUsage } from '../../_shared/http/usage';
import type { Cli } from '../cli';
import { Answer } from '../gemini-reader';
import { readRetry, RetryWatch } from '../retry-watch';
import type { AcpError } from './acp-error';
import type { Written } from './session-files';
import type { ToolCall } from './tool-server';

/** How a turn has ended, as the line after its last update. */
export interface TurnEnd extends Written {
  stopReason?: string;
  /** The tokens that the program tells itself: without those of a cache. */
  told?: Usage;
  failure?: AcpError;
  /** The turn waits for the result of this call. */
  call?: ToolCall;
}

/** Reads what a program tells of one turn in the Agent Client Protocol. */
export class UpdateReader implements RunReader {
  readonly hasActed = false;
  private readonly text = new Answer();
  private readonly watch = new RetryWatch();
  private counted: Usage | undefined;

  constructor(
    private readonly dialect: Cli['dialect'],
    private readonly deadline: number,
    /** A call as the client gets it. */
    private readonly toEvent: (call: ToolCall) => ChatEvent,
  ) {}

  read(json: unknown): Reading {
    const { method, params, end } = fieldsOf(json) as Fields & { end?: TurnEnd };
    if (end) return this.readEnd(end);
    return { events: method === 'session/update' ? this.readUpdate(fieldsOf(fieldsOf(params).update)) : [] };
  }

  readErrorLine(line: string): Reading | undefined {
    return readRetry(this.watch, line, this.text.hasText, this.deadline);
  }

  private readUpdate({ sessionUpdate, content, _meta }: Fields): ChatEvent[] {
    this.counted = addUsage(this.counted, chunkUsage(fieldsOf(_meta).usage));
    const text = textOf(fieldsOf(content).text) ?? '';
    if (sessionUpdate === 'agent_message_chunk') return this.text.add(text);
    // Gemini CLI keeps thoughts to itself in runs of its own.
    const isThought = sessionUpdate === 'agent_thought_chunk' && this.dialect === 'qwen' && text !== '';
    return isThought ? [{ type: 'reasoning', text }] : [];
  }

  private readEnd(end: TurnEnd): Reading {
    // The usage at the end is the sum of all parts of the turn, and some of them have been counted already.
    const usage = end.usage ?? this.counted ?? end.told;
    this.counted = undefined;
    if (end.call) {
      this.text.end();
      return { events: [this.toEvent(end.call)], outcome: { type: 'answer', finish: 'tool_calls', usage } };
    }
    return { events: [], usage, outcome: this.judge(end, usage) };
  }

  private judge({ stopReason, failure, answers }: TurnEnd, usage: Usage | undefined): Outcome {
    if (failure) {
      const { message: text, status, isOfTheLogin } = failure;
      return { type: 'failure', report: { text, status, class: isOfTheLogin ? 'login' : undefined } };
    }
    if (answers > 1) return { type: 'restarted' };
    if (!this.text.hasText) {
      // Gemini CLI has not asked: by its own count the conversation is too long.
      if (stopReason === 'max_tokens' && this.dialect === 'gemini') {
        return { type: 'failure', report: { text: 'the conversation is too long for the model', class: 'overflow' } };
      }
      const text = stopReason === 'end_turn' ? 'the model gave an empty response' : `the turn ended with ${stopReason}`;
      return { type: 'failure', report: { text } };
    }
    const isCut = stopReason === 'max_tokens' || stopReason === 'max_turn_requests';
    return { type: 'answer', finish: isCut ? 'length' : 'stop', usage };
  }
}

/** What Qwen Code tells after each message of the model. */
function chunkUsage(value: unknown): Usage | undefined {
  const usage = fieldsOf(value);
  return toUsage({
    inputTokens: countOf(usage.inputTokens),
    outputTokens: countOf(usage.outputTokens),
    cachedInputTokens: countOf(usage.cachedReadTokens),
  });
}

/** Qwen Code first tells all calls of a message, then the tokens of the message, and each call once more when it makes it. */
export function isAnnouncement({ sessionUpdate, status, _meta }: Fields): boolean {
  if (sessionUpdate === 'tool_call') return fieldsOf(_meta).phase !== 'preparing';
  return sessionUpdate === 'tool_call_update' && status === 'in_progress';
}
