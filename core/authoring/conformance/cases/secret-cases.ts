import assert from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../../contract/api';
import { captureOutput } from '../capture-output';
import { defineCases, rule } from '../case-definition';
import { listFiles, moveHome } from '../move-home';
import { ask, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { within } from '../within';

export const secretCases = defineCases(
  'secrets',
  {
    key: rule(
      'the API key is in no event, log, trace, error, check result, printed line or process argument',
      ['option:api_key_env'],
      async (stage) => {
        const output = captureOutput();
        const shown: unknown[] = [];
        try {
          await useEverything(stage, shown);
        } finally {
          output.stop();
        }
        const logs = stage.logs.filter(({ level }) => level !== 'debug');
        const places: Record<string, unknown> = {
          'an event, an error or a result': shown,
          'a log line': logs,
          'a trace': stage.traces,
          'what the process printed': output.lines,
          'the arguments of a process': stage.backend.received().map(({ argv }) => argv),
        };
        for (const [place, value] of Object.entries(places)) {
          assert.ok(!JSON.stringify(value).includes(stage.key), `the key is in ${place}`);
        }
      },
    ),
  },
  true,
);

export const fileCases = defineCases(
  'files',
  {
    'scratch-only': rule(
      'nothing is written to the home folder, the temporary folder or the working directory',
      [],
      async (stage) => {
        const folder = mkdtempSync(join(tmpdir(), 'drivebay-home-'));
        const goBack = moveHome(folder);
        try {
          await useEverything(stage, []);
          await stage.closeProvider();
          assert.deepEqual(listFiles(folder), []);
        } finally {
          goBack();
          rmSync(folder, { recursive: true, force: true });
        }
      },
    ),
  },
  true,
);

/** Uses every method of the driver, with success and with failure, and notes every result. */
async function useEverything(stage: Stage, shown: unknown[]): Promise<void> {
  const note = async (work: Promise<unknown>): Promise<void> => {
    try {
      shown.push(await within(work, 'a method of the driver did not settle'));
    } catch (error) {
      shown.push(describe(error));
    }
  };
  const chat = async (stream: boolean): Promise<ChatEvent[]> => (await stage.chat(ask(scripted(), { stream }))).events;
  await stage.script({ type: 'answer', answer: scripted() });
  const driver = await stage.driver();
  for (const stream of [true, false]) await note(chat(stream));
  await note(driver.check(stage.call()));
  await note(Promise.resolve(driver.metadata?.()));
  await note(Promise.resolve(driver.models?.(stage.call())));
  if (!stage.can('auth')) return;
  await stage.script({ type: 'failure', fault: 'auth', status: 401, message: 'Invalid credentials' });
  await note(chat(true));
  await note(driver.check(stage.call()));
}

/** The texts of an error and of its causes: a log may print all of them. */
function describe(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  return { ...error, message, cause: cause === undefined ? undefined : describe(cause) };
}
