import { AlphaHarness } from './alpha-harness';

let harness: AlphaHarness;
afterEach(() => harness.close());

async function environmentOf(
  options: Parameters<typeof AlphaHarness.start>[0],
  given: Record<string, string>,
): Promise<Record<string, string>> {
  harness = await AlphaHarness.start(options, given);
  await harness.chat();
  return harness.run.env;
}

it('is the user’s own, without what a session of the program has left in it', async () => {
  const env = await environmentOf(
    {},
    {
      ...{ CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SSE_PORT: '1', CLAUDE_CODE_SESSION_ID: 's' },
      ...{ CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_EFFORT: 'high', CLAUDE_CONFIG_DIR: '/mine' },
      ...{ HTTPS_PROXY: 'http://proxy:1', ANTHROPIC_BASE_URL: 'http://base', IS_SANDBOX: '1', FORCE_COLOR: '1' },
    },
  );
  expect(
    Object.keys(env)
      .filter((name) => name.startsWith('CLAUDE'))
      .sort(),
  ).toEqual([
    ...['CLAUDE_CODE_DISABLE_ATTACHMENTS', 'CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK', 'CLAUDE_CODE_MAX_RETRIES'],
    'CLAUDE_CONFIG_DIR',
  ]);
  expect(env).toMatchObject({
    ...{ HTTPS_PROXY: 'http://proxy:1', ANTHROPIC_BASE_URL: 'http://base', IS_SANDBOX: '1' },
    ...{ NO_COLOR: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_MAX_RETRIES: '2' },
  });
  expect(env.FORCE_COLOR).toBeUndefined();
});

it('has no key that the provider does not name: it would change who pays', async () => {
  const env = await environmentOf(
    {},
    { ANTHROPIC_API_KEY: 'sk-1', ANTHROPIC_AUTH_TOKEN: 't', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
  );
  expect([env.ANTHROPIC_API_KEY, env.ANTHROPIC_AUTH_TOKEN, env.CLAUDE_CODE_OAUTH_TOKEN]).toEqual([
    undefined,
    undefined,
    'o',
  ]);
});

it.each([
  ['MY_KEY', 'ANTHROPIC_API_KEY'],
  ['ANTHROPIC_API_KEY', 'ANTHROPIC_API_KEY'],
  ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_AUTH_TOKEN'],
  ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
])('has the key of %s as %s', async (name, passed) => {
  const env = await environmentOf({ api_key_env: name }, { [name]: 'the-key', ANTHROPIC_API_KEY: 'the-key' });
  expect(env[passed]).toBe('the-key');
  if (passed !== 'ANTHROPIC_API_KEY') expect(env.ANTHROPIC_API_KEY).toBeUndefined();
});

it('leaves the user’s own number of retries', async () => {
  const env = await environmentOf({}, { CLAUDE_CODE_MAX_RETRIES: '7', DISABLE_AUTOUPDATER: '0' });
  expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '7', DISABLE_AUTOUPDATER: '0' });
});
