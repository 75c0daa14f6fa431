import type { Message } from '../../core/contract/api';
import { foldSystem } from '../../core/gateway/fold-system';

/** `u:hi` is a message of the user, `c` an assistant with a call, `r` its result. */
function conversation(text: string): Message[] {
  return text.split(' ').map((word) => {
    const [role = '', said = ''] = word.split(':');
    const parts: Message['parts'] = said ? [{ type: 'text', text: said }] : [];
    if (role === 'c') return { role: 'assistant', parts: [{ type: 'tool_call', id: '1', name: 'f', arguments: '{}' }] };
    if (role === 'r') return { role: 'tool', parts: [{ type: 'tool_result', callId: '1', content: [] }] };
    return { role: ({ u: 'user', a: 'assistant', s: 'system', d: 'developer' } as const)[role as 'u'], parts };
  });
}

/** The same form, with `[x]` for a reminder. */
function told(messages: Message[]): string {
  return messages
    .map(({ role, parts }) => {
      if (role === 'tool') return 'r';
      if (parts[0]?.type === 'tool_call') return 'c';
      const texts = parts.map((part) => (part.type === 'text' ? part.text : '?'));
      const short = texts.map((text) => text.replace(/^<system-reminder>\n(.*)\n<\/system-reminder>$/s, '[$1]'));
      return `${role[0]}:${short.join('+')}`;
    })
    .join(' ');
}

test.each([
  ['u:a', 'u:a', 'nothing to fold'],
  ['s:a s:b d:c u:d', 's:a+b+c u:d', 'leading entries are one system message'],
  ['d:a u:b', 's:a u:b', 'a leading developer message is a system message'],
  ['s:a u:b s:c', 's:a u:b+[c]', 'a later one ends the user message before it'],
  ['u:a s:b u:c', 'u:a+[b] u:c', 'also when another user message follows'],
  ['u:a s:b d:c a:d u:e', 'u:a+[b]+[c] a:d u:e', 'all of them'],
  ['u:a c r s:b', 'u:a c r u:[b]', 'behind results stands a user message'],
  ['u:a c r u:x s:b', 'u:a c r u:x+[b]', 'or it ends the one that is there'],
  ['u:a c r s:b u:c', 'u:a c r u:[b]+c', 'or it begins the one that follows'],
  ['u:a c s:b r r u:c', 'u:a c r r u:[b]+c', 'never between a call and its results'],
  ['u:a c s:b r a:c', 'u:a c r u:[b] a:c', 'never between them, without a user message'],
  ['u:a c r s:b r', 'u:a c r r u:[b]', 'never between the results of two calls'],
  ['u:a a:b s:c u:d', 'u:a a:b u:[c]+d', 'behind an answer it begins the next user message'],
  ['u:a a:b s:c', 'u:a a:b u:[c]', 'or is one'],
  ['s:a', 's:a', 'a system message alone stays one'],
])('%s becomes %s (%s)', (before, after) => {
  expect(told(foldSystem(conversation(before)))).toBe(after);
});

test('the messages before the last turn stay as they were, for prompt caches', () => {
  const first = foldSystem(conversation('s:a u:b s:c'));
  const second = foldSystem(conversation('s:a u:b s:c c r s:d'));
  expect(second.slice(0, first.length)).toEqual(first);
  const third = foldSystem(conversation('s:a u:b s:c c r s:d a:e u:f s:g'));
  expect(third.slice(0, second.length)).toEqual(second);
});

test('a text that is a reminder already is not wrapped again', () => {
  const text = '<system-reminder>\nx\n</system-reminder>';
  const folded = foldSystem([...conversation('u:a'), { role: 'system', parts: [{ type: 'text', text }] }]);
  expect(folded[0]?.parts[1]).toEqual({ type: 'text', text });
});
