import type { ChatEvent } from 'drivebay/plugin';
import type { Reading, RunReader } from '../_shared/cli/cli-run';
import { isFields } from '../_shared/fields';
import { newCallId } from '../_shared/http/tool-calls';
import type { ToolNames } from '../_shared/tool-names';
import type { EventReader } from './event-reader';
import type { ToolServer } from './tool-server';

/** A message that breaks off after a call has no end, and the program waits for the result all the same. */
const SILENCE_MS = 1_000;
/** In the middle of a long call a model may say nothing for a while. */
const SILENCE_IN_BLOCK_MS = 20_000;
const SILENCE = { type: 'silence' };

/** Reads a chat with the tools of a client: it ends with the calls, which the program then waits for. */
export class ToolReader implements RunReader {
  readonly hasActed = false;
  /** What the tool server calls each call that was passed on, by the id that the client has. */
  readonly calls = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;

  /** `push` adds a line to those that are read. */
  constructor(
    private readonly reader: EventReader,
    private readonly server: ToolServer,
    private readonly names: ToolNames | undefined,
    private readonly push: (line: { text: string; json: unknown }) => void,
  ) {}

  read(json: unknown): Reading | undefined {
    clearTimeout(this.timer);
    if (isFields(json)) this.server.follow(json);
    const reading = this.reader.read(json);
    if (reading?.outcome || !this.server.isWaiting) return reading;
    if (!this.server.isWhole && json !== SILENCE) {
      const forMs = this.server.isInBlock ? SILENCE_IN_BLOCK_MS : SILENCE_MS;
      this.timer = setTimeout(() => this.push({ text: '', json: SILENCE }), forMs);
      return reading;
    }
    const usage = this.reader.counts.total();
    return {
      ...reading,
      events: [...(reading?.events ?? []), ...this.events()],
      // The cost that the program reports comes with the last part.
      outcome: { type: 'answer', finish: 'tool_calls', usage: usage && { ...usage, costUsd: 0 } },
    };
  }

  readErrorLine(line: string): Reading | undefined {
    return this.reader.readErrorLine(line);
  }

  end(): ReturnType<EventReader['end']> {
    return this.reader.end();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private events(): ChatEvent[] {
    return this.server.calls.map(([key, { name, arguments: args }], index) => {
      const id = newCallId();
      this.calls.set(id, key);
      const event = { type: 'tool_call', index, id, name, arguments: JSON.stringify(args) } as const;
      return this.names?.restore(event) ?? event;
    });
  }
}
