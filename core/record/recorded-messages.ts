import type { Message, ToolCallPart } from '../contract/api';
import type { ProcessEvent } from './process-event';

interface Step {
  text: string;
  calls: Map<string, ToolCallPart>;
  results: Message[];
}

/**
 * The conversation that a record tells: the intent, the answers, and the tool calls with their results. Reasoning is left
 * out: a backend wants it back with signatures only, and these are not recorded.
 */
export function recordedMessages(events: readonly ProcessEvent[]): Message[] {
  const messages: Message[] = [];
  /** The steps of the process itself, and not those of a model that a tool call asked. */
  const steps = new Map<number, Step>();
  let pid = 0;
  for (const event of events) {
    if (event.type === 'created') {
      pid = event.pid;
      messages.push({ role: 'user', parts: [{ type: 'text', text: event.intent }] });
    } else if (event.type === 'step') {
      if (event.call === undefined) steps.set(event.step, { text: '', calls: new Map(), results: [] });
    } else if ('step' in event) {
      const step = steps.get(event.step);
      // Each process counts its calls from 1, and a conversation may go over several processes.
      if (step) take(step, event, (id) => `${id}_${pid}`);
    }
  }
  return [...messages, ...[...steps.values()].flatMap(messagesOf)];
}

function take(step: Step, event: ProcessEvent, idOf: (id: string) => string): void {
  if (event.type === 'text') step.text += event.text;
  if (event.type === 'tool_call') {
    const { id, tool: name, arguments: given } = event;
    step.calls.set(idOf(id), { type: 'tool_call', id: idOf(id), name, arguments: given });
  }
  if (event.type === 'tool_result') {
    const content = [{ type: 'text' as const, text: event.text }];
    step.results.push({ role: 'tool', parts: [{ type: 'tool_result', callId: idOf(event.id), content }] });
  }
}

/** A process that ended inside of a tool call has no result of it, and a backend refuses a call without one. */
function messagesOf({ text, calls, results }: Step): Message[] {
  const answered = results.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? part.callId : [])),
  );
  const parts: Message['parts'] = text === '' ? [] : [{ type: 'text', text }];
  for (const call of calls.values()) if (answered.includes(call.id)) parts.push(call);
  return parts.length === 0 ? [] : [{ role: 'assistant', parts }, ...results];
}
