import type { SessionNotes } from '../../_shared/cli/session-reader';
import { fieldsOf, textOf } from '../../_shared/fields';

/** Notes the id of a session, and the time in which its last answer must have been written. */
export class OwnSessionNotes implements SessionNotes {
  /** Known from the first event on. */
  id: string | undefined;
  private readonly began = Date.now();

  /** Without an account the program is to keep no session. */
  constructor(private readonly account: string | undefined) {}

  read(json: unknown): void {
    const { type, session_id: id } = fieldsOf(json);
    if (type === 'init' || type === 'system') this.id = textOf(id) ?? this.id;
  }

  state(): Record<string, unknown> | undefined {
    const { id, began, account } = this;
    return id === undefined || account === undefined ? undefined : { id, began, ended: Date.now(), account };
  }
}
