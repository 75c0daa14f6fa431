/** Models that are smaller than Claude Code takes them for. */
import { type HttpAnswer, json, sse } from 'drivebay/testing';
import { OVERFLOWS } from '../plugins/recorded-overflows';
import { delta, DONE, finish } from '../setup/upstream';
import { type Backend, ClaudeStage } from './claude-stage';

let stage: ClaudeStage;
beforeAll(async () => void (stage = await ClaudeStage.start()));
afterAll(() => stage.close());

test.each<[Backend, string]>([
  ['chat', 'Ollama'],
  ['chat', 'llama.cpp'],
  ['openai', 'OpenAI'],
  ['gemini', 'Gemini'],
  ['anthropic', 'Anthropic'],
])('a conversation that is too long is shortened, and goes on: %s, in the words of %s', async (model, backend) => {
  const cwd = stage.project();
  stage.script({ pieces: ['One.'] }, { pieces: ['Two.'] });
  const { sessionId } = await stage.ask('first', { model, cwd });
  const words = ['--resume', sessionId];
  await stage.ask('second', { model, cwd, words });
  const { error } = OVERFLOWS.find((overflow) => overflow.backend === backend)!;
  const tooLong = json({ error }, { status: 400 });
  stage.script(tooLong, { pieces: ['<summary>We counted.</summary>'] }, { pieces: ['Three.'] });
  const { code, result } = await stage.ask('third', { model, cwd, words });
  expect([code, result, stage.unplayed]).toEqual([0, 'Three.', 0]);
  expect(stage.chats(model).at(-1)!.text).toContain('We counted.');
});

/** It asks for 32,000 tokens whatever the model is. */
test.each<[Backend, string]>([
  ['chat', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'],
  ['openai', 'max_tokens is too large: 32000. This model supports at most 8192 completion tokens'],
  ['gemini', 'a maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive)'],
  ['anthropic', 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for the model'],
])('a model whose answers are shorter than it asks for answers: %s', async (model, message) => {
  stage.script({ pieces: ['In short.'] });
  stage.beside((text) => (limitIn(text) > 8192 ? refuses(message) : undefined));
  const { code, result } = await stage.ask('hi', { model });
  expect([code, result]).toEqual([0, 'In short.']);
  expect(stage.chats(model).map(({ text }) => limitIn(text))).toEqual([32_000, 8192]);
});

test('an answer that ends at the token limit is gone on with three times, then told', async () => {
  stage.script(...[1, 2, 3, 4].map((part) => sse([delta(`Part ${part} `), finish('length'), DONE])));
  const { code, output } = await stage.ask('tell me', { model: 'chat' });
  expect([code, stage.unplayed, stage.chats('chat').length]).toEqual([1, 0, 4]);
  expect(output).toMatch(/output token maximum/);
});

const refuses = (message: string): HttpAnswer =>
  json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 });

/** The most output tokens that a request asks for, under the name of any vendor. */
const limitIn = (text: string) => Number(/"max\w*okens":(\d+)/.exec(text)?.[1]);
