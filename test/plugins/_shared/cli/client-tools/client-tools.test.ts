import type { ChatRequest, Message } from 'drivebay/plugin';
import { DriverError } from '../../../../../core/contract/driver-error';
import { checkResults, offeredTools } from '../../../../../plugins/_shared/cli/client-tools/client-tools';
import { chatRequest } from '../../../harness';
import { call, calls, result, says } from '../../../messages';

const error = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
const check = (...messages: Message[]) => checkResults(messages, { error });
const asked = [says('user', 'Go'), calls(call('a'), call('b'))];

test('whole results pass, with what the user says after them, and so does a conversation without any', () => {
  check(says('user', 'Go'));
  check(...asked, result('b', '2'), result('a', '1'));
  check(...asked, result('a', '1'), result('b', '2'), says('user', 'And?'));
});

test('a call without a result is refused by its id', () => {
  expect(() => check(...asked, result('a', '1'))).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'messages', message: expect.stringContaining('b have') }),
  );
  expect(() => check(...asked, says('user', 'And?'))).toThrow('a, b have no result');
});

test('a result without a call is refused by its place', () => {
  for (const messages of [[result('x', '1')], [...asked, result('a', '1'), result('b', '2'), result('x', '1')]]) {
    expect(() => check(...messages)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: `messages[${messages.length - 1}]` }),
    );
  }
});

test('what lies before the last answer is not judged', () => {
  check(says('user', 'Go'), calls(call('a')), says('user', 'No'), says('assistant', 'Fine'), says('user', 'Then?'));
});

const offer = (request: Partial<ChatRequest>, longest?: number) =>
  offeredTools(chatRequest(request), { error }, longest);

test('a tool has its name, description and schema', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  expect(offer({ tools: [{ name: 'one', description: 'Does', parameters }, { name: 'other' }] })).toEqual({
    tools: [
      { name: 'one', description: 'Does', inputSchema: parameters },
      { name: 'other', inputSchema: { type: 'object', properties: {} } },
    ],
    ignored: [],
  });
});

test('a description that a program would cut goes whole with the schema', () => {
  const description = 'word '.repeat(100);
  const { tools } = offer({ tools: [{ name: 'one', description, parameters: { description: 'Own' } }] }, 100);
  expect(tools[0]!.description).toHaveLength(100);
  expect(tools[0]!.description).toMatch(/^word .*the input schema has the whole description/);
  expect(tools[0]!.inputSchema.description).toBe(`${description}\n\nOwn`);
});

test('a tool of a vendor and a promise that no program keeps are named', () => {
  const tools = [
    { name: 'web_search', raw: { type: 'web_search' } },
    { name: 'one', strict: true },
  ];
  expect(offer({ tools })).toMatchObject({ tools: [{ name: 'one' }], ignored: ['tools[0]', 'tools[1].strict'] });
});

test('two tools of one name are refused, and so is a choice of a tool that is not there', () => {
  const tools = [{ name: 'one' }, { name: 'two' }, { name: 'one' }];
  expect(() => offer({ tools })).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'tools[2]' }));
  const toolChoice = { type: 'tool', name: 'three' } as const;
  expect(() => offer({ tools: [{ name: 'one' }], toolChoice })).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'tool_choice' }),
  );
});
