import { isBlank, isFields, listOf, textOf, type Fields } from '../fields';

/** Fields in which servers sign the reasoning of an answer. They want them back with the next turn, unchanged. */
const NAMES = ['reasoning_details', 'thinking_blocks', 'extra_content'];
/** Of an entry in a list of these fields: what may come in pieces. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'summary', 'thinking']);

/** Keeps what a server wants back, for clients of other wires: they know none of its fields. */
export class ReasoningState {
  private fields: Fields | undefined;

  /** `isPiece`: the message is a piece of a stream, and may go on with an entry that began in an earlier one. */
  add(message: Fields, isPiece: boolean): void {
    for (const name of NAMES) {
      const value = message[name];
      if (isBlank(value)) continue;
      this.fields ??= {};
      if (Array.isArray(value)) this.fields[name] = joined(listOf(this.fields[name]), value, isPiece);
      else this.fields[name] = value;
    }
  }

  /** What has come since the last time. */
  take(): Fields | undefined {
    const { fields } = this;
    this.fields = undefined;
    return fields;
  }
}

function joined(entries: unknown[], pieces: unknown[], isPiece: boolean): unknown[] {
  for (const piece of pieces) {
    const last = entries.at(-1);
    if (isPiece && isFields(last) && isFields(piece) && goesOn(last, piece)) append(last, piece);
    else entries.push(isFields(piece) ? { ...piece } : piece);
  }
  return entries;
}

/** An entry ends with its signature. */
function goesOn(last: Fields, piece: Fields): boolean {
  const isSame = last.type === piece.type && last.index === piece.index && (textOf(piece.id) ?? last.id) === last.id;
  return isSame && !textOf(last.signature) && !('data' in piece);
}

function append(entry: Fields, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    const before = entry[name];
    if (TEXTS.has(name) && typeof before === 'string' && typeof value === 'string') entry[name] = before + value;
    else if (!isBlank(value)) entry[name] = value;
  }
}
