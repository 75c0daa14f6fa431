import type { ChatEvent, FinishReason, Usage } from 'drivebay/plugin';
import { countOf, textOf } from '../fields';
import type { MakeError } from './explain-error';

/** One choice of an answer, as far as it has been read. */
export abstract class OpenChoice {
  /** The server's own word for how the choice ended. */
  endWord: string | undefined;
  protected hasText = false;

  constructor(readonly index: number) {}

  /** Undefined when the model gave the choice up. */
  abstract finishReason(): FinishReason | undefined;
  /** Appends what is missing before the finish. */
  abstract complete(events: ChatEvent[]): void;

  protected addText(text: string, events: ChatEvent[]): void {
    if (text === '') return;
    this.hasText = true;
    events.push(this.index === 0 ? { type: 'text', text } : { type: 'text', text, choice: this.index });
  }

  protected addReasoning(text: string, events: ChatEvent[]): void {
    if (text !== '') events.push(ofChoice(this.index, { type: 'reasoning', text }));
  }
}

/** Marks an event of a choice other than the first. */
export function ofChoice<Event extends ChatEvent>(choice: number, event: Event): Event {
  return choice === 0 ? event : { ...event, choice };
}

/** The part of an answer's reader that keeps its choices apart. */
export abstract class ChoicesReader<Choice extends OpenChoice> {
  isComplete = false;
  /** In the order in which they came. */
  protected readonly choices: Choice[] = [];
  private hasModel = false;

  constructor(
    protected readonly expected: number,
    protected readonly makeError: MakeError,
  ) {}

  protected abstract open(index: number): Choice;
  protected abstract gaveUp(choice: Choice): Error;

  protected get isFinished(): boolean {
    return this.choices.length >= this.expected && this.choices.every(({ endWord }) => endWord !== undefined);
  }

  /** Some servers count their only choice from 1. */
  protected choiceOf(index: unknown): Choice {
    const count = countOf(index) ?? 0;
    const number = count < this.expected ? count : 0;
    for (const choice of this.choices) if (choice.index === number) return choice;
    const choice = this.open(number);
    this.choices.push(choice);
    return choice;
  }

  protected readModel(value: unknown, events: ChatEvent[]): void {
    const model = this.hasModel ? undefined : textOf(value);
    if (model === undefined) return;
    this.hasModel = true;
    events.push({ type: 'meta', model });
  }

  /** Completed calls, usage, and one finish per choice. */
  protected finish(events: ChatEvent[], usage: Usage | undefined): void {
    for (const choice of this.choices) choice.complete(events);
    if (usage) events.push(usage);
    for (const choice of this.choices) {
      const reason = choice.finishReason();
      if (reason === undefined) throw this.gaveUp(choice);
      events.push(ofChoice(choice.index, { type: 'finish', reason }));
    }
  }
}
