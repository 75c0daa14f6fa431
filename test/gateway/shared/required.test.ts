import type { RunningGateway } from '../../setup/running-gateway';
import { logged, useScripted } from '../scripted-driver';
import { errorOf } from '../wire';

const YAML = `version: "1"
shared_state: { url_env: NOT_SET_ANYWHERE, required: true }
providers:
  - { name: ten, driver: scripted, default_model: m, requests_per_minute: 10 }
  - { name: free, driver: scripted, default_model: m }
`;

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: YAML }),
);

test('what has a limit is refused while the shared state is away, in the log without a stack', async () => {
  const refused = await gateway.chat({ model: 'ten' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  const { code, message } = errorOf(await refused.text());
  expect(code).toBe('shared_state_unavailable');
  await logged(gateway, 'chat', { provider: 'ten', status: 503, error: message });
  expect((await gateway.chat({ model: 'free' })).status).toBe(200);
});
