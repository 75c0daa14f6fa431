import assert from 'node:assert';
import type { Message, Part, Tool } from '../../../contract/api';
import { defineCases } from '../case-definition';
import type { ScriptedToolCall } from '../../fakes/backend';
import type { ReadAnswer } from '../read-answer';
import { ask, message, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';

const tool = (name: string): Tool => ({
  ...{ name, description: `Looks up the ${name}` },
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});
const TOOLS = [tool('weather'), tool('time')];

const CALL: ScriptedToolCall = { id: 'call_kit_1', name: 'weather', arguments: '{"city":"Zürich-17"}' };
const SECOND: ScriptedToolCall = { id: 'call_kit_2', name: 'time', arguments: '{"city":"Oslo-18"}' };

export const toolCases = defineCases('tools', {
  offered: [
    'the tools of the request reach the backend',
    ['capability:tools', 'received'],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      await stage.chat(ask(scripted(), { tools: TOOLS }));
      assert.deepEqual(stage.lastReceived().tools, ['weather', 'time']);
    },
  ],
  calls: [
    'a tool call arrives with id, name and arguments, and finishes with tool_calls',
    ['capability:tools', 'toolCalls'],
    async (stage) => {
      for (const stream of [true, false]) {
        const answer = await called(stage, [CALL], stream);
        sameCalls(answer, [CALL]);
        assert.equal(answer.finish, 'tool_calls');
      }
    },
  ],
  parallel: [
    'two tool calls of one answer stay apart',
    ['capability:tools', 'toolCalls'],
    async (stage) => {
      for (const stream of [true, false]) {
        const answer = await called(stage, [CALL, SECOND], stream);
        sameCalls(answer, [CALL, SECOND]);
        assert.notEqual(answer.toolCalls[0]?.id, answer.toolCalls[1]?.id);
      }
    },
  ],
  'round-trip': [
    'calls of an earlier turn and what the tools answered reach the backend',
    ['capability:tools', 'toolCalls', 'received'],
    async (stage) => {
      const raw = await answerBack(stage, await called(stage, [CALL, SECOND], true));
      for (const text of ['weather', 'Zürich-17', 'sunny-weather', 'time', 'Oslo-18', 'sunny-time']) {
        assert.ok(raw.includes(text), `${text} did not arrive`);
      }
    },
  ],
  signatures: [
    'what the backend signs a tool call with comes back with the next turn',
    ['capability:tools', 'toolCalls', 'signatures', 'received'],
    async (stage) => {
      for (const stream of [true, false]) {
        const raw = await answerBack(stage, await called(stage, [{ ...CALL, signature: 'SIGNATURE-4711' }], stream));
        assert.ok(raw.includes('SIGNATURE-4711'), `the signature is lost with stream: ${stream}`);
      }
    },
  ],
});

async function called(stage: Stage, toolCalls: ScriptedToolCall[], stream: boolean): Promise<ReadAnswer> {
  const answer = scripted({ pieces: [], toolCalls, finish: 'tool_calls' });
  await stage.script({ type: 'answer', answer });
  return stage.chat(ask('What is the weather?', { tools: TOOLS, stream }));
}

function sameCalls({ toolCalls }: ReadAnswer, expected: ScriptedToolCall[]): void {
  const facts = (name: string, text: string) => ({ name, arguments: JSON.parse(text || '{}') as unknown });
  assert.deepEqual(
    toolCalls.map((call) => facts(call.name, call.arguments)),
    expected.map((call) => facts(call.name, call.arguments)),
  );
  for (const { id } of toolCalls) assert.ok(id !== '', 'a call without an id cannot be answered');
}

/** Takes the next turn, as a client does, and returns what reached the backend. */
async function answerBack(stage: Stage, first: ReadAnswer): Promise<string> {
  const reasoning = first.events.filter((event) => event.type === 'reasoning');
  const parts: Part[] = [
    ...reasoning.map(({ text, extra }): Part => ({ type: 'reasoning', text, ...(extra && { extra }) })),
    ...first.toolCalls.map((call): Part => ({ type: 'tool_call', ...call })),
  ];
  const results = first.toolCalls.map(({ id, name }): Message => {
    const content = [{ type: 'text' as const, text: `sunny-${name}` }];
    return { role: 'tool', parts: [{ type: 'tool_result', callId: id, content }] };
  });
  const messages = [message('user', 'What is the weather?'), { role: 'assistant' as const, parts }, ...results];
  await stage.script({ type: 'answer', answer: scripted() });
  await stage.chat(ask('', { messages, tools: TOOLS }));
  return stage.lastReceived().raw;
}
