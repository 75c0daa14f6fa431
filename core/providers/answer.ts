import type { Call, ChatEvent, ChatRequest, Driver, FinishReason, Usage } from '../plugins/api';
import { DriverError } from '../plugins/driver-error';
import type { ProviderSettings } from './settings';

/** Takes one event of the answer. A promise means: wait, the reader is slower than the driver. */
export type Emit = (event: ChatEvent) => Promise<void> | undefined;

export interface TurnResult {
  usage: Usage | undefined;
  /** The model the driver used, as far as it said. */
  model: string | undefined;
  costUsd: number;
}

/** Reads the driver's events, passes them on, and knows when the answer is complete. */
export class Answer {
  readonly complete: Promise<TurnResult>;
  private resolve!: (result: TurnResult) => void;
  private reject!: (error: Error) => void;
  private usage: Usage | undefined;
  private model: string | undefined;
  private substance = false;
  private open: number;
  private reasons: FinishReason[] = [];

  constructor(
    private readonly request: ChatRequest,
    private readonly emit: Emit,
    private readonly settings: ProviderSettings,
  ) {
    this.open = request.choices ?? 1;
    this.complete = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // The promise is not awaited when the turn fails first.
    this.complete.catch(() => undefined);
  }

  async run(driver: Driver, call: Call): Promise<void> {
    for await (const event of driver.chat(this.request, call)) {
      if (call.signal.aborted) return;
      // A finished answer is closed; the driver may go on winding its work down.
      if (this.open === 0) continue;
      if (event.type === 'finish' && !this.finish(event.reason)) return;
      const wait = this.pass(event);
      if (wait) await wait;
      if (this.open === 0) this.resolve({ usage: this.usage, model: this.model, costUsd: this.cost() });
    }
    if (this.open > 0 && !call.signal.aborted) {
      const message = `the answer was cut short: driver "${this.settings.driver}" ended without a finish`;
      this.reject(new DriverError('protocol', message, { kind: 'truncated' }));
    }
  }

  private pass(event: ChatEvent): Promise<void> | undefined {
    switch (event.type) {
      case 'text':
        if (event.text.length === 0) return undefined;
        this.substance = true;
        break;
      case 'tool_call':
        this.substance = true;
        break;
      case 'extra':
        this.substance ||= carriesContent(event.delta);
        break;
      case 'usage':
        this.usage = event;
        break;
      case 'meta':
        this.model = event.model ?? this.model;
        break;
      default:
    }
    return this.emit(event);
  }

  /** False when the whole answer is empty, which is the backend's failure. */
  private finish(reason: FinishReason): boolean {
    this.open -= 1;
    this.reasons.push(reason);
    if (this.open > 0 || this.substance || this.reasons.some((each) => each !== 'stop')) return true;
    this.reject(
      new DriverError('upstream', `provider "${this.settings.name}" gave an empty answer`, { kind: 'empty' }),
    );
    return false;
  }

  private cost(): number {
    if (!this.usage) return 0;
    return (this.usage.inputTokens + this.usage.outputTokens) * this.settings.costPerToken;
  }
}

/** A refusal or a spoken answer is no text, yet an answer. Lists are annotations, and say nothing alone. */
function carriesContent(delta: Record<string, unknown> = {}): boolean {
  return Object.values(delta).some((value) =>
    typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}
