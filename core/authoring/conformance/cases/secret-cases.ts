import assert from 'node:assert';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../check/temporary-folder';
import { captureOutput } from '../capture-output';
import { defineCases, rule } from '../case-definition';
import { listFiles, moveHome } from '../move-home';
import type { Stage } from '../stage';
import { useEverything } from '../use-everything';
import { ConformanceError } from '../within';

/** Words that no other text holds. */
const PRIVATE = 'kit-private-words';

export const secretCases = defineCases(
  'secrets',
  {
    key: rule(
      'the API key is in no event, log, trace, error, check result, printed line or process argument',
      ['option:api_key_env'],
      (stage) => isNowhere(stage, 'key', stage.key),
    ),
    token: rule(
      'a token that the driver gets at run time is passed to context.hide, and is in no event, log, trace, error, check result, printed line or process argument',
      ['token'],
      async (stage) => {
        const { token } = stage.backend;
        if (token === undefined) return;
        await isNowhere(stage, 'token', token);
        if (stage.redactor.redact(token) !== token) return;
        throw new ConformanceError(
          'Drivebay does not know the token of the backend: call context.hide(token) first of all',
        );
      },
    ),
    prompt: rule('no text of a conversation is in a log line above debug', [], async (stage) => {
      await useEverything(stage, [], PRIVATE);
      const lines = stage.logs.filter(({ level }) => level !== 'debug').map((line) => JSON.stringify(line));
      assert.deepEqual(
        lines.filter((line) => line.includes(PRIVATE)),
        [],
      );
    }),
  },
  true,
);

/** Uses the driver, and looks for a secret in all that could be shown. */
async function isNowhere(stage: Stage, what: 'key' | 'token', secret: string): Promise<void> {
  const output = captureOutput();
  const shown: unknown[] = [];
  try {
    await useEverything(stage, shown);
    await stage.closeProvider();
  } finally {
    output.stop();
  }
  const logs = stage.logs.filter(({ level }) => level !== 'debug');
  const places: Record<string, unknown> = {
    'an event, an error or a result': shown,
    'a log line': logs,
    'a trace': stage.traces,
    'what the process printed': output.lines,
    'the arguments of a process': stage.received().map(({ argv }) => argv),
  };
  // The key of the kit is random, a token may hold common words. Drivebay takes out whole secrets only.
  const half = what === 'key' ? Math.ceil(secret.length / 2) : secret.length;
  for (const [place, value] of Object.entries(places)) {
    const text = JSON.stringify(value);
    assert.ok(!text.includes(secret), `the ${what} is in ${place}`);
    for (const part of [secret.slice(0, half), secret.slice(-half)])
      assert.ok(!text.includes(part), `half of the ${what} is in ${place}`);
  }
}

export const fileCases = defineCases(
  'files',
  {
    'scratch-only': rule(
      'nothing is written to the home folder, the temporary folder or the working directory',
      [],
      async (stage) => {
        const folder = temporaryFolder('drivebay-home');
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
