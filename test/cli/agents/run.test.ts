import { say, script, use } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { DaemonHome, isAlive } from '../../setup/daemon-home';

const home = new AgentHome();

test('the answer alone goes to stdout, the provider to stderr, and the daemon starts', async () => {
  const result = await home.run('Say hello');
  expect(result).toEqual({ code: 0, stdout: 'Hello\n', stderr: 'process 1: main, m-1\n' });
  expect((await home.run('daemon', 'status')).code).toBe(0);
});

test('an answer comes as it is made', async () => {
  const cli = home.live('--no-stdin', script([say('first '), { hang: true }]));
  await cli.until(/first /);
  expect(await cli.signal('SIGINT').end()).toMatchObject({ code: 130, stdout: 'first \n' });
});

test('texts before and after the use of a tool have lines of their own', async () => {
  const ask = use('llm_other', { prompt: 'x' });
  const { stdout } = await home.run(script([say('I ask.'), ask], [say('Done.')]));
  expect(stdout).toBe('I ask.\nDone.\n');
});

describe('what is typed', () => {
  const told = async (...words: string[]) => {
    const { stdout, stderr } = await home.run(...words, '--json');
    expect(stderr).not.toContain('error');
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test.each<[string, string[], string]>([
    ['one text', ['fix the bug'], 'fix the bug'],
    ['several words', ['fix', 'the', 'bug'], 'fix the bug'],
    ['after `run`', ['run', 'serve'], 'serve'],
    ['after a flag', ['--model', 'x', 'fix it'], 'fix it'],
    ['before a flag', ['fix it', '--model', 'x'], 'fix it'],
    ['a list with dashes', ['- one\n- two'], '- one\n- two'],
    ['a negative number', ['-3 plus 5'], '-3 plus 5'],
    ['what begins like a flag, after --', ['--', '--json is a flag'], '--json is a flag'],
    ['every character', ['  "a" \'b\' $c \\d \u00e9\u{1f600}\n\ttab  '], '  "a" \'b\' $c \\d \u00e9\u{1f600}\n\ttab  '],
  ])('%s is the intent, as it is', async (_, words, intent) => {
    const { stdout, stderr } = await home.run(...words);
    expect(stdout).toBe('Hello\n');
    expect(await home.process(Number(/process (\d+)/.exec(stderr)![1]))).toMatchObject({ intent });
  });

  test('flags decide provider, model and effort; an empty value counts as not given', async () => {
    expect(await told('x y', '--provider', 'other', '--model', 'm', '--reasoning-effort', 'high')).toMatchObject({
      resolution: { provider: 'other', model: 'm', effort: 'high', decidedBy: { effort: '--reasoning-effort' } },
    });
    const empty = ['--provider', '', '--model=', '--reasoning-effort', '', '--agent', '', '--skill', ''];
    expect(await told('x y', ...empty)).toMatchObject({ provider: 'main', model: 'm-1' });
  });

  test('an agent.yaml and skills are found from the working directory', async () => {
    home.write('work/own.yaml', 'name: own\nmodels: { provider: plain }\n');
    home.write('work/style/SKILL.md', 'Be brief.');
    const words = [script([{ tell: 'request' }]), '--agent', 'own.yaml', '--skill', './style', '--json'];
    const { stdout } = await home.runIn(`${home.directory}/work`, words);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'own', provider: 'plain' });
    expect(stdout).toContain('Be brief.');
  });
});

describe('a mistake starts nothing, and ends with exit code 2', () => {
  test.each<[string, string[], RegExp]>([
    ['an empty intent', [''], /^error: the intent is empty\n {2}say what to do: drivebay "<intent>"/],
    ['an intent of white space', ['run', ' \n'], /the intent is empty/],
    ['no intent', ['--provider', 'main'], /missing required argument 'intent'/],
    ['a flag without its value', ['do it', '--model'], /'--model <model>' argument missing/],
    ['a flag as a value', ['--model', '--json', 'do it'], /argument '--json' is invalid. Its value is missing/],
    ['an unknown flag', ['do it', '--provder', 'main'], /unknown option '--provder'\n.*Did you mean --provider\?/],
    ['an unknown provider', ['do it', '--provider', 'mian'], /there is no provider "mian"/],
    ['an agent file that is not there', ['do it', '--agent', 'gone.yaml'], /there is no agent file .*gone\.yaml/],
    ['a skill that is not there', ['do it', '--skill', 'gone'], /^error: skill "gone": there is no folder \//],
    ['a misspelt command with its flag', ['serv', '--port', '80'], /unknown command 'serv'\n.*Did you mean serve\?/],
  ])('%s', async (_, words, message) => {
    const result = await home.run(...words);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toContain('process ');
  });
});

test('warnings about the configuration and notices of the process go to stderr', async () => {
  const own = new AgentHome();
  own.configure(
    'version: "1"\ndefault_provider: p\nproviders:\n  - { name: p, driver: plain, default_model: m, colour: red }\n',
  );
  const { code, stdout, stderr } = await own.run('hi there', '--reasoning-effort', 'low');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello\n' });
  expect(stderr).toMatch(/^warning: .*providers\.yaml:4:\d+: .*colour/m);
  expect(stderr).toMatch(/^warning: .*"p" ignores reasoning_effort/m);
});

test('a run that fails without a configuration names the command that writes one', async () => {
  const own = new DaemonHome();
  const { code, stderr } = await own.run('say it', '--no-stdin');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /no API key: \w+ is not set .*\n {2}run: export \w+=\.\.\.; the next drivebay command in that terminal takes it along\n {2}there is no \S+providers.yaml, so the built-in provider was asked; to use what this machine has: drivebay init\n$/,
  );
});

