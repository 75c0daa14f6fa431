import assert from 'node:assert';
import { inspect } from 'node:util';
import type { ChatRequest } from '../../../contract/api';
import type { ReceivedChat } from '../../fakes/backend';
import { defineCases, rule } from '../case-definition';
import { ask, callerOf, message, MODEL, scripted } from '../../fakes/requests';
import type { Stage } from '../stage';
import { within } from '../within';

/** Words that no other part of a request holds. */
const OF_SCHEMA = 'kit_property_of_the_schema';
const THOUGHT = 'kit-thought-of-the-model';

export const requestCases = defineCases('request', {
  messages: rule(
    'messages of all roles reach the backend, those of the conversation in order',
    ['received'],
    async (stage) => {
      const { texts } = await sent(stage, {
        messages: [
          message('system', 'system-text'),
          message('developer', 'developer-text'),
          message('user', 'user-one'),
          message('assistant', 'assistant-one'),
          message('user', 'user-two'),
          message('assistant', 'assistant-two'),
          message('user', 'user-three'),
        ],
      });
      const all = texts.join('\n');
      for (const text of ['system-text', 'developer-text']) assert.ok(all.includes(text), missing(text, all));
      inOrder(all, ['user-one', 'assistant-one', 'user-two', 'assistant-two', 'user-three']);
    },
  ),
  parts: rule('the text parts of a message arrive whole and in order', ['received'], async (stage) => {
    const { texts } = await sent(stage, { messages: [message('user', 'part-one', 'part-two', 'part-three')] });
    inOrder(texts.join('\n'), ['part-one', 'part-two', 'part-three']);
  }),
  verbatim: rule(
    'text that looks like options, code or control characters arrives unchanged',
    ['received'],
    async (stage) => {
      const text = '--help\n-p $(id) `id` %s "double" \'single\' \\n {"json": [1]} </tag> ünï \u{1F600} \u2028 end';
      const { texts } = await sent(stage, { messages: [message('user', text)] });
      assert.ok(texts.join('\n').includes(text), `it arrived as ${JSON.stringify(texts)}`);
    },
  ),
  large: rule('a prompt of three mebibytes reaches the backend', ['received'], async (stage) => {
    const text = `beginning ${'lorem ipsum '.repeat(256 * 1024)} end-of-prompt`;
    const { texts } = await sent(stage, { messages: [message('user', text)] });
    assert.ok(texts.join('\n').includes(text), 'the text did not arrive whole, or `received` changed it');
  }),
  'model-explicit': rule('the model of the request reaches the backend', ['received'], async (stage) => {
    for (const model of [MODEL, 'vendor/model:tag@2']) is((await sent(stage, { model })).model, model, 'model');
  }),
  'model-default': rule(
    "without a model in the request the provider's default_model reaches the backend",
    ['received'],
    async (stage) => {
      await stage.script({ type: 'answer', answer: scripted() });
      const { model: _, ...request } = ask(scripted());
      const provider = stage.provider({ default_model: 'kit-default-model' });
      const turn = provider.chat(request, callerOf('kit-default'), () => undefined);
      await within(turn, 'the answer did not end');
      is(stage.lastReceived().model, 'kit-default-model', 'model');
    },
  ),
  'model-absent': rule('without any model, the program starts without one', ['kind:cli', 'received'], async (stage) => {
    await stage.script({ type: 'answer', answer: scripted() });
    const { model: _, ...request } = ask(scripted());
    await stage.chat(request);
    assert.equal(stage.lastReceived().model, undefined);
  }),
  'options-present': rule(
    'max_tokens, temperature, top_p and stop reach the backend, or meta names them as ignored',
    ['received'],
    async (stage) => {
      const names = { maxTokens: 'max_tokens', temperature: 'temperature', topP: 'top_p', stop: 'stop' } as const;
      // A temperature of 0 is a choice of the client, as any other is.
      for (const temperature of [0.25, 0]) {
        const options = { maxTokens: 77, temperature, topP: 0.5, stop: ['STOP-HERE'] };
        const { ignored } = await stage.answer({}, options);
        const received = stage.lastReceived();
        for (const [field, name] of Object.entries(names) as [keyof typeof names, string][]) {
          if (!ignored.includes(name)) assert.deepEqual(received[field], options[field], name);
        }
      }
    },
  ),
  'options-absent': rule('an option that the request does not set is not sent', ['received'], async (stage) => {
    const { maxTokens, temperature, topP, stop, reasoningEffort, thinkingBudget, tools } = await sent(stage);
    const found = { maxTokens, temperature, topP, stop, reasoningEffort, thinkingBudget, tools };
    assert.deepEqual(
      Object.entries(found).filter(([, value]) => value !== undefined),
      [],
    );
  }),
  effort: rule(
    'the reasoning effort reaches the backend byte for byte',
    ['received', 'option:reasoning_effort'],
    async (stage) => {
      for (const reasoningEffort of ['low', 'HIGH', 'xhigh', 'Made-Up_9']) {
        is((await sent(stage, { reasoningEffort })).reasoningEffort, reasoningEffort, 'reasoningEffort');
      }
    },
  ),
  'thinking-budget': rule(
    'the thinking budget reaches the backend',
    ['received', 'option:thinking_budget'],
    async (stage) => is((await sent(stage, { thinkingBudget: 2345 })).thinkingBudget, 2345, 'thinkingBudget'),
  ),
  format: rule(
    'the response format reaches the backend with its schema, or meta names response_format as ignored',
    ['received'],
    async (stage) => {
      const schema = { type: 'object', properties: { [OF_SCHEMA]: { type: 'string' } } };
      const { ignored } = await stage.answer({}, { responseFormat: { type: 'json_schema', name: 'kit', schema } });
      if (ignored.includes('response_format')) return;
      assert.ok(stage.lastReceived().raw.includes(OF_SCHEMA), 'the schema of the response format did not arrive');
    },
  ),
  reasoning: rule(
    'reasoning of an earlier turn reaches the backend, or meta names reasoning_content as ignored',
    ['kind:http', 'reasoning', 'received'],
    async (stage) => {
      const { parts } = message('assistant', 'assistant-one');
      const thought = { role: 'assistant' as const, parts: [{ type: 'reasoning' as const, text: THOUGHT }, ...parts] };
      const messages = [message('user', 'user-one'), thought, message('user', 'user-two')];
      const { ignored } = await stage.answer({}, { messages });
      if (ignored.includes('reasoning_content')) return;
      assert.ok(stage.lastReceived().raw.includes(THOUGHT), 'the reasoning did not arrive, and meta does not say so');
    },
  ),
  key: rule('the API key of the provider reaches the backend', ['received', 'option:api_key_env'], async (stage) =>
    is((await sent(stage)).key, stage.key, 'key'),
  ),
});

async function sent(stage: Stage, fields: Partial<ChatRequest> = {}): Promise<ReceivedChat> {
  await stage.answer({}, fields);
  return stage.lastReceived();
}

/** The cause may be the driver, or the author's `received`. */
function missing(text: string, all: string): string {
  return `${text} did not arrive: the texts of \`received\` are ${JSON.stringify(all.slice(0, 500))}`;
}

function is(found: unknown, wanted: unknown, field: keyof ReceivedChat): void {
  assert.equal(found, wanted, `the ${field} of \`received\` is ${inspect(found)}, expected ${inspect(wanted)}`);
}

function inOrder(all: string, texts: string[]): void {
  const places = texts.map((text) => [text, all.indexOf(text)] as const);
  for (const [text, place] of places) assert.ok(place >= 0, missing(text, all));
  assert.deepEqual(
    places.toSorted(([, a], [, b]) => a - b).map(([text]) => text),
    texts,
  );
}
