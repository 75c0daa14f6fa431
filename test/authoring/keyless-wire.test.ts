import { conformanceCases, httpBackend } from 'drivebay/testing';
import { tempHome } from '../setup/temp-home';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';

test.each(['request.key', 'request.key-chosen'])('%s says when `received` names no key', async (id) => {
  const directory = tempHome().plugin('sample', { code: HTTP_DRIVER, manifest: { ...HTTP_MANIFEST } });
  const backend = httpBackend({ ...sampleHttpWire, received: ({ body }) => ({ ...body }) });
  const { run } = conformanceCases({ directory, backend }).find((each) => each.id === id)!;
  await expect(run()).rejects.toThrow('the key of `received` is undefined, expected ');
});