test('an agent.yaml outside of a project has no effect, and a warning says so', async () => {
  const file = home.write('loose/agent.yaml', 'name: loose\n');
  const { stdout, stderr } = await home.runIn(`${home.directory}/loose`, ['say it', '--json']);
  expect(JSON.parse(stdout)).not.toHaveProperty('name');
  expect(stderr).toContain(
    `warning: ${file} is not used, because its folder is not a project; to use it: --agent agent.yaml`,
  );
  const used = await home.runIn(`${home.directory}/loose`, ['say it', '--json', '--agent', 'agent.yaml']);
  expect(used.stderr).not.toContain('is not used');
});

test('a failure says why, with exit code 1', async () => {
  const failing = script([{ fail: ['upstream', 'it broke', { hint: 'mend it' }] }]);
  expect(await home.run(failing)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^process \d+: main, m-1\nerror: provider "main": it broke\n {2}mend it\n$/,
    ) as string,
  });
  const json = await home.run(failing, '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    state: 'failed',
    answer: '',
    end: { message: 'provider "main": it broke' },
  });
});

test('a model that tries again and again what it is refused is told of once', async () => {
  const self = use('llm_main', { prompt: 'x' });
  const { stderr } = await home.run(script([self], [self], [say('ok')]));
  expect(stderr).toMatch(/^process \d+: main, m-1\nwarning: llm_main refused: \S+ is the model's own provider\n$/);
});

test('the fallback is announced with the reason, and answers', async () => {
  home.write('fall.yaml', 'models: { provider: main, fallback: other }\n');
  const failing = script([{ failOn: ['main', 'unreachable', 'nobody is there'] }, say('I am here')]);
  const { code, stdout, stderr } = await home.run(failing, '--agent', 'fall.yaml');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'I am here\n' });
  expect(stderr).toContain('warning: provider "main" failed: nobody is there; continuing with "other"\n');
});

test('with --detach it prints the pid, and the process goes on alone', async () => {
  const { code, stdout } = await home.run('--detach', script([{ hang: true }]));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\n$/);
  const pid = Number(stdout);
  expect(await home.process(pid)).toMatchObject({ state: expect.stringMatching(/created|running/) as string });
  expect((await home.run('kill', String(pid))).stdout).toBe(`process ${pid} is killed\n`);
  const json = await home.run('--detach', '--json', 'say it');
  expect(JSON.parse(json.stdout)).toEqual({ pid: pid + 1, uuid: expect.any(String) as string });
});

test('ps knows the end of a run when the run has ended', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { stderr } = await home.run('say it');
    expect(await home.process(Number(/process (\d+)/.exec(stderr)![1]))).toMatchObject({ state: 'done' });
  }
});

test('a daemon that dies in the middle is told, with exit code 1', async () => {
  const own = new AgentHome();
  const pid = await own.start();
  const cli = own.live('--no-stdin', script([say('half '), { hang: true }]));
  await cli.until(/half /);
  process.kill(pid, 'SIGKILL');
  expect(await cli.end()).toMatchObject({
    code: 1,
    stdout: 'half \n',
    stderr: expect.stringMatching(/error: the daemon has ended\n {2}see its log: drivebay daemon logs\n$/) as string,
  });
});

test('a daemon that is stopped ends its processes, and their clients know', async () => {
  const own = new AgentHome();
  await own.start();
  const cli = own.live('--no-stdin', script([{ program: true }]));
  await cli.until(/\d+ \d+/);
  const pids = cli.stdout.trim().split(/\s+/).map(Number);
  await own.run('daemon', 'stop');
  const { code, stderr } = await cli.end();
  expect(code).toBe(1);
  expect(stderr).toMatch(/error: process 1 was killed: the daemon was stopped\n$/);
  expect(pids.filter(isAlive)).toEqual([]);
});
