import { mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinUserMessages } from '../../core/agents/earlier-process';
import type { ChatRequest } from '../../core/contract/api';
import { Agents } from './agents';
import { say, script, use } from './scripted-agent';

let agents: Agents;

const TELL = [{ tell: 'request' }];

/** What the model of a process was asked, as short lines. */
function asked(text: string): string[] {
  const { messages } = JSON.parse(text) as ChatRequest;
  return messages.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === 'text') return part.text.startsWith('[') ? 'SCRIPT' : part.text;
      if (part.type === 'tool_call') return `${part.id} ${part.name}(${part.arguments})`;
      return part.type === 'tool_result' ? `${part.callId} = ${JSON.stringify(part.content)}` : part.type;
    });
    return `${role}: ${words.join(' | ')}`;
  });
}

test('the messages of the earlier process come first, tool calls and results among them', async () => {
  agents = Agents.open();
  const first = await agents.run(script([say('I ask.'), use('llm_other', { prompt: 'x' })], [say('Done.')], TELL));
  const { text, process } = await agents.goOn(first.process.view.pid, 'and now?');
  expect(process.view).toMatchObject({ continues: 1, provider: 'main', model: 'm-1' });
  expect(asked(text)).toEqual([
    'user: SCRIPT',
    'assistant: I ask. | call_1_1 llm_other({"prompt":"x"})',
    'tool: call_1_1 = [{"type":"text","text":"Hello"}]',
    'assistant: Done.',
    'user: and now?',
  ]);
});

test('it goes on with a process that went on with another one, by pid or uuid, also after the daemon ended', async () => {
  agents = Agents.open();
  await agents.run(script([say('one')], [say('two')], TELL));
  const second = await agents.goOn('1', 'then?');
  await agents.store.close();
  const { text } = await agents.goOn(second.process.view.uuid, 'at last?');
  expect(asked(text)).toEqual(['user: SCRIPT', 'assistant: one', 'user: then?', 'assistant: two', 'user: at last?']);
});

test('every kind of driver gets the conversation', async () => {
  agents = Agents.open();
  await agents.run(script([say('one')], TELL), { provider: 'cli' });
  const same = await agents.goOn(1, 'go on');
  expect(same.process.view).toMatchObject({ provider: 'cli', model: 'c-1' });
  const other = await agents.goOn(1, 'go on', { provider: 'plain' });
  expect(other.process.view).toMatchObject({ provider: 'plain', model: 'p-1' });
  for (const { text } of [same, other]) expect(asked(text)).toEqual(['user: SCRIPT', 'assistant: one', 'user: go on']);
});

test('what the client does not name stays as it was', async () => {
  const files = {
    'work/own.yaml': 'name: own\ninstructions: Be brief.\nmodels: { provider: plain }\n',
    'work/style/SKILL.md': 'No jokes.',
  };
  agents = Agents.open({ files });
  const agentFile = join(agents.home.directory, 'work/own.yaml');
  const given = { agentFile, provider: 'other', model: 'o-9', effort: 'high', skills: ['./style'] };
  await agents.run(script([say('one')], TELL), given);
  const { text, process } = await agents.goOn(1, 'go on');
  const byEarlier = 'process 1';
  expect(process.view).toMatchObject({
    name: 'own',
    resolution: {
      provider: 'other',
      model: 'o-9',
      effort: 'high',
      decidedBy: { provider: byEarlier, model: byEarlier, effort: byEarlier },
    },
  });
  expect(asked(text)[0]).toBe('system: Be brief.\n\n# Skill: style\n\nNo jokes.');
});

test('half an answer is part of the conversation', async () => {
  agents = Agents.open();
  const half = await agents.run(script([say('half '), { fail: ['upstream', 'it broke'] }], TELL));
  expect(asked((await agents.goOn(half.process.view.pid, 'go on')).text)).toEqual([
    'user: SCRIPT',
    'assistant: half ',
    'user: go on',
  ]);
});

test('an intent that was not answered stands together with the next one', () => {
  const say = (role: 'user' | 'assistant', text: string) => ({ role, parts: [{ type: 'text' as const, text }] });
  const messages = [say('user', 'one'), say('user', 'two'), say('assistant', 'yes'), say('user', 'three')];
  expect(joinUserMessages(messages)).toEqual([
    say('user', 'one\n\ntwo'),
    say('assistant', 'yes'),
    say('user', 'three'),
  ]);
});

