import type { Call } from '../../core/contract/api';
import { CallEnd, endingOf } from '../../core/contract/call-end';
import { CallClock } from '../../core/providers/call-clock';
import { DriverCall } from '../../core/providers/caller';
import { makeCaller, makeProvider } from './settings';

function makeCall(abort: CallEnd): Call {
  const clock = new CallClock(1_000, abort, () => '');
  return new DriverCall(makeCaller({ abort }), clock, makeProvider());
}

describe('the call that a driver gets', () => {
  test('ends as its caller says, for who asks before and who asks after', () => {
    const abort = new CallEnd();
    const call = makeCall(abort);
    const { signal } = call;
    abort.abort(new Error('gone'));
    expect([endingOf(call).aborted, signal.aborted, call.signal]).toEqual([true, true, signal]);
    const late = makeCall(abort);
    expect(late.signal).toMatchObject({ aborted: true, reason: { message: 'gone' } });
  });

  test('does not overrule the signal that a driver gives a copy of it', () => {
    const own = new AbortController();
    const copy = { ...makeCall(new CallEnd()), signal: own.signal };
    expect(endingOf(copy)).toBe(own.signal);
  });
});
