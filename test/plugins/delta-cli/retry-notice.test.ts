import { isHopeless, retryReason } from '../../../plugins/delta-cli/retry-notice';
import { recordedEvents } from './recordings';

function reasons(name: string): string[] {
  return recordedEvents(name).flatMap((event) => {
    const { type, message } = event as { type: string; message?: string };
    return (type === 'error' && retryReason(message ?? '')) || [];
  });
}

test.each(['401-default-retries', 'not-logged-in', 'refused-unbounded', 'refused-websocket'])(
  'the first notice of "%s" says that trying again is in vain',
  (name) => {
    const [first] = reasons(name);
    expect(isHopeless(first!, false)).toBe(true);
  },
);

test('a stream that broke off may be had the next time', () => {
  const all = reasons('answer-repeated');
  expect(all).toHaveLength(2);
  for (const reason of all) expect(isHopeless(reason, false)).toBe(false);
});

test.each(['unexpected status 500 Internal Server Error', 'unexpected status 429 Too Many Requests', 'something new'])(
  'the CLI may try again after "%s"',
  (reason) => expect(isHopeless(reason, false)).toBe(false),
);

test('a proxy that forbids a WebSocket, or closes the direct way, leaves HTTP', () => {
  expect(isHopeless('unexpected status 403 Forbidden: no, url: wss://backend/v1/responses', false)).toBe(false);
  expect(isHopeless('unexpected status 403 Forbidden: no, url: https://backend/v1/responses', false)).toBe(true);
  expect(isHopeless('stream disconnected before completion: Connection refused (os error 111)', true)).toBe(false);
  expect(isHopeless('Connection failed: error sending request', true)).toBe(true);
});

test('a notice without a reason, and one of an unknown form, are notices', () => {
  expect(retryReason('Reconnecting... 1/5')).toBe('Reconnecting... 1/5');
  expect(isHopeless(retryReason('Reconnecting... waiting for network')!, false)).toBe(true);
  expect(retryReason('We lost the connection')).toBeUndefined();
});
