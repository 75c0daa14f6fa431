import { setImmediate as turn } from 'node:timers/promises';
import { Users } from '../../core/providers/users';

test('what nobody uses is free at once', async () => {
  const users = new Users();
  users.enter();
  users.leave();
  await users.gone();
});

test('what is in use is free with its last user', async () => {
  const users = new Users();
  users.enter();
  users.enter();
  let isFree = false;
  const gone = users.gone().then(() => (isFree = true));
  users.leave();
  await turn();
  expect(isFree).toBe(false);
  users.leave();
  await gone;
});
