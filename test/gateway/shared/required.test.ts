import { LiveCli } from '../../setup/live-cli';
import type { RunningGateway } from '../../setup/running-gateway';
import { logged, useScripted } from '../scripted-driver';
import { errorOf } from '../wire';

const YAML = `version: "1"
shared_state: { url_env: NOT_SET_ANYWHERE, required: true }
providers:
  - { name: ten, driver: scripted, default_model: m, requests_per_minute: 10 }
  - { name: free, driver: scripted, default_model: m }
`;
const AWAY = 'the state that several machines share cannot be reached, and shared_state.required is set';

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => ({ yaml: YAML }),
);

test('what has a limit is refused while the shared state is away, in the log without a stack', async () => {
  const refused = await gateway.chat({ model: 'ten' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  const { code, message } = errorOf(await refused.text());
  expect([code, message]).toEqual(['shared_state_unavailable', AWAY]);
  await logged(gateway, 'chat', { provider: 'ten', status: 503, error: message });
  expect((await gateway.chat({ model: 'free' })).status).toBe(200);
});

test.each([
  ['a chat in a terminal', ['chat', '--provider', 'ten']],
  ['an agent', ['Hello', '--provider', 'ten']],
])('%s says that the shared state is away', async (_who, words) => {
  const live = new LiveCli(words, { env: home.environment(), cwd: home.directory });
  const { stderr } = await live.endInput('Hello\n').end();
  expect(stderr).toContain(AWAY);
  expect(stderr).not.toContain('drivebay failed');
});
