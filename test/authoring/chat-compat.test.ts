import { join } from 'node:path';
import { httpBackend } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { chatCompatWire } from './chat-compat-wire';
import { hostCases } from './host-cases';

describe('the bundled driver for chat completions', () => {
  hostCases({ directory: join(repository, 'plugins/chat-compat'), backend: httpBackend(chatCompatWire) });
});
