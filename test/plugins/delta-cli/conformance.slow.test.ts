import { join } from 'node:path';
import { cliBackend } from 'drivebay/testing';
import { repository } from '../../setup/repository';
import { hostCases } from '../../authoring/host-cases';
import { WARM } from '../cli-harness';
import { deltaCliWire } from './wire';

const A_THREAD = 'a run takes none; that a thread does is held with the real program (delta-cli-tools.test.ts)';

const STAYS = 'the program stays, and has no tools in a chat that it could start something with';
const IN_TURN = 'the fake answers one after the other; chats at once are in warm-chats.slow.test.ts';
const KEPT = {
  ...{ 'cancel.child': STAYS, 'cancel.child-output': STAYS, 'cancel.stubborn': STAYS, 'process.child-output': STAYS },
  ...{ 'isolation.concurrent-calls': IN_TURN, 'isolation.canceled-neighbour': IN_TURN },
  'process.extra-args':
    'what codex app-server does not take is for runs of its own; what it takes is in warm-chats.slow.test.ts',
};

describe('the bundled driver for the Codex CLI', () => {
  hostCases({
    directory: join(repository, 'plugins/delta-cli'),
    backend: cliBackend(deltaCliWire),
    keeps: WARM,
    exclude: {
      ...(WARM && KEPT),
      'request.large': 'the CLI takes prompts of up to 1048576 characters, and says so',
      'parts.images': A_THREAD,
      'parts.result-images': A_THREAD,
      'tools.offered': A_THREAD,
      'tools.described': A_THREAD,
      'tools.bare': A_THREAD,
      'tools.choice-none': A_THREAD,
    },
  });
});
