import { beginsLikeKey, nameHoldsKey, nameOrHidden } from '../../core/contract/secrets';

test.each([
  ...[
    'sk-proj-abc',
    'openai:sk-abc',
    `gsk_${'aB3x'.repeat(8)}`,
    ...['sk-1234', 'sk-my-master-key', 'pk_hunter2', 'sk-lf-8f6k2m9x-7b12-4f5e-9a1b-0123456789ab'],
    ...['sk-8f6k2m9x-7b', 'sk-or-v1-0a1b2c3d4e5f-7b', `sk-7b-${'ab1'.repeat(8)}`],
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
  ...['sk-solar-10.7b-instruct', 'rk-llama-3-8b-q4', 'ollama:sk-ko-7b', 'pk_tts_1.5b'],
  ...['claude-sonnet-4-5-20250929', 'ft:gpt-4o-mini-2024-07-18:acme::9AbCdEfG', 'my-provider', 'a*:*'],
  `meta/llama:${'0a1b2c3d'.repeat(8)}`,
])('the name of a model or a provider is none: %s', (text) => {
  expect([nameHoldsKey(text), beginsLikeKey(text)]).toEqual([false, false]);
  expect(nameOrHidden(text)).toBe(`"${text}"`);
});
