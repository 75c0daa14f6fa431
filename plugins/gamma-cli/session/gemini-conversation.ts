import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from '../../_shared/fields';

/** What the CLI leaves out of a session that it loads: it takes such a text for a command that it has run. */
const TAKEN_FOR_COMMAND = /^\s*[/?]/;
const NO_COMMAND = 'The user says:\n\n';

/** A session of Gemini CLI, as it stands in the CLI's file of changes to it. */
export class GeminiConversation {
  private header: Fields = {};
  private messages = new Map<unknown, Fields>();

  private constructor() {}

  /** Rejects where there is no such file. */
  static async in(file: string): Promise<GeminiConversation> {
    const conversation = new GeminiConversation();
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      conversation.change(fieldsOf(parseJson(line)));
    }
    return conversation;
  }

  get sessionId(): unknown {
    return this.header.sessionId;
  }

  get last(): Fields | undefined {
    return [...this.messages.values()].at(-1);
  }

  /**
   * A file that the CLI loads as the conversation that it was. When it loads its own file it tells the results of tools twice, which
   * the vendor refuses: they stand in the message with the calls, and as one of their own.
   */
  toFile(): string {
    const all = [...this.messages.values()].filter(({ type }) => type === 'user' || type === 'gemini');
    const told = new Set(all.flatMap(({ toolCalls }) => listOf(toolCalls).map(fieldsOf).filter(hasResult).map(idOf)));
    const own = all.filter(({ type, content }) => type !== 'user' || !isTold(listOf(content).map(fieldsOf), told));
    return [this.header, ...own.map(withoutCommand)].map((record) => `${JSON.stringify(record)}\n`).join('');
  }

  private change(record: Fields): void {
    const { $set: changes, $rewindTo: rewound, id } = record;
    if (rewound !== undefined) this.rewind(rewound);
    else if (isFields(changes)) {
      if (!Array.isArray(changes.messages)) return;
      this.messages = new Map(changes.messages.map(fieldsOf).map((message) => [message.id, message]));
    } else if (id !== undefined) this.messages.set(id, record);
    else if (record.sessionId !== undefined) this.header = record;
  }

  /** Drops a message and those after it. Without that message, all of them. */
  private rewind(id: unknown): void {
    const ids = [...this.messages.keys()];
    for (const each of ids.slice(Math.max(0, ids.indexOf(id)))) this.messages.delete(each);
  }
}

function hasResult({ result }: Fields): boolean {
  return result !== undefined && result !== null;
}

function idOf({ id }: Fields): unknown {
  return id;
}

/** Whether a message is nothing but results that stand with their calls. */
function isTold(parts: readonly Fields[], told: ReadonlySet<unknown>): boolean {
  return parts.length > 0 && parts.every(({ functionResponse: result }) => told.has(fieldsOf(result).id));
}

function withoutCommand(message: Fields): Fields {
  const { type, content } = message;
  if (type !== 'user') return message;
  const parts = typeof content === 'string' ? [{ text: content }] : listOf(content).map(fieldsOf);
  const text = textOf(parts[0]?.text) ?? '';
  return TAKEN_FOR_COMMAND.test(text)
    ? { ...message, content: [{ text: NO_COMMAND + text }, ...parts.slice(1)] }
    : message;
}
