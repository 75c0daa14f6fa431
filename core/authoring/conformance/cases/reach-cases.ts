import assert from 'node:assert';
import { inspect } from 'node:util';
import type { ContentPart, Message, Part } from '../../../contract/api';
import { message } from '../../fakes/requests';
import { defineCases, rule } from '../case-definition';
import { differs, sent } from '../differs';
import type { Stage } from '../stage';
import { unlessRefused } from '../unless-refused';
import { ConformanceError } from '../within';

const imageOf = (content: string) => Buffer.from(`kit-image-${content}`).toString('base64');
const image = (content: string): ContentPart => ({ type: 'image', url: `data:image/png;base64,${imageOf(content)}` });
const ADDRESS = 'https://kit.example/picture-of-a-client.png';
const EARLIER: Part = { type: 'tool_call', id: 'call_kit_1', name: 'weather', arguments: '{"city":"Oslo-18"}' };
const PING = 'kit_ping';
const UNKNOWN = 'kit-content-of-a-part';
const looking = (...parts: Part[]): Message => ({ role: 'user', parts: [...message('user', 'Look.').parts, ...parts] });

/** What a driver that was made for the usual request forgets. */
export const reachCases = [
  ...defineCases('request', {
    roles: rule(
      'texts of the model and the system do not reach the backend as texts of the user',
      ['received'],
      async (stage) => {
        const said = async (role: Message['role']) => {
          const messages = [message('user', 'one'), message(role, 'two'), message('user', 'three')];
          return (await sent(stage, { messages }))?.raw;
        };
        const ofUser = await said('user');
        // Where equal requests differ or are refused, nothing can be seen.
        if (ofUser === undefined || (await said('user')) !== ofUser) return;
        const advice = 'send the role, or take context.layoutPrompt where the backend has one text';
        for (const role of ['assistant', 'system'] as const)
          assert.notEqual(
            await said(role),
            ofUser,
            `a message of the role ${role} arrived as one of a user: ${advice}`,
          );
      },
    ),
    'key-renewed': rule(
      'the next request uses a key that has changed',
      ['received', 'option:api_key_env'],
      async (stage) => {
        await stage.answer();
        stage.renewKey();
        await stage.answer();
        const { key } = stage.lastReceived();
        const advice = 'call context.apiKey() for each request, and keep no result';
        // A token that the first key has got is good until it ends.
        if (key !== stage.key && stage.backend.token === undefined)
          throw new ConformanceError(`the key is ${inspect(key)}, and was changed to ${inspect(stage.key)}: ${advice}`);
      },
    ),
    choices: rule(
      'the number of choices reaches the backend, or meta names n as ignored',
      ['capability:choices', 'received'],
      // The backend answers with one choice: a driver may say that the other one is missing.
      (stage) => unlessRefused(differs(stage, 'n', { choices: 2 })),
    ),
    'content-type': rule('a JSON body is sent with a JSON content-type', ['kind:http', 'received'], async (stage) => {
      await stage.answer();
      const { contentType, raw } = stage.lastReceived();
      const isJson = raw.endsWith('}') && contentType !== undefined;
      assert.ok(
        !isJson || /json/i.test(contentType),
        `the content-type is ${inspect(contentType)}: many servers refuse it`,
      );
    }),
  }),
  ...defineCases('parts', {
    'several-images': rule(
      'each image of each message reaches the backend',
      ['capability:images', 'received'],
      async (stage) => {
        const messages = [looking(image('one')), message('assistant', 'Seen.'), looking(image('two'), image('three'))];
        await arrive(stage, messages, ['one', 'two', 'three'].map(imageOf));
      },
    ),
    'image-address': rule(
      'the address of an image reaches the backend, or fails with an error of the contract',
      ['capability:images', 'received'],
      // The driver may fetch the image itself, and nothing answers at this address.
      (stage) => unlessRefused(arrive(stage, [looking({ type: 'image', url: ADDRESS })], [ADDRESS])),
    ),
    other: rule(
      'a part of a type that Drivebay does not know reaches the backend, or is refused with invalid_request',
      ['received'],
      (stage) => arrive(stage, [looking({ type: 'other', value: { type: 'kit_part', kit: UNKNOWN } })], [UNKNOWN]),
    ),
  }),
  ...defineCases('tools', {
    'earlier-calls': rule(
      'calls of an earlier turn reach the backend with their text and results, even in a request without tools',
      ['capability:tools', 'received'],
      async (stage) => {
        const said = message('assistant', 'kit-text-beside-the-call').parts;
        const result: Message = {
          role: 'tool',
          parts: [
            {
              type: 'tool_result',
              callId: 'call_kit_1',
              content: [
                { type: 'text', text: 'kit-result-one' },
                { type: 'text', text: 'kit-result-two' },
              ],
            },
          ],
        };
        const messages = [
          message('user', 'user-one'),
          { role: 'assistant' as const, parts: [...said, EARLIER] },
          result,
          message('user', 'user-two'),
        ];
        await arrive(stage, messages, [
          'kit-text-beside-the-call',
          'weather',
          'Oslo-18',
          'kit-result-one',
          'kit-result-two',
        ]);
      },
    ),
    bare: rule('a tool that has only a name reaches the backend', ['capability:tools', 'received'], async (stage) => {
      const found = await sent(stage, { tools: [{ name: PING }] });
      assert.ok(found === undefined || found.raw.includes(PING), `the tool ${PING} did not arrive`);
    }),
  }),
];

async function arrive(stage: Stage, messages: Message[], wanted: string[]): Promise<void> {
  const found = await sent(stage, { messages });
  if (found === undefined) return;
  for (const text of wanted)
    assert.ok(found.raw.includes(text), `${text} did not arrive, and the driver does not say so`);
}