test('a process of the built-in provider goes on, though that is no device beside those of a configuration', async () => {
  agents = Agents.open({ providers: ['{ name: other, driver: talker, default_model: o-1 }'] });
  const first = await agents.run('say it');
  expect(first.end).toMatchObject({ state: 'failed', code: 'auth' });
  const { provider } = first.process.view;
  expect(agents.project.devices.llm(provider!)).toBeUndefined();
  expect((await agents.goOn(1, 'again')).process.view).toMatchObject({ provider, continues: 1 });
});

describe('what cannot be continued is refused before anything begins', () => {
  test('a process that still runs', async () => {
    agents = Agents.open();
    const running = agents.spawn(script([{ hang: true }]));
    await expect(agents.goOn(1, 'go on')).rejects.toMatchObject({
      code: 'usage',
      message: 'process 1 still runs',
      hint: 'wait for its end: drivebay wait 1; or end it: drivebay kill 1',
    });
    running.kill('killed');
  });

  test('an unknown process', async () => {
    agents = Agents.open();
    await expect(agents.goOn(7, 'go on')).rejects.toMatchObject({ message: 'there is no process 7' });
  });

  test('a process whose record, or the record of one before it, is gone', async () => {
    agents = Agents.open();
    await agents.run('say it');
    await agents.goOn(1, 'and now');
    await agents.store.close();
    const remove = (pid: number) => rmSync(join(agents.state, `processes/${pid}.ndjson`));
    remove(1);
    const hint =
      'records are kept for 30 days, and up to 200 MB, and a full disk takes none: drivebay doctor; to start over: drivebay "<intent>"';
    await expect(agents.goOn(2, 'go on')).rejects.toMatchObject({
      message: 'process 2 continues process 1, of which there is no record',
      hint,
    });
    remove(2);
    await expect(agents.goOn(2, 'go on')).rejects.toMatchObject({ message: 'there is no record of process 2', hint });
  });

  test('a process whose record a full disk has emptied, or has taken half of', async () => {
    agents = Agents.open();
    await agents.run('say it');
    await agents.store.close();
    const record = join(agents.state, 'processes/1.ndjson');
    const [created, ...rest] = readFileSync(record, 'utf8').split('\n');
    expect(rest.at(-2)).toMatch(/"type":"exit"/);
    for (const left of ['', `${created}\n`]) {
      writeFileSync(record, left);
      await expect(agents.goOn(1, 'go on')).rejects.toMatchObject({
        code: 'usage',
        message: 'there is no record of process 1',
      });
    }
  });

  test('a process that the daemon knows and the disk did not take', async () => {
    agents = Agents.open();
    writeFileSync(join(agents.home.directory, 'no-folder'), '');
    mkdirSync(agents.state);
    symlinkSync('../no-folder', join(agents.state, 'processes'));
    expect((await agents.run('say it')).end).toMatchObject({ state: 'done' });
    await expect(agents.goOn(1, 'go on')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^there is no record of process 1: (ENOTDIR|EEXIST)/) as string,
      hint: 'choose another folder: export XDG_STATE_HOME=<absolute path>; to start over: drivebay "<intent>"',
    });
  });

  test('a process whose answer its record did not take', async () => {
    agents = Agents.open();
    const record = join(agents.state, 'processes/1.ndjson');
    const first = agents.spawn('say it');
    const created = readFileSync(record, 'utf8');
    rmSync(record);
    mkdirSync(record);
    expect(await first.ended).toMatchObject({ state: 'done' });
    await agents.store.close();
    // The record can be written again, and the answer is lost all the same.
    rmdirSync(record);
    writeFileSync(record, created);
    await expect(agents.goOn(1, 'go on')).rejects.toMatchObject({
      message: expect.stringMatching(
        /^there is no record of process 1: .*1\.ndjson exists and is not a regular file/,
      ) as string,
      hint: expect.stringMatching(/^choose another folder: export XDG_STATE_HOME=/) as string,
    });
  });

  test('a process whose provider is gone', async () => {
    agents = Agents.open();
    await agents.run('say it', { provider: 'other' });
    await agents.store.close();
    const devices = agents.project.devices;
    const project = {
      ...agents.agentProject,
      devices: Object.assign(Object.create(devices), { llm: () => undefined }),
    };
    await expect(agents.table.start(project, agents.request('go on', { continues: 1 }))).rejects.toMatchObject({
      message: 'there is no provider "other", which process 1 used',
    });
  });
});
