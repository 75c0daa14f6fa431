import { withLimit } from '../../core/plugins/with-limit';

test('passes a result and a failure on', async () => {
  await expect(withLimit(Promise.resolve(1), 'it', 1000)).resolves.toBe(1);
  await expect(withLimit(Promise.reject(new Error('no')), 'it', 1000)).rejects.toThrow('no');
});

test('ends the wait for something that never comes', async () => {
  await expect(withLimit(new Promise(() => undefined), 'it', 10)).rejects.toThrow('it did not finish within 0.01 s');
});
