import type { ChatEvent, Usage } from 'drivebay/plugin';
import { findAnswerError, type MakeError } from './answer-error';
import { ChoiceReader } from './choice-reader';
import { isBlank, isFields, textOf, type Fields } from '../fields';
import { readUsage } from './usage';

/** Reads one answer, in pieces or as a whole: a whole answer is a single piece with messages in place of deltas. */
export class AnswerReader {
  private readonly choices = new Map<number, ChoiceReader>();
  private readonly lastFields = new Map<string, unknown>();
  private usage: Usage | undefined;
  private hasModel = false;
  private hasFinalUsage = false;

  constructor(
    private readonly expectedChoices: number,
    private readonly makeError: MakeError,
  ) {}

  /** Every choice has said how it ended. */
  get isFinished(): boolean {
    if (this.choices.size < this.expectedChoices) return false;
    for (const choice of this.choices.values()) if (choice.endWord === undefined) return false;
    return true;
  }

  /** Nothing more can come: the usage was counted when every choice had ended. */
  get isComplete(): boolean {
    return this.hasFinalUsage;
  }

  get hasChoices(): boolean {
    return this.choices.size > 0;
  }

  /** Appends the events of a piece. Throws the error that the server reports in it. */
  read(piece: Fields, events: ChatEvent[]): void {
    const error = findAnswerError(piece, this.makeError);
    if (error) throw error;
    if (!this.hasModel) this.readModel(piece.model, events);
    this.readFields(piece, events);
    if (Array.isArray(piece.choices)) {
      for (const choice of piece.choices) if (isFields(choice)) this.choiceOf(choice.index).read(choice, events);
    }
    if (isFields(piece.usage)) {
      this.usage = readUsage(piece.usage) ?? this.usage;
      this.hasFinalUsage = this.isFinished;
    }
  }

  /** Appends what comes last: completed calls, usage, and one finish per choice. */
  conclude(events: ChatEvent[]): void {
    if (this.choices.size === 0) this.choiceOf(0);
    if (this.choices.size < this.expectedChoices) {
      const message = `the server answered with ${this.choices.size} of ${this.expectedChoices} choices`;
      throw this.makeError('upstream', message, { hint: 'the server may not know the field n' });
    }
    const choices = [...this.choices.values()];
    for (const choice of choices) choice.complete(events);
    if (this.usage) events.push(this.usage);
    for (const choice of choices) events.push(this.finishOf(choice));
  }

  private finishOf(choice: ChoiceReader): ChatEvent {
    const reason = choice.finishReason();
    if (reason === undefined) {
      throw this.makeError('upstream', `the server gave the answer up (finish_reason "${choice.endWord}")`);
    }
    return choice.index === 0 ? { type: 'finish', reason } : { type: 'finish', reason, choice: choice.index };
  }

  private choiceOf(index: unknown): ChoiceReader {
    // Some servers count their only choice from 1.
    const number = typeof index === 'number' && this.expectedChoices > 1 ? index : 0;
    let choice = this.choices.get(number);
    if (!choice) {
      choice = new ChoiceReader(number);
      this.choices.set(number, choice);
    }
    return choice;
  }

  private readModel(value: unknown, events: ChatEvent[]): void {
    const model = textOf(value);
    if (model === undefined) return;
    this.hasModel = true;
    events.push({ type: 'meta', model });
  }

  /** Many servers repeat their own fields in every piece: only what changed is passed on. */
  private readFields(piece: Fields, events: ChatEvent[]): void {
    let changed: Fields | undefined;
    for (const name in piece) {
      if (isKnown(name) || isBlank(piece[name])) continue;
      const value = piece[name];
      const before = this.lastFields.get(name);
      if (value === before || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(before))) continue;
      this.lastFields.set(name, value);
      (changed ??= {})[name] = value;
    }
    if (changed) events.push({ type: 'extra', response: changed });
  }
}

/** `obfuscation` is padding against eavesdroppers between the server and us, different in every piece. */
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
