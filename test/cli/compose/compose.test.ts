import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { isAlive } from '../../setup/daemon-home';

const home = new AgentHome();

/** A folder with a compose file of these agents. */
function flow(name: string, agents: Record<string, object>): string {
  home.write(`${name}/compose.yaml`, JSON.stringify({ name, agents }));
  return `${home.directory}/${name}`;
}

const says = (text: string) => ({ intent: script([say(text)]) });
const hangs = { intent: script([say('holding'), { hang: true }]) };
const fails = { intent: script([{ fail: ['upstream', 'it broke'] }]) };

test('up runs the agents of the file in the folder: answers on stdout, progress on stderr', async () => {
  const folder = flow('good', { plan: says('The plan'), write: { intent: 'Write {{plan}}', needs: ['plan'] } });
  const { code, stdout, stderr } = await home.runIn(folder, ['compose', 'up']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '# plan\n\nThe plan\n\n# write\n\nHello\n\n' });
  expect(stderr).toMatch(/^plan: running \(process \d+\)\nplan: done\nwrite: running \(process \d+\)\nwrite: done\n$/);
});

test('the answer of a single agent has no heading, and the file may be in .drivebay, or be named', async () => {
  home.write('project/.drivebay/compose.yaml', JSON.stringify({ agents: { one: says('Alone') } }));
  const file = home.write('other/flow.yaml', JSON.stringify({ agents: { one: says('Named') } }));
  expect(await home.runIn(`${home.directory}/project`, ['compose', 'up'])).toMatchObject({
    code: 0,
    stdout: 'Alone\n',
  });
  expect(await home.runIn(home.directory, ['compose', 'up', file])).toMatchObject({ code: 0, stdout: 'Named\n' });
});

test('notices and fallbacks of an agent are told with its name', async () => {
  home.write('notices/fall.yaml', 'models: { provider: plain, fallback: other, reasoning_effort: low }\n');
  const failing = script([{ failOn: ['plain', 'unreachable', 'nobody is there'] }, say('ok')]);
  const folder = flow('notices', { one: { intent: failing, agent: 'fall.yaml' } });
  const { code, stderr } = await home.runIn(folder, ['compose', 'up']);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /\none: warning: provider "plain" failed: nobody is there; continuing with "other"\n[^]*one: done\n$/,
  );
});

test('--json prints one object, with every answer', async () => {
  const folder = flow('json', { bad: fails, good: says('Good') });
  const { code, stdout, stderr } = await home.runIn(folder, ['compose', 'up', '--json']);
  expect(code).toBe(1);
  expect(stderr).toContain('bad: failed: provider "main": it broke\n');
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'json',
    state: 'failed',
    agents: [
      { agent: 'bad', state: 'failed', answer: null },
      { agent: 'good', state: 'done', answer: 'Good' },
    ],
  });
});

test('mistakes have their lines, and begin nothing', async () => {
  const file = home.write(
    'wrong.yaml',
    'agents:\n  one: { intent: x, needs: [two] }\n  on: { intent: x, provider: nope }\n',
  );
  const { code, stdout, stderr } = await home.run('compose', 'up', 'wrong.yaml');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`${file}:2:29: agents.one.needs: there is no agent "two"`);
  const none = await home.run('compose', 'up');
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toMatch(/^error: there is no compose file \(looked for .*compose\.yaml\)\n/);
  expect((await home.run('compose', 'up', 'gone.yaml')).stderr).toMatch(/^error: there is no file .*gone\.yaml\n/);
});

test('Ctrl-C ends every agent of the run, and the programs they started', async () => {
  flow('tree', { one: { intent: script([{ program: true }]) }, two: hangs, never: { intent: 'x', needs: ['one'] } });
  const cli = home.live('compose', 'up', 'tree/compose.yaml');
  await cli.until(/one: running[^]*two: running|two: running[^]*one: running/);
  const pid = /one: running \(process (\d+)\)/.exec(cli.stderr)![1]!;
  const trace = home.live('trace', '-f', pid, '--json');
  await trace.until(/"text":"\d+ \d+/);
  const pids = /"text":"(\d+) (\d+)/.exec(trace.stdout)!.slice(1).map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  expect(await cli.signal('SIGINT').end()).toMatchObject({ code: 130, stdout: '' });
  expect(pids.map(isAlive)).toEqual([false, false]);
  await trace.end();
  expect((await home.run('ps')).stdout).not.toContain('running');
});

test('ps and down are about the runs that go on', async () => {
  const folder = flow('long', { one: hangs, two: { intent: 'x', needs: ['one'] } });
  expect(await home.runIn(folder, ['compose', 'up', '--detach'])).toMatchObject({ code: 0, stdout: 'long\n' });
  const { stdout } = await home.run('compose', 'ps');
  expect(stdout).toMatch(
    /^Run +Agent +State +PID +Needs +Message\nlong +one +running +\d+ +- +-\nlong +two +waiting +- +one +-\n/,
  );
  expect(JSON.parse((await home.run('compose', 'ps', 'long', '--json')).stdout)).toMatchObject({
    runs: [{ name: 'long' }],
  });
  const again = await home.runIn(folder, ['compose', 'up']);
  expect(again.code).toBe(2);
  expect(again.stderr).toMatch(/compose "long" runs already/);
  const idle = flow('idle', { one: says('x') });
  expect(await home.runIn(idle, ['compose', 'down'])).toMatchObject({
    code: 1,
    stderr: `error: nothing of ${idle}/compose.yaml is running\n  running: long\n`,
  });
  expect(await home.runIn(folder, ['compose', 'down'])).toEqual({
    code: 0,
    stdout: 'compose "long" has ended\n',
    stderr: '',
  });
  expect((await home.run('compose', 'ps')).stderr).toMatch(/^no compose run is running/);
  expect(await home.run('compose', 'down')).toMatchObject({ code: 1, stderr: 'error: no compose run is running\n' });
});
