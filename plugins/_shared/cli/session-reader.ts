import type { FailureReport } from './explain-by-rules';
import type { Reading, RunReader } from './cli-run';

/** What a driver learns of a session from the lines of a run. */
export interface SessionNotes {
  read(json: unknown): void;
  /** What a later run needs to know. Undefined where the program said too little. */
  state(): Record<string, unknown> | undefined;
}

/** Reads a run whose session the program keeps: tells where, before its answer ends. */
export class SessionReader implements RunReader {
  readonly readErrorLine: RunReader['readErrorLine'];

  constructor(
    private readonly reader: RunReader,
    private readonly notes: SessionNotes,
  ) {
    this.readErrorLine = reader.readErrorLine?.bind(reader);
  }

  get hasActed(): boolean {
    return this.reader.hasActed;
  }

  read(json: unknown, line: string): Reading | undefined {
    this.notes.read(json);
    const reading = this.reader.read(json, line);
    const state = reading?.outcome?.type === 'answer' ? this.notes.state() : undefined;
    return reading && state ? { ...reading, events: [...reading.events, { type: 'session', state }] } : reading;
  }

  end(): FailureReport | undefined {
    return this.reader.end?.();
  }
}
