import type { SessionNotes } from '../_shared/cli/session-reader';
import { type Fields, fieldsOf, textOf } from '../_shared/fields';
import type { OwnSession } from './own-session';

/** Notes the id of a thread, and what the program has counted in it. */
export class OwnSessionNotes implements SessionNotes {
  private id: string | undefined;
  private used: Fields = {};

  constructor(private readonly before: OwnSession) {}

  read(json: unknown): void {
    const line = fieldsOf(json);
    if (line.type === 'thread.started') this.id = textOf(line.thread_id);
    if (line.type === 'turn.completed') this.used = fieldsOf(line.usage);
  }

  state(): Record<string, unknown> | undefined {
    const { id, used, before } = this;
    return id === undefined ? undefined : { id, turns: before.turns + 1, used, account: before.account };
  }
}
