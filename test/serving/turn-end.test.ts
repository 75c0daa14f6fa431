import { setImmediate as nextTurn } from 'node:timers/promises';
import { atTurnEnd } from '../../core/serving/turn-end';
import { RawConnection } from '../gateway/wire';
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

it('tells a client that leaves between its answer and the end of the turn as one that left', async () => {
  const home = new TempHome();
  home.plugin('left', {
    code: `module.exports = () => ({ async *chat({ model, messages }) {
      yield { type: 'text', text: 'whole' };
      if (model === 'open') await new Promise(() => {});
      yield { type: 'finish', reason: 'stop' };
      const port = Number(messages[0].parts[0].text);
      const client = process._getActiveHandles().find(({ remotePort }) => remotePort === port);
      process.nextTick(() => client.destroy());
    }, async check() {} });`,
  });
  home.providers('name: open, driver: left, default_model: open', 'name: done, driver: left, default_model: done');
  const gateway = await RunningGateway.start([], { env: home.environment() });
  await gateway.chat({ model: 'open', stream: true });
  const { socket, closed } = await RawConnection.open(gateway.port);
  const body = JSON.stringify({ model: 'done', messages: [{ role: 'user', content: String(socket.localPort) }] });
  const type = 'Content-Type: application/json';
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await closed;
  await gateway.untilOutput(/chat .*provider=done.*/);
  expect(gateway.stderr).toMatch(/provider=done.* status=499/);
  await gateway.stop('SIGKILL');
  home.remove();
});
