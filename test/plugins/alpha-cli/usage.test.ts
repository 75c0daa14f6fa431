import { MessageCounts } from '../../../plugins/alpha-cli/usage';

const INPUT = { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };

test.each([
  ['all counts', { ...INPUT, output_tokens: 7 }],
  ['those of the output only', { output_tokens: 7 }],
  ['no number for the input', { input_tokens: null, output_tokens: 7 }],
])('a message whose end tells %s has those of its beginning, too', (_name, end) => {
  const counts = new MessageCounts();
  for (let messages = 1; messages <= 2; messages += 1) {
    counts.count({ ...INPUT, output_tokens: 1 });
    counts.count(end);
    expect(counts.total()).toMatchObject({ inputTokens: 125 * messages, outputTokens: 7 * messages });
    counts.endMessage();
  }
});

test('a run that has told nothing has no counts', () => {
  const counts = new MessageCounts();
  counts.count(undefined);
  counts.endMessage();
  expect(counts.total()).toBeUndefined();
});
