import { request as httpRequest, Agent } from 'node:http';
import { digestOf } from '../../../core/config/client-keys';
import { Environment } from '../../../core/config/environment';
import { Keyring } from '../../../core/gateway/clients/keyring';
import type { RunningGateway } from '../../setup/running-gateway';
import { PROVIDERS, useScripted } from '../scripted-driver';

const KEY = 'key-of-the-only-client';
let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: `${PROVIDERS}clients: [{ name: one, api_key_env: ONE_KEY }]\n`, env: { ONE_KEY: KEY } }),
);

function statusOf(agent: Agent, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port: gateway.port, host: '127.0.0.1', path: '/v1/models', agent, headers: { authorization } };
    httpRequest(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end();
  });
}

test('thousands of unknown keys at once keep no client out', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const flood = Array.from({ length: 3_000 }, (_, index) => statusOf(agent, `Bearer guess-${index}`));
  const own = new Agent();
  const answers = [];
  for (let count = 0; count < 5; count += 1) answers.push(await statusOf(own, `Bearer ${KEY}`));
  expect(answers).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
  agent.destroy();
});

test('a key of any length is a 401, or a 431 beyond the limit of headers', async () => {
  const agent = new Agent();
  expect(await statusOf(agent, `Bearer ${'k'.repeat(15_000)}`)).toBe(401);
  expect(await statusOf(agent, `Bearer ${'k'.repeat(40_000)}`)).toBe(431);
  expect(await statusOf(agent, `Bearer ${' '.repeat(15_000)}`)).toBe(401);
});

test('a key is found among ten thousand clients, and one that begins like another is not taken for it', () => {
  const place = { file: 'providers.yaml' };
  const entries = Array.from({ length: 10_000 }, (_, index) => {
    const keyDigest = digestOf(`key-${index}`).toString('hex');
    return { name: `c${index}`, keyDigest, limits: {}, place };
  });
  const keyring = new Keyring({ entries, environment: new Environment({ processEnvironment: {} }) });
  expect(keyring.find(digestOf('key-7777'))?.name).toBe('c7777');
  const near = Buffer.from(digestOf('key-7777'));
  near[31]! ^= 1;
  expect(keyring.find(near)).toBeUndefined();
});

test('a variable that changes counts within a second or so, the old key no longer', () => {
  const processEnvironment: NodeJS.ProcessEnv = { K: 'first-key' };
  const entries = [{ name: 'x', keyVariable: 'K', limits: {}, place: { file: 'providers.yaml' } }];
  const keyring = new Keyring({ entries, environment: new Environment({ processEnvironment }) });
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  expect(keyring.find(digestOf('first-key'))?.name).toBe('x');
  processEnvironment.K = 'second-key';
  clock.mockReturnValue(1_001);
  expect([keyring.find(digestOf('first-key')), keyring.find(digestOf('second-key'))?.name]).toEqual([undefined, 'x']);
  clock.mockRestore();
});
