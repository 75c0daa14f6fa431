import type { ChatRequest } from 'drivebay/plugin';
import { ToolNames } from '../../../plugins/_shared/tool-names';
import { chatRequest } from '../harness';
import { call, calls, result, says } from '../messages';

const RULE = { longest: 20, valid: /^[a-zA-Z_][a-zA-Z0-9_-]*$/ };
const LONG = 'mcp__a_server__a_tool_with_a_long_name';

const names = (fields: Partial<ChatRequest>) => ToolNames.of(chatRequest(fields), RULE);
const toolNames = (request: ChatRequest | undefined) => request?.tools?.map(({ name }) => name);

test('names that the vendor takes are left alone', () => {
  expect(
    names({ tools: [{ name: 'Bash' }, { name: 'x'.repeat(20) }], messages: [calls(call('1', 'f'))] }),
  ).toBeUndefined();
});

test('other names are made fitting, differ from all others, and come back as they were', () => {
  const given = [LONG, `${LONG}_2`, 'a.b', 'a b', 'a_b', '1st', 'ünï'];
  const request = chatRequest({ tools: given.map((name) => ({ name })) });
  const map = ToolNames.of(request, RULE)!;
  const sent = toolNames(map.apply(request))!;
  expect(new Set(sent).size).toBe(given.length);
  for (const name of sent) {
    expect(name).toMatch(RULE.valid);
    expect(name.length).toBeLessThanOrEqual(20);
  }
  expect(sent[4]).toBe('a_b');
  const back = sent.map((name) => map.restore({ type: 'tool_call', index: 0, name }));
  expect(back.map((event) => 'name' in event && event.name)).toEqual(given);
});

test('a fitting name that a tool has already is made anew', () => {
  const [first] = toolNames(names({ tools: [{ name: 'a.b' }] })!.apply(chatRequest({ tools: [{ name: 'a.b' }] })))!;
  const tools = [{ name: 'a.b' }, { name: first! }];
  const [made, kept] = toolNames(names({ tools })!.apply(chatRequest({ tools })))!;
  expect(kept).toBe(first);
  expect(made).not.toBe(first);
});

test('the same name is sent the same way wherever it stands, in every turn', () => {
  const raw = { type: 'function', function: { name: LONG, parameters: { properties: { name: { const: LONG } } } } };
  const other = { type: 'allowed_tools', allowed_tools: { tools: [{ type: 'function', function: { name: LONG } }] } };
  const request = chatRequest({
    tools: [{ name: LONG, raw }],
    toolChoice: { type: 'other', value: other },
    messages: [says('user', 'x'), calls(call('1', LONG)), { ...result('1', 'r'), name: LONG }],
  });
  const sent = names(request)!.apply(request);
  const [short] = toolNames(sent)!;
  expect(JSON.stringify(sent)).toBe(
    JSON.stringify(request).replaceAll(LONG, short!).replace(`"const":"${short}"`, `"const":"${LONG}"`),
  );
  const later = { ...request, messages: [...request.messages, says('user', 'y')] };
  expect(toolNames(names(later)!.apply(later))).toEqual([short]);
  const chosen = names(request)!.apply({ ...request, toolChoice: { type: 'tool', name: LONG } });
  expect(chosen.toolChoice).toEqual({ type: 'tool', name: short });
});

test('events without a name of the map stay the same', () => {
  const map = names({ tools: [{ name: LONG }] })!;
  for (const event of [
    { type: 'text', text: LONG },
    { type: 'tool_call', index: 0, arguments: LONG },
  ] as const) {
    expect(map.restore(event)).toBe(event);
  }
});
