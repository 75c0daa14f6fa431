import { join } from 'node:path';
import { httpBackend } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { etaWire } from './eta-wire';
import { hostCases } from './host-cases';

describe('the bundled driver for the third vendor’s SDK', () => {
  hostCases({ directory: join(repository, 'plugins/eta'), backend: httpBackend(etaWire) });
});
