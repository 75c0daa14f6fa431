import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceCases, httpBackend } from 'drivebay/testing';
import { repository } from '../setup/repository';
import { tempHome } from '../setup/temp-home';
import { chatCompatWire } from './chat-compat-wire';
import { type Defect, testDefects } from './spoilt-driver';

const SOUND = '/* what reaches the driver */';

/** A bundled driver that can do everything, behind a hand that takes something out of each request. */
const CODE = `
const create = require(${JSON.stringify(join(repository, 'plugins/chat-compat/index.ts'))}).default;
module.exports = (context) => {
  const driver = create(context);
  return {
    chat(request, call) {
      ${SOUND}
      return driver.chat(request, call);
    },
    async embed(request, call) {
      const answer = await driver.embed(request, call);
      return answer;
    },
    check: (call) => driver.check(call),
    models: (call) => driver.models(call),
  };
};`;

const CREATE = 'create(context)';
const ofMessages = (change: string) => `for (const message of request.messages) { ${change} }`;

const { kind, options, capabilities } = JSON.parse(
  readFileSync(join(repository, 'plugins/chat-compat/manifest.json'), 'utf8'),
) as Record<string, unknown>;

const without = (type: string) =>
  `for (const message of request.messages) message.parts = message.parts.filter(({ type }) => type !== '${type}');`;
const ONLY_TEXT = "message.parts = message.parts.filter(({ type }) => type === 'text');";
const withoutField = (field: string) => `request = { ...request, ${field}: undefined };`;
const ofTools = (change: string) => `request.tools?.forEach((tool) => { ${change} });`;
const EMBED = 'driver.embed(request';
const MODELS = 'models: (call) => driver.models(call)';

