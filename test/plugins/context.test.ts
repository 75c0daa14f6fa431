import type { ChatRequest, DriverErrorDetails } from '../../core/contract/api';
import { OpenContext } from '../setup/open-context';

const opened = new OpenContext('d', {});
afterAll(() => opened.close());
const { context } = opened;

test('a cache folder that cannot be made is named, with the variable that moves it', async () => {
  opened.home.write('.cache', 'a file in its place');
  await expect(context.scratch()).rejects.toMatchObject({
    code: 'rejected',
    kind: 'working_directory',
    message: expect.stringMatching(/^the cache folder .*\/\.cache\/drivebay cannot be used: ENOTDIR/) as string,
    hint: 'choose another folder: export XDG_CACHE_HOME=<absolute path>',
  });
});

test('a further secret is looked up at each call, and taken out of texts', () => {
  const own = new OpenContext('d', {}, { POOL_2: 'key-of-the-pool-0123' });
  expect(own.context.redact('key-of-the-pool-0123')).toBe('key-of-the-pool-0123');
  expect(own.context.secret('POOL_2')).toBe('key-of-the-pool-0123');
  expect(own.context.secret('POOL_3')).toBeUndefined();
  expect(own.context.redact('it is key-of-the-pool-0123.')).toBe('it is [redacted].');
  return own.close();
});

test('a secret that a driver gets at run time is taken out of texts once it is told', () => {
  const own = new OpenContext('d', {});
  expect(own.context.redact('token-of-the-login-0123')).toBe('token-of-the-login-0123');
  expect(own.context.hide('token-of-the-login-0123')).toBe('token-of-the-login-0123');
  expect(own.context.redact('it is token-of-the-login-0123.')).toBe('it is [redacted].');
  return own.close();
});

test('what a driver tells as a secret has to be a text, and the error says so', () => {
  const own = new OpenContext('d', {});
  expect(() => own.context.hide(undefined as unknown as string)).toThrow(
    'context.hide takes the secret as a text, found undefined',
  );
  return own.close();
});

test('an error leaves out the details that it does not take, and its driver is told once', async () => {
  const own = new OpenContext('d', {});
  for (const retryAfter of [3, 4]) {
    const wrong = {
      kind: 'tired',
      status: '404',
      hint: 5,
      retryAfter,
      param: 'model',
    } as unknown as DriverErrorDetails;
    const { kind, status, hint, param } = own.context.error('upstream', 'x', wrong);
    expect([kind, status, hint, param]).toEqual(['upstream', undefined, undefined, 'model']);
  }
  const what = 'driver "d" gives context.error a detail that it does not take: ';
  const details = ['kind "tired"', 'status "404"', 'hint 5', 'retryAfter 3'];
  expect(own.logged.map(({ message }) => message)).toEqual(details.map((detail) => what + detail));
  await own.close();
});

describe('argument', () => {
  test.each(['opus', 'vendor/model:tag', 'two words', '$(reboot)', 'é', 'a'.repeat(131_071)])('takes %j', (value) => {
    expect(context.argument(value, 'model')).toBe(value);
  });

  test.each(['', '-', '--model', 'a\nb', 'a\0b', '\u001b[2J', 'a'.repeat(131_072), 'é'.repeat(65_536)])(
    'refuses %j and names the field',
    (value) => {
      const refusal = expect.objectContaining({ code: 'invalid_request', param: 'model' }) as Error;
      expect(() => context.argument(value, 'model')).toThrow(refusal);
    },
  );
});

describe('ignoredFields', () => {
  const plain: ChatRequest = { stream: true, messages: [], extra: {} };

  test.each<[string, Partial<ChatRequest>, string[], string[]]>([
    ['finds nothing in a plain request', { model: 'm', responseFormat: { type: 'text' } }, [], []],
    [
      'names fields as the client wrote them, and those that Drivebay does not know',
      {
        ...{ temperature: 0, topP: 1, stop: ['x'], maxTokens: 5, responseFormat: { type: 'json_object' } },
        extra: { seed: 0, stream_options: { include_usage: true }, vendor_field: null },
      },
      [],
      ['temperature', 'top_p', 'stop', 'max_tokens', 'response_format', 'seed', 'vendor_field'],
    ],
    ['leaves out what the driver honours', { maxTokens: 5, extra: { seed: 1 } }, ['max_tokens', 'seed'], []],
  ])('%s', (_, fields, honoured, expected) => {
    expect(context.ignoredFields({ ...plain, ...fields }, honoured)).toEqual(expected);
  });
});
