import type { Message } from 'drivebay/plugin';
import type { HttpRequestRecord } from 'drivebay/testing';
import { failureOf } from '../plugins/cli-harness';
import { says } from '../plugins/messages';
import { until } from '../setup/until';
import {
  ask,
  calling,
  chats,
  end,
  looks,
  open,
  plays,
  PROGRAMS,
  ran,
  resultsIn,
  start,
  toolsIn,
  upstream,
  waiting,
} from './hostile-stage';

afterEach(() => end());

const question: Message[] = [says('system', 'Be a clerk'), says('user', 'Look!')];

describe.each(PROGRAMS)('%s', (program) => {
  test('of two equal conversations each goes on with its own results, also at once', async () => {
    await start(program);
    const first = await Promise.all([ask(question), ask(question), ask(question)]);
    expect(new Set(first.flatMap(({ calls }) => calls.map(({ id }) => id))).size).toBe(3);
    const second = await Promise.all(first.map((asked, index) => ask(ran(question, asked, `R-${index}`))));
    expect(second.map(({ text, warm }) => [text, warm])).toEqual([0, 1, 2].map((n) => [`saw R-${n}`, 'resumed']));
  });

  test('results that are sent again with another text are those of a conversation of their own', async () => {
    await start(program);
    const first = await ask(question);
    const all = await Promise.all(['R-1', 'R-2', 'R-3'].map((value) => ask(ran(question, first, value))));
    expect(all.map(({ text }) => text)).toEqual(['saw R-1', 'saw R-2', 'saw R-3']);
    expect(all.filter(({ warm }) => warm === 'resumed')).toHaveLength(1);
    const late = await ask(ran(question, first, 'R-4'));
    expect([late.text, late.warm]).toEqual(['saw R-4', expect.not.stringMatching('resumed')]);
    expect(waiting()).toEqual([]);
  });

  test('an edited word, half of the results and a word behind them never reach what waits', async () => {
    await start(program);
    const first = await ask(question);
    expect(await failureOf(ask(ran(question, first)))).toMatchObject({ code: 'invalid_request' });
    expect(waiting()).toHaveLength(1);
    const edited = [says('system', 'Be a clerk.'), ...ran(question, first, 'R-1').slice(1)];
    expect(await ask(edited)).toMatchObject({ text: 'saw R-1' });
    const again = await ask(question);
    const more = [...ran(question, again, 'R-2'), says('user', 'And R-3?')];
    expect(await ask(more)).toMatchObject({ text: 'saw R-2 R-3' });
    expect(waiting()).toEqual([]);
  });

  test('what is killed while it waits costs time, and no answer', async () => {
    await start(program);
    const first = await Promise.all([ask(question), ask(question)]);
    for (const pid of new Set(waiting().map(({ pid: each }) => each!))) process.kill(pid, 'SIGKILL');
    await until(() => waiting().length === 0);
    const second = await Promise.all(first.map((asked, index) => ask(ran(question, asked, `R-${index}`))));
    expect(second.map(({ text }) => text)).toEqual(['saw R-0', 'saw R-1']);
    expect(
      open.logged.filter(({ level, message }) => level === 'warn' && /SIGKILL/.test(message)).length,
    ).toBeGreaterThan(0);
  });

  test('a client that leaves while the model reads the results gets them answered when it comes back', async () => {
    await start(program);
    const first = await ask(question);
    const messages = ran(question, first, 'R-1');
    const abort = new AbortController();
    const count = chats().length;
    plays((request) => {
      abort.abort(new Error('left'));
      return looks(request);
    });
    const left = ask(messages, {}, { signal: abort.signal }).catch((error: unknown) => error);
    await upstream.until(() => chats().length > count);
    await left;
    plays(looks);
    expect(await ask(messages)).toMatchObject({ text: 'saw R-1' });
    expect(waiting()).toEqual([]);
  });

  test('a hundred tools of odd names, with schemas of thirty kilobytes, reach the model, and each can be called', async () => {
    await start(program);
    const odd = [
      'a.b',
      'a b',
      'a_b',
      '日本',
      '__proto__',
      'constructor',
      'Bash',
      'exec',
      'mcp__x__y',
      'x'.repeat(64),
      '-',
      '1',
    ];
    const names = [...odd, ...Array.from({ length: 100 - odd.length }, (_, index) => `tool ${index}`)];
    const choices = Array.from({ length: 1_000 }, (_, index) => `a rather long choice ${index}`);
    const parameters = {
      type: 'object',
      properties: { of: { type: 'number' }, choice: { type: 'string', enum: choices } },
    };
    const tools = names.map((name) => ({ name, description: `Looks ${name}.`, parameters }));
    const counts: number[] = [];
    const nameOf = (request: HttpRequestRecord, name: string) =>
      toolsIn(request).find(({ description }) => description === `Looks ${name}.`)?.name ?? 'none';
    plays((request) => {
      counts.push(toolsIn(request).length);
      if (resultsIn(request).length > 0) return { text: 'Done.' };
      return calling(
        request,
        odd.map((name, index) => ({ name: nameOf(request, name), args: { of: index } })),
      );
    });
    let messages = question;
    const called: (string | undefined)[] = [];
    for (let part = 0; part < odd.length; part += 1) {
      const asked = await ask(messages, { tools });
      called.push(...asked.calls.map(({ name }) => name));
      if (asked.calls.length === 0) break;
      messages = ran(messages, asked, ...asked.calls.map((_, index) => `R-${index}`));
    }
    expect([called, new Set(counts)]).toEqual([odd, new Set([100])]);
  });
});
