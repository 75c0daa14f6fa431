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

test.each([
  ['openrouter', 'base_url: https://openrouter.ai/api/v1, api_key_env: OPENROUTER_API_KEY it asks openrouter'],
  ['ollama', 'base_url: http://127.0.0.1:11434/v1 it asks ollama'],
  ['LM-Studio', 'base_url: http://127.0.0.1:1234/v1 it asks lmstudio'],
  ['llama.cpp', 'base_url: http://127.0.0.1:8080/v1 it asks llamacpp'],
])('driver: %s, a server that init knows, leads to the options that reach it', (word, options) => {
  expect(suggestDriver(word, manifests)).toContain(`did you mean openai-compatible? With ${options} (drivers: `);
});

test.each([
  [
    'openai/gpt-x',
    'did you mean openai? With api_key_env: OPENAI_API_KEY, default_model: gpt-x it asks openai (drivers: ',
  ],
  [
    'ollama/a/b',
    'did you mean openai-compatible? With base_url: http://127.0.0.1:11434/v1, default_model: a/b it asks ollama',
  ],
  ['codex/gpt-x', 'did you mean codex, with default_model: gpt-x? (drivers: '],
  ['nonsense/x', 'drivers: claude-code, '],
])('driver: %s, as other programs name a model, leads to both', (word, hint) => {
  expect(suggestDriver(word, manifests)).toContain(hint);
});
