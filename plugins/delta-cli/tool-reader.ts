import type { ChatEvent } from 'drivebay/plugin';
import type { Reading, RunReader } from '../_shared/cli/cli-run';
import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { countOf, fieldsOf, isFields, spelled, textOf, type Fields } from '../_shared/fields';
import { newCallId } from '../_shared/http/tool-calls';
import type { ToolNames } from '../_shared/tool-names';
import type { ThreadReader } from './thread-reader';

/**
 * The calls that have come are passed on after such a silence, where the version does not tell of the end of a message, or
 * some calls of a whole message have not come.
 */
const SILENCE_MS = 1_000;
/** The same in a message without an end, where the version tells of calls as the model makes them: most such versions tell of the end. */
const LONG_SILENCE_MS = 10_000;
const SILENCE = { method: 'silence' };

interface Call {
  tool: string;
  arguments: string;
}

/** Reads a turn with the tools of a client: it ends with the calls, which the thread then waits for. */
export class ToolReader implements RunReader {
  readonly hasActed = false;
  /** The program's id of each call that was passed on, by the id that the client has. */
  readonly calls = new Map<string, string>();
  /** The calls that the model has made, by the program's id, in their order. Undefined: not asked of us yet. */
  private readonly made = new Map<string, Call | undefined>();
  private isWhole = false;
  private silenceMs = SILENCE_MS;
  /** The counts of the responses of this part: those of the thread come after the results only. */
  private spent: Fields = {};
  private timer: NodeJS.Timeout | undefined;

  /** `push` adds a line to those that are read. */
  constructor(
    private readonly reader: ThreadReader,
    private readonly names: ToolNames | undefined,
    private readonly push: (line: { text: string; json: unknown }) => void,
  ) {}

  read(message: unknown): Reading | undefined {
    if (!isFields(message)) return undefined;
    clearTimeout(this.timer);
    this.follow(message.method, fieldsOf(message.params));
    const reading = this.reader.read(message);
    if (reading?.outcome || !this.isWaiting) return reading;
    if (!this.isWhole || !this.isComplete) {
      const forMs = this.isWhole ? SILENCE_MS : this.silenceMs;
      this.timer = setTimeout(() => this.push({ text: '', json: SILENCE }), forMs);
      return reading;
    }
    const { events, outcome } = this.reader.pause(this.spent);
    return {
      ...reading,
      events: [...(reading?.events ?? []), ...events, ...this.events()],
      outcome: outcome?.type === 'answer' ? { ...outcome, finish: 'tool_calls' } : outcome,
    };
  }

  end(): FailureReport | undefined {
    return this.reader.end();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private get isWaiting(): boolean {
    return [...this.made.values()].some((call) => call !== undefined);
  }

  /**
   * Whether each call has come to us. The program answers some itself, those of tools that do not exist and those whose
   * arguments are no JSON, but tells of it only when it has the results of the others.
   */
  private get isComplete(): boolean {
    return [...this.made.values()].every((call) => call !== undefined);
  }

  private follow(method: unknown, params: Fields): void {
    switch (method) {
      case 'rawResponseItem/completed': {
        const { type, call_id: id } = fieldsOf(params.item);
        if (type === 'function_call') {
          this.isWhole = false;
          this.silenceMs = LONG_SILENCE_MS;
          if (!this.made.has(spelled(id))) this.made.set(spelled(id), undefined);
        } else if (type === 'function_call_output') this.made.delete(spelled(id));
        return;
      }
      case 'item/tool/call': {
        const { callId, tool, arguments: args } = params;
        this.made.set(spelled(callId), { tool: textOf(tool) ?? '', arguments: JSON.stringify(args ?? {}) });
        return;
      }
      case 'rawResponse/completed':
        this.isWhole = true;
        this.spent = added(this.spent, fieldsOf(params.usage));
        return;
      case SILENCE.method:
        this.isWhole = true;
        return this.dropRest();
      case 'error':
        // The backend is asked anew: calls that broke off do not come to us.
        return this.dropRest();
    }
  }

  private dropRest(): void {
    for (const [id, call] of this.made) if (!call) this.made.delete(id);
  }

  private events(): ChatEvent[] {
    return [...this.made].map(([callId, call], index) => {
      const id = newCallId();
      this.calls.set(id, callId);
      const { tool: name, arguments: args } = call!;
      const event = { type: 'tool_call', index, id, name, arguments: args } as const;
      return this.names?.restore(event) ?? event;
    });
  }
}

function added(one: Fields, other: Fields): Fields {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, (countOf(one[name]) ?? 0) + (countOf(other[name]) ?? 0)]));
}
