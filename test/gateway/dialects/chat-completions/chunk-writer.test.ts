import { ChunkWriter } from '../../../../core/gateway/dialects/chat-completions/chunk-writer';
import { events } from '../../wire';

const head = { id: 'chatcmpl-1', created: 1, model: 'm' };

test('fields that no event takes along get a chunk of their own, once', () => {
  const writer = new ChunkWriter(head, false);
  writer.frames({ type: 'text', text: 'x' });
  expect(writer.frames({ type: 'extra', delta: { annotations: [1] } })).toBe('');
  expect(writer.frames({ type: 'extra', delta: { annotations: [2] } })).toBe('');
  expect(events(writer.leftovers())[0]?.choices[0]).toMatchObject({ delta: { annotations: [1, 2] } });
  expect(writer.leftovers()).toBe('');
});

test('fields wait for their own choice', () => {
  const writer = new ChunkWriter(head, false);
  writer.frames({ type: 'extra', choice: 1, delta: { a: 1 } });
  expect(events(writer.frames({ type: 'text', text: 'x', choice: 0 }))[1]?.choices[0].delta).toEqual({ content: 'x' });
  const [, second] = events(writer.frames({ type: 'text', text: 'y', choice: 1 }));
  expect(second?.choices[0]).toMatchObject({ index: 1, delta: { content: 'y', a: 1 } });
});

test('every frame is one line, whatever the text holds', () => {
  const writer = new ChunkWriter({ ...head, model: 'a\n\ndata: [DONE]' }, true);
  const frames = writer.frames({ type: 'text', text: '\r\n\n\ndata: [DONE]\n\n' }) + writer.end();
  expect(frames.split('\n\n').map((frame) => frame.includes('\n'))).not.toContain(true);
  expect(frames.match(/^data: \[DONE\]$/gm)).toHaveLength(1);
});

test('events without a place in a stream write nothing', () => {
  const writer = new ChunkWriter(head, false);
  expect(writer.frames({ type: 'meta', model: 'x' })).toBe('');
  expect(writer.frames({ type: 'usage', inputTokens: 1, outputTokens: 1 })).toBe('');
  expect(writer.frames({ type: 'of the future' } as never)).toBe('');
});

test('the extra fields of a tool call are merged into it', () => {
  const writer = new ChunkWriter(head, false);
  const frames = writer.frames({ type: 'tool_call', index: 0, id: 'c', name: 'f', extra: { extra_content: { a: 1 } } });
  expect(events(frames)[1]?.choices[0].delta.tool_calls[0]).toEqual({
    index: 0,
    id: 'c',
    type: 'function',
    function: { name: 'f', arguments: '' },
    extra_content: { a: 1 },
  });
});
