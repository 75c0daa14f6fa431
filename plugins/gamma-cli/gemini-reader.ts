import { type Fields, isFields, textOf } from '../_shared/fields';
import { toolActivity } from '../_shared/cli/tool-activity';
import type { AnswerText } from './answer-text';
import type { Outcome, Reading } from './outcome';
import { streamUsage } from './usage';

/** The CLI has stopped at a limit of its own, not because the answer was complete. */
const LIMIT_REACHED = /turns exceeded|token limit/i;

/** Reads the events of Gemini CLI. */
export class GeminiReader {
  private problem: { message: string; isError: boolean } | undefined;

  constructor(private readonly text: AnswerText) {}

  read(event: Fields): Reading {
    switch (event.type) {
      case 'message':
        // The prompt comes back first.
        return { events: event.role === 'assistant' ? this.text.add(textOf(event.content) ?? '') : [] };
      case 'tool_use':
        this.text.act();
        return {
          events: [toolActivity(event.tool_name, event.parameters)],
          note: { stage: 'tool_use', tool: event.tool_name },
        };
      case 'tool_result':
        this.text.act();
        return { events: [], note: { stage: 'tool_result', status: event.status } };
      case 'error': {
        const message = textOf(event.message) ?? 'an error without a message';
        this.problem = { message, isError: event.severity !== 'warning' };
        return { events: [], note: { stage: 'error', message } };
      }
      case 'result':
        return { events: [], outcome: this.readResult(event) };
      default:
        return { events: [] };
    }
  }

  private readResult({ status, error, stats }: Fields): Outcome {
    const { problem } = this;
    const words = isFields(error) ? textOf(error.message) : textOf(error);
    const isAtLimit = this.text.hasText && problem !== undefined && LIMIT_REACHED.test(problem.message);
    if (isAtLimit && words === undefined) return { type: 'answer', finish: 'length', usage: streamUsage(stats) };
    if (status !== 'success' || words !== undefined) {
      return { type: 'failure', message: words ?? problem?.message ?? `the run ended with status ${String(status)}` };
    }
    // A warning matters where it stands in place of the answer.
    if (problem && (problem.isError || !this.text.hasText)) return { type: 'failure', message: problem.message };
    return { type: 'answer', finish: 'stop', usage: streamUsage(stats) };
  }
}
