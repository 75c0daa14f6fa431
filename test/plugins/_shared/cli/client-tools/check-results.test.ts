import type { Message } from 'drivebay/plugin';
import { DriverError } from '../../../../../core/contract/driver-error';
import { checkResults } from '../../../../../plugins/_shared/cli/client-tools/check-results';
import { call, calls, result, says } from '../../../messages';

const error = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
const check = (...messages: Message[]) => checkResults(messages, { error });
const asked = [says('user', 'Go'), calls(call('a'), call('b'))];

test('whole results pass, with what the user says after them, and so does a conversation without any', () => {
  check(says('user', 'Go'));
  check(...asked, result('b', '2'), result('a', '1'));
  check(...asked, result('a', '1'), result('b', '2'), says('user', 'And?'));
});

test('a call without a result is refused by its id', () => {
  expect(() => check(...asked, result('a', '1'))).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'messages', message: expect.stringContaining('b have') }),
  );
  expect(() => check(...asked, says('user', 'And?'))).toThrow('a, b have no result');
});

test('a result without a call is refused by its place', () => {
  for (const messages of [[result('x', '1')], [...asked, result('a', '1'), result('b', '2'), result('x', '1')]]) {
    expect(() => check(...messages)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: `messages[${messages.length - 1}]` }),
    );
  }
});

test('what lies before the last answer is not judged', () => {
  check(says('user', 'Go'), calls(call('a')), says('user', 'No'), says('assistant', 'Fine'), says('user', 'Then?'));
});
