import { ReasoningState } from '../../../../plugins/_shared/chat-completions/reasoning-state';

type Fields = Record<string, unknown>;

function kept(messages: Fields[], isPiece = true): unknown {
  const state = new ReasoningState();
  for (const message of messages) state.add(message, isPiece);
  return state.take();
}

const details = (...entries: Fields[]) => ({ reasoning_details: entries });
const text = (value: string, more: Fields = {}) => ({ type: 'reasoning.text', text: value, index: 0, ...more });

test('an entry that comes in pieces is whole again, up to its signature', () => {
  const pieces = [text('Let '), text('me', { signature: null }), text('', { signature: 'S' }), text('Next')];
  expect(kept(pieces.map((each) => details(each)))).toEqual(details(text('Let me', { signature: 'S' }), text('Next')));
});

test.each<[string, Fields, Fields]>([
  ['of another place', text('a'), text('b', { index: 1 })],
  ['of another kind', text('a'), { type: 'reasoning.summary', summary: 'b', index: 0 }],
  ['with another id', text('a', { id: 'r1' }), text('b', { id: 'r2' })],
  ['that are encrypted', { type: 'reasoning.encrypted', data: 'A' }, { type: 'reasoning.encrypted', data: 'B' }],
])('entries %s stay apart', (_name, first, second) => {
  expect(kept([details(first), details(second)])).toEqual(details(first, second));
});

test('a signature that comes alone belongs to the text before it', () => {
  const blocks = (...entries: Fields[]) => ({ thinking_blocks: entries });
  const thinking = { type: 'thinking', thinking: 'hm' };
  expect(kept([blocks(thinking), blocks({ type: 'thinking', signature: 'S' })])).toEqual(
    blocks({ ...thinking, signature: 'S' }),
  );
});

test('a whole answer stays as it is', () => {
  const answer = details(text('a'), text('b'));
  expect(kept([{ ...answer, content: 'Hi' }], false)).toEqual(answer);
});

test('what is no list is kept as it came last, and nothing is nothing', () => {
  expect(kept([{ extra_content: { a: 1 } }, { extra_content: { b: 2 } }])).toEqual({ extra_content: { b: 2 } });
  expect(kept([{ reasoning_details: [], thinking_blocks: null, content: 'Hi' }])).toBeUndefined();
});
