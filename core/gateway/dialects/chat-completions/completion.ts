import type { ChatEvent, FinishReason, Usage } from '../../../contract/api';
import { mergeFields } from '../../../fields';
import type { BodyForm } from '../../whole-chat';
import { type AnswerHead, callId, wireUsage } from './wire-parts';

type Fields = Record<string, unknown>;
type ToolCallEvent = Extract<ChatEvent, { type: 'tool_call' }>;

export class Completion implements BodyForm {
  private readonly choices: FoldedChoice[] = [];
  private usage: Usage | undefined;
  private response: Fields = {};

  constructor(private readonly head: AnswerHead) {}

  add(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
        this.choice(event).text.push(event.text);
        break;
      case 'reasoning':
        this.choice(event).reasoning.push(event.text);
        if (event.extra) this.choice(event).addFields(event.extra);
        break;
      case 'tool_call':
        this.choice(event).addToolCall(event);
        break;
      case 'extra':
        if (event.delta) this.choice(event).addFields(event.delta);
        if (event.choiceFields) this.choice(event).addChoiceFields(event.choiceFields);
        // A backend repeats the fields of the whole answer, so a later value replaces the earlier one.
        if (event.response) this.response = { ...this.response, ...event.response };
        break;
      case 'usage':
        this.usage = event;
        break;
      case 'finish':
        this.choice(event).reason = event.reason;
        break;
      default:
    }
  }

  toBody(): Fields {
    const { id, created, model } = this.head;
    return {
      ...this.response,
      id,
      object: 'chat.completion',
      created,
      model,
      choices: this.choices.map((choice, index) => choice.toWire(index, this.head)),
      usage: wireUsage(this.usage),
    };
  }

  private choice({ choice: index = 0 }: { choice?: number }): FoldedChoice {
    while (this.choices.length <= index) this.choices.push(new FoldedChoice());
    return this.choices[index]!;
  }
}

class FoldedChoice {
  readonly text: string[] = [];
  readonly reasoning: string[] = [];
  reason: FinishReason = 'stop';
  /** By index. Some backends begin at 1. */
  private readonly calls = new Map<number, Fields>();
  private fields: Fields = {};
  private choiceFields: Fields = {};

  addFields(fields: Fields): void {
    this.fields = mergeFields(this.fields, fields);
  }

  addChoiceFields(fields: Fields): void {
    this.choiceFields = mergeFields(this.choiceFields, fields);
  }

  addToolCall({ index, id, name, arguments: piece = '', extra }: ToolCallEvent): void {
    const call = this.calls.get(index) ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
    const { name: known, arguments: before } = call.function as { name: string; arguments: string };
    const definition = { ...(call.function as Fields), name: name || known, arguments: before + piece };
    const folded: Fields = { ...call, id: id || call.id, function: definition };
    this.calls.set(index, extra ? mergeFields(folded, extra) : folded);
  }

  toWire(index: number, head: AnswerHead): Fields {
    const calls = [...this.calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([position, call]) => ({ ...call, id: call.id || callId(head, position) }));
    const content = this.text.join('');
    return {
      index,
      message: {
        role: 'assistant',
        content: content === '' && calls.length > 0 ? null : content,
        refusal: null,
        reasoning_content: this.reasoning.join('') || undefined,
        tool_calls: calls.length > 0 ? calls : undefined,
        ...this.fields,
      },
      logprobs: null,
      ...this.choiceFields,
      finish_reason: this.reason,
    };
  }
}
