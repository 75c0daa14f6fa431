import type { ChatEvent, FinishReason } from 'drivebay/plugin';
import { fieldsOf, isBlank, isFields, textOf, type Fields } from '../_shared/fields';
import { ofChoice, OpenChoice } from '../_shared/http/choices-reader';
import { finishWords, toFinishReason } from '../_shared/http/finish-reason';
import { toExtraContent, type CallIds } from './call-marks';

const FINISH_WORDS = finishWords({
  stop: 'STOP',
  length: 'MAX_TOKENS',
  content_filter:
    'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION',
});

export class CandidateReader extends OpenChoice {
  /** What the vendor says of the end besides its word. */
  endMessage: string | undefined;
  /**
   * Whether something follows the end: some models say in every piece that they have finished. `maybe` for as long as
   * there is one piece only.
   */
  goesOn: 'no' | 'maybe' | 'yes' = 'maybe';
  private callCount = 0;
  /** The signature of a text; those of calls travel with the calls. */
  private signature: string | undefined;
  /** Facts about the candidate. The vendor repeats them in every piece: the last ones count. */
  private facts: Fields | undefined;

  constructor(
    index: number,
    private readonly ids: CallIds,
    /** The client knows no fields of chat completions: the signature goes the way of those of reasoning. */
    private readonly signsReasoning: boolean,
  ) {
    super(index);
  }

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

  finishReason(): FinishReason | undefined {
    return toFinishReason(FINISH_WORDS, this.endWord, { text: this.hasText, calls: this.callCount > 0 });
  }

  complete(events: ChatEvent[]): void {
    // Without anything that it signs, a signature would pass for an answer.
    if (this.signature !== undefined && (this.hasText || this.callCount > 0)) {
      const fields = toExtraContent(this.signature);
      const event: ChatEvent = this.signsReasoning
        ? { type: 'reasoning_end', extra: fields }
        : { type: 'extra', delta: fields };
      events.push(ofChoice(this.index, event));
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
    if (typeof text === 'string' && part.thought === true) this.addReasoning(text, events);
    else if (typeof text === 'string') this.addText(text, events);
    else if (isFields(part.inlineData)) this.readData(part.inlineData, part, events);
    else if (text === undefined) this.readUnknown(part, events);
  }

  /** The wire has no place for a picture in an answer; chat programs show one that stands in the text. */
  private readData({ mimeType, data }: Fields, part: Fields, events: ChatEvent[]): void {
    const type = textOf(mimeType) ?? '';
    if (type.startsWith('image/')) this.addText(`![image](data:${type};base64,${textOf(data) ?? ''})`, events);
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
