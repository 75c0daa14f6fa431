import { join } from 'node:path';
import { httpBackend, type HttpWire } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { chatCompatWire } from './chat-compat-wire';
import { hostCases } from './host-cases';

/** The vendor calls the token limit by its younger name. */
const wire: HttpWire = {
  ...chatCompatWire,
  received: (request) => ({ ...chatCompatWire.received(request), maxTokens: request.body.max_completion_tokens }),
};

describe('the bundled driver for the first vendor’s SDK', () => {
  hostCases({ directory: join(repository, 'plugins/epsilon'), backend: httpBackend(wire) });
});
