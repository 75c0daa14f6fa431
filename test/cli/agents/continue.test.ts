import { rmSync } from 'node:fs';
import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';

const home = new AgentHome();
const conversation = script([say('one')], [say('two')], [say('three')]);
const work = home.write('work/file', '').replace(/\/file$/, '');

beforeAll(() => home.runIn(work, [conversation, '--provider', 'other']));

test('-c goes on with the newest process of this folder, and every word is the intent', async () => {
  expect(await home.runIn(work, ['-c', 'stop'])).toEqual({
    code: 0,
    stdout: 'two\n',
    stderr: 'process 2: other, o-1, continues process 1\n',
  });
  expect(await home.process(2)).toMatchObject({ intent: 'stop' });
});

test.each([
  ['--continue', '1', '5 times'],
  ['run', '--continue', '1', '5', 'times'],
  ['5 times', '--continue=1'],
])('%s %s %s goes on with that process in its folder, from any folder', async (...words) => {
  const { code, stdout, stderr } = await home.run(...words.filter(Boolean));
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'two\n' });
  expect(stderr).toMatch(
    /^note: it works in \S+\/work, as process 1 did\nprocess \d+: other, o-1, continues process 1\n$/,
  );
  const pid = Number(/process (\d+): other/.exec(stderr)![1]);
  expect(await home.process(pid)).toMatchObject({ intent: '5 times', workingDirectory: work, continues: 1 });
  expect((await home.run('trace', String(pid))).stdout).toMatch(/\n {2}follows {2}process 1\n/);
});

test('the shell goes on, too', async () => {
  const { stdout } = await home.live('shell').endInput('spawn --continue 2 now\n').end();
  expect(stdout).toBe('three\n');
});

test.each<[string, string[], number, RegExp]>([
  ['no process of this folder', ['-c', 'go on'], 2, /^error: no process was started in \/\S+, so there is nothing to/],
  [
    'an unknown process',
    ['--continue', '99', 'go on'],
    1,
    /^error: there is no process 99\n {2}see: drivebay ps -a\n$/,
  ],
  ['no pid', ['--continue=new', 'go on'], 2, /argument 'new' is invalid. Expected a pid, as drivebay ps -a shows it/],
  ['a pid behind -c', ['-c', '1', 'go on'], 2, /^error: -c takes no pid, and 1 follows it\n.*run --continue 1 "/],
  ['no intent', ['--continue', '1'], 2, /missing required argument 'intent'/],
])('%s is an error', async (_, words, code, message) => {
  const result = await home.run(...words);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toMatch(message);
});

test('a folder that is gone is an error', async () => {
  const folder = home.write('gone/file', '').replace(/\/file$/, '');
  const { stderr } = await home.runIn(folder, ['say it']);
  rmSync(folder, { recursive: true });
  const pid = /process (\d+)/.exec(stderr)![1]!;
  expect(await home.run('--continue', pid, 'go on')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: the folder of process ${pid} does not exist any more: ${folder}\n`,
  });
});
