import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configAt } from '../../../core/config/find-config';
import { loadConfig } from '../../../core/config/load';
import { DriverError } from '../../../core/contract/driver-error';
import { RestBook } from '../../../core/providers/rest-book';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();

test('a rest is kept on disk, shown with its reason and its end, and ended by providers wake', async () => {
  home.configure(`version: "1"
providers: [{ name: tired, driver: chat-compat, base_url: "http://127.0.0.1:1/v1", default_model: m }]
routes: [{ name: smart, targets: [tired] }]
`);
  const state = join(home.directory, '.local/state/drivebay');
  const { entries } = loadConfig({ global: configAt(join(home.directory, '.config/drivebay/providers.yaml')) });
  const book = new RestBook(state, true);
  const failure = new DriverError('rate_limited', 'used up', { kind: 'usage_limit', retryAfterS: 3600 });
  book.of(entries[0]!).noteFailure(failure, 'm', 0);
  await book.flush();
  const file = join(state, 'rests.json');
  expect(readFileSync(file, 'utf8')).toContain('usage_limit');
  const [{ until } = { until: 0 }] = book.of(entries[0]!).list();
  // Nine hours before UTC all the year.
  const inTokyo = new Date(until + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const here = { TZ: 'Asia/Tokyo' };
  const shown = await home.runIn(home.directory, ['providers', 'status'], here);
  expect(shown.stderr).toContain(
    `tired rests until ${inTokyo} (usage_limit): used up; to end it: drivebay providers wake tired`,
  );
  const { stdout: found } = await home.runIn(home.directory, ['doctor'], here);
  expect(found).toContain(`it rests until ${inTokyo}, so routes ask it last: used up`);
  expect(shown.stderr).toContain('smart: a route over tired');
  expect((await home.run('providers', 'wake', 'smart')).stderr).toContain('smart is awake');
  expect(readFileSync(file, 'utf8')).not.toContain('usage_limit');
  expect((await home.run('providers', 'wake', 'tired')).stderr).toContain('tired did not rest');
  expect(await home.run('providers', 'wake', 'tird')).toMatchObject({ code: 2 });
  // What cannot be read counts as no rest.
  writeFileSync(file, '{');
  expect(new RestBook(state, false).of(entries[0]!).list()).toEqual([]);
});
