import type { ChatEvent, ChatRequest } from 'drivebay/plugin';
import type { Options } from '../../../plugins/alpha-cli/environment';
import { start } from './harness';

let harness: Awaited<ReturnType<typeof start>>;
afterEach(() => harness.close());

const ignoredIn = (events: ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));
const extraBody = (): unknown => JSON.parse(harness.run.env.CLAUDE_CODE_EXTRA_BODY ?? '{}');

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const responseFormat = { type: 'json_schema', name: 'place', schema } as const;
const format = { output_config: { format: { type: 'json_schema', schema } } };
const all = { stop: ['END'], temperature: 0, topP: 0.5, maxTokens: 5, responseFormat };

interface Wanted extends Partial<ChatRequest> {
  options?: Partial<Options>;
}

const answer = { stop_sequences: ['END'], temperature: 0 };
const withoutTools = { ...all, options: { client_tools: false } };
const acting = { ...all, options: { gateway_tools: true } };

test.each<[string, Wanted, sent: object, ignored: string[]]>([
  ['nothing', { maxTokens: 5 }, {}, []],
  ['sequences', { stop: ['END', 'FIN'] }, { stop_sequences: ['END', 'FIN'] }, []],
  ['a sequence that the API refuses', { stop: ['\n', 'END'] }, { stop_sequences: ['END'] }, ['stop']],
  ['such ones alone', { stop: ['\n\n', ''] }, {}, ['stop']],
  ['a temperature, of a model that thinks', { temperature: 0.2 }, {}, ['temperature']],
  ['one with an effort', { temperature: 0.2, maxTokens: 5, reasoningEffort: 'low' }, {}, ['temperature']],
  ['one without thoughts', { temperature: 0, maxTokens: 5 }, { temperature: 0 }, []],
  ['one without a budget for thoughts', { temperature: 1, thinkingBudget: 0 }, { temperature: 1 }, []],
  ['one of other vendors', { temperature: 1.2, maxTokens: 5 }, {}, ['temperature']],
  ['top_p', { topP: 0.5, maxTokens: 5 }, { top_p: 0.5 }, []],
  ['top_p, of a model that thinks', { topP: 0.5 }, {}, ['top_p']],
  ['everything', all, { ...format, ...answer }, ['top_p']],
  ['everything, with client_tools: false', withoutTools, answer, ['response_format', 'top_p']],
  ['everything, with gateway_tools: true', acting, {}, ['response_format', 'stop', 'temperature', 'top_p']],
])('of %s the model gets what it takes, and the rest is named', async (_name, wanted, sent, ignored) => {
  const { options, ...request } = wanted;
  harness = await start(options);
  expect(ignoredIn(await harness.chat(request))).toEqual(ignored);
  expect(extraBody()).toEqual(sent);
});

test('an agent process has none of them', async () => {
  harness = await start();
  const events = await harness.chat(all, { workspace: harness.workspace });
  expect(ignoredIn(events)).toEqual(['response_format', 'stop', 'temperature', 'top_p']);
  expect(extraBody()).toEqual({});
});
