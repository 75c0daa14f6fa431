import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerFile } from '../../core/record/ledger-files';
import { RunningGateway } from '../setup/running-gateway';
import { completion, json, Upstream } from '../setup/upstream';
import { TempHome } from '../setup/temp-home';
import { message } from '../plugins/eta/wire';
import { ITEMS, response } from '../plugins/epsilon/wire';
import { PRICE_LIST } from './price-list';

type Fields = Record<string, unknown>;

/** Usages as the vendors report them, each with its cost: dollars per million tokens, by hand. */
const USAGES: [what: string, ask: string, usage: Fields, hand: string, usd: number, priced: string][] = [
  // OpenAI: the prompt includes what was cached, the completion includes the reasoning.
  [
    ...(['input from a cache', 'openai:gpt-4o'] as const),
    { prompt_tokens: 1117, completion_tokens: 46, prompt_tokens_details: { cached_tokens: 1024 } },
    ...(['93 x 2.50 + 1,024 x 1.25 + 46 x 10', 0.0019725, 'table'] as const),
  ],
  [
    ...(['a dated name in the answer, the price by the asked one', 'openai:gpt-4o-mini'] as const),
    { prompt_tokens: 19, completion_tokens: 10 },
    ...(['19 x 0.15 + 10 x 0.60', 0.00000885, 'table'] as const),
  ],
  [
    ...(['reasoning', 'openai:gpt-5'] as const),
    { prompt_tokens: 75, completion_tokens: 1186, completion_tokens_details: { reasoning_tokens: 1024 } },
    ...(['75 x 1.25 + 1,186 x 10', 0.01195375, 'table'] as const),
  ],
  [
    ...(['a long context, above 272k', 'openai:gpt-5.4'] as const),
    { prompt_tokens: 300000, completion_tokens: 2000, prompt_tokens_details: { cached_tokens: 250000 } },
    ...(['50,000 x 5 + 250,000 x 0.50 + 2,000 x 22.50', 0.42, 'table'] as const),
  ],
  [
    ...(['exactly 272k, which is no long context', 'openai:gpt-5.4'] as const),
    { prompt_tokens: 272000, completion_tokens: 100 },
    ...(['272,000 x 2.50 + 100 x 15', 0.6815, 'table'] as const),
  ],
  [
    ...(['an embedding', 'openai:text-embedding-3-small'] as const),
    { prompt_tokens: 8, total_tokens: 8 },
    ...(['8 x 0.02', 0.00000016, 'table'] as const),
  ],
  [
    ...(['sounds in and out, apart from the text', 'openai:gpt-4o-audio-preview'] as const),
    {
      ...{ prompt_tokens: 95, completion_tokens: 246 },
      prompt_tokens_details: { audio_tokens: 80, cached_tokens: 0 },
      completion_tokens_details: { audio_tokens: 199, reasoning_tokens: 0 },
    },
    ...(['15 x 2.50 + 80 x 40 + 47 x 10 + 199 x 80', 0.0196275, 'table'] as const),
  ],
  // The same vendor by its newer API, which has other names for the counts.
  [
    ...(['writes to a cache, and reads, in Responses', 'responses:gpt-5.6'] as const),
    {
      ...{
        input_tokens: 3072,
        output_tokens: 120,
        output_tokens_details: { reasoning_tokens: 64 },
        total_tokens: 3192,
      },
      input_tokens_details: { cached_tokens: 1024, cache_write_tokens: 1920 },
    },
    ...(['128 x 4 + 1,024 x 0.40 + 1,920 x 5 + 120 x 20', 0.0129216, 'table'] as const),
  ],
  // Anthropic: the input leaves out what was read from the cache or written to it.
  [
    ...(['input that is written to the cache', 'anthropic:claude-sonnet-4-5-20250929'] as const),
    { input_tokens: 21, cache_creation_input_tokens: 188086, cache_read_input_tokens: 0, output_tokens: 393 },
    ...(['21 x 3 + 188,086 x 3.75 + 393 x 15', 0.7112805, 'table'] as const),
  ],
  [
    ...(['the same from the cache', 'anthropic:claude-sonnet-4-5-20250929'] as const),
    { input_tokens: 21, cache_creation_input_tokens: 0, cache_read_input_tokens: 188086, output_tokens: 393 },
    ...(['21 x 3 + 188,086 x 0.30 + 393 x 15', 0.0623838, 'table'] as const),
  ],
  [
    ...(['a long context by what is cached, above 200k', 'anthropic:claude-sonnet-4-5-20250929'] as const),
    { input_tokens: 1500, cache_creation_input_tokens: 10000, cache_read_input_tokens: 190000, output_tokens: 1200 },
    ...(['1,500 x 6 + 190,000 x 0.60 + 10,000 x 7.50 + 1,200 x 22.50', 0.225, 'table'] as const),
  ],
  [
    ...(['writes to a cache of an hour and of minutes', 'anthropic:claude-sonnet-4-5-20250929'] as const),
    {
      ...{ input_tokens: 2048, cache_creation_input_tokens: 11000, cache_read_input_tokens: 0, output_tokens: 503 },
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 10000 },
    },
    ...(['2,048 x 3 + 1,000 x 3.75 + 10,000 x 6 + 503 x 15', 0.077439, 'table'] as const),
  ],
  [
    ...(['reads and writes together', 'anthropic:claude-haiku-4-5'] as const),
    { input_tokens: 8, cache_creation_input_tokens: 512, cache_read_input_tokens: 4096, output_tokens: 12 },
    ...(['8 x 1 + 4,096 x 0.10 + 512 x 1.25 + 12 x 5', 0.0011176, 'table'] as const),
  ],
  // Gemini: the answer leaves out the thoughts.
  [
    ...(['thoughts, at the price of their seller', 'gemini:gemini-2.5-pro'] as const),
    { promptTokenCount: 1000, candidatesTokenCount: 300, thoughtsTokenCount: 700, totalTokenCount: 2000 },
    ...(['1,000 x 1.25 + 1,000 x 10', 0.01125, 'table'] as const),
  ],
  [
    ...(['a long context from a cache, above 200k', 'gemini:gemini-2.5-pro'] as const),
    {
      ...{ promptTokenCount: 250000, cachedContentTokenCount: 200000 },
      ...{ candidatesTokenCount: 1000, thoughtsTokenCount: 500 },
    },
    ...(['50,000 x 2.50 + 200,000 x 0.25 + 1,500 x 15', 0.1975, 'table'] as const),
  ],
  [
    ...(['one token above 128k', 'gemini:gemini-1.5-pro'] as const),
    { promptTokenCount: 128001, candidatesTokenCount: 10 },
    ...(['128,001 x 7 + 10 x 21', 0.896217, 'table'] as const),
  ],
  [
    ...(['exactly 128k', 'gemini:gemini-1.5-pro'] as const),
    { promptTokenCount: 128000, candidatesTokenCount: 10 },
    ...(['128,000 x 3.50 + 10 x 10.50', 0.448105, 'table'] as const),
  ],
  [
    ...(['sounds, some of the input from a cache', 'gemini:gemini-2.5-flash'] as const),
    {
      ...{ promptTokenCount: 2500, cachedContentTokenCount: 400, candidatesTokenCount: 80 },
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 580 },
        { modality: 'AUDIO', tokenCount: 1920 },
      ],
    },
    ...(['180 x 0.30 + 400 x 0.03 + 1,920 x 1 + 80 x 2.50', 0.002186, 'table'] as const),
  ],
  [
    ...(['a picture in the answer', 'gemini:gemini-2.5-flash-image'] as const),
    {
      ...{ promptTokenCount: 12, candidatesTokenCount: 1310 },
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    },
    ...(['12 x 0.30 + 20 x 2.50 + 1,290 x 30', 0.0387536, 'table'] as const),
  ],
  // Servers with the wire of chat completions.
  [
    ...(['the cache of DeepSeek, in its own words', 'deepseek:deepseek-chat'] as const),
    { prompt_tokens: 2000, completion_tokens: 100, prompt_cache_hit_tokens: 1920, prompt_cache_miss_tokens: 80 },
    ...(['80 x 0.27 + 1,920 x 0.07 + 100 x 1.10', 0.000266, 'table'] as const),
  ],
  [
    ...(['an open model, by the name of the provider', 'groq:llama-3.3-70b-versatile'] as const),
    { prompt_tokens: 54, completion_tokens: 18, queue_time: 0.02 },
    ...(['54 x 0.59 + 18 x 0.79', 0.00004608, 'table'] as const),
  ],
  [
    ...(['ranges of the context', 'dashscope:qwen3-max'] as const),
    { prompt_tokens: 40000, completion_tokens: 500 },
    ...(['40,000 x 2.40 + 500 x 12', 0.102, 'table'] as const),
  ],
  [
    ...(['what the backend itself says', 'openrouter:openai/gpt-4o'] as const),
    { prompt_tokens: 194, completion_tokens: 2, cost: 0.00014225 },
    ...(['its own figure, and not 194 x 2.50 + 2 x 10', 0.00014225, 'backend'] as const),
  ],
  [
    ...(['the same of an embedding', 'openrouter:text-embedding-3-small'] as const),
    { prompt_tokens: 8, total_tokens: 8, cost: 0.0001 },
    ...(['its own figure, and not 8 x 0.02', 0.0001, 'backend'] as const),
  ],
  [
    ...(['reasoning beside the output, as xAI counts it', 'own:gpt-4o'] as const),
    {
      ...{ prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 },
      completion_tokens_details: { reasoning_tokens: 94 },
    },
    ...(['32 x 0.27 + 103 x 1.10', 0.00012194, 'model'] as const),
  ],
  [
    ...(['the prices of the configuration before those of the table', 'own:gpt-4o'] as const),
    { prompt_tokens: 12345, completion_tokens: 678, prompt_tokens_details: { cached_tokens: 10000 } },
    ...(['2,345 x 0.27 + 10,000 x 0.07 + 678 x 1.10', 0.00207895, 'model'] as const),
  ],
  [
    ...(['sounds and pictures by the prices of the configuration', 'own:speaks'] as const),
    {
      ...{ prompt_tokens: 100, completion_tokens: 60, prompt_tokens_details: { audio_tokens: 90 } },
      completion_tokens_details: { audio_tokens: 30, image_tokens: 20 },
    },
    ...(['10 x 1 + 90 x 3 + 10 x 2 + 30 x 4 + 20 x 5', 0.00052, 'model'] as const),
  ],
  [
    ...(['a price for every token, where nothing knows the model', 'own:home-made'] as const),
    { prompt_tokens: 30, completion_tokens: 12 },
    ...(['42 x 2', 0.000084, 'token'] as const),
  ],
  [
    ...(['no price at all', 'groq:unheard-of'] as const),
    { prompt_tokens: 30, completion_tokens: 12 },
    ...(['nothing', 0, undefined as unknown as string] as const),
  ],
];

