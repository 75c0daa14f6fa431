import { Paragraphs, toolActivity } from '../_shared/cli/answer-parts';
import { failureOf, type Outcome, type Reading } from '../_shared/cli/cli-run';
import { type Fields, fieldsOf, spelled, textOf } from '../_shared/fields';
import { streamUsage } from './usage';

/** The CLI stopped at a limit of its own. The answer is not complete. */
const LIMIT_REACHED = /turns exceeded|token limit/i;

/** What both readers of events write to. */
export class Answer extends Paragraphs {
  hasActed = false;

  act(): void {
    this.hasActed = true;
    this.end();
  }
}

export class GeminiReader {
  private problem: { message: string; isError: boolean } | undefined;

  constructor(private readonly text: Answer) {}

  read(event: Fields): Reading {
    switch (event.type) {
      case 'message':
        // The prompt comes back first.
        return { events: event.role === 'assistant' ? this.text.add(textOf(event.content) ?? '') : [] };
      case 'tool_use':
        this.text.act();
        return {
          events: [toolActivity(event.tool_name, event.parameters)],
          item: { stage: 'tool_use', tool: event.tool_name },
        };
      case 'tool_result':
        this.text.act();
        return { events: [], item: { stage: 'tool_result', status: event.status } };
      case 'error': {
        const message = textOf(event.message) ?? 'an error without a message';
        this.problem = { message, isError: event.severity !== 'warning' };
        return { events: [], item: { stage: 'error', message } };
      }
      case 'result':
        return { events: [], usage: streamUsage(event.stats), outcome: this.readResult(event) };
      default:
        return { events: [] };
    }
  }

  private readResult({ status, error, stats }: Fields): Outcome {
    const { problem } = this;
    const words = textOf(fieldsOf(error).message) ?? textOf(error);
    const isAtLimit = this.text.hasText && problem !== undefined && LIMIT_REACHED.test(problem.message);
    if (isAtLimit && words === undefined) return { type: 'answer', finish: 'length', usage: streamUsage(stats) };
    if (status !== 'success' || words !== undefined) {
      return failureOf(words ?? problem?.message ?? `the run ended with status ${spelled(status)}`);
    }
    // A warning matters where it stands in place of the answer.
    if (problem && (problem.isError || !this.text.hasText)) return failureOf(problem.message);
    return { type: 'answer', finish: 'stop', usage: streamUsage(stats) };
  }
}
