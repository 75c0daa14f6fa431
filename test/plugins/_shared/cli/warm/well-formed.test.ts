import { wellFormed } from '../../../../../plugins/_shared/cli/warm/well-formed';

const read = (value: unknown): unknown => JSON.parse(wellFormed(JSON.stringify(value)));

test('half of a character becomes the sign for one that is missing', () => {
  expect(read({ text: 'cut \ud83d', '\ude00': ['\udfff.'] })).toEqual({ text: 'cut \ufffd', '\ufffd': ['\ufffd.'] });
});

test.each(['whole \u{1f600}', '\\ud83d as a text', 'a path\\\\ud83d', '\u0000\n"\\', '\ud7ff'])('%j stays', (text) => {
  expect(read(text)).toBe(text);
});
