import { type Fields, isFields, parseJson } from '../../../fields';
import type { ChatEvent } from '../../../contract/api';
import type { BodyForm } from '../../whole-chat';
import { DELTAS } from './answer-blocks';
import { MessageForm } from './message-form';
import { named } from './native-stream';

/** Folds the events of an answer into one body. */
export class MessageBody extends MessageForm implements BodyForm {
  protected native: Fields | undefined;
  private readonly content: Fields[] = [];
  private input = '';

  add(event: ChatEvent): void {
    if (event.type === 'native') this.native = event.value;
    else if (!this.native) this.blocks.add(event);
  }

  toBody(): Fields {
    if (this.native) return named(this.native, this.name);
    const { delta, usage } = this.ending();
    return Object.assign(this.beginning(), { content: this.content, usage }, delta);
  }

  start(_index: number, block: Fields): void {
    this.content.push({ ...block });
    this.input = '';
  }

  delta(index: number, type: keyof typeof DELTAS, piece: string): void {
    const block = this.content[index]!;
    if (type === 'input_json_delta') this.input += piece;
    else block[DELTAS[type]] = (block[DELTAS[type]] as string) + piece;
  }

  stop(index: number): void {
    const block = this.content[index]!;
    if (block.type === 'tool_use') block.input = toInput(this.input);
  }
}

/** Typed clients fail on an input that is no object and lose the whole answer, so any other input becomes one argument. */
function toInput(text: string): Fields {
  const value = parseJson(text, text);
  return isFields(value) ? value : { arguments: value };
}
