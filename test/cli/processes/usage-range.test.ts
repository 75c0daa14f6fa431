import { runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
/** In Berlin the 25th of October has 25 hours, and the first of November begins at 23:00 UTC. */
const TIMES = ['2026-10-24T21:59:59.999Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z', '2026-10-31T22:59:59Z'];
TIMES.push('2026-10-31T23:00:00Z', '2026-11-01T13:30:00Z');

beforeAll(() => {
  const lines = TIMES.map((text) => JSON.stringify({ time: Date.parse(text), provider: 'p', model: text, ok: true }));
  // The month of a file is one of UTC: this turn is of November in Berlin, and of October in its file.
  home.write('.local/state/drivebay/usage/2026-10.ndjson', `${lines.slice(0, 5).join('\n')}\n`);
  home.write('.local/state/drivebay/usage/2026-11.ndjson', `${lines[5]}\n`);
});

const usageIn = (TZ: string, ...words: string[]) =>
  runCli(['usage', '--by', 'model', ...words], { env: home.environment({ TZ }) });
const usage = (...words: string[]) => usageIn('Europe/Berlin', ...words);

/** Which of the times lie in a range, by their place. */
async function inRange(...words: string[]): Promise<number[]> {
  const { stdout } = await usage('--json', ...words);
  return (JSON.parse(stdout) as { usage: { key: string }[] }).usage.map(({ key }) => TIMES.indexOf(key));
}

test('a date is a whole day of the time zone of the machine, also one of 25 hours', async () => {
  expect(await inRange('--from', '2026-10-25', '--to', '2026-10-25')).toEqual([1, 2]);
  expect(await inRange('--from', '2026-11-01')).toEqual([4, 5]);
  expect(await inRange('--to', '2026-10-31')).toEqual([0, 1, 2, 3]);
  expect(await inRange('--from', '2026-10-01', '--to', '9999-12-31')).toEqual([0, 1, 2, 3, 4, 5]);
});

test('without --to also turns count that a clock has booked which was ahead', async () => {
  const ahead = tempHome();
  const turn = { time: Date.now() + 40 * 24 * 60 * 60 * 1000, provider: 'ahead', ok: true };
  const month = new Date(turn.time).toISOString().slice(0, 7);
  ahead.write(`.local/state/drivebay/usage/${month}.ndjson`, `${JSON.stringify(turn)}\n`);
  expect((await ahead.run('usage', '--csv')).stdout).toContain('\r\nahead,1,');
});

test('a time is a limit to the second: from it on, and up to it', async () => {
  expect(await inRange('--from', '2026-11-01 14:30', '--to', '2026-11-01T14:30:01')).toEqual([5]);
  expect(await inRange('--from', '2026-11-01', '--to', '2026-11-01 14:30')).toEqual([4]);
});

test('an empty value counts as not given', async () => {
  expect(await inRange('--from', '', '--to', '')).toHaveLength(TIMES.length);
});

test.each(['UTC', 'Europe/Berlin'])(
  'a range that ends with 1969 has no turns, also where it ends at zero: in %s',
  async (zone) => {
    expect(await usageIn(zone, '--to', '1969-12-31')).toEqual({
      code: 0,
      stdout: expect.not.stringContaining('2026') as string,
      stderr: 'nothing was used in this time\n',
    });
  },
);

test.each([
  '2026-02-30',
  '2026-13-01',
  '2026-11-01 24:00',
  '2026-11-01T10:00Z',
  '1.11.2026',
  'yesterday',
  '0000-00-00',
])('the date %s is refused with the right form', async (date) => {
  expect(await usage('--from', date)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /'--from <date>' argument '.*' is invalid\. Expected a date \(2026-11-01\), or a date and a time \("2026-11-01 14:30"\)/,
    ) as string,
  });
});

test('a range that ends before it begins is refused, and says why', async () => {
  expect(await usage('--from', '2026-11-02', '--to', '2026-11-01')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: no time is left: --from is 2026-11-02 00:00:00, and --to ends at 2026-11-02 00:00:00\n' +
      '  give a --from that is before --to; a --to without a time includes its day\n',
  });
});

test('a range without turns says so', async () => {
  expect((await usage('--from', '2026-10-27', '--to', '2026-10-28')).stderr).toBe('nothing was used in this time\n');
});
