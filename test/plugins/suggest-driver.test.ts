import { bundledPlugins } from '../../core/plugins/discover';
import { suggestDriver } from '../../core/plugins/suggest-driver';

const manifests = bundledPlugins().flatMap(({ manifest }) => manifest ?? []);
const guess = (word: string) => /did you mean (\S+)\?/.exec(suggestDriver(word, manifests))?.[1];

test.each([
  ['claude', 'claude-code'],
  ['Claude', 'claude-code'],
  ['qwen', 'qwen-code'],
  ['antropic', 'anthropic'],
  ['openai-compatable', 'openai-compatible'],
  ['alpha-cil', 'alpha-cli'],
  ['google', 'gemini'],
  ['ollama', 'openai-compatible'],
  ['deepseek', 'openai-compatible'],
])('driver: %s: did you mean %s?', (word, meant) => {
  expect(guess(word)).toBe(meant);
});

test.each(['cli', 'http', 'nonsense', ''])('driver: %p leads to a list without a guess', (word) => {
  expect(guess(word)).toBeUndefined();
  expect(suggestDriver(word, manifests)).toContain('drivers: claude-code, cursor, openai-compatible');
});
