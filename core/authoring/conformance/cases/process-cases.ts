import assert from 'node:assert';
import type { ProcessConduct } from '../../fakes/backend';
import { defineCases } from '../case-definition';
import { ask, scripted, textOf } from '../../fakes/requests';
import type { Stage } from '../stage';
import { CANCEL_LIMIT_MS, untilEmpty } from '../within';

/** A driver may wait 2 s for a program to end by itself; then comes the grace. */
const WIND_DOWN_MS = 3_000;

export const processCases = defineCases('process', {
  'no-arguments': [
    'no text of the conversation is in the arguments, where every user of the machine can read it',
    ['kind:cli', 'received'],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      await stage.chat(ask('kit-private-text'));
      assert.ok(!(stage.lastReceived().argv ?? []).join(' ').includes('kit-private-text'));
    },
  ],
  ends: [
    'after an answer no process is left',
    ['kind:cli'],
    async (stage) => {
      await conducted(stage, {});
      await untilEmpty(() => stage.backend.atWork(), 'after the answer');
    },
  ],
  stderr: [
    'a program that writes four mebibytes to its standard error can still answer',
    ['kind:cli'],
    (stage) => conducted(stage, { stderrBytes: 4 * 1024 * 1024 }),
  ],
  lingers: [
    'a program that stays after its answer does not hold the answer back, and is ended',
    ['kind:cli'],
    async (stage) => {
      await conducted(stage, { lingers: true });
      await untilEmpty(() => stage.backend.atWork(), 'after the answer', CANCEL_LIMIT_MS + WIND_DOWN_MS);
    },
  ],
  'child-output': [
    'a child that keeps the output open does not hold the answer back, and is ended',
    ['kind:cli'],
    async (stage) => {
      await conducted(stage, { child: 'holdsOutput' });
      await untilEmpty(() => stage.backend.atWork(), 'after the answer', CANCEL_LIMIT_MS + WIND_DOWN_MS);
    },
  ],
});

async function conducted(stage: Stage, conduct: ProcessConduct): Promise<void> {
  const answer = scripted();
  await stage.script({ type: 'answer', answer, conduct });
  const { text, finish } = await stage.chat(ask(answer));
  assert.deepEqual([text, finish], [textOf(answer), 'stop']);
}
