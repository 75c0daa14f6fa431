import type { DriverContext } from 'drivebay/plugin';
import { DriverError } from '../../../core/contract/driver-error';
import { explainError } from '../../../plugins/chat-compat/explain-error';
import type { Options } from '../../../plugins/chat-compat/options';

const context = {
  options: { base_url: 'http://x' },
  error: (code, message, details) => new DriverError(code, message, details),
} as Partial<DriverContext<Options>> as DriverContext<Options>;

test.each([
  ['http://127.0.0.1:11434/v1', 'start the server: ollama serve; or correct base_url'],
  ['http://localhost:8000/v1', 'start the server: vllm serve <model>; or correct base_url'],
  ['http://127.0.0.1:9999/v1', 'is it running?'],
  ['http://host.example:11434/v1', 'is it running?'],
])('for a refused connection to %s the hint is %s', (url, hint) => {
  const failure = new DriverError('unreachable', 'refused', { hint: 'is it running?' });
  expect(explainError(context, new URL(url), failure)).toMatchObject({ code: 'unreachable', message: 'refused', hint });
});

test('keeps what it knows nothing about', () => {
  const failure = new DriverError('canceled', 'x');
  expect(explainError(context, new URL('http://127.0.0.1:11434'), failure)).toBe(failure);
});
