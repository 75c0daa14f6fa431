import { ChoiceReader } from '../../../../plugins/_shared/chat-completions/choice-reader';

test.each([
  ['stop', true, false, 'stop'],
  ['STOP', true, false, 'stop'],
  ['eos', true, false, 'stop'],
  ['end_turn', true, false, 'stop'],
  ['max_tokens', true, false, 'length'],
  ['length', false, false, 'length'],
  ['stop', false, true, 'tool_calls'],
  ['length', false, true, 'length'],
  ['function_call', false, false, 'tool_calls'],
  ['safety', false, false, 'content_filter'],
  ['whatever', true, false, 'stop'],
  ['whatever', false, true, 'tool_calls'],
  ['whatever', false, false, undefined],
  ['constructor', false, false, undefined],
  ['error', true, false, undefined],
  ['insufficient_system_resource', true, false, undefined],
])('%s with content %p and tool calls %p is %p', (word, hasContent, hasToolCalls, reason) => {
  const choice = new ChoiceReader(0, false);
  const delta = {
    content: hasContent ? 'x' : null,
    tool_calls: hasToolCalls ? [{ id: 'c', function: { name: 'f' } }] : [],
  };
  choice.read({ delta, finish_reason: word }, []);
  expect(choice.finishReason()).toBe(reason);
});
