import { configured } from './configured';

const { load, lines } = configured();

const FILE = `version: "1"
default_provider: local
price_table: prices.json
shared_state: { url_env: REDIS_URL, required: false }
clients:
  - name: editor
    api_key_env: EDITOR_KEY
    allow: [local, other]
    requests_per_minute: 5
routes:
  - name: fast
    targets: [local, other]
    order: spread
providers:
  - name: local
    driver: openai-compatible
    base_url: http://127.0.0.1:9/v1
    default_model: m
    models: { m: { context_window: 1000 } }
  - name: other
    driver: openai-compatible
    max_tokens: 5
`;

const KEYS = {
  'with a known beginning': 'sk-proj-3V7h7wQg4rK4mI7pMwMcxvWMpEk46ERp',
  'in letters and digits': 'AIzaSyhbgSgnmyWyCx9mjYtKryuRdggue4SrMHl',
  'in hex': '05af1b04848638532023fae5ed1715fc',
  'as a UUID': '8eaa65c0-314a-4fc6-9857-439d3c25af88',
};

test.each(Object.entries(KEYS))('a key %s in place of any word of the file is never printed', (_, key) => {
  const words = [...FILE.matchAll(/[\w./:-]*[\w/]/g)];
  for (const { 0: word, index } of words) {
    const { problems, warnings } = load(FILE.slice(0, index) + key + FILE.slice(index + word.length));
    for (const line of lines([...problems, ...warnings])) {
      expect([word, line]).toEqual([word, expect.not.stringContaining(key.slice(0, 12))]);
    }
  }
  expect(words.length).toBeGreaterThan(40);
});
