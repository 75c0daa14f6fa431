import { nameHoldsKey, nameOrHidden } from '../core/secrets';

test.each([
  ...[
    'sk-proj-abc',
    'openai:sk-abc',
    `gsk_${'aB3x'.repeat(8)}`,
    'csk-8f6k2m9xw4tn3v5p7r2c8d6h9j4kfm2x8w6tn3v5',
    'fw-8f6k2m9xw4tn3v5p7r2c8d6h9j4kfm2x8w6tn3v5',
    'AIzaSyA-1234567890abcdefghijklMNOP',
    'ab12'.repeat(8),
  ],
])('a key is none of the names that a command takes: %s', (text) => {
  expect(nameHoldsKey(text)).toBe(true);
  expect(nameOrHidden(text)).not.toContain(text);
});

test.each([
  ...[
    'meta-llama/Llama-3.3-70B-Instruct',
    'Qwen3-Coder-480B-A35B-Instruct',
    'DeepSeek-R1-Distill-Qwen-32B-Q4_K_M.gguf',
  ],
  ...['claude-sonnet-4-5-20250929', 'ft:gpt-4o-mini-2024-07-18:acme::9AbCdEfG', 'my-provider', 'a*:*'],
  `meta/llama:${'0a1b2c3d'.repeat(8)}`,
])('the name of a model or a provider is none: %s', (text) => {
  expect(nameHoldsKey(text)).toBe(false);
  expect(nameOrHidden(text)).toBe(`"${text}"`);
});