// prettier-ignore
const DEFECTS: Defect[] = [
  ['drops images', 'parts.images', SOUND, without('image')],
  ['drops audio', 'parts.audio', SOUND, without('audio')],
  ['drops files', 'parts.files', SOUND, without('file')],
  ['drops the response format', 'request.format', SOUND, 'delete request.responseFormat;'],
  ['drops the schema of the format', 'request.format', SOUND, "if (request.responseFormat) request.responseFormat = { type: 'json_object' };"],
  ['drops earlier reasoning', 'request.reasoning', SOUND, without('reasoning')],
  ['ignores the choice of a tool', 'tools.choice', SOUND, 'delete request.toolChoice;'],
  ['makes every choice of a tool auto', 'tools.choice', SOUND, "if (request.toolChoice) request.toolChoice = { type: 'auto' };"],
  [
    'counts tool calls from 1',
    'tools.calls',
    'return driver.chat(request, call);',
    `return (async function* () {
      for await (const event of driver.chat(request, call))
        yield event.type === 'tool_call' ? { ...event, index: event.index + 1 } : event;
    })();`,
  ],
  ['drops the descriptions of tools', 'tools.described', SOUND, ofTools('delete tool.description;')],
  ['drops the schemas of tools', 'tools.described', SOUND, ofTools('delete tool.parameters;')],
  [
    'makes up the ids of results',
    'tools.ids',
    SOUND,
    "for (const { parts } of request.messages) for (const part of parts) if (part.callId) part.callId = 'call_1';",
  ],
  ['turns vectors round', 'embeddings.vectors', 'return answer;', 'answer.vectors.reverse(); return answer;'],
  ['declares embeddings only', 'embeddings.vectors', 'async embed(', 'async embeds('],
  ['embeds one text', 'embeddings.request', EMBED, 'driver.embed({ ...request, input: request.input.map(() => request.input[0]) }'],
  ['embeds with a model of its own', 'embeddings.default-model', EMBED, "driver.embed({ ...request, model: 'mine' }"],
  ['drops dimensions', 'embeddings.dimensions', EMBED, 'driver.embed({ ...request, dimensions: undefined }'],
  ['drops what it does not know of embeddings', 'embeddings.extra', EMBED, 'driver.embed({ ...request, extra: {} }'],
  ['makes texts of tokens', 'embeddings.tokens', EMBED, "driver.embed({ ...request, input: request.input.map(() => 'x') }"],
  ['embeds with errors of its own', 'embeddings.failure', 'const answer = await', "const answer = await Promise.reject(new Error('no')) ??"],
  ['embeds without the signal', 'embeddings.canceled', 'request, call);\n      return', 'request, { ...call, signal: new AbortController().signal });\n      return'],
  ['throws in models', 'lifecycle.models', MODELS, "models() { throw new Error('not done') }"],
  ['gives no names of models', 'lifecycle.models', MODELS, 'models: async () => [{ id: 1 }]'],
  ['never ends models', 'lifecycle.models', MODELS, 'models: () => new Promise(() => {})'],
  ['gives windows as texts', 'lifecycle.models', MODELS, "models: async () => [{ name: 'a', contextWindow: '8000' }]"],
  ['lists models without the signal', 'lifecycle.models-canceled', MODELS, 'models: (call) => driver.models({ ...call, signal: new AbortController().signal })'],
  ['drops images of results', 'parts.result-images', SOUND, "for (const { parts } of request.messages) for (const part of parts) if (part.content) part.content = part.content.filter(({ type }) => type === 'text');"],
  ['drops the choice that a tool must be called', 'tools.choice-required', SOUND, withoutField('toolChoice')],
  ['drops the choice that none may be called', 'tools.choice-none', SOUND, withoutField('toolChoice')],
  ['drops the format of an object', 'request.format-object', SOUND, withoutField('responseFormat')],
  ['drops what it does not know', 'request.extra', SOUND, 'request.extra = {};'],
  ['takes messages out of the request', 'request.untouched', SOUND, 'request.messages.shift();'],
  ['wants a content in each message', 'request.odd-messages', SOUND, 'request.messages.forEach(({ parts }) => parts[0].text.trim());'],
  ['takes its results for texts', 'request.odd-messages', SOUND, 'request.messages.forEach(({ parts }) => parts.forEach(({ text }) => text.trim()));'],
  ['sends every role as user', 'request.roles', SOUND, ofMessages("if (message.role !== 'tool') message.role = 'user';")],
  ['sends what the model said as of a user', 'request.roles', SOUND, ofMessages("if (message.role === 'assistant') message.role = 'user';")],
  ['keeps the key that it was made with', 'request.key-renewed', CREATE, "create({ ...context, requireApiKey: ((key) => () => key)(context.apiKey()) })"],
  [
    'sends no content-type',
    'request.content-type',
    CREATE,
    `create({ ...context, http: { request: (url, { headers: { 'content-type': _, ...headers }, ...rest }) => context.http.request(url, { headers, ...rest }) } })`,
  ],
  ['sends the images of the last message only', 'parts.several-images', SOUND, `request.messages.slice(0, -1).forEach((message) => { ${ONLY_TEXT} });`],
  ['sends one image only', 'parts.several-images', SOUND, ofMessages("let seen; message.parts = message.parts.filter(({ type }) => type !== 'image' || (!seen && (seen = true)));")],
  ['drops images that are named by their address', 'parts.image-address', SOUND, ofMessages("message.parts = message.parts.filter(({ url }) => !url?.startsWith('https:'));")],
  ['drops parts that it does not know', 'parts.other', SOUND, without('other')],
  ['refuses parts that it does not know by an error of its own', 'parts.other', SOUND, ofMessages("if (message.parts.some(({ type }) => type === 'other')) throw Object.assign(new Error('no'), { code: 'invalid_request' });")],
  ['gives one choice only', 'request.choices', SOUND, withoutField('choices')],
  [
    'takes a failure within a stream for the end',
    'failure.midway',
    'return driver.chat(request, call);',
    `return (async function* () {
      try {
        yield* driver.chat(request, call);
      } catch {
        yield { type: 'finish', reason: 'stop' };
      }
    })();`,
  ],
  ['drops results where the request has no tools', 'tools.earlier-calls', SOUND, "if (!request.tools) request.messages = request.messages.filter(({ role }) => role !== 'tool');"],
  ['drops the text beside a call', 'tools.earlier-calls', SOUND, ofMessages("if (message.parts.some(({ type }) => type === 'tool_call')) message.parts = message.parts.filter(({ type }) => type !== 'text');")],
  ['wants a schema of each tool', 'tools.bare', SOUND, ofTools('Object.keys(tool.parameters.properties);')],
  ['leaves a required call to the model', 'tools.choice-required', SOUND, "if (request.toolChoice?.type === 'required') request.toolChoice = { type: 'auto' };"],
];

const manifest = { kind, options, capabilities };
const backend = httpBackend(chatCompatWire);

testDefects(DEFECTS, CODE, manifest, backend);

test('models that never end do not stop the case of the key', async () => {
  const code = CODE.replace(MODELS, 'models: () => new Promise(() => {})');
  const directory = tempHome().plugin('endless', { code, manifest });
  const ofKey = conformanceCases({ directory, backend }).find(({ id }) => id === 'secrets.key')!;
  await expect(ofKey.run()).resolves.toBeUndefined();
});
