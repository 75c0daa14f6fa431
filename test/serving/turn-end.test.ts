import { setImmediate as nextTurn } from 'node:timers/promises';
import { atTurnEnd } from '../../core/serving/turn-end';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';

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

it.each([false, true])(
  'sends what is done where a second signal ends the program within the turn, streamed: %s',
  async (stream) => {
    const home = new TempHome();
    home.plugin('last', {
      code: `module.exports = () => ({ async *chat(request) {
      yield { type: 'text', text: 'whole' };
      if (request.model === 'open') await new Promise(() => {});
      yield { type: 'finish', reason: 'stop' };
      process.nextTick(() => { process.emit('SIGTERM'); process.emit('SIGTERM'); });
    }, async check() {} });`,
    });
    home.providers('name: open, driver: last, default_model: open', 'name: done, driver: last, default_model: done');
    const gateway = await RunningGateway.start([], { env: home.environment() });
    await gateway.chat({ model: 'open', stream: true });
    const answer = await gateway.chat({ model: 'done', stream });
    expect(await answer.text()).toMatch(stream ? /whole.*\[DONE\]\n\n$/s : /whole.*\}$/s);
    await gateway.stop();
    home.remove();
  },
);
