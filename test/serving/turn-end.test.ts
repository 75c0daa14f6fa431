import { setImmediate as nextTurn } from 'node:timers/promises';
import { atTurnEnd } from '../../core/serving/turn-end';

it('runs work of one turn together, in its order, when everything else of the turn has run', async () => {
  const ran: string[] = [];
  atTurnEnd(() => ran.push('first'));
  process.nextTick(() => {
    ran.push('tick');
    atTurnEnd(() => ran.push('second'));
  });
  await nextTurn();
  expect(ran).toEqual(['tick', 'first', 'second']);
});

it('leaves work that is added at the end of a turn for the end of the next one', async () => {
  const ran: string[] = [];
  atTurnEnd(() => {
    ran.push('first');
    atTurnEnd(() => ran.push('second'));
  });
  await nextTurn();
  expect(ran).toEqual(['first']);
  await nextTurn();
  expect(ran).toEqual(['first', 'second']);
});
