import type { Outcome, Reading, RunReader } from '../cli-run';
import type { Answered } from './fingerprint';

/** Reads a chat, and remembers its answer: by that the next request of the conversation is known. */
export class RecordedReader implements RunReader {
  outcome: Outcome | undefined;
  readonly answered = { text: '', calls: [] as { id: string; name: string; arguments: string }[] } satisfies Answered;
  end?: RunReader['end'];

  constructor(private readonly reader: RunReader) {
    if (reader.end) this.end = () => reader.end!();
  }

  get hasActed(): boolean {
    return this.reader.hasActed;
  }

  read(json: unknown, line: string): Reading | undefined {
    const reading = this.reader.read(json, line);
    if (!reading) return undefined;
    for (const event of reading.events) {
      if (event.type === 'text') this.answered.text += event.text;
      if (event.type === 'tool_call') {
        const { id = '', name = '', arguments: args = '' } = event;
        this.answered.calls.push({ id, name, arguments: args });
      }
    }
    this.outcome = reading.outcome ?? this.outcome;
    return reading;
  }

  readErrorLine(line: string): Reading | undefined {
    return this.reader.readErrorLine?.(line);
  }
}
