import type { ChatEvent } from '../../../../core/contract/api';
import { NativePieces } from '../../../../plugins/_shared/http/native-pieces';
import type { AnswerReader } from '../../../../plugins/_shared/http/answer-reader';

const said: ChatEvent = { type: 'text', text: 'Hi' };
const reader: AnswerReader = {
  isComplete: false,
  patienceMs: undefined,
  read: (_, events) => void events.push(said),
  conclude: () => {},
  readWhole: (_, events) => void events.push(said),
};

function eventsOf(wantsStream: boolean, read: (pieces: NativePieces, events: ChatEvent[]) => void): ChatEvent[] {
  const events: ChatEvent[] = [];
  read(new NativePieces(reader, wantsStream), events);
  return events;
}

const value = { id: 'x' };
const native: ChatEvent = { type: 'native', value };

test.each([
  ['a piece of a stream', true, [native, said]],
  ['a piece of a stream where one body was asked for', false, [said]],
])('%s comes before what it says only if the client can read it', (_, wantsStream, expected) => {
  expect(eventsOf(wantsStream, (pieces, events) => pieces.read(value, events))).toEqual(expected);
});

test.each([
  ['a whole answer', false, [native, said]],
  ['a whole answer where a stream was asked for', true, [said]],
])('%s comes before what it says only if the client can read it', (_, wantsStream, expected) => {
  expect(eventsOf(wantsStream, (pieces, events) => pieces.readWhole(value, events))).toEqual(expected);
});
