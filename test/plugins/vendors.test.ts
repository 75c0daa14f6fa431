import type { HttpOptions } from '../../plugins/_shared/http/http-driver';
import { failureOf } from '../http/open-pool';
import { tempHome } from '../setup/temp-home';
import { json } from '../setup/upstream';
import { type DriverHarness, newCall } from './harness';
import { answering, KEY, startVendor, useVendor, VENDORS } from './vendors';

describe.each(VENDORS)('every vendor: $alias', (vendor) => {
  const { wire, keyVariable, keyIn, environment, addresses, pages, refusals } = vendor;
  const harness = useVendor(vendor);
  const others: DriverHarness[] = [];

  /** One with other options or another key. */
  async function another(options: Partial<HttpOptions>, key?: () => string | undefined): Promise<DriverHarness> {
    const other = await startVendor(vendor, options, key);
    other.upstream.answer(answering(vendor));
    others.push(other);
    return other;
  }

  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
  });

  describe('the environment', () => {
    const before = { ...process.env };

    afterEach(() => {
      process.env = { ...before };
      jest.restoreAllMocks();
    });

    test('leads nowhere else, has nothing printed, and is left as it was', async () => {
      const set = environment(tempHome());
      Object.assign(process.env, set);
      const printed = (['debug', 'log', 'info', 'warn', 'error'] as const).map((name) =>
        jest.spyOn(console, name).mockImplementation(() => undefined),
      );
      const { upstream } = harness();
      upstream.answer(answering(vendor));
      await harness().chat();
      await harness().check();
      expect(upstream.requests.map(({ headers }) => keyIn(headers))).toEqual([KEY, KEY]);
      expect(JSON.stringify(upstream.requests)).not.toMatch(/evil|environment/);
      for (const spy of printed) expect(spy).not.toHaveBeenCalled();
      expect(process.env).toMatchObject(set);
    });
  });

  test.each(addresses)('a base_url with the path "%s" leads to %s', async (path, expected) => {
    harness().upstream.answer(answering(vendor));
    const other = await another({ base_url: harness().upstream.url + path });
    await other.chat();
    expect(harness().upstream.requests[0]?.path).toBe(expected);
  });

  test('the name of a tool that the vendor would refuse is replaced on the way there, and restored on the way back', async () => {
    const name = `mcp__${'a_server_of_tools.'.repeat(9)}`;
    harness().upstream.answer((request) => {
      const [sent] = wire.received(request).tools!;
      const toolCalls = [{ id: 'c1', name: sent!, arguments: '{}' }];
      return wire.answer(
        { pieces: [], toolCalls, usage: { inputTokens: 1, outputTokens: 1 }, finish: 'tool_calls' },
        request,
      );
    });
    const events = await harness().chat({ tools: [{ name, description: 'd', parameters: { type: 'object' } }] });
    expect(harness().upstream.requests[0]!.text).not.toContain(name);
    expect(events.flatMap((event) => (event.type === 'tool_call' && event.name ? [event.name] : []))).toEqual([name]);
  });

  test('the model list is read page by page', async () => {
    const { upstream, driver } = harness();
    const others = pages.length > 1 ? ['b', 'c'] : ['b'];
    const models = [{ name: 'a', contextWindow: 9 }, ...others.map((name) => ({ name }))];
    upstream.answer(...pages.map(([, answer]) => answer));
    expect(await driver.models?.(newCall())).toEqual(models);
    expect(upstream.requests.map(({ path, headers }) => [path, keyIn(headers)])).toEqual(
      pages.map(([path]) => [path, KEY]),
    );
  });

  test('check reads its first page only', async () => {
    harness().upstream.answer(pages[0]![1]);
    expect(await harness().check()).toEqual({ detail: pages.length > 1 ? '2 or more models' : '2 models' });
    expect(harness().upstream.requests).toHaveLength(1);
  });

  describe('the key', () => {
    const failuresOf = async (broken: DriverHarness) => [
      await failureOf(broken.chat()),
      await failureOf(broken.check()),
    ];

    test('is missed before anything is sent', async () => {
      const keyless = await another({}, () => undefined);
      for (const failure of await failuresOf(keyless)) {
        expect(failure).toMatchObject({ code: 'auth', message: 'no key' });
      }
      expect(keyless.upstream.connections).toBe(0);
    });

    test('is looked up at each call', async () => {
      const keys = ['sk-first', 'sk-second', 'sk-second'];
      const rest = [...keys];
      const other = await another({}, () => rest.shift());
      for (let count = 0; count < keys.length; count += 1) await other.chat();
      expect(other.upstream.requests.map(({ headers }) => keyIn(headers))).toEqual(keys);
    });

    test.each(['sk-1\nsk-2', 'sk-1…'])('%j is told apart, and not told', async (key) => {
      for (const failure of await failuresOf(await another({}, () => key))) {
        expect(failure).toMatchObject({ code: 'auth', hint: `look for a line break or a quote in ${keyVariable}` });
        expect(JSON.stringify([failure.message, failure.hint])).not.toContain('sk-');
      }
    });
  });

  describe('a failure', () => {
    test.each([408, 409, 429, 500, 529])('of status %i, which an SDK would repeat, is sent once', async (status) => {
      harness().upstream.answer((request) =>
        wire.failure({ fault: 'upstream', status, message: `no: ${status}` }, request),
      );
      const failure = await failureOf(harness().chat());
      expect(failure).toMatchObject({ status, message: expect.stringContaining(`no: ${status}`) });
      expect(harness().upstream.requests).toHaveLength(1);
    });

    test('of a host that does not exist is unreachable, whatever its name makes an SDK think', async () => {
      const lost = await another({ base_url: 'http://timeout.invalid/v1' });
      expect(await failureOf(lost.chat())).toMatchObject({ code: 'unreachable' });
    });
  });

  test('a request leaves nothing on the signal', async () => {
    harness().upstream.answer(answering(vendor));
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    await harness().chat({}, signal);
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });

  describe('a refusal', () => {
    test.each(refusals)(
      'of $seen is asked again without, which is reported and remembered for the model',
      async ({ answer, request, holds, ignored = [], isOnce }) => {
        const { upstream } = harness();
        const take = answering(vendor);
        upstream.answer((sent) => (holds(sent.body) ? json(answer, { status: 400 }) : take(sent)));
        const ignoredBy = (more: object = {}) => harness().ignoredBy({ ...request, ...more });
        // Both are under way when the first refusal comes.
        expect(await Promise.all([ignoredBy(), ignoredBy()])).toEqual([ignored, ignored]);
        expect(upstream.requests).toHaveLength(4);
        expect(await ignoredBy()).toEqual(ignored);
        expect(upstream.requests).toHaveLength(isOnce ? 6 : 5);
        expect(await ignoredBy({ model: 'other' })).toEqual(ignored);
        expect(upstream.requests).toHaveLength(isOnce ? 8 : 7);
      },
    );

    test.each(refusals)('of $seen that comes again is the client’s to hear', async ({ answer, request }) => {
      harness().upstream.answer(json(answer, { status: 400 }));
      expect(await failureOf(harness().chat(request))).toMatchObject({ code: 'rejected', status: 400 });
      expect(harness().upstream.requests.length).toBeLessThanOrEqual(3);
    });

    test('is not looked for in other failures', async () => {
      const { answer, request } = refusals[0]!;
      harness().upstream.answer(json(answer, { status: 500 }));
      expect((await failureOf(harness().chat(request))).code).toBe('upstream');
      expect(harness().upstream.requests).toHaveLength(1);
    });
  });
});
