import type { ContentPart, Message } from 'drivebay/plugin';
import { cutsResults } from '../../../plugins/gamma-cli/acp/cut-results';

const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'Look' }] };
const called: Message = { role: 'assistant', parts: [{ type: 'tool_call', id: 'a', name: 'look', arguments: '{}' }] };
const told = (...content: ContentPart[]): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_result', callId: 'a', content }],
});
const text = (letter: string, count: number): ContentPart => ({ type: 'text', text: letter.repeat(count) });
const image: ContentPart = { type: 'image', url: 'data:image/png;base64,AAAA' };

test.each<[string, Message[], boolean]>([
  ['earlier results of 170,000 letters stay', [asked, called, told(text('x', 170_000)), called, told()], false],
  ['longer ones do not', [asked, called, told(text('x', 180_000)), called, told()], true],
  ['results count together', [called, told(text('x', 90_000)), called, told(text('x', 90_000)), called, told()], true],
  ['a character that JSON escapes counts for two', [called, told(text('"', 90_000)), called, told()], true],
  ['letters of other scripts count as others do', [called, told(text('漢', 170_000)), called, told()], false],
  ['what stands around many short ones counts', [asked, ...Array(900).fill(told()), called], true],
  ['the results that are told now stay, whatever their length', [asked, called, told(text('x', 900_000))], false],
  ['so do results with images, which only a turn holds', [called, told(text('x', 900_000), image), called], false],
  ['a conversation without an answer has none', [asked], false],
])('%s', (_name, messages, isCut) => {
  expect(cutsResults(messages)).toBe(isCut);
});