const ANSWERED: Record<string, string> = { 'gpt-4o-mini': 'gpt-4o-mini-2024-07-18' };

const home = new TempHome();
let lines: Fields[] = [];

beforeAll(async () => {
  const upstream = await Upstream.start();
  let usage: Fields = {};
  upstream.answer(({ path, body }) => json(answerOf(path, String(body.model), usage)));
  home.write('.config/drivebay/prices.json', JSON.stringify(PRICE_LIST));
  home.configure(configuration(upstream.url));
  const environment = home.environment({ KEY: 'test-key-12345' });
  const gateway = await RunningGateway.start(['--no-project'], { cwd: home.directory, env: environment });
  for (const [, model, recorded] of USAGES) {
    usage = recorded;
    const door = ['embeddings', 'responses'].find((each) => model.includes(each.slice(0, -1))) ?? 'chat/completions';
    const answer = await fetch(`${gateway.url}/v1/${door}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        ...(door.includes('/') ? { messages: [{ role: 'user', content: 'Hi' }] } : { input: 'Hi' }),
      }),
    });
    expect([await answer.text(), answer.status]).toEqual([expect.any(String), 200]);
  }
  await gateway.stop();
  await upstream.close();
  const file = ledgerFile(join(home.directory, '.local/state/drivebay'), Date.now());
  lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields);
});

afterAll(() => home.remove());

function configuration(url: string): string {
  const compat = (name: string, more = '') =>
    `  - { name: ${name}, driver: openai-compatible, base_url: "${url}/v1", api_key_env: KEY${more} }`;
  const speaks = '{ input: 1, audio_input: 3, output: 2, audio_output: 4, image_output: 5 }';
  const own = `{ gpt-4o: { usd_per_mtok: { input: 0.27, cached_input: 0.07, output: 1.1 } }, speaks: { usd_per_mtok: ${speaks} } }`;
  return `version: "1"
price_table: prices.json
providers:
  - { name: openai, driver: openai, base_url: "${url}/v1", api_key_env: KEY }
  - { name: responses, driver: openai, base_url: "${url}/v1", api_key_env: KEY, wire: responses }
  - { name: anthropic, driver: anthropic, base_url: "${url}", api_key_env: KEY }
  - { name: gemini, driver: gemini, base_url: "${url}", api_key_env: KEY }
${['deepseek', 'groq', 'dashscope', 'openrouter'].map((name) => compat(name)).join('\n')}
${compat('own', `, models: ${own}, cost_per_token: 0.000002`)}
`;
}

/** What the vendor at this path answers. */
function answerOf(path: string, asked: string, usage: Fields): Fields {
  const model = ANSWERED[asked] ?? asked;
  if (path.endsWith('/embeddings')) return { object: 'list', data: [{ index: 0, embedding: [1, 2] }], model, usage };
  if (path.endsWith('/responses')) return response([ITEMS.message], { model, usage });
  if (path.endsWith('/messages')) return message('Hi', { model, usage });
  if (!path.includes('generateContent')) return completion('Hi', { model, usage }) as Fields;
  return { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }], usageMetadata: usage };
}

test.each(USAGES.map((usage, index) => [...usage, index] as const))(
  '%s (%s): %j costs %s, $%d',
  (_what, ask, _usage, _hand, costUsd, priced, index) => {
    const [provider, asked = ''] = ask.split(/:(.*)/s);
    const { model, ...line } = lines[index]!;
    expect(line).toMatchObject({ provider, costUsd });
    expect(line.priced).toBe(priced);
    expect([model, line.asked]).toEqual(ANSWERED[asked] ? [ANSWERED[asked], asked] : [asked, undefined]);
  },
);

test('there are at least twenty of them', () => {
  expect(USAGES.length).toBeGreaterThanOrEqual(20);
  expect(lines).toHaveLength(USAGES.length);
});
