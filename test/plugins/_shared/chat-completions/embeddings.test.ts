import { DriverError } from '../../../../core/contract/driver-error';
import { readEmbeddings } from '../../../../plugins/_shared/chat-completions/embeddings';

const makeError = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
const read = (data: unknown, wanted = 2, more: object = {}) => readEmbeddings({ data, ...more }, wanted, makeError);
const entry = (index: number, embedding: unknown) => ({ index, embedding });

test('vectors come in the order of their index', () => {
  expect(read([entry(1, [2]), entry(0, [1])]).vectors).toEqual([[1], [2]]);
});

test.each([
  [0, 0],
  [1, 2],
  [undefined, undefined],
])('with the indices %p and %p the order stays', (one, other) => {
  const data = [
    { index: one, embedding: [1] },
    { index: other, embedding: [2] },
  ];
  expect(read(data).vectors).toEqual([[1], [2]]);
});

test('base64 is read as little-endian numbers of 32 bits', () => {
  const text = Buffer.from('000080bf0000003f', 'hex').toString('base64');
  expect(read([entry(0, text)], 1).vectors).toEqual([[-1, 0.5]]);
});

test('the model and the tokens are those of the server', () => {
  const answer = read([entry(0, [1])], 1, { model: 'm', usage: { total_tokens: 5, cost: 0.25 } });
  expect(answer).toEqual({ vectors: [[1]], model: 'm', inputTokens: 5, costUsd: 0.25 });
  expect(read([entry(0, [1])], 1)).toMatchObject({ model: undefined, inputTokens: undefined });
});

test.each<[string, unknown, object, string]>([
  ['too few vectors', [entry(0, [1])], {}, '1 vectors for 2 inputs'],
  ['no numbers', [entry(0, [1]), entry(1, ['x'])], {}, 'no vector'],
  ['a text that is no base64', [entry(0, [1]), entry(1, '!')], {}, 'no vector'],
  ['base64 of another length', [entry(0, [1]), entry(1, 'AACAPwA=')], {}, 'no vector'],
  ['base64 of what is no number', [entry(0, [1]), entry(1, 'AADAfw==')], {}, 'no vector'],
  ['a vector for each token', [entry(0, [[1]]), entry(1, [[1]])], {}, 'a vector for each token'],
  ['no list', undefined, {}, 'no data'],
  ['an error inside of a good answer', undefined, { error: { message: 'no memory' } }, 'no memory'],
])('%s is an error', (_, data, more, words) => {
  expect(() => read(data, 2, more)).toThrow(words);
});
