import { join } from 'node:path';
import { cliBackend } from 'drivebay/testing';
import { repository } from '../../setup/repository';
import { hostCases } from '../../authoring/host-cases';
import { betaCliWire } from './wire';

describe('the bundled driver for the Cursor CLI', () => {
  hostCases({ directory: join(repository, 'plugins/beta-cli'), backend: cliBackend(betaCliWire) });
});
