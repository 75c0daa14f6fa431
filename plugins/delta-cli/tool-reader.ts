import type { Reading } from '../_shared/cli/cli-run';
import { CallReader, type MadeCall, SILENCE } from '../_shared/cli/client-tools/call-reader';
import { countOf, fieldsOf, spelled, textOf, type Fields } from '../_shared/fields';
import type { ThreadReader } from './thread-reader';

/**
 * The calls so far are passed on after this silence if the version does not report the end of a message, or
 * some calls of a complete message have not come.
 */
const SILENCE_MS = 1_000;
/** The same in a message without an end, where the version tells of calls as the model makes them: most such versions tell of the end. */
const LONG_SILENCE_MS = 10_000;

/** Reads a turn of a thread with the tools of a client. */
export class ToolReader extends CallReader<ThreadReader> {
  /** The calls that the model has made, by the program's id, in their order. Undefined: not asked of us yet. */
  private readonly known = new Map<string, { tool: string; arguments: string } | undefined>();
  private isWhole = false;
  private silenceMs = SILENCE_MS;
  /** The counts of the responses of this part: those of the thread come after the results only. */
  private spent: Fields = {};

  protected waitMs(): number | undefined {
    if (this.isWhole) return this.isComplete ? undefined : SILENCE_MS;
    return this.silenceMs;
  }

  protected pause(): Reading {
    return this.reader.pause(this.spent);
  }

  protected made(): MadeCall[] {
    return [...this.known].map(([callId, call]) => [callId, call!.tool, call!.arguments]);
  }

  protected get isWaiting(): boolean {
    return [...this.known.values()].some((call) => call !== undefined);
  }

  /**
   * Whether each call has come to us. The program answers some itself, those of tools that do not exist and those whose
   * arguments are no JSON, but tells of it only when it has the results of the others.
   */
  private get isComplete(): boolean {
    return [...this.known.values()].every((call) => call !== undefined);
  }

  protected follow(line: Fields): void {
    const params = fieldsOf(line.params);
    switch (line.method) {
      case 'rawResponseItem/completed': {
        const { type, call_id: id } = fieldsOf(params.item);
        if (type === 'function_call') {
          this.isWhole = false;
          this.silenceMs = LONG_SILENCE_MS;
          if (!this.known.has(spelled(id))) this.known.set(spelled(id), undefined);
        } else if (type === 'function_call_output') this.known.delete(spelled(id));
        return;
      }
      case 'item/tool/call': {
        const { callId, tool, arguments: args } = params;
        this.known.set(spelled(callId), { tool: textOf(tool) ?? '', arguments: JSON.stringify(args ?? {}) });
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
    for (const [id, call] of this.known) if (!call) this.known.delete(id);
  }
}

function added(one: Fields, other: Fields): Fields {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, (countOf(one[name]) ?? 0) + (countOf(other[name]) ?? 0)]));
}
