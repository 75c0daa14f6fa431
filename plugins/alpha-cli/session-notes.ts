import type { SessionNotes } from '../_shared/cli/session-reader';
import { fieldsOf, textOf } from '../_shared/fields';
import { SYNTHETIC } from './event-reader';

/** Notes the id of a session, and its last message of the model. */
export class OwnSessionNotes implements SessionNotes {
  private id: string | undefined;
  private last: string | undefined;

  constructor(private readonly account: string) {}

  read(json: unknown): void {
    const line = fieldsOf(json);
    this.id = textOf(line.session_id) ?? this.id;
    const isOwn = line.type === 'assistant' && line.parent_tool_use_id == null;
    if (isOwn && fieldsOf(line.message).model !== SYNTHETIC) this.last = textOf(line.uuid);
  }

  state(): Record<string, unknown> | undefined {
    const { id, last, account } = this;
    return id === undefined || last === undefined ? undefined : { id, last, account };
  }
}
