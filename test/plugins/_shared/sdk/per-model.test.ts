import { PerModel } from '../../../../plugins/_shared/sdk/per-model';

test('what is known of a model stays, and the oldest of very many makes room', () => {
  const notes = new PerModel(() => new Set<string>());
  notes.of('first').add('x');
  for (let n = 1; n < 200; n += 1) notes.of(`model-${n}`);
  expect(notes.of('first')).toEqual(new Set(['x']));
  notes.of('one more');
  expect(notes.find('first')).toBeUndefined();
  expect(notes.find('model-1')).toBeDefined();
});
