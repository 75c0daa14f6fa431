import assert from 'node:assert';
import { realpathSync } from 'node:fs';
import type { ProcessConduct } from '../../fakes/backend';
import { untilReleased } from '../cancel-work';
import { defineCases, rule } from '../case-definition';
import { sent } from '../differs';
import { ask, message, scripted, textOf } from '../../fakes/requests';
import type { Stage } from '../stage';
import { unlessRefused } from '../unless-refused';
import { CANCEL_LIMIT_MS } from '../within';

/** A driver may wait 2 s for its program to end by itself, before the grace period. */
const WIND_DOWN_MS = 3_000;

const OPTION = '--kit-option-of-a-client';
const SHELL = 'kit;model&$(id)|`id`>"\'*';
const PRIVATE = 'kit-private-text';

export const processCases = defineCases('process', {
  'no-arguments': rule(
    'the arguments hold no text of the conversation, because every user of the machine can read them',
    ['kind:cli', 'received'],
    async (stage) => {
      const roles = ['system', 'developer', 'user', 'assistant', 'user'] as const;
      await stage.answer({}, { messages: roles.map((role) => message(role, `${PRIVATE} of the ${role}`)) });
      const found = (stage.lastReceived().argv ?? []).filter((argument) => argument.includes(PRIVATE));
      assert.deepEqual(found, [], 'give it as the input of the program');
    },
  ),
  'no-options': rule(
    'a model or an effort that looks like an option of the program is refused, or does not become an argument',
    ['kind:cli', 'received'],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      for (const field of ['model', 'reasoningEffort'] as const) {
        await unlessRefused(stage.chat(ask(scripted(), { [field]: OPTION })), 'invalid_request');
        const found = stage.received().flatMap(({ argv = [] }) => argv.filter((each) => each === OPTION));
        assert.deepEqual(found, [], `the ${field} of a client became an option of the program`);
      }
    },
  ),
  'no-shell': rule(
    'a model name with shell characters reaches the program unchanged, or is refused with invalid_request',
    ['kind:cli', 'received'],
    async (stage) => {
      const found = await sent(stage, { model: SHELL });
      if (found === undefined) return;
      const { model } = stage.lastReceived();
      assert.equal(model, SHELL, 'a shell has read the model of a client: start the program by context.spawn');
    },
  ),
  workspace: rule(
    'the program of an agent works in the folder of its process',
    ['kind:cli', 'received'],
    async (stage) => {
      // Other programs work on no files.
      if (stage.manifest.permissionOptions.length === 0 && !stage.manifest.actsWithoutAsking) return;
      const folder = realpathSync(stage.folder);
      await stage.script({ type: 'answer', answer: scripted() });
      const workspace = { workingDirectory: folder, directory: folder, skills: [], first: true };
      await stage.chat(ask(scripted()), undefined, workspace);
      const { cwd, raw } = stage.lastReceived();
      const isTold = cwd === undefined || cwd === folder || raw.includes(folder);
      assert.ok(isTold, `it was started in ${cwd}, and not told ${folder}: take call.workspace.workingDirectory`);
    },
  ),
  'extra-args': rule(
    'the extra_args of the provider are arguments of the program, in their order',
    ['kind:cli', 'option:extra_args', 'received'],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      const extra = ['--kit-extra-one', 'kit-extra-two'];
      stage.provider({ extra_args: extra });
      await stage.chat(ask(scripted()));
      const found = (stage.lastReceived().argv ?? []).filter((argument) => extra.includes(argument));
      assert.deepEqual(found, extra);
    },
  ),
  ends: rule('after an answer no process is left', ['kind:cli'], async (stage) => {
    await conducted(stage, {});
    await untilReleased(stage, 'after the answer');
  }),
  stderr: rule('a program that writes four mebibytes to its standard error can still answer', ['kind:cli'], (stage) =>
    conducted(stage, { stderrBytes: 4 * 1024 * 1024 }),
  ),
  lingers: rule(
    'a program that stays after its answer does not delay the answer, and is ended',
    ['kind:cli', 'end'],
    async (stage) => {
      await conducted(stage, { lingers: true });
      await untilReleased(stage, 'after the answer', CANCEL_LIMIT_MS + WIND_DOWN_MS);
    },
  ),
  'child-output': rule(
    'a child that keeps the output open does not delay the answer, and is ended',
    ['kind:cli'],
    async (stage) => {
      await conducted(stage, { child: 'holdsOutput' });
      await untilReleased(stage, 'after the answer', CANCEL_LIMIT_MS + WIND_DOWN_MS);
    },
  ),
});

async function conducted(stage: Stage, conduct: ProcessConduct): Promise<void> {
  const { text, finish } = await stage.answer({}, {}, { conduct });
  assert.deepEqual([text, finish], [textOf(scripted()), 'stop']);
}
