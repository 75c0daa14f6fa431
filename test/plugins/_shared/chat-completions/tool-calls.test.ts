import { WireToolCalls } from '../../../../plugins/_shared/chat-completions/tool-calls';

type Piece = Record<string, unknown>;

const call = (fields: Piece, name?: string, text?: unknown): Piece => ({
  ...fields,
  function: { name, arguments: text },
});

/** The calls that the pieces add up to. */
function assemble(pieces: Piece[]): { id: string; name: string; text: string }[] {
  const calls = new WireToolCalls();
  const events = [...pieces.flatMap((piece) => calls.readPiece(piece) ?? []), ...calls.complete()];
  const whole: { id: string; name: string; text: string }[] = [];
  for (const { index, id, name, arguments: text } of events) {
    const known = (whole[index] ??= { id: id ?? '?', name: name ?? '?', text: '' });
    known.text += text ?? '';
  }
  return whole;
}

const two = [
  { id: 'a', name: 'f', text: '{"x":1}' },
  { id: 'b', name: 'g', text: '{"y":2}' },
];

test.each([
  [
    'with indexes',
    [
      call({ index: 0, id: 'a' }, 'f', ''),
      call({ index: 0 }, undefined, '{"x":'),
      call({ index: 1, id: 'b' }, 'g', '{"y"'),
      call({ index: 0 }, undefined, '1}'),
      call({ index: 1 }, undefined, ':2}'),
    ],
  ],
  [
    'all of index 0',
    [
      call({ index: 0, id: 'a' }, 'f', '{"x":'),
      call({ index: 0 }, undefined, '1}'),
      call({ index: 0, id: 'b' }, 'g', '{"y":'),
      call({ index: 0 }, undefined, '2}'),
    ],
  ],
  ['without indexes', [call({ id: 'a' }, 'f', '{"x":'), call({}, undefined, '1}'), call({ id: 'b' }, 'g', '{"y":2}')]],
  ['with arguments as objects', [call({ id: 'a' }, 'f', { x: 1 }), call({ id: 'b' }, 'g', { y: 2 })]],
  ['with indexes from 1', [call({ index: 1, id: 'a' }, 'f', '{"x":1}'), call({ index: 2, id: 'b' }, 'g', '{"y":2}')]],
  [
    'with id and name in every piece',
    [
      call({ index: 0, id: 'a' }, 'f', '{"x":'),
      call({ index: 0, id: 'a' }, 'f', '1}'),
      call({ index: 1, id: 'b' }, 'g', '{"y":2}'),
    ],
  ],
  [
    'with a new id for every piece',
    [
      call({ index: 0, id: 'a' }, 'f', '{"x":'),
      call({ index: 0, id: 'zz' }, undefined, '1}'),
      call({ index: 1, id: 'b' }, 'g', '{"y":2}'),
    ],
  ],
  [
    'with names behind the ids',
    [
      { index: 0, id: 'a', type: 'function' },
      call({ index: 0 }, 'f', '{"x":'),
      { index: 1, id: 'b', type: 'function', function: { arguments: '{"y"' } },
      call({ index: 0 }, undefined, '1}'),
      call({ index: 1, id: 'b' }, 'g', ':2}'),
    ],
  ],
  [
    'with a name behind the id, without indexes',
    [{ id: 'a' }, call({}, 'f', '{"x":1}'), call({ id: 'b' }, 'g', '{"y":2}')],
  ],
  [
    'announced before anything is known of them',
    [
      { index: 0, type: 'function', function: {} },
      call({ index: 0, id: 'a' }, 'f', '{"x":1}'),
      { index: 1, type: 'function', function: { arguments: '{"y"' } },
      call({ index: 1, id: 'b' }, 'g', ':2}'),
    ],
  ],
  [
    'begun with no arguments, and the real ones behind',
    [
      call({ index: 0, id: 'a' }, 'f', '{}'),
      call({ index: 0 }, undefined, '{"x":'),
      call({ index: 0 }, undefined, '1}'),
      call({ index: 1, id: 'b' }, 'g', {}),
      call({ index: 1 }, undefined, '{"y":2}'),
    ],
  ],
])('puts parallel calls together: %s', (_, pieces) => {
  expect(assemble(pieces)).toEqual(two);
});

test('a call that stays without arguments has none', () => {
  const pieces = [call({ index: 0, id: 'a' }, 'f', '{}'), call({ index: 1, id: 'b' }, 'g', '{}')];
  expect(assemble(pieces).map(({ text }) => text)).toEqual(['{}', '{}']);
});

test('makes up an id where the server gives none', () => {
  expect(assemble([call({ index: 0 }, 'f', '{}')])[0]?.id).toMatch(/^call_[0-9a-f]{32}$/);
});

test('one id of two calls is that of the first', () => {
  const [first, second] = assemble([
    call({ index: 0, id: 'f' }, 'f', '{"x":'),
    call({ index: 1, id: 'f' }, 'f', '{"y":'),
    call({ index: 0, id: 'f' }, undefined, '1}'),
    call({ index: 1, id: 'f' }, undefined, '2}'),
  ]);
  expect([first, second]).toEqual([
    { id: 'f', name: 'f', text: '{"x":1}' },
    { id: expect.stringMatching(/^call_[0-9a-f]{32}$/), name: 'f', text: '{"y":2}' },
  ]);
  const whole = new WireToolCalls();
  const ids = [1, 2].map(() => whole.readWhole(call({ id: 'f' }, 'f', '{"z":0}'))?.id);
  expect(new Set(ids).size).toBe(2);
});

test('names a call in its first piece only', () => {
  const calls = new WireToolCalls();
  calls.readPiece(call({ index: 0, id: 'a' }, 'f', ''));
  expect(calls.readPiece(call({ index: 0, id: 'a' }, 'f', '{}'))).toEqual({
    type: 'tool_call',
    index: 0,
    arguments: '{}',
  });
});

test('tells nothing of a call before its name, and all of it with the name', () => {
  const calls = new WireToolCalls();
  expect(calls.readPiece(call({ index: 0, id: 'a', signature: 's' }, undefined, '{"x"'))).toBeUndefined();
  expect(calls.readPiece(call({ index: 0 }, 'f', ':1}'))).toEqual({
    ...{ type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '{"x":1}', extra: { signature: 's' } },
  });
});

test('tells a call that never gets a name at the end', () => {
  expect(assemble([call({ index: 0, id: 'a' }, undefined, '{}')])).toEqual([{ id: 'a', name: '', text: '{}' }]);
});

test('keeps unknown fields of a call', () => {
  const event = new WireToolCalls().readWhole(call({ id: 'a', type: 'function', signature: 's' }, 'f', '{}'));
  expect(event?.extra).toEqual({ signature: 's' });
});
