import assert from 'node:assert';
import { CallAborted } from '../../../providers/call-clock';
import type { Situation } from '../../fakes/backend';
import { defineCases, rule } from '../case-definition';
import { ask, gate, scripted } from '../../fakes/requests';
import { until, within } from '../within';

const CALLS = 5;

const answerOf = (marker: string) => scripted({ pieces: [1, 2, 3, 4].map((n) => `${marker}-piece-${n} `) });

export const isolationCases = defineCases('isolation', {
  'concurrent-calls': rule('five calls at once each get their own answer', [], async (stage) => {
    const markers = Array.from({ length: CALLS }, (_, index) => `marker-${index}`);
    let arrived = 0;
    // The answers go on when all calls have arrived.
    const { hold, release } = gate();
    await stage.script(({ texts }): Situation => {
      const marker = markers.find((each) => texts.join('\n').includes(each)) ?? 'no marker';
      if (++arrived === CALLS) release();
      return { type: 'answer', answer: answerOf(marker), hold };
    });
    const chats = markers.map(async (marker) => (await stage.chat(ask(answerOf(marker)))).text);
    const texts = await within(Promise.all(chats), 'five calls at once did not end');
    assert.deepEqual(
      texts,
      markers.map((marker) => answerOf(marker).pieces.join('')),
    );
  }),
  'canceled-neighbour': rule(
    'a canceled call leaves the call beside it alone',
    ['hang', 'hold', 'received'],
    async (stage) => {
      const { hold, release } = gate();
      const answer = answerOf('kept');
      await stage.script(({ texts }): Situation => {
        const isKept = texts.join('\n').includes('kept');
        return isKept ? { type: 'answer', answer, hold } : { type: 'hang', after: answerOf('left') };
      });
      const abort = new AbortController();
      const left = stage.chat(ask(answerOf('left')), abort.signal);
      left.catch(() => undefined);
      const kept = stage.chat(ask(answer));
      await until(() => stage.received().length === 2, 'two chats did not arrive');
      abort.abort(new CallAborted('client_gone', 'the client has left'));
      await left.catch(() => undefined);
      release();
      assert.equal((await kept).text, answer.pieces.join(''));
    },
  ),
  instances: rule('two providers of one driver share no backend, no key and no state', ['received'], async (stage) => {
    const other = await stage.another();
    const both = [stage, other];
    for (const each of both) await each.script({ type: 'answer', answer: scripted() });
    await Promise.all(both.map((each) => each.driver()));
    for (const each of [...both, ...both]) await each.chat(ask(scripted()));
    for (const each of both) {
      const received = each.received();
      assert.equal(received.length, 2, 'a chat went to the backend of the other provider');
      for (const { key } of received) assert.ok(key === undefined || key === each.key, 'the key is another provider’s');
    }
    await other.closeProvider();
    assert.equal((await stage.chat(ask(scripted()))).finish, 'stop', 'closing one has closed the other');
  }),
});
