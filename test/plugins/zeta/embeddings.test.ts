import type { EmbeddingRequest } from '../../../core/contract/api';
import { DriverError } from '../../../core/contract/driver-error';
import { readBatch, toBatches, toEmbeddingConfig } from '../../../plugins/zeta/embeddings';

const makeError = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
const request = (fields: Partial<EmbeddingRequest>): EmbeddingRequest => ({ input: ['x'], extra: {}, ...fields });

test('texts go in lists of a hundred, each as a content of its own', () => {
  const input = Array.from({ length: 201 }, (_, index) => `text ${index}`);
  const batches = toBatches(request({ input }), makeError);
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 1]);
  expect(batches[2]).toEqual([{ parts: [{ text: 'text 200' }] }]);
});

test('token numbers are refused', () => {
  expect(() => toBatches(request({ input: [[1]] }), makeError)).toThrow('texts only');
});

test('the fields of the vendor pass, others are named', () => {
  const ignored: string[] = [];
  const extra = { taskType: 'CLUSTERING', title: 'T', user: 'me' };
  expect(toEmbeddingConfig(request({ dimensions: 3, extra }), ignored)).toEqual({
    ...{ outputDimensionality: 3, taskType: 'CLUSTERING', title: 'T' },
  });
  expect(ignored).toEqual(['user']);
});

test('an answer has a vector for each text, and tokens where the vendor counts them', () => {
  const embeddings = [{ values: [1, 2] }, { values: [3, 4] }];
  expect(readBatch({ embeddings }, 2, makeError)).toEqual({
    vectors: [
      [1, 2],
      [3, 4],
    ],
    inputTokens: undefined,
  });
  expect(readBatch({ embeddings, usageMetadata: { promptTokenCount: 7 } }, 2, makeError).inputTokens).toBe(7);
});

test.each([[{ embeddings: [{ values: [1] }] }], [{ embeddings: [{ values: [] }, {}] }], [{ embedding: {} }]])(
  '%j is an error',
  (answer) => {
    expect(() => readBatch(answer, 2, makeError)).toThrow(DriverError);
  },
);

test('an error inside of a good answer is told in the words of the vendor', () => {
  expect(() => readBatch({ error: { code: 503, message: 'no memory' } }, 2, makeError)).toThrow(/no memory/);
});
