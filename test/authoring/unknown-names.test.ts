import { join } from 'node:path';
import { conformanceCases, type HttpWire, httpBackend } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { sampleHttpWire } from './sample-wires';

const directory = join(repository, 'docs/examples/driver-echo');
const cases = (cannot: object, exclude = {}) => {
  const wire: HttpWire = { ...sampleHttpWire, cannot };
  return conformanceCases({ directory, backend: httpBackend(wire), exclude });
};

test('an ability that no case needs, and a case that there is not, are refused: they would leave nothing out', () => {
  expect(() => cases({ reasonin: 'x' })).toThrow('no case needs the ability "reasonin"; did you mean reasoning?');
  expect(() => cases({ model: 'x' })).toThrow(/no case needs the ability "model"; .*usage.*received/);
  expect(() => cases({}, { 'request.model-explici': 'x' })).toThrow('did you mean request.model-explicit?');
});

test('every ability may be named', () => {
  const ends = ['pieces', 'hold', 'bytes', 'usage', 'length', 'empty', 'reasoning', 'toolCalls', 'signatures'];
  const faults = ['auth', 'rejected', 'rate_limited', 'upstream', 'absent', 'garbage', 'cut', 'hang', 'received'];
  expect(() => cases(Object.fromEntries([...ends, ...faults].map((name) => [name, 'x'])))).not.toThrow();
});
