import assert from 'node:assert';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatEvent } from '../../../contract/api';
import { CallAborted } from '../../../providers/call-clock';
import type { Situation } from '../../fakes/backend';
import { untilReleased } from '../cancel-work';
import { defineCases, rule } from '../case-definition';
import { readUntilText } from '../read-answer';
import { ask, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { CANCEL_LIMIT_MS, ConformanceError, until, within } from '../within';

/** The kit sets grace_sec to 1. A driver without this option must stop its program as fast. */
const GRACE_MS = 1_000;
/** The driver may read the rest of a small body, to use the connection again. */
const DRAIN_MS = 1_000;
/** The driver may give its program 2 s to end by itself before the first signal. */
const WIND_DOWN_MS = 3_000;

const LEFT = 'the backend is still at work';

const NOTHING: Situation = { type: 'hang' };
const HALF: Situation = { type: 'hang', after: scripted() };

export const cancelCases = defineCases('cancel', {
  'before-answer': rule(
    'a canceled chat ends within 1 s while nothing has arrived, and leaves no connection and no process',
    ['hang'],
    (stage) => cancels(stage, NOTHING),
  ),
  midway: rule(
    'a canceled chat ends within 1 s in the middle of the answer, and leaves no connection and no process',
    ['hang', 'hold'],
    (stage) => cancels(stage, HALF),
  ),
  'single-shot': rule(
    'a canceled single-shot chat ends within 1 s, and leaves no connection and no process',
    ['hang'],
    (stage) => cancels(stage, HALF, { stream: false }),
  ),
  child: rule('a canceled chat leaves no child of the program', ['kind:cli', 'hang'], (stage) =>
    cancels(stage, { ...HALF, conduct: { child: 'plain' } }),
  ),
  'child-output': rule(
    'a canceled chat ends even if a child of the program keeps the output open',
    ['kind:cli', 'hang'],
    (stage) => cancels(stage, { ...HALF, conduct: { child: 'holdsOutput' } }),
  ),
  stubborn: rule(
    'a program that ignores SIGTERM ends after the grace period, with its children',
    ['kind:cli', 'hang'],
    (stage) => cancels(stage, { ...HALF, conduct: { child: 'plain', ignoresSigterm: true } }, { graceMs: GRACE_MS }),
  ),
  'early-return': rule(
    'a caller that leaves after the first text frees the connection or the process',
    ['hang', 'hold'],
    async (stage) => {
      await stage.scriptChats(HALF);
      const events = (await stage.start(ask(scripted())))[Symbol.asyncIterator]();
      await within(readUntilText(events), 'no text arrived');
      if (!events.return) throw new ConformanceError('the iterator of chat() has no return()');
      const limitMs = stage.manifest.kind === 'cli' ? WIND_DOWN_MS : DRAIN_MS;
      await within(events.return(), 'return() did not settle', CANCEL_LIMIT_MS + limitMs);
      await untilReleased(stage, LEFT, CANCEL_LIMIT_MS + limitMs);
    },
  ),
  'after-cancel': rule('a driver answers again after a canceled chat', ['hang', 'received'], async (stage) => {
    await cancels(stage, NOTHING);
    assert.equal((await stage.answer()).finish, 'stop');
  }),
});

async function cancels(stage: Stage, situation: Situation, { stream = true, graceMs = 0 } = {}): Promise<void> {
  await stage.scriptChats(situation);
  const abort = new AbortController();
  const events = (await stage.start(ask(scripted(), { stream }), abort.signal))[Symbol.asyncIterator]();
  const read: ChatEvent[] = [];
  let hasEnded = false;
  const reading = (async () => {
    for (let next = await events.next(); !next.done; next = await events.next()) read.push(next.value);
  })().finally(() => (hasEnded = true));
  // A canceled chat may throw or end: the daemon knows the reason.
  reading.catch(() => undefined);
  if (stage.can('received')) await until(() => hasEnded || stage.received().length > 0, 'no chat arrived');
  if (stream && stage.can('pieces') && situation.type === 'hang' && situation.after) {
    await until(() => hasEnded || read.some(({ type }) => type === 'text'), 'no text arrived');
  }
  await nextTurn();
  assert.ok(!hasEnded, 'the chat ended before it was canceled');

  const { length } = read;
  abort.abort(new CallAborted('client_gone', 'the client has left'));
  const limitMs = CANCEL_LIMIT_MS + graceMs;
  await within(
    reading.catch(() => undefined),
    'the chat went on after its signal had fired: it did not end',
    limitMs,
  );
  const types = read.slice(length).map(({ type }) => type);
  assert.ok(!types.includes('finish'), 'a canceled chat ended with finish, as if it were complete');
  await untilReleased(stage, LEFT, limitMs);
}
