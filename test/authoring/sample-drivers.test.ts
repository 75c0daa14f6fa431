import { cliBackend, httpBackend } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { hostCases } from './host-cases';
import { CLI_DRIVER, CLI_MANIFEST, HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleCliWire, sampleHttpWire } from './sample-wires';

const home = tempHome();

describe('a third-party driver of kind http', () => {
  const directory = home.plugin('sample', { code: HTTP_DRIVER, manifest: HTTP_MANIFEST });
  hostCases({ directory, backend: httpBackend(sampleHttpWire) });
});

describe('a third-party driver of kind cli', () => {
  const directory = home.plugin('sample-cli', { code: CLI_DRIVER, manifest: CLI_MANIFEST });
  hostCases({ directory, backend: cliBackend(sampleCliWire) });
});
