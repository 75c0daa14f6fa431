import type { ChatEvent, FinishReason } from 'drivebay/plugin';
import { fieldsOf, isBlank, isFields, textOf, type Fields } from '../_shared/fields';
import { finishWords, ofChoice, toFinishReason } from '../_shared/http/finish-reason';
import { toExtraContent, type CallIds } from './call-marks';

const FINISH_WORDS = finishWords({
  stop: 'STOP',
  length: 'MAX_TOKENS',
  content_filter:
    'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION',
});

/** Reads the pieces of one candidate. */
export class CandidateReader {
  /** The vendor's own word for how the candidate ended, with what it says besides. */
  endWord: string | undefined;
  endMessage: string | undefined;
  /**
   * Whether something follows the end: some models say in every piece that they have finished. `maybe` for as long as
   * there is one piece only.
   */
  goesOn: 'no' | 'maybe' | 'yes' = 'maybe';
  private callCount = 0;
  private hasText = false;
  /** The signature of a text; those of calls travel with the calls. */
  private signature: string | undefined;
  /** Facts about the candidate. The vendor repeats them in every piece: the last ones count. */
  private facts: Fields | undefined;

  constructor(
    readonly index: number,
    private readonly ids: CallIds,
  ) {}

  read(candidate: Fields, events: ChatEvent[]): void {
    const hadEnded = this.endWord !== undefined;
    for (const name in candidate) {
      if (name === 'content' || name === 'index' || name === '__proto__') continue;
      const value = candidate[name];
      if (name === 'finishReason') this.endWord = textOf(value) ?? this.endWord;
      else if (name === 'finishMessage') this.endMessage = textOf(value) ?? this.endMessage;
      else if (!isBlank(value)) (this.facts ??= {})[name] = value;
    }
    const { content } = candidate;
    if (!isFields(content) || !Array.isArray(content.parts)) return;
    if (hadEnded) this.goesOn = 'yes';
    else if (this.endWord === undefined) this.goesOn = 'no';
    for (const part of content.parts) if (isFields(part)) this.readPart(part, events);
  }

  /** Undefined when the model gave the answer up (OTHER ...) and there is nothing to show for it. */
  finishReason(): FinishReason | undefined {
    return toFinishReason(FINISH_WORDS, this.endWord, { text: this.hasText, calls: this.callCount > 0 });
  }

  /** Appends the events before the finish. */
  complete(events: ChatEvent[]): void {
    // Without anything that it signs, a signature would pass for an answer.
    if (this.signature !== undefined && (this.hasText || this.callCount > 0)) {
      events.push(ofChoice(this.index, { type: 'extra', delta: toExtraContent(this.signature) }));
    }
    if (this.facts) events.push(ofChoice(this.index, { type: 'extra', choiceFields: this.facts }));
  }

  private readPart(part: Fields, events: ChatEvent[]): void {
    const { text, functionCall } = part;
    const signature = textOf(part.thoughtSignature);
    if (isFields(functionCall)) {
      events.push(ofChoice(this.index, this.toCall(functionCall, signature)));
      return;
    }
    if (signature !== undefined) this.signature = signature;
    if (typeof text === 'string') this.readText(text, part.thought === true, events);
    else if (isFields(part.inlineData)) this.readData(part.inlineData, part, events);
    else if (text === undefined) this.readUnknown(part, events);
  }

  private readText(text: string, isThought: boolean, events: ChatEvent[]): void {
    if (text === '') return;
    if (isThought) {
      events.push(ofChoice(this.index, { type: 'reasoning', text }));
      return;
    }
    this.hasText = true;
    events.push(this.index === 0 ? { type: 'text', text } : { type: 'text', text, choice: this.index });
  }

  /** The wire has no place for a picture in an answer; chat programs show one that stands in the text. */
  private readData({ mimeType, data }: Fields, part: Fields, events: ChatEvent[]): void {
    const type = textOf(mimeType) ?? '';
    if (type.startsWith('image/')) this.readText(`![image](data:${type};base64,${textOf(data) ?? ''})`, false, events);
    else this.readUnknown(part, events);
  }

  /** Parts of other kinds (code that the vendor ran, sound) go along as they are. */
  private readUnknown(part: Fields, events: ChatEvent[]): void {
    const { thoughtSignature: _, ...content } = part;
    if (Object.keys(content).length === 0) return;
    events.push(ofChoice(this.index, { type: 'extra', delta: { extra_content: { google: { parts: [content] } } } }));
  }

  private toCall({ id, name, args }: Fields, signature: string | undefined): ChatEvent {
    const index = this.callCount;
    this.callCount += 1;
    return {
      type: 'tool_call',
      index,
      id: this.ids.next(textOf(id)),
      name: textOf(name) ?? '',
      arguments: JSON.stringify(fieldsOf(args)),
      extra: signature === undefined ? undefined : toExtraContent(signature),
    };
  }
}
