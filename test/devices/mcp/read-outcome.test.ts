import { readOutcome } from '../../../core/devices/mcp/read-outcome';

test('a resource with a type that is no text is left out, and told', () => {
  const resource = { uri: 'file:///a', blob: 'AAAA', mimeType: { toString: 1 } };
  expect(readOutcome({ content: [{ type: 'resource', resource }] })).toEqual({
    content: [{ type: 'text', text: '[resource file:///a of type unknown is left out: the model cannot read it]' }],
    isError: false,
  });
});
