import { defined } from '../../fields';
import type { ProcessEvent } from '../../record/process-event';
import { foldEvent, type ProcessView } from '../../record/process-view';
import { processEventSchema } from '../control/protocol';
import { z } from 'zod';

/** What `run_agent` and `result` say of a process. */
export const RUN = {
  pid: z.number().describe('For the tool `result`, and for: drivebay trace PID'),
  uuid: z.string(),
  state: z.enum(['created', 'running', 'done', 'failed', 'killed']),
  provider: z.string().optional(),
  model: z.string().optional(),
  answer: z.string().optional().describe('The last words of the agent so far.'),
  truncated: z.boolean().optional(),
  steps: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
  error: z.string().optional(),
};

/** A process as its events so far tell it. */
export class AgentRun {
  view: ProcessView | undefined;
  /** The text of the last step that said something. */
  answer = '';
  private step: number | undefined;
  private doing = '';

  take(line: unknown): void {
    const { data: event } = processEventSchema.safeParse(line);
    if (!event) return;
    this.view = foldEvent(this.view, event);
    if (event.type === 'text') {
      this.answer = event.step === this.step ? this.answer + event.text : event.text;
      this.step = event.step;
    }
    this.doing = actionOf(event) ?? this.doing;
  }

  describe(): string {
    if (!this.view) return 'starts';
    const { pid, provider, state, steps } = this.view;
    const doing = state === 'created' ? 'waits for its turn' : this.doing;
    return [`process ${pid}`, provider, steps.length > 1 && `step ${steps.length}`, doing].filter(Boolean).join(' · ');
  }

  facts(view: ProcessView) {
    const { pid, uuid, state, provider, model, steps, usage, costUsd, end } = view;
    const error =
      end && state !== 'done' ? [end.message ?? end.reason, end.hint].filter(Boolean).join('\n') : undefined;
    const { inputTokens, outputTokens } = usage;
    return defined({
      pid,
      uuid,
      state,
      provider,
      model,
      steps: steps.length,
      inputTokens,
      outputTokens,
      costUsd,
      error,
    });
  }
}

function actionOf(event: ProcessEvent): string | undefined {
  if (event.type === 'tool_call') return `asks ${event.device ?? event.tool}`;
  if (event.type === 'activity') return `${event.tool} ${event.detail ?? ''}`.trim().slice(0, 80);
  return event.type === 'reasoning' ? 'thinks' : event.type === 'text' ? 'answers' : undefined;
}
