import type { ChatEvent } from 'drivebay/plugin';
import { Paragraphs } from '../_shared/cli/answer-parts';

/**
 * The CLI may end the text of an answer with the words of an error, as a paragraph of their own, and report success all the
 * same: `Error: T: [resource_exhausted] Error`.
 */
const ERROR = /^(?:Error: )?[A-Z]: (?:\[[a-z_]+\][^\n]*|WritableIterable is closed)$/;
/** In characters. */
const LONGEST_ERROR = 4_096;
/** The beginnings of such a paragraph, down to its first letter. */
const BEGINNING =
  /^(?:E|Er|Err|Erro|Error:?|(?:Error: ?)?(?:[A-Z](?::(?: (?:\[(?:[a-z_]*|[a-z_]+\][^\n]*)|W[A-Za-z ]*)?)?)?)?)$/;

/** Puts the texts of a run together. Holds the end of a text back as long as it may be the beginning of an error. */
export class AnswerText {
  /** Everything the CLI has said, as it said it. */
  private said = '';
  private held = '';
  private isOpen = false;
  private readonly paragraphs = new Paragraphs();

  add(text: string): ChatEvent[] {
    if (text === '') return [];
    this.said += text;
    const pending = this.held + text;
    const length = safeLength(pending, !this.isOpen);
    this.held = pending.slice(length);
    return this.pass(pending.slice(0, length));
  }

  /** Ends a paragraph. Its end is either text or an error, whose words are no part of the answer. */
  close(): { events: ChatEvent[]; error?: string } {
    const { held } = this;
    this.held = '';
    const error = errorTail(held);
    const events = error === undefined ? this.pass(held) : [];
    this.isOpen = false;
    this.paragraphs.end();
    return { events, error };
  }

  /** Adds what the CLI's own sum of all texts has and its events had not. */
  complete(whole: string): ChatEvent[] {
    return whole.startsWith(this.said) ? this.add(whole.slice(this.said.length)) : [];
  }

  private pass(text: string): ChatEvent[] {
    this.isOpen ||= text !== '';
    return this.paragraphs.add(text);
  }
}

/** The error that a text ends with. */
export function errorTail(text: string): string | undefined {
  const paragraph = lastParagraph(text.trimEnd(), true)?.text ?? '';
  return ERROR.test(paragraph) ? paragraph : undefined;
}

/**
 * How much of a text certainly does not belong to an error that is still to come. `isStart`: nothing of its paragraph has
 * been passed on.
 */
function safeLength(text: string, isStart: boolean): number {
  const trimmed = text.trimEnd();
  const paragraph = lastParagraph(trimmed, isStart);
  if (paragraph && BEGINNING.test(paragraph.text)) return paragraph.at;
  // Two line feeds begin a paragraph.
  const end = text.indexOf('\n', trimmed.length);
  return end === -1 ? text.length : end;
}

/** No paragraph of an error is as long as the limit. */
function lastParagraph(text: string, isStart: boolean): { text: string; at: number } | undefined {
  const from = Math.max(0, text.length - LONGEST_ERROR);
  const tail = text.slice(from);
  const at = tail.lastIndexOf('\n\n');
  if (at === -1) return isStart && from === 0 ? { text, at: 0 } : undefined;
  return { text: tail.slice(at + 2), at: from + at };
}
