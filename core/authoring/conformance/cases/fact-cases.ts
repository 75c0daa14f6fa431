import assert from 'node:assert';
import type { Call, Driver } from '../../../contract/api';
import { isDriverError } from '../../../contract/driver-error';
import { isFields } from '../../../fields';
import { readCheck, readModels } from '../../../providers/ask-driver';
import { readCount } from '../../../providers/count-tokens';
import { cancelWork } from '../cancel-work';
import { defineCases, rule } from '../case-definition';
import { ask, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { within } from '../within';

const METADATA_LIMIT_MS = 10_000;

/** What a driver says besides its answers. They hold for a driver without the method, too. */
export const factCases = defineCases('lifecycle', {
  'check-result': rule('check resolves with nothing, or with a text and a list of texts', [], async (stage) => {
    await facts(stage, async (driver, call) => readCheck(await driver.check(call)));
  }),
  'models-windows': rule('the context windows of models are whole numbers', [], async (stage) => {
    await facts(stage, (driver, call) => driver.models?.(call).then(readModels));
  }),
  'models-canceled': rule(
    'models ends within 1 s after its signal, and leaves no connection and no process',
    ['hang'],
    (stage) => canceled(stage, 'models', (driver, call) => driver.models?.(call)),
  ),
  metadata: rule(
    'metadata, where there is one, resolves within 10 s with texts, and asks for no answer',
    [],
    async (stage) => {
      const found: unknown = await facts(stage, (driver) => driver.metadata?.(), METADATA_LIMIT_MS);
      if (found === undefined) return;
      const isTexts = isFields(found) && Object.values(found).every((value) => typeof value === 'string');
      assert.ok(isTexts, `metadata resolved with ${JSON.stringify(found)}, not with texts by their names`);
    },
  ),
  'count-tokens': rule(
    'countTokens, where there is one, resolves with a whole number or throws, and asks for no answer',
    [],
    async (stage) => {
      await facts(stage, (driver, call) =>
        driver
          .countTokens?.(ask(scripted()), call)
          .then(readCount)
          .catch((error: unknown) => {
            // Then Drivebay estimates.
            if (!isDriverError(error)) throw error;
          }),
      );
    },
  ),
  'count-tokens-canceled': rule(
    'countTokens ends within 1 s after its signal, and leaves no connection and no process',
    ['hang'],
    (stage) => canceled(stage, 'countTokens', (driver, call) => driver.countTokens?.(ask(scripted()), call)),
  ),
});

async function facts<T>(stage: Stage, get: (driver: Driver, call: Call) => Promise<T> | undefined, limitMs?: number) {
  await stage.script({ type: 'answer', answer: scripted() });
  const driver = await stage.driver();
  const found = await within(Promise.resolve(get(driver, stage.call())), 'the driver did not settle', limitMs);
  const asked =
    'the driver has asked for an answer, which costs tokens; where it has not, let `probe` of the backend answer';
  assert.equal(stage.received().length, 0, asked);
  return found;
}

async function canceled(stage: Stage, what: string, get: (driver: Driver, call: Call) => Promise<unknown> | undefined) {
  await stage.script({ type: 'hang' });
  const driver = await stage.driver();
  await cancelWork(stage, what, (signal) => Promise.resolve(get(driver, stage.call(signal))));
}
