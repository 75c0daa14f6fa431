import { join } from 'node:path';
import { cliBackend } from 'drivebay/testing';
import { repository } from '../../setup/source-files';
import { hostCases } from '../../authoring/host-cases';
import { deltaCliWire } from './wire';

describe('the bundled driver for the Codex CLI', () => {
  hostCases({
    directory: join(repository, 'plugins/delta-cli'),
    backend: cliBackend(deltaCliWire),
    exclude: { 'request.large': 'the CLI takes prompts of up to 1048576 characters, and says so' },
  });
});
