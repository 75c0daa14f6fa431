import { join } from 'node:path';
import { cliBackend } from 'drivebay/testing';
import { repository } from '../../setup/repository';
import { hostCases } from '../../authoring/host-cases';
import { deltaCliWire } from './wire';

const A_THREAD = 'a run takes none; that a thread does is held with the real program (delta-cli-tools.test.ts)';

describe('the bundled driver for the Codex CLI', () => {
  hostCases({
    directory: join(repository, 'plugins/delta-cli'),
    backend: cliBackend(deltaCliWire),
    exclude: {
      'request.large': 'the CLI takes prompts of up to 1048576 characters, and says so',
      'parts.images': A_THREAD,
      'tools.offered': A_THREAD,
      'tools.described': A_THREAD,
    },
  });
});
