import assert from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureOutput } from '../capture-output';
import { defineCases, rule } from '../case-definition';
import { listFiles, moveHome } from '../move-home';
import { useEverything } from '../use-everything';

/** Words that no other text holds. */
const PRIVATE = 'kit-private-words';

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
