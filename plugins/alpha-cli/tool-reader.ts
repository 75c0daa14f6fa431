import type { Reading } from '../_shared/cli/cli-run';
import { CallReader, type MadeCall, SILENCE } from '../_shared/cli/client-tools/call-reader';
import type { Fields } from '../_shared/fields';
import type { ToolNames } from '../_shared/tool-names';
import type { EventReader } from './event-reader';
import type { ToolServer } from './tool-server';

/** A message that breaks off after a call has no end, and the program waits for the result all the same. */
const SILENCE_MS = 1_000;
/** In the middle of a long call a model may say nothing for a while. */
const SILENCE_IN_BLOCK_MS = 20_000;

/** Reads a chat with the tools of a client, which the program has from our tool server. */
export class ToolReader extends CallReader<EventReader> {
  constructor(
    reader: EventReader,
    private readonly server: ToolServer,
    names: ToolNames | undefined,
    push: (line: { text: string; json: unknown }) => void,
  ) {
    super(reader, names, push);
  }

  protected follow(line: Fields): void {
    this.server.follow(line);
  }

  protected get isWaiting(): boolean {
    return this.server.isWaiting;
  }

  protected waitMs(line: unknown): number | undefined {
    if (this.server.isWhole || line === SILENCE) return undefined;
    return this.server.isInBlock ? SILENCE_IN_BLOCK_MS : SILENCE_MS;
  }

  protected pause(): Reading {
    const usage = this.reader.counts.total();
    // The cost that the program reports comes with the last part.
    return { events: [], outcome: { type: 'answer', finish: 'tool_calls', usage: usage && { ...usage, costUsd: 0 } } };
  }

  protected made(): MadeCall[] {
    return this.server.calls.map(([key, { name, arguments: args }]) => [key, name, JSON.stringify(args)]);
  }
}
