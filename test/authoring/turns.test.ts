import { conformanceCases, httpBackend } from 'drivebay/testing';
import { Turns } from '../../core/authoring/conformance/turns';
import { gate } from '../../core/authoring/fakes/requests';
import { tempHome } from '../setup/temp-home';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';

test('what looks at the whole process runs after what is running and before what comes later', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const gates = { first: gate(), second: gate(), alone: gate(), last: gate() };
  const run = (name: keyof typeof gates) => async () => {
    log.push(`${name} begins`);
    await gates[name].hold;
    log.push(`${name} ends`);
  };
  const all = [
    ...[turns.beside(run('first')), turns.beside(run('second'))],
    ...[turns.alone(run('alone')), turns.beside(run('last'))],
  ];
  gates.second.release();
  await all[1];
  for (const name of ['last', 'alone', 'first'] as const) gates[name].release();
  await Promise.all(all);
  expect(log).toEqual([
    ...['first begins', 'second begins', 'second ends', 'first ends'],
    ...['alone begins', 'alone ends', 'last begins', 'last ends'],
  ]);
});

test('a case that fails stops no other', async () => {
  const turns = new Turns();
  const failing = () => Promise.reject(new Error('no'));
  await expect(turns.beside(failing)).rejects.toThrow('no');
  await expect(turns.alone(failing)).rejects.toThrow('no');
  await turns.beside(() => Promise.resolve());
});

test('a case that sets a variable of the process leaves none behind, also where it runs twice at once', async () => {
  const directory = tempHome().plugin('sample', { code: HTTP_DRIVER, manifest: { ...HTTP_MANIFEST } });
  const cases = conformanceCases({ directory, backend: httpBackend(sampleHttpWire) });
  const { run } = cases.find(({ id }) => id === 'request.key-chosen')!;
  await Promise.all([run(), run()]);
  expect(process.env.SAMPLE_API_KEY).toBeUndefined();
});
