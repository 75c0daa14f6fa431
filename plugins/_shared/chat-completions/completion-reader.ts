import type { ChatEvent, Usage } from 'drivebay/plugin';
import { isBlank, isFields, type Fields } from '../fields';
import { ChoicesReader } from '../http/choices-reader';
import type { MakeError } from '../http/explain-error';
import { foreignAnswer, objectIn, truncated, type AnswerReader } from '../http/answer-reader';
import { findAnswerError } from './answer-error';
import { ChoiceReader } from './choice-reader';
import { readUsage } from './usage';

/** How long the usage is waited for after the last finish: some servers never end the stream. */
const USAGE_WAIT_MS = 1_000;

/** Reads one answer, in pieces or as a whole: a whole answer is a single piece with messages in place of deltas. */
export class CompletionReader extends ChoicesReader<ChoiceReader> implements AnswerReader {
  /** Undefined until there are some: most servers have none. */
  private lastFields: Map<string, unknown> | undefined;
  private usage: Usage | undefined;

  /** `keepsState` and `hasTools`: see ChoiceReader. */
  constructor(
    expected: number,
    makeError: MakeError,
    private readonly keepsState = false,
    private readonly hasTools = false,
  ) {
    super(expected, makeError);
  }

  get patienceMs(): number | undefined {
    return this.isFinished ? USAGE_WAIT_MS : undefined;
  }

  read(piece: Fields, events: ChatEvent[]): void {
    const error = findAnswerError(piece, this.makeError);
    if (error) throw error;
    this.readModel(piece.model, events);
    this.readFields(piece, events);
    if (Array.isArray(piece.choices)) {
      for (const choice of piece.choices) if (isFields(choice)) this.choiceOf(choice.index).read(choice, events);
    }
    if (isFields(piece.usage)) {
      const isFirst = !this.usage;
      this.usage = readUsage(piece.usage) ?? this.usage;
      // The usage was counted when every choice had ended.
      this.isComplete = this.isFinished;
      // The input is charged also where the rest never comes.
      if (isFirst && this.usage && !this.isComplete) events.push(this.usage);
    }
  }

  conclude(events: ChatEvent[], isSaid: boolean): void {
    if (!isSaid && !this.isFinished) throw truncated(this.makeError, this.choices.length > 0);
    if (this.choices.length === 0) this.choiceOf(0);
    if (this.choices.length < this.expected) {
      const message = `the server answered with ${this.choices.length} of ${this.expected} choices`;
      throw this.makeError('upstream', message, { hint: 'the server may not know the field n' });
    }
    this.finish(events, this.usage);
  }

  readWhole(value: unknown, events: ChatEvent[]): void {
    const answer = objectIn(value, this.makeError);
    this.read(answer, events);
    if (!Array.isArray(answer.choices)) {
      throw foreignAnswer(answer, 'choices', 'check base_url: is it a chat-completions endpoint?', this.makeError);
    }
    if (this.choices.length === 0) {
      throw this.makeError('upstream', 'the server answered with an empty list of choices', { kind: 'empty' });
    }
    this.conclude(events, true);
  }

  protected open(index: number): ChoiceReader {
    return new ChoiceReader(index, this.keepsState, this.hasTools);
  }

  protected gaveUp({ endWord }: ChoiceReader): Error {
    return this.makeError('upstream', `the server gave the answer up (finish_reason "${endWord}")`);
  }

  /** Many servers repeat their own fields in every piece: only what changed is passed on. */
  private readFields(piece: Fields, events: ChatEvent[]): void {
    let changed: Fields | undefined;
    for (const name in piece) {
      if (isKnown(name) || isBlank(piece[name])) continue;
      const value = piece[name];
      const before = this.lastFields?.get(name);
      if (value === before || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(before))) continue;
      (this.lastFields ??= new Map()).set(name, value);
      (changed ??= {})[name] = value;
    }
    if (changed) events.push({ type: 'extra', response: changed });
  }
}

/** `obfuscation` is padding against eavesdroppers, different in every piece. */
function isKnown(name: string): boolean {
  switch (name) {
    case 'id':
    case 'object':
    case 'created':
    case 'model':
    case 'choices':
    case 'usage':
    case 'error':
    case 'obfuscation':
    case '__proto__':
      return true;
    default:
      return false;
  }
}
