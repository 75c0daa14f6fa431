import { failureOf } from '../http/open-pool';
import type { RecordedRequest } from '../setup/upstream';
import { type DriverHarness, newCall } from './harness';

export interface VendorKey {
  /** The driver, with what looks the key up; its server answers. */
  start: (key: () => string | undefined) => Promise<DriverHarness>;
  variable: string;
  /** The key of a request, as it was sent. */
  sentIn: (headers: RecordedRequest['headers']) => string | undefined;
}

/** What holds for the key of every vendor. The caller closes the driver. */
export function testKey({ start, variable, sentIn }: VendorKey): void {
  test('is missed before anything is sent', async () => {
    const harness = await start(() => undefined);
    const failures = await failuresOf(harness);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'auth', message: 'no key' });
    expect(harness.upstream.connections).toBe(0);
  });

  test('is looked up at each call', async () => {
    const keys = ['sk-first', 'sk-second', 'sk-second'];
    const rest = [...keys];
    const harness = await start(() => rest.shift());
    for (let count = 0; count < keys.length; count += 1) await harness.chat();
    expect(harness.upstream.requests.map(({ headers }) => sentIn(headers))).toEqual(keys);
  });

  test.each(['sk-1\nsk-2', 'sk-1…'])('%j is told apart, and not told', async (key) => {
    const harness = await start(() => key);
    for (const failure of await failuresOf(harness)) {
      expect(failure).toMatchObject({ code: 'auth', hint: `look for a line break or a quote in ${variable}` });
      expect(JSON.stringify([failure.message, failure.hint])).not.toContain('sk-');
    }
  });
}

/** Of a chat and of a check. */
function failuresOf(harness: DriverHarness) {
  const check = harness.driver.check(newCall()) as Promise<unknown>;
  return Promise.all([failureOf(harness.chat()), failureOf(check)]);
}
