import type { JsonLine } from 'drivebay/plugin';
import { LiveProgram } from '../../../../../plugins/_shared/cli/warm/live-program';
import { makeLogger } from '../../../../../core/contract/make-logger';
import { Workshop } from '../../../../subprocess/open-programs';

class Talk extends LiveProgram {
  readonly heard: unknown[] = [];

  say(...messages: object[]): void {
    for (const message of messages) this.send(message);
  }

  protected take({ json }: JsonLine): void {
    this.heard.push(json);
  }

  protected override leave(): void {
    this.heard.push('left');
  }
}

let workshop: Workshop;
beforeEach(() => (workshop = new Workshop()));
afterEach(() => workshop.close());

test('what is said to a program at once is one write, in its order', async () => {
  const program = await workshop.shell('head -n 3');
  const write = jest.spyOn(program, 'write');
  const talk = new Talk(program);
  talk.say({ one: 1 }, { two: 2 });
  await Promise.resolve();
  talk.say({ three: 3 });
  await talk.gone;
  expect(talk.heard).toEqual([{ one: 1 }, { two: 2 }, { three: 3 }, 'left']);
  expect(write).toHaveBeenCalledTimes(2);
});

const gone = 'a program that was kept for further chats is gone: sh ';

test('the end of a program that nothing else tells of is one warning, with its reason', async () => {
  const warnings: string[] = [];
  const log = makeLogger((level, message) => void (level === 'warn' && warnings.push(message)));
  const talk = new Talk(await workshop.shell('read line'));
  process.kill(talk.pid, 'SIGKILL');
  await talk.gone;
  await Promise.all([talk.warnOfEnd({ log }), talk.warnOfEnd({ log })]);
  const why = 'was ended by SIGKILL (the system may have run out of memory)';
  expect(warnings).toEqual([`${gone}${why}; the next chat starts another one`]);
});

test('of programs that never last only the first end is a warning', async () => {
  const lines: string[] = [];
  const log = makeLogger((level, message) => void lines.push(`${level}: ${message.slice(0, gone.length)}`));
  for (const _ of [1, 2, 3]) {
    const talk = new Talk(await workshop.shell('exit 3'));
    await talk.gone;
    await talk.warnOfEnd({ log });
  }
  expect(lines).toEqual([`warn: ${gone}`, `info: ${gone}`, `info: ${gone}`]);
});

test('one that was stopped is not missed', async () => {
  const warnings: string[] = [];
  const log = makeLogger((level, message) => void (level === 'warn' && warnings.push(message)));
  const talk = new Talk(await workshop.shell('read line'));
  await talk.stop();
  await talk.gone;
  await talk.warnOfEnd({ log });
  expect(warnings).toEqual([]);
});
