import { join } from 'node:path';
import { httpBackend } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { hostCases } from './host-cases';
import { zetaWire } from './zeta-wire';

describe('the bundled driver for Google Gemini', () => {
  hostCases({ directory: join(repository, 'plugins/zeta'), backend: httpBackend(zetaWire) });
});
