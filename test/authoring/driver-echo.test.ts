import { join } from 'node:path';
import { conformanceCases } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { echoBackend } from './echo-backend';
import { hostCases } from './host-cases';

const directory = join(repository, 'docs/examples/driver-echo');

describe('the example driver, which has no backend', () => {
  hostCases({ directory, backend: echoBackend });

  test('the cases that say nothing about it are named, each with its reason', () => {
    const excluded = conformanceCases({ directory, backend: echoBackend }).filter(
      (each) => each.excluded !== undefined,
    );
    expect(excluded.length).toBeGreaterThan(20);
    expect(Object.fromEntries(excluded.map(({ id, excluded }) => [id, excluded]))).toMatchObject({
      'answer.split-bytes': 'the backend has no bytes: the driver has no backend',
      'tools.calls': 'the manifest does not declare the capability tools',
      'request.effort': expect.stringMatching(/received|reasoning_effort/),
      'process.stderr': 'it is about drivers of kind cli',
    });
  });
});
