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
