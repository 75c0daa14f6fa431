import { cliBackend } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { hostCases } from './host-cases';
import { CLI_DRIVER, CLI_MANIFEST } from './sample-drivers';
import { sampleCliWire } from './sample-wires';

describe('a third-party driver of kind cli', () => {
  const directory = tempHome().plugin('sample-cli', { code: CLI_DRIVER, manifest: CLI_MANIFEST });
  hostCases({ directory, backend: cliBackend(sampleCliWire) });
});
