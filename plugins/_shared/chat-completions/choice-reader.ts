import type { ChatEvent, FinishReason } from 'drivebay/plugin';
import { isBlank, isFields, textOf, unknownFields, type Fields } from '../fields';
import { ofChoice, OpenChoice } from '../http/choices-reader';
import { finishWords, toFinishReason } from '../http/finish-reason';
import { ReasoningState } from './reasoning-state';
import { WireToolCalls } from './tool-calls';

/** The words that servers use instead of the five of the wire, in lower case. */
const FINISH_WORDS = finishWords({
  stop: 'stop eos eos_token end end_turn stop_sequence stop_str complete completed',
  length: 'length max_tokens max_length max_output_tokens model_length model_context_window_exceeded',
  tool_calls: 'tool_calls tool_call tool_use function_call',
  content_filter: 'content_filter content_filtered sensitive safety recitation refusal',
  failed: 'error abort aborted cancelled timeout network_error insufficient_system_resource',
});

const CHOICE_FIELDS = new Set(['index', 'delta', 'message', 'finish_reason']);
const MESSAGE_FIELDS = new Set(['content', 'role', 'tool_calls', 'reasoning_content']);
/** Some servers send something else than a text under this name. */
const REASONING_FIELDS = new Set([...MESSAGE_FIELDS, 'reasoning']);

/** Reads the pieces of one choice. The order of its events within a piece: unknown fields, reasoning, text, calls. */
export class ChoiceReader extends OpenChoice {
  /** Undefined until the first one: most answers have none. */
  private calls: WireToolCalls | undefined;
  private readonly state: ReasoningState | undefined;
  private hasDelta = false;

  /**
   * `keepsState`: the client knows no fields of this wire, and has to get what the server wants back in another way.
   * `hasTools`: the client knows calls by their present name.
   */
  constructor(
    index: number,
    keepsState: boolean,
    private readonly hasTools: boolean,
  ) {
    super(index);
    if (keepsState) this.state = new ReasoningState();
  }

  read(choice: Fields, events: ChatEvent[]): void {
    const { delta, message: whole } = choice;
    let message: Fields | undefined;
    if (!this.hasDelta && isFields(whole) && !(isFields(delta) && says(delta, choice))) {
      message = whole;
    } else if (isFields(delta)) {
      message = delta;
      this.hasDelta = true;
    }
    const isPiece = message === delta;
    if (this.hasTools && message?.function_call && isBlank(message.tool_calls)) message = withPresentCall(message);
    this.readUnknown(choice, message, events);
    if (message) this.readMessage(message, isPiece, events);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.endWord = choice.finish_reason;
  }

  finishReason(): FinishReason | undefined {
    const word = (this.endWord ?? 'stop').toLowerCase();
    return toFinishReason(FINISH_WORDS, word, {
      text: this.hasText,
      calls: this.calls !== undefined && this.calls.count > 0,
    });
  }

  complete(events: ChatEvent[]): void {
    for (const event of this.calls?.complete() ?? []) events.push(ofChoice(this.index, event));
    this.endReasoning(events);
  }

  /** An ordinary piece allocates nothing here. */
  private readUnknown(choice: Fields, message: Fields | undefined, events: ChatEvent[]): void {
    const known = typeof message?.reasoning === 'string' ? REASONING_FIELDS : MESSAGE_FIELDS;
    const delta = message && unknownFields(message, known);
    const choiceFields = unknownFields(choice, CHOICE_FIELDS);
    if (!delta && !choiceFields) return;
    const event: ChatEvent = { type: 'extra' };
    if (delta) event.delta = delta;
    if (choiceFields) event.choiceFields = choiceFields;
    events.push(ofChoice(this.index, event));
  }

  private readMessage(message: Fields, isPiece: boolean, events: ChatEvent[]): void {
    this.state?.add(message, isPiece);
    const { content, tool_calls: calls } = message;
    const parts = Array.isArray(content) ? readContent(content) : undefined;
    const text = parts?.text ?? textOf(content) ?? '';
    // Servers that send both names send the same text twice.
    this.addReasoning(textOf(message.reasoning_content) ?? textOf(message.reasoning) ?? '', events);
    if (parts) this.addReasoning(parts.reasoning, events);
    if (text !== '' || !isBlank(calls)) this.endReasoning(events);
    this.addText(text, events);
    if (!Array.isArray(calls) || calls.length === 0) return;
    this.calls ??= new WireToolCalls();
    for (const call of calls.filter(isFields)) {
      const event = isPiece ? this.calls.readPiece(call) : this.calls.readWhole(call);
      if (event) events.push(ofChoice(this.index, event));
    }
  }

  private endReasoning(events: ChatEvent[]): void {
    const extra = this.state?.take();
    if (extra) events.push(ofChoice(this.index, { type: 'reasoning_end', extra }));
  }
}

/** Some servers end an answer with the whole message, and a delta of nothing but a role beside it. */
function says(delta: Fields, { finish_reason: end }: Fields): boolean {
  return isBlank(end) || Object.entries(delta).some(([name, value]) => name !== 'role' && !isBlank(value));
}

/** Some old servers know a single call, under the first name that the wire had for it. */
function withPresentCall({ function_call: definition, ...message }: Fields): Fields {
  return { ...message, tool_calls: [{ index: 0, function: definition }] };
}

/** The texts of a content that came as a list of parts, as some servers send it when the model thinks. */
function readContent(parts: unknown[]): { text: string; reasoning: string } {
  const found = { text: '', reasoning: '' };
  for (const part of parts) {
    if (typeof part === 'string') found.text += part;
    if (!isFields(part)) continue;
    if (part.type !== 'thinking') found.text += textOf(part.text) ?? '';
    else
      found.reasoning += Array.isArray(part.thinking) ? readContent(part.thinking).text : (textOf(part.thinking) ?? '');
  }
  return found;
}
