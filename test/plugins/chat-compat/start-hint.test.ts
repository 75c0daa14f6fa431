import type { DriverContext } from 'drivebay/plugin';
import { DriverError } from '../../../core/contract/driver-error';
import createDriver from '../../../plugins/chat-compat';
import { failureOf } from '../../http/open-pool';
import { json } from '../../setup/upstream';
import { DriverHarness, newCall, useDriver } from '../harness';

/** The driver in front of a server that gives no answer. */
function checkOf(base_url: string, failure: DriverError): Promise<unknown> {
  const context = {
    options: { base_url },
    error: (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts),
    http: { request: () => Promise.reject(failure) },
  };
  return createDriver(context as unknown as DriverContext<{ base_url: string }>).check(newCall());
}

test.each([
  ['http://127.0.0.1:11434/v1', 'start the server: ollama serve; or correct base_url'],
  ['http://localhost:8000/v1', 'start the server: vllm serve <model>; or correct base_url'],
  ['http://127.0.0.1:9999/v1', 'is it running?'],
  ['http://host.example:11434/v1', 'is it running?'],
])('for a refused connection to %s the hint is %s', async (url, hint) => {
  const failure = new DriverError('unreachable', 'refused', { hint: 'is it running?' });
  await expect(checkOf(url, failure)).rejects.toMatchObject({ code: 'unreachable', message: 'refused', hint });
});

describe('a request for vectors', () => {
  const harness = useDriver(() => DriverHarness.start(createDriver));
  const failure = (status: number, message: string) => {
    harness().upstream.answer(json({ error: { message } }, { status }));
    return failureOf(harness().driver.embed!({ model: 'e', input: ['x'], extra: {} }, newCall()));
  };

  test.each([
    [404, 'Not Found'],
    [405, 'Method Not Allowed'],
    [501, 'Not Implemented'],
  ])('to a server without the path (%i) leads to another provider', async (status, message) => {
    const hint = /^the server seems to make no embeddings: ask another provider, .*\/embeddings\)$/;
    expect(await failure(status, message)).toMatchObject({ hint: expect.stringMatching(hint) });
  });

  test('for a model that is not there leads to its name', async () => {
    const found = await failure(404, 'the model e does not exist');
    expect(found).toMatchObject({ kind: 'model_unavailable', hint: expect.stringContaining('the model name "e"') });
  });
});

test('another failure stays as it is', async () => {
  const failure = new DriverError('canceled', 'x');
  await expect(checkOf('http://127.0.0.1:11434', failure)).rejects.toBe(failure);
});
