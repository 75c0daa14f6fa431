import { Completion } from '../../../../core/gateway/dialects/chat-completions/completion';
import { ChunkWriter } from '../../../../core/gateway/dialects/chat-completions/chunk-writer';
import type { ChatEvent } from '../../../../core/contract/api';
import { events, type Json } from '../../wire';

const head = { id: 'chatcmpl-1', created: 1, model: 'm' };

test('an answer of many pieces reads the same folded and streamed', () => {
  const all: ChatEvent[] = [
    { type: 'reasoning', text: 'a' },
    { type: 'reasoning', text: 'b' },
    { type: 'text', text: 'c' },
    { type: 'extra', delta: { refusal: 'd' } },
    { type: 'text', text: 'e' },
    { type: 'tool_call', index: 0, id: 'x', name: 'f', arguments: '{' },
    { type: 'tool_call', index: 0, arguments: '}' },
    { type: 'finish', reason: 'tool_calls' },
  ];
  const completion = new Completion(head);
  const writer = new ChunkWriter(head, false);
  const deltas = all.flatMap((event) => {
    completion.add(event);
    return events(writer.frames(event)).map((chunk) => chunk.choices[0].delta as Json);
  });
  const joined = (name: string) => deltas.map((delta) => (delta[name] as string | undefined) ?? '').join('');
  const { message } = (completion.toBody().choices as { message: Json }[])[0]!;
  expect(joined('content')).toBe(message.content);
  expect(joined('reasoning_content')).toBe(message.reasoning_content);
  expect(joined('refusal')).toBe(message.refusal);
  const pieces = deltas.flatMap((delta) => (delta.tool_calls ?? []) as { function: { arguments: string } }[]);
  expect(pieces.map((piece) => piece.function.arguments).join('')).toBe(message.tool_calls[0].function.arguments);
});

test('fields of the whole answer are replaced, not appended', () => {
  const completion = new Completion(head);
  for (let n = 0; n < 2; n += 1) completion.add({ type: 'extra', response: { service_tier: 'default' } });
  completion.add({ type: 'text', text: 'x' });
  expect(completion.toBody()).toMatchObject({ service_tier: 'default' });
});

test('only content null marks an answer of nothing but tool calls', () => {
  const completion = new Completion(head);
  completion.add({ type: 'tool_call', index: 0, id: 'x', name: 'f', arguments: '{}' });
  expect(completion.toBody()).toMatchObject({ choices: [{ message: { content: null } }] });
});

test('a backend that counts tool calls from 1 makes no empty call', () => {
  const completion = new Completion(head);
  completion.add({ type: 'tool_call', index: 2, id: 'y', name: 'g', arguments: '{}' });
  completion.add({ type: 'tool_call', index: 1, id: 'x', name: 'f', arguments: '{}' });
  const { message } = (completion.toBody().choices as { message: { tool_calls: { id: string }[] } }[])[0]!;
  expect(message.tool_calls.map(({ id }) => id)).toEqual(['x', 'y']);
});
