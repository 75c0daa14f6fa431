import type { ChatRequest } from 'drivebay/plugin';
import { start } from './harness';

let harness: Awaited<ReturnType<typeof start>>;
afterEach(() => harness.close());

it('has what the driver sets, and what the user has set of the program', async () => {
  const own = {
    CLAUDE_CONFIG_DIR: '/mine',
    CLAUDE_CODE_OAUTH_TOKEN: 'o',
    ANTHROPIC_BASE_URL: 'http://base',
    IS_SANDBOX: '1',
  };
  const nested = { CLAUDE_CODE_SSE_PORT: '1', CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_EFFORT: 'high' };
  harness = await start({}, { ...own, ...nested });
  await harness.chat();
  const { env } = harness.run;
  expect(env).toMatchObject({ ...own, DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_MAX_RETRIES: '2' });
  expect(Object.keys(nested).filter((name) => name in env)).toEqual([]);
});

it('leaves the user’s own number of retries', async () => {
  const own = { CLAUDE_CODE_MAX_RETRIES: '7', DISABLE_AUTOUPDATER: '0' };
  harness = await start({}, own);
  await harness.chat();
  expect(harness.run.env).toMatchObject(own);
});

it.each<[string, Partial<ChatRequest>, string | undefined]>([
  ['a token limit leaves no room for thoughts', { maxTokens: 100 }, '0'],
  ['who asks for an effort asks for thoughts', { maxTokens: 100, reasoningEffort: 'high' }, undefined],
  ['a budget of the client is the limit of the thoughts', { maxTokens: 4000, thinkingBudget: 2000 }, '2000'],
  ['without a limit the program decides', {}, undefined],
])('%s', async (_name, request, thinking) => {
  harness = await start();
  await harness.chat(request);
  const { env } = harness.run;
  expect([env.CLAUDE_CODE_MAX_OUTPUT_TOKENS, env.MAX_THINKING_TOKENS]).toEqual([
    request.maxTokens === undefined ? undefined : String(request.maxTokens),
    thinking,
  ]);
});
