import { AnswerFold } from '../../../contract/answer-fold';
import type { ChatEvent } from '../../../contract/api';
import { addFurther, type Fields, mergeFields } from '../../../fields';
import type { BodyForm } from '../../whole-chat';
import { veil } from './veil';
import { type AnswerHead, callId, wireUsage } from './wire-parts';

export class Completion implements BodyForm {
  private readonly choices: AnswerFold[] = [];
  private response: Fields | undefined;

  constructor(private readonly head: AnswerHead) {}

  add(event: ChatEvent): void {
    const { choice = 0 } = event as { choice?: number };
    while (this.choices.length <= choice) this.choices.push(new AnswerFold());
    this.choices[choice]!.add(event);
    // A backend repeats the fields of the whole answer, so a later value replaces the earlier one.
    if (event.type === 'extra') this.response = { ...this.response, ...event.response };
  }

  veil(event: ChatEvent): ChatEvent {
    return veil(event);
  }

  toBody(): Fields {
    const { id, created, model } = this.head;
    const body: Fields = {
      id,
      object: 'chat.completion',
      created,
      model,
      choices: this.choices.map((choice, index) => toWire(choice, index, this.head)),
      // The counts belong to no choice, so the first one has them.
      usage: wireUsage(this.choices[0]?.usage),
    };
    return this.response ? addFurther(body, this.response) : body;
  }
}

function toWire(choice: AnswerFold, index: number, head: AnswerHead): Fields {
  const { text, reasoning, signatures, delta, choiceFields, finish } = choice;
  const calls = choice
    .toolCalls((position) => callId(head, position))
    .map(({ id, name, arguments: args, extra }) => {
      const call = { id, type: 'function', function: { name, arguments: args } };
      return extra ? mergeFields(call, extra) : call;
    });
  const message: Fields = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    reasoning_content: reasoning || undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  };
  if (signatures || delta) Object.assign(message, mergeFields(signatures, delta));
  const wire: Fields = { index, message, logprobs: null, finish_reason: finish };
  return choiceFields ? { ...wire, ...choiceFields, finish_reason: finish } : wire;
}
