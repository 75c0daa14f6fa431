import { chooseClient, findClientProgram } from '../../../core/cli/launch/find-client';
import { hintOf } from '../../../core/errors';
import { type LaunchClient, launchClientSchema } from '../../../core/plugins/clients';

const client = (fields: Partial<LaunchClient>) => launchClientSchema.parse({ title: 'T', programs: ['p'], ...fields });

const CLIENTS = [
  client({ name: 'crow', programs: ['crow-cli'] }),
  client({ name: 'mute', title: 'Mute', api: 'song' }),
  client({ name: 'jay', title: 'Blue Jay', programs: ['jay'] }),
];

test('a client is found by its name and by the name of its program', () => {
  expect(chooseClient('crow', CLIENTS).name).toBe('crow');
  expect(chooseClient('crow-cli', CLIENTS).name).toBe('crow');
});

test.each<[string | undefined, string, RegExp | undefined]>([
  [undefined, 'which program?', /^one of crow, mute, jay; to see them all: drivebay launch --list$/],
  ['crwo', 'there is no client "crwo"', /^did you mean crow\? to see them all/],
  ['blue-jay', 'there is no client "blue-jay"', /^did you mean jay\? to see them all/],
  ['elephant', 'there is no client "elephant"', /^to see them all/],
])('%j is refused', (name, message, hint) => {
  try {
    chooseClient(name, CLIENTS);
    throw new Error('it was found');
  } catch (error) {
    expect([(error as Error).message, hintOf(error)]).toEqual([message, hint && expect.stringMatching(hint)]);
  }
});

test('a client whose API the gateway does not have is refused with the reason', () => {
  const message = /^Mute cannot use the gateway: it speaks the API song; the gateway has chat-completions, /;
  expect(() => chooseClient('mute', CLIENTS)).toThrow(message);
});

test('a program that is not there is named, with the command that installs it', async () => {
  const missing = client({ name: 'x', title: 'Magpie', programs: ['no-such-magpie'], install: 'get magpie' });
  await expect(findClientProgram(missing)).rejects.toMatchObject({
    message: expect.stringMatching(/^Magpie: program not found: no-such-magpie/) as string,
    hint: 'to install it: get magpie',
  });
});
