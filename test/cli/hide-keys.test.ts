import { hideKeys } from '../../core/cli/hide-keys';

const KEY = 'sk-proj-0123456789abcdef';

test.each([[[KEY]], [[`--token=${KEY}`]], [[`--${KEY}`]], [['--key', KEY]]])(
  'the key of %j is in no message',
  (words) => {
    expect(hideKeys(`there is no '${KEY}'`, words)).toBe("there is no '(not shown: it looks like a key)'");
  },
);

test.each([[['/tmp/Ab3dEf6hIj9lMn2pQr5t']], [['mend commit 0123456789abcdef0123456789abcdef']], [['gpt-5.1-codex']]])(
  'a message keeps paths, sentences and names: %j',
  (words) => expect(hideKeys(`about ${words[0]}`, words)).toBe(`about ${words[0]}`),
);
