import { httpBackend } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { hostCases } from './host-cases';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';

describe('a third-party driver of kind http', () => {
  const directory = tempHome().plugin('sample', { code: HTTP_DRIVER, manifest: HTTP_MANIFEST });
  hostCases({ directory, backend: httpBackend(sampleHttpWire) });
});
