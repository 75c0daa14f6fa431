import { readOutcome } from '../../../core/devices/mcp/read-outcome';

test('a resource with a type that is no text is left out, and told', () => {
  const resource = { uri: 'file:///a', blob: 'AAAA', mimeType: { toString: 1 } };
  expect(readOutcome({ content: [{ type: 'resource', resource }] })).toEqual({
    content: [{ type: 'text', text: '[resource file:///a of type unknown is left out: the model cannot read it]' }],
    isError: false,
  });
});

test('structured content that would overflow the stack is left out in words', () => {
  const structuredContent: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  expect(readOutcome({ structuredContent }).content).toEqual([
    { type: 'text', text: '[the result is left out: it is nested deeper than 200 levels]' },
  ]);
});

test('structured content of any form stands in for content that is not there', () => {
  expect(readOutcome({ content: [], structuredContent: [1, 'two'] }).content).toEqual([say('[1,"two"]')]);
  expect(readOutcome({ content: [], structuredContent: null }).content).toEqual([say('(no output)')]);
});

test('half of a character, as servers leave that cut texts, reaches no vendor', () => {
  expect(readOutcome({ content: [say('cut \ud83d'), say('whole \u{1f600}')] }).content).toEqual([
    say('cut \ufffd'),
    say('whole \u{1f600}'),
  ]);
});

const say = (text: string) => ({ type: 'text', text });
