import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDriverError } from '../../../contract/driver-error';
import { messageOf } from '../../../errors';
import { readCheck, readModels } from '../../../providers/ask-driver';
import { defineCases, rule } from '../case-definition';
import { canceled, facts } from '../facts';
import type { Stage } from '../stage';
import { ConformanceError, untilEmpty, within } from '../within';

const CHECK_LIMIT_MS = 3_000;
/** Long enough to see a program or a connection that a factory starts. */
const QUIET_MS = 150;

export const lifecycleCases = defineCases('lifecycle', {
  'factory-is-quiet': rule(
    'making a driver opens no connection, starts no process and needs no backend',
    ['absent'],
    async (stage) => {
      await stage.driver();
      await sleep(QUIET_MS);
      assert.deepEqual(stage.backend.open(), []);
      const other = await stage.another();
      await other.script({ type: 'absent' });
      await other.driver();
    },
  ),
  check: rule('check resolves within 3 s when the backend could answer, and asks for no answer', [], (stage) =>
    facts(stage, 'check', readCheck, CHECK_LIMIT_MS),
  ),
  'check-nobody-there': rule(
    'check fails with unreachable or not_installed when the backend is missing',
    ['absent'],
    async (stage) => {
      await stage.script({ type: 'absent' });
      const code = stage.manifest.kind === 'cli' ? 'not_installed' : 'unreachable';
      assert.equal(await codeOfCheck(stage), code);
    },
  ),
  'check-auth': rule('check fails with auth when the server refuses the key', ['kind:http', 'auth'], async (stage) => {
    await stage.script({ type: 'failure', fault: 'auth', status: 401, message: 'Invalid credentials' });
    assert.equal(await codeOfCheck(stage), 'auth');
  }),
  'check-canceled': rule(
    'check ends within 1 s after its signal, and leaves no connection and no process',
    ['hang'],
    (stage) => canceled(stage, 'check'),
  ),
  models: rule('models, if the driver has it, resolves within 3 s with names, and asks for no answer', [], (stage) =>
    facts(stage, 'models', readModels, CHECK_LIMIT_MS),
  ),
  'close-unused': rule('a driver that was never used can be closed', [], close),
  'close-twice': rule('close can be called twice', [], async (stage) => {
    await stage.answer();
    await close(stage);
    await close(stage);
  }),
  'close-releases': rule('after close no connection and no process is left', [], async (stage) => {
    await stage.answer();
    await stage.closeProvider();
    await untilEmpty(() => stage.backend.open(), 'after close');
  }),
});

async function codeOfCheck(stage: Stage): Promise<string> {
  try {
    const driver = await stage.driver();
    await within(driver.check(stage.call()), 'check did not settle', CHECK_LIMIT_MS);
  } catch (error) {
    if (isDriverError(error)) return error.code;
    throw new ConformanceError(`the error of check does not come from context.error(...): ${messageOf(error)}`);
  }
  throw new ConformanceError('check found no fault');
}

async function close(stage: Stage): Promise<void> {
  const driver = await stage.driver();
  await within(Promise.resolve(driver.close?.()), 'close did not settle');
}
