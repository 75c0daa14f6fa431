import type { Message } from '../../../../core/contract/api';
import { Conversation } from '../../../../core/gateway/dialects/responses/conversation';

const say = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'f', arguments: '{}' });
const words = (text: string) => ({ type: 'text' as const, text });

/** Each message in short: its role, and what it holds. */
function brief(messages: Message[]): string[] {
  return messages.map(({ role, parts }) => {
    const held = parts.map((part) => {
      if (part.type === 'tool_call') return part.id;
      if (part.type === 'tool_result') return `${part.callId}=${(part.content[0] as { text: string }).text}`;
      return 'text' in part ? part.text : part.type;
    });
    return `${role}: ${held.join(' + ')}`;
  });
}

function converse(steps: (conversation: Conversation) => void, outputs: Record<string, string> = {}): string[] {
  const conversation = new Conversation();
  for (const [id, text] of Object.entries(outputs)) conversation.expectOutput(id, [words(text)]);
  steps(conversation);
  return brief(conversation.end());
}

test('the parts of one answer are one message, with the results right behind', () => {
  const found = converse(
    (conversation) => {
      conversation.add(say('Go'));
      conversation.answer([{ type: 'reasoning', text: 'hm' }]);
      conversation.answer([words('Look.')]);
      conversation.answer([call('a')]);
      conversation.answer([call('b')]);
      conversation.output('a');
      conversation.output('b');
      conversation.answer([words('Done.')]);
    },
    { a: 'A', b: 'B' },
  );
  expect(found).toEqual(['user: Go', 'assistant: hm + Look. + a + b', 'tool: a=A', 'tool: b=B', 'assistant: Done.']);
});

test('a message between a call and its output moves behind the output', () => {
  const found = converse(
    (conversation) => {
      conversation.answer([call('a')]);
      conversation.add(say('Wait'));
      conversation.output('a');
    },
    { a: 'A' },
  );
  expect(found).toEqual(['assistant: a', 'tool: a=A', 'user: Wait']);
});

test('a call without an output gets one in words', () => {
  expect(converse((conversation) => conversation.answer([call('a')]))).toEqual([
    'assistant: a',
    'tool: a=(no result: the call was interrupted)',
  ]);
});

test('an output without its call is a message of the user', () => {
  expect(converse((conversation) => conversation.output('a'), { a: 'A' })).toEqual([
    'user: Result of an earlier tool call: + A',
  ]);
});

test('ids that come again in a later turn are told apart by their order', () => {
  const conversation = new Conversation();
  conversation.expectOutput('a', [words('first')]);
  conversation.expectOutput('a', [words('second')]);
  for (let turn = 0; turn < 2; turn += 1) {
    conversation.answer([call('a')]);
    conversation.output('a');
  }
  expect(brief(conversation.end())).toEqual(['assistant: a', 'tool: a=first', 'assistant: a', 'tool: a=second']);
});

test('two texts of one answer do not run into each other, and reasoning that led to nothing is left out', () => {
  const found = converse((conversation) => {
    conversation.answer([words('One.')]);
    conversation.answer([words('Two.')]);
    conversation.add(say('Next'));
    conversation.answer([{ type: 'reasoning', text: 'hm' }]);
  });
  expect(found).toEqual(['assistant: One. + \n\nTwo.', 'user: Next']);
});
