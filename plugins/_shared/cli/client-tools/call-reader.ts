import type { ChatEvent } from 'drivebay/plugin';
import { isFields, type Fields } from '../../fields';
import { newCallId } from '../../http/tool-calls';
import type { ToolNames } from '../../tool-names';
import type { Reading, RunReader } from '../cli-run';
import type { FailureReport } from '../explain-by-rules';

/** A line that no program says: nothing has come for a while. */
export const SILENCE = { type: 'silence', method: 'silence' };

/** A call of the model: the program's own id of it, its name and its arguments in JSON. */
export type MadeCall = readonly [key: string, name: string, args: string];

/** Reads a turn with the tools of a client: it ends with the calls, for whose results the program then waits. */
export abstract class CallReader<Reader extends RunReader> implements RunReader {
  readonly hasActed = false;
  /** The program's own id of each call that was passed on, by the id that the client has. */
  readonly calls = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;

  /** `push` adds a line to those that are read. */
  constructor(
    protected readonly reader: Reader,
    private readonly names: ToolNames | undefined,
    private readonly push: (line: { text: string; json: unknown }) => void,
  ) {}

  /** Notes what a line says of calls. */
  protected abstract follow(line: Fields): void;
  /** Whether the program waits for a result. */
  protected abstract get isWaiting(): boolean;
  /** After how much silence behind this line the calls are passed on. Undefined: all of them have come. */
  protected abstract waitMs(line: unknown): number | undefined;
  /** What the part of the turn before the calls ends with. */
  protected abstract pause(): Reading;
  /** Those that wait, in the order of the message. */
  protected abstract made(): readonly MadeCall[];

  read(line: unknown): Reading | undefined {
    clearTimeout(this.timer);
    if (isFields(line)) this.follow(line);
    const reading = this.reader.read(line, '');
    if (reading?.outcome || !this.isWaiting) return reading;
    const forMs = this.waitMs(line);
    if (forMs !== undefined) {
      this.timer = setTimeout(() => this.push({ text: '', json: SILENCE }), forMs);
      return reading;
    }
    const { events, outcome } = this.pause();
    return {
      ...reading,
      events: [...(reading?.events ?? []), ...events, ...this.made().map(this.toEvent)],
      outcome: outcome?.type === 'answer' ? { ...outcome, finish: 'tool_calls' } : outcome,
    };
  }

  end(): FailureReport | undefined {
    return this.reader.end?.();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private readonly toEvent = ([key, name, args]: MadeCall, index: number): ChatEvent => {
    const id = newCallId();
    this.calls.set(id, key);
    const event = { type: 'tool_call', index, id, name, arguments: args } as const;
    return this.names?.restore(event) ?? event;
  };
}
