import { randomBytes } from 'node:crypto';
import { Carriers } from '../../core/gateway/carriers';

const key = randomBytes(32);
const carriers = new Carriers(() => key);
const state = { maker: 'd/p', extra: { thinking_blocks: [{ text: 'é"', signature: 'x'.repeat(1000) }] } };

test('a state comes back as it was packed', () => {
  expect(carriers.unpack(carriers.pack(state))).toEqual({ plain: '', state });
});

test('an id keeps its own text in front', () => {
  const packed = carriers.pack(state, 'call_1');
  expect(packed).toMatch(/^call_1[\w-]+$/);
  expect(carriers.unpack(packed)).toEqual({ plain: 'call_1', state });
  expect([carriers.plainId(packed), carriers.plainId('call_2')]).toEqual(['call_1', 'call_2']);
});

test('a client can read neither the maker of a state nor its content', () => {
  const [first, second] = ['d/p', 'd/q'].map((maker) => carriers.pack({ ...state, maker }));
  const seen = Buffer.from(first!.split('-drivebay1-')[1]!, 'base64url').toString('latin1');
  expect(seen).not.toMatch(/d\/p|thinking_blocks|xxxx/);
  expect(first).not.toBe(second);
  expect(carriers.pack(state)).toBe(first);
});

test('another gateway with the same key reads it', () => {
  expect(new Carriers(() => key).unpack(carriers.pack(state))?.state).toEqual(state);
});

test('what another gateway packed, behind this one or instead of it, is a text like any other', () => {
  const far = new Carriers(() => randomBytes(32)).pack(state, 'call_1');
  const own = { maker: 'd/p', extra: { a: 1 } };
  expect([carriers.unpack(far), carriers.plainId(far)]).toEqual([undefined, far]);
  expect(carriers.unpack(carriers.pack(own, far))).toEqual({ plain: far, state: own });
});

test.each(['', 'EqQBCkYIBBgCKkDqd+k=', 'toolu_01A', 'a-drivebay-b'])('%p is not ours', (text) => {
  expect(carriers.unpack(text)).toBeUndefined();
});

describe('what a client made holds nothing', () => {
  const packed = carriers.pack(state, 'call_1');
  const payload = Buffer.from('["d/p",{}]').toString('base64url');
  test.each([
    ['a changed text', `${packed.slice(0, -1)}${packed.endsWith('A') ? 'B' : 'A'}`],
    ['a text that was cut', packed.slice(0, -10)],
    ['the state of another call', packed.replace('call_1', 'call_2')],
    ['no code at all', 'call_1-drivebay1-'],
    ['a code of its own', `-drivebay1-${'A'.repeat(22)}${payload}`],
    ['another key', new Carriers(() => randomBytes(32)).pack(state)],
  ])('%s', (_name, text) => {
    expect(carriers.unpack(text)).toBeUndefined();
  });
});
