import type { ChatEvent } from 'drivebay/plugin';
import { Paragraphs } from '../_shared/cli/answer-parts';

/**
 * The CLI may end the text of an answer with the words of an error, as a paragraph of their own, and report success all the
 * same: `Error: T: [resource_exhausted] Error`.
 */
const ERROR = /(?:^|\n\n)((?:Error: )?[A-Z]: (?:\[[a-z_]+\][^\n]*|WritableIterable is closed))\s*$/;
/** The beginnings of such a paragraph, down to its first letter. */
const BEGINNING =
  /(?:E|Er|Err|Erro|Error:?|(?:Error: ?)?(?:[A-Z](?::(?: (?:\[(?:[a-z_]*|[a-z_]+\][^\n]*)|W[A-Za-z ]*)?)?)?)?)\s*$/
    .source;
/** Two line feeds begin a paragraph, and may come one by one. */
const HELD = new RegExp(`\\n\\n${BEGINNING}|\\n\\s*$`);
const HELD_AT_START = new RegExp(`^${BEGINNING}|${HELD.source}`);
/** In characters. */
const LONGEST_ERROR = 4_096;

/** Puts the texts of a run together. Holds the end of a text back as long as it may be the beginning of an error. */
export class AnswerText {
  private said = '';
  private held = '';
  /** Whether something of the paragraph has been passed on. */
  private isOpen = false;
  private readonly paragraphs = new Paragraphs();

  add(text: string): ChatEvent[] {
    this.said += text;
    const pending = this.held + text;
    const at = pending.search(this.isOpen ? HELD : HELD_AT_START);
    const length = at === -1 || pending.length - at > LONGEST_ERROR ? pending.length : at;
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

export function errorTail(text: string): string | undefined {
  return ERROR.exec(text)?.[1];
}
