import { AUTHORITY } from '../../setup/fake-proxy';
import { RedisServer, withRedis } from '../../setup/redis-server';
import { freePort } from '../../setup/running-gateway';
import { statusOf, useStage, warned, expectNoRepeats } from './shared-stage';

const stage = useStage();
const required = { more: ', required: true' };

async function secureServer(): Promise<number> {
  const port = await freePort();
  stage().redis = await RedisServer.startSecure(port);
  return port;
}

withRedis(
  'with TLS, and a certificate of an own authority that NODE_EXTRA_CA_CERTS names, a limit is shared',
  async () => {
    const url = `rediss://127.0.0.1:${await secureServer()}`;
    const [one, two] = await stage().two({ ...required, url, env: { NODE_EXTRA_CA_CERTS: AUTHORITY } });
    const statuses: number[] = [];
    for (let each = 0; each < 12; each++) statuses.push(await statusOf(each % 2 ? one : two, 'ten'));
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  },
);

withRedis(
  'a certificate that is not trusted or is of another name, and no TLS, are said once, with what to do',
  async () => {
    const port = await secureServer();
    const trusted = { NODE_EXTRA_CA_CERTS: AUTHORITY };
    const [unknown, misnamed, plain] = await Promise.all([
      stage().gateway({ url: `rediss://127.0.0.1:${port}` }),
      stage().gateway({ url: `rediss://localhost:${port}`, env: trusted }),
      stage().gateway({ url: `redis://127.0.0.1:${port}` }),
    ]);
    expect(await warned(unknown)).toMatch(/is not trusted \([A-Z_]+\); name the CA file in NODE_EXTRA_CA_CERTS/);
    expect(await warned(misnamed)).toContain('for another name than the one of the address');
    expect(await warned(plain)).toContain('where it wants TLS, the address begins with rediss://');
    for (const gateway of [unknown, misnamed, plain]) {
      expect(await statusOf(gateway, 'ten')).toBe(200);
      expectNoRepeats(gateway);
    }
  },
);
