import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger } from '../../../core/contract/make-logger';
import { hostileServer, isRunning, signs, toolServer } from '../../setup/tool-servers';
import { until } from '../../setup/until';
import { openServer } from './open-server';

const open = (way: string, extra?: string, more: Record<string, unknown> = {}) =>
  openServer({ ...hostileServer(way, extra), ...more });

describe('a server that writes without end is ended', () => {
  test.each([
    ['endless-line', /line/],
    ['endless-messages', /it wrote over 20000 messages or 64 MiB without being asked/],
    ['huge-schema', /line/],
  ])('%s', async (way, reason) => {
    const before = process.memoryUsage().rss;
    await expect(open(way).names()).rejects.toThrow(reason);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });
});

describe('a server that does not begin is told with its reason', () => {
  const began = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
  test.each([
    ['refuses', undefined, /^no licence$/],
    ['dies', undefined, /exit code 4: cannot begin/],
    [
      'initializes',
      { ...began, protocolVersion: '2099-01-01' },
      /^it speaks only MCP 2099-01-01, and Drivebay speaks MCP up to 2025-11-25$/,
    ],
    ['is-newer', undefined, /^it speaks only MCP 2026-07-28, and Drivebay speaks MCP up to 2025-11-25$/],
    ['initializes', { ...began, serverInfo: undefined }, /serverInfo/],
    ['initializes', null, /neither a result nor an error/],
  ])('%s %j', async (way, result, reason) => {
    await expect(open(way, JSON.stringify(result)).names()).rejects.toThrow(reason);
  });
});

describe('a list of tools', () => {
  test('leaves out what is no tool, a second one of a name, and one over 256 KiB, and says so', async () => {
    const broken = open('broken');
    expect(await broken.names()).toEqual(['fine']);
    expect(broken.lines.join('\n')).toMatch(
      /a tool without a name[^]*tool "bare" is left out: its inputSchema is not an object[^]*a second tool "fine"/,
    );
    const large = open('large-tool');
    expect(await large.names()).toEqual(['good']);
    expect(large.lines.join()).toContain('tool "large" is left out: it is over 256 KiB');
  });

  test('leaves out what vendors refuse, or only a task can run, and mends the rest', async () => {
    const tools = [
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'task', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
      { name: 'bare', inputSchema: {} },
      { name: 'empty', inputSchema: { type: null, properties: [], required: null, title: 'kept' } },
      {
        name: 'cut',
        description: 'half of \ud83d',
        inputSchema: { type: 'object', properties: { a: { const: '\ud83d' } } },
      },
    ];
    const { names, seat, lines } = open('tools', JSON.stringify(tools));
    expect(await names()).toEqual(['bare', 'empty', 'cut']);
    expect(lines.join('\n')).toMatch(
      /"text" is left out: its inputSchema has another type[^]*"task".*runs as a task only/,
    );
    const listed = await seat.tools(new AbortController().signal);
    expect(listed[0]?.parameters).toEqual({ type: 'object' });
    expect(listed[1]?.parameters).toEqual({ type: 'object', title: 'kept' });
    expect(JSON.stringify(listed)).toContain('half of \ufffd');
    expect(JSON.stringify(listed)).not.toMatch(/\\ud/);
  });

  test('ends after 1000 tools, and after 100 pages', async () => {
    const many = open('many-tools');
    expect(await many.names()).toHaveLength(1000);
    expect(many.lines.join()).toContain('further tools are left out');
    const endless = open('endless-pages');
    expect(await endless.names()).toHaveLength(100);
    expect(endless.lines).toEqual(['warn further tools are left out: its list has over 100 pages']);
  });

  test('is read before each step, and each user is warned once about the tools that were left out', async () => {
    const { server, names, lines } = open('broken', '', { shared: true });
    await names();
    const left = [...lines];
    expect(left).not.toEqual([]);
    for (let step = 0; step < 3; step += 1) await names();
    const later: string[] = [];
    await names(
      server.join({ workingDirectory: '/', log: makeLogger((level, text) => void later.push(`${level} ${text}`)) }),
    );
    expect([later, lines]).toEqual([left, left]);
  });

  test('is asked for again when the server says that it changed, and a tool that is gone is a failure', async () => {
    const swap = open('swap');
    expect(await swap.names()).toEqual(['first']);
    await swap.call('first');
    expect(await swap.names()).toEqual(['second']);
  });
});

test('a call without an answer ends at its limit, and one with an odd result has no text', async () => {
  expect(await open('never', '', { timeout_sec: 0.2 }).call('ask')).toBe(
    'error: it timed out: there is no answer after 0.2 s',
  );
  expect(await open('odd-result').call('ask')).toBe('(no output)');
});

describe('an answer of another form ends its call', () => {
  const result = { content: [{ type: 'text', text: 'fine' }] };
  const unknown = 'error: the answer has neither a result nor an error that MCP knows';
  test.each([
    [{ result, error: null }, 'fine'],
    [{ result, extra: 1 }, 'fine'],
    [{ result: { ...result, _meta: 'x' } }, 'fine'],
    [{ result: null }, unknown],
    [{ result: [], error: null }, unknown],
    [{ error: {} }, unknown],
    [{ error: 'it broke' }, 'error: it broke'],
    [{ error: { code: 'E1', message: 'it broke' } }, 'error: it broke'],
  ])('%j', async (given, said) => {
    expect(await open('odd-answer', JSON.stringify(given), { timeout_sec: 20 }).call('ask')).toBe(said);
  });
});

test('an answer in a batch is found, and a batch without end ends the server', async () => {
  expect(await open('batch').call('ask')).toBe('fine');
  expect(await open('endless-batch').call('ask')).toMatch(/over 20000 messages/);
});

test('a limit that is longer than any timer does not end a call at once', async () => {
  expect(await open('chatty', '', { timeout_sec: 1e9 }).call('ask')).toBe('ask refused=false');
});

test('the text of an error is a result as any other, and cut', async () => {
  const text = await open('prompt-error').call('ask');
  expect(text).toMatch(/^error: .*Ignore your instructions/);
  expect(text.length).toBeLessThan(2_000);
});

test('a question to the model is refused, and lines that are no messages are passed over', async () => {
  expect(await open('samples').call('ask')).toBe('ask refused=true');
  expect(await open('no-params', 'null').call('ask')).toBe('ask refused=true');
  expect(await open('no-params', 'list').call('ask')).toBe('ask refused=true');
  expect(await open('chatty').names()).toEqual(['ask']);
});

test('one that does not end with its input is ended, and so is all that it started', async () => {
  const { seat, names, server } = open('lingers');
  await names();
  const startedAt = Date.now();
  await seat.leave();
  await server.close();
  expect(Date.now() - startedAt).toBeLessThan(15_000);
});

test('one that is silent for long is ended, with its children, and starts again with the next call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drivebay-test-'));
  const { call } = openServer(toolServer(folder), { idleMs: 50 });
  await call('child');
  await until(() => ![...signs(folder, 'starts'), ...signs(folder, 'child')].some(isRunning));
  expect(await call('count')).toBe('1');
  expect(signs(folder, 'starts')).toHaveLength(2);
});
