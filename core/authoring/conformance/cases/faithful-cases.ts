import assert from 'node:assert';
import { inspect } from 'node:util';
import type { Message } from '../../../contract/api';
import { defineCases, rule } from '../case-definition';
import { differs } from '../differs';
import { ask, BASE_PATH, message, scripted, textOf } from '../../fakes/requests';
import type { Stage } from '../stage';
import { unlessRefused } from '../unless-refused';
import { ConformanceError } from '../within';

const EXTRA = { seed: 104_729, kit_unknown_field: 'kit-unknown-value' };

const ANOTHER_KEY = 'kit-key-of-another-provider';

const CALL: Message = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'call_kit_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
};
const RESULT: Message = {
  role: 'tool',
  parts: [{ type: 'tool_result', callId: 'call_kit_1', content: [{ type: 'text', text: 'sunny' }] }],
};

export const faithfulCases = [
  ...defineCases('request', {
    untouched: rule(
      'the driver does not change the request, because another provider may get it next',
      [],
      async (stage) => {
        const request = ask(scripted(), {
          messages: [message('system', 'system-text'), message('user', 'one', 'two'), message('user', 'three')],
          stop: ['STOP-HERE'],
          extra: { ...EXTRA },
        });
        const before = structuredClone(request);
        await stage.script({ type: 'answer', answer: scripted() });
        await stage.chat(request);
        assert.equal(JSON.stringify(request), JSON.stringify(before));
      },
    ),
    extra: rule(
      'fields that Drivebay does not know reach the backend, or meta names them as ignored',
      ['received'],
      async (stage) => {
        const { ignored } = await stage.answer({}, { extra: EXTRA });
        const { raw } = stage.lastReceived();
        for (const [name, value] of Object.entries(EXTRA)) {
          if (ignored.includes(name) || raw.includes(String(value))) continue;
          throw new ConformanceError(`${name} did not arrive, and meta does not name it: use context.ignoredFields`);
        }
      },
    ),
    'format-object': rule(
      'the response format json_object reaches the backend, or meta names response_format as ignored',
      ['received'],
      (stage) => differs(stage, 'response_format', { responseFormat: { type: 'json_object' } }),
    ),
    'base-url': rule(
      'requests keep the path of base_url, with and without a slash at its end',
      ['kind:http', 'received', 'option:base_url'],
      async (stage) => {
        const wanted = await addressBehind(stage, '');
        assert.ok(wanted.startsWith(`${BASE_PATH}/`), `a base_url with the path ${BASE_PATH} led to ${wanted}`);
        const found = await addressBehind(await stage.another(), '/');
        assert.equal(found, wanted, `a base_url that ends with a slash led to ${found}, without it to ${wanted}`);
      },
    ),
    'odd-messages': rule(
      'a message without content, and the tool calls of an earlier turn, are sent or refused with an error of the contract',
      [],
      async (stage) => {
        const empty: Message = { role: 'assistant', parts: [] };
        const first = message('user', 'user-one');
        for (const messages of [
          [first, empty, message('user', 'user-two')],
          [first, CALL, RESULT, message('user', 'user-two')],
        ]) {
          await unlessRefused(stage.answer({}, { messages }));
        }
      },
    ),
  }),
  // It sets a variable of the process, which other cases may look up.
  ...defineCases(
    'request',
    {
      'key-chosen': rule(
        'the key comes from the variable that the entry names, even if the default variable is set',
        ['received', 'option:api_key_env'],
        async (stage) => {
          const name = stage.manifest.options.api_key_env?.default;
          if (typeof name !== 'string') return;
          const before = process.env[name];
          process.env[name] = ANOTHER_KEY;
          try {
            await stage.answer();
          } finally {
            if (before === undefined) delete process.env[name];
            else process.env[name] = before;
          }
          const { key } = stage.lastReceived();
          assert.notEqual(key, ANOTHER_KEY, `the key is that of ${name}, not that of the entry`);
          assert.equal(key, stage.key, `the key of \`received\` is ${inspect(key)}, expected ${inspect(stage.key)}`);
        },
      ),
    },
    true,
  ),
  ...defineCases('answer', {
    'blank-pieces': rule('pieces that hold only white space arrive', ['pieces'], async (stage) => {
      const answer = scripted({ pieces: ['One.', '\n', '\n', '  ', 'Two.', ' ', 'End.'] });
      for (const stream of [true, false]) {
        assert.equal((await stage.answer(answer, { stream })).text, textOf(answer), `stream: ${stream}`);
      }
    }),
    'line-ends': rule(
      'a stream whose lines end with CR LF, with comments between its events, arrives whole',
      ['kind:http'],
      async (stage) => assert.equal((await stage.answer({}, {}, { lineEnds: 'crlf' })).text, textOf(scripted())),
    ),
  }),
];

/** The path of a chat, where the base_url has one more folder in its path, and this at its end. */
async function addressBehind(stage: Stage, end: string): Promise<string> {
  await stage.script({ type: 'answer', answer: scripted() });
  const { origin, pathname, search } = new URL(String(stage.backend.options.base_url));
  stage.provider({ base_url: origin + BASE_PATH + pathname.replace(/\/+$/, '') + end + search });
  await stage.answer();
  return stage.lastReceived().raw.split('\n', 1)[0]!;
}
