import { CallEnd, endingOf } from '../../core/contract/call-end';
import { newCall } from '../plugins/harness';

describe('the end of a call', () => {
  it('tells its listeners once, in their order, and has the first reason', () => {
    const end = new CallEnd();
    const told: string[] = [];
    end.addEventListener('abort', () => told.push('first'));
    end.addEventListener('abort', () => told.push(`second: ${end.reason?.message}`));
    end.abort(new Error('late'));
    end.abort(new Error('again'));
    expect(told).toEqual(['first', 'second: late']);
    expect(() => end.throwIfAborted()).toThrow('late');
  });

  it('tells no listener that has left', () => {
    const end = new CallEnd();
    const told: string[] = [];
    const gone = () => told.push('gone');
    end.addEventListener('abort', gone);
    end.addEventListener('abort', () => told.push('stays'));
    end.removeEventListener('abort', gone);
    end.abort(new Error('late'));
    expect(told).toEqual(['stays']);
  });

  it('gives a signal of Node that ends with it, whether it is asked for before or after', () => {
    const late = new Error('late');
    const before = new CallEnd();
    const { signal } = before;
    const combined = AbortSignal.any([signal]);
    before.abort(late);
    const after = new CallEnd();
    after.abort(late);
    for (const each of [signal, combined, before.signal, after.signal]) {
      expect(each).toBeInstanceOf(AbortSignal);
      expect([each.aborted, each.reason]).toEqual([true, late]);
    }
  });

  it('is the signal where a call has no end of its own', () => {
    const controller = new AbortController();
    const call = newCall(controller.signal);
    expect(endingOf(call)).toBe(controller.signal);
    const end = new CallEnd();
    expect(endingOf({ ...call, end })).toBe(end);
  });
});
