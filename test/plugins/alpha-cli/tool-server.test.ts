import { ToolServer } from '../../../plugins/alpha-cli/tool-server';
import { asksFor } from './conversation';
import { assistant, blockStart, blockStop, calls, messageStart, messageStop, resulted } from './lines';

const TOOLS = [{ name: 'look', inputSchema: { type: 'object' } }];
let server: ToolServer;
beforeEach(() => (server = new ToolServer(TOOLS)));

const request = (method: string, params = {}, id: unknown = 7) => ({
  subtype: 'mcp_message',
  message: { jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) },
});
const call = (id: string) => server.answer(asksFor(id, 'look', { a: id }).request as object as never, `request ${id}`);
const follow = (...lines: Record<string, unknown>[]) => lines.forEach((line) => server.follow(line));

test('it says hello in the version of the program, lists its tools, and knows no more', () => {
  const answer = (method: string, params = {}, id?: unknown) => server.answer(request(method, params, id), 'r');
  expect(answer('initialize', { protocolVersion: '2025-11-25' }, 0)).toMatchObject({
    mcp_response: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } },
  });
  expect(answer('tools/list', {}, 1)).toEqual({ mcp_response: { jsonrpc: '2.0', id: 1, result: { tools: TOOLS } } });
  expect(answer('server/discover', {}, 2)).toMatchObject({ mcp_response: { id: 2, error: { code: -32601 } } });
  expect(server.answer({ subtype: 'can_use_tool' }, 'r')).toBeUndefined();
});

test('calls wait in the order of the message, each for its own result', () => {
  follow(messageStart(), ...calls('t1', 'look'), ...calls('t2', 'look'));
  expect([call('t2'), call('t1')]).toEqual([undefined, undefined]);
  expect(server.calls.map(([id, { name, arguments: args }]) => [id, name, args])).toEqual([
    ['t1', 'look', { a: 't1' }],
    ['t2', 'look', { a: 't2' }],
  ]);
  expect(server.settle('t2', [{ type: 'text', text: 'x' }])).toEqual({
    requestId: 'request t2',
    response: { mcp_response: { jsonrpc: '2.0', id: 't2', result: { content: [{ type: 'text', text: 'x' }] } } },
  });
  expect([server.settle('t2', []), server.calls.length]).toEqual([undefined, 1]);
});

test('two calls with one id wait for a result each', () => {
  follow(messageStart(), ...calls('t1', 'look'), ...calls('t1', 'look'), ...calls('t2', 'look'));
  void call('t2');
  const ask = asksFor('t1', 'look').request as { message: object };
  void server.answer({ ...ask, message: { ...ask.message, id: 1 } }, 'one');
  follow(messageStop());
  expect(server.isWhole).toBe(false);
  void server.answer({ ...ask, message: { ...ask.message, id: 2 } }, 'other');
  expect(server.isWhole).toBe(true);
  const keys = server.calls.map(([key]) => key);
  expect(keys.map((key) => server.settle(key, [])?.requestId)).toEqual(['one', 'other', 'request t2']);
});

test('a message is whole when it has ended, and each of its calls has come or was refused', () => {
  follow(messageStart(), ...calls('t1', 'look'), ...calls('bad', 'none'));
  void call('t1');
  expect(server.isWhole).toBe(false);
  follow(messageStop());
  expect(server.isWhole).toBe(false);
  follow(resulted('bad', 'No such tool'));
  expect([server.isWhole, server.isWaiting]).toEqual([true, true]);
  follow(messageStart('msg_2'));
  expect(server.isWhole).toBe(false);
});

test('what a subagent says is no part of the message', () => {
  follow(messageStart(), assistant([{ type: 'tool_use', id: 'x', name: 'look' }], { parent_tool_use_id: 't' }));
  follow(messageStop());
  expect(server.isWhole).toBe(true);
});

test('it is known whether a part of the message is on its way', () => {
  follow(messageStart(), blockStart());
  expect(server.isInBlock).toBe(true);
  follow(blockStop());
  expect(server.isInBlock).toBe(false);
});

test('a call that the program gives up waits no more', () => {
  void call('t1');
  void server.answer(request('notifications/cancelled', { requestId: 't1' }), 'r');
  expect(server.isWaiting).toBe(false);
});
