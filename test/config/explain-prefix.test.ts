import { explainPrefix } from '../../core/config/explain-prefix';
import { formatProblem } from '../../core/errors';

const said = (model: string) => explainPrefix(model, ['main', 'other']).map(formatProblem);

test('a model that begins with the name of a provider is explained', () => {
  expect(said('other:llama3:8b')).toEqual([
    '--model "other:llama3:8b" is the full name of a model; to ask provider "other": --provider other --model llama3:8b',
  ]);
});

test.each(['llama3:8b', 'other', ':other', 'others:m', ''])('%p is not', (model) => {
  expect(said(model)).toEqual([]);
});

test('what looks like a key is not shown, neither as a model nor in the advice', () => {
  const key = 'sk-ant-api03-Planted0123456789abcdef';
  expect(said(`other:${key}`)).toEqual([expect.not.stringContaining(key)]);
});
