import assert from 'node:assert';
import type { ChatRequest, Message, Part, Tool } from '../../../contract/api';
import { defineCases, rule } from '../case-definition';
import { differs } from '../differs';
import type { ScriptedToolCall } from '../../fakes/backend';
import type { ReadAnswer } from '../read-answer';
import { message, MODES } from '../../fakes/requests';
import type { Stage } from '../stage';

const tool = (name: string): Tool => ({
  name,
  description: `Looks up the ${name}`,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: `kit-city-of-${name}` } },
    required: ['city'],
  },
});
const TOOLS = [tool('weather'), tool('time')];

const CALL: ScriptedToolCall = {
  id: 'call_kit_1',
  name: 'weather',
  arguments: '{"city":"Zürich-17","days":[1,{"from":"noon"}]}',
};
const SECOND: ScriptedToolCall = { id: 'call_kit_2', name: 'time', arguments: '{"city":"Oslo-18"}' };

export const toolCases = defineCases('tools', {
  offered: rule('the tools of the request reach the backend', ['capability:tools', 'received'], async (stage) => {
    await stage.answer({}, { tools: TOOLS });
    assert.deepEqual(stage.lastReceived().tools, ['weather', 'time']);
  }),
  described: rule(
    'the tools of the request reach the backend with their descriptions and schemas',
    ['capability:tools', 'received'],
    async (stage) => {
      await stage.answer({}, { tools: TOOLS });
      const { raw } = stage.lastReceived();
      for (const { name } of TOOLS) {
        assert.ok(raw.includes(`Looks up the ${name}`), `the description of the tool ${name} did not arrive`);
        assert.ok(raw.includes(`kit-city-of-${name}`), `the schema of the tool ${name} did not arrive`);
      }
    },
  ),
  choice: rule(
    'a choice that names a tool reaches the backend',
    ['capability:forcedToolChoice', 'received'],
    async (stage) => {
      const timesNamed = async (request: Partial<ChatRequest>) => {
        await stage.answer({}, { tools: TOOLS, ...request });
        return stage.lastReceived().raw.split('time').length;
      };
      const free = await timesNamed({});
      const forced = await timesNamed({ toolChoice: { type: 'tool', name: 'time' } });
      assert.ok(forced > free, 'the request is the same with and without the choice');
    },
  ),
  'choice-required': rule(
    'a choice that requires a tool call reaches the backend',
    ['capability:forcedToolChoice', 'received'],
    (stage) => isChosen(stage, 'required'),
  ),
  'choice-none': rule(
    'a choice that forbids tool calls reaches the backend, or meta names tool_choice as ignored',
    ['capability:tools', 'received'],
    (stage) => isChosen(stage, 'none'),
  ),
  calls: rule(
    'a tool call arrives with id, name and arguments, and its answer finishes with tool_calls',
    ['capability:tools', 'toolCalls'],
    async (stage) => {
      for (const stream of MODES) {
        const answer = await called(stage, [CALL], stream);
        sameCalls(answer, [CALL]);
        assert.equal(answer.finish, 'tool_calls');
      }
    },
  ),
  parallel: rule('two tool calls of one answer stay apart', ['capability:tools', 'toolCalls'], async (stage) => {
    for (const stream of MODES) {
      const answer = await called(stage, [CALL, SECOND], stream);
      sameCalls(answer, [CALL, SECOND]);
      assert.notEqual(answer.toolCalls[0]?.id, answer.toolCalls[1]?.id);
    }
  }),
  'round-trip': rule(
    'calls of an earlier turn and their results reach the backend',
    ['capability:tools', 'toolCalls', 'received'],
    async (stage) => {
      const raw = await answerBack(stage, await called(stage, [CALL, SECOND], true));
      for (const text of ['weather', 'Zürich-17', 'sunny-weather', 'time', 'Oslo-18', 'sunny-time']) {
        assert.ok(raw.includes(text), `${text} did not arrive`);
      }
    },
  ),
  ids: rule(
    'the result of a tool call reaches the backend with the id of its call',
    ['capability:tools', 'toolCalls', 'toolCallIds', 'received'],
    async (stage) => {
      const raw = await answerBack(stage, await called(stage, [CALL, SECOND], true));
      for (const { id } of [CALL, SECOND]) {
        assert.ok(raw.split(id).length > 2, `${id} stands fewer than two times in the request`);
      }
    },
  ),
  signatures: rule(
    'the signature of a tool call returns to the backend with the next turn',
    ['capability:tools', 'toolCalls', 'signatures', 'received'],
    async (stage) => {
      for (const stream of MODES) {
        const raw = await answerBack(stage, await called(stage, [{ ...CALL, signature: 'SIGNATURE-4711' }], stream));
        assert.ok(raw.includes('SIGNATURE-4711'), `the signature is lost with stream: ${stream}`);
      }
    },
  ),
});

/** Neither the request without a choice nor the one that leaves it to the model is the same. */
async function isChosen(stage: Stage, type: 'required' | 'none'): Promise<void> {
  for (const plain of [{ tools: TOOLS }, { tools: TOOLS, toolChoice: { type: 'auto' } as const }])
    await differs(stage, 'tool_choice', { toolChoice: { type } }, plain);
}

async function called(stage: Stage, toolCalls: ScriptedToolCall[], stream: boolean): Promise<ReadAnswer> {
  const messages = [message('user', 'What is the weather?')];
  return stage.answer({ pieces: [], toolCalls, finish: 'tool_calls' }, { messages, tools: TOOLS, stream });
}

function sameCalls({ toolCalls, events }: ReadAnswer, expected: ScriptedToolCall[]): void {
  const indexes = new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.index] : [])));
  const counted = `the calls have the index ${[...indexes].join(', ')}: count the calls of an answer from 0`;
  assert.deepEqual([...indexes].sort(), [...expected.keys()], counted);
  const facts = (name: string, text: string) => ({ name, arguments: JSON.parse(text || '{}') as unknown });
  assert.deepEqual(
    toolCalls.map((call) => facts(call.name, call.arguments)),
    expected.map((call) => facts(call.name, call.arguments)),
  );
  for (const { id } of toolCalls) assert.ok(id !== '', 'a call without an id cannot be answered');
}

/** Sends the next turn, as a client does. Returns the request at the backend. */
async function answerBack(stage: Stage, first: ReadAnswer): Promise<string> {
  const reasoning = first.events.filter((event) => event.type === 'reasoning');
  const parts: Part[] = [
    ...reasoning.map(({ text, extra }): Part => ({ type: 'reasoning', text, extra })),
    ...first.toolCalls,
  ];
  const results = first.toolCalls.map(({ id, name }): Message => {
    const content = [{ type: 'text' as const, text: `sunny-${name}` }];
    return { role: 'tool', parts: [{ type: 'tool_result', callId: id, content }] };
  });
  const messages = [message('user', 'What is the weather?'), { role: 'assistant' as const, parts }, ...results];
  await stage.answer({}, { messages, tools: TOOLS });
  return stage.lastReceived().raw;
}
