import type { ChatEvent } from '../../../contract/api';
import { mergeFields, parseJson } from '../../../fields';

/** A call of an answer, as far as its pieces have come. */
export class AnswerCall {
  id: string | undefined;
  name = '';
  arguments = '';
  /** What came before the client got the id, which carries it. */
  extra: Record<string, unknown> | undefined;
  isClosed = false;

  add({ id, name, arguments: piece = '', extra }: Extract<ChatEvent, { type: 'tool_call' }>): void {
    this.id ||= id;
    this.name ||= name ?? '';
    this.arguments += piece;
    if (extra) this.extra = mergeFields(this.extra, extra);
  }

  /** Whether something else may follow: servers slice arguments anywhere, but only a complete object is the whole. */
  isWhole(): boolean {
    return this.arguments.endsWith('}') && parseJson(this.arguments) !== undefined;
  }
}
