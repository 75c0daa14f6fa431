import type { ChatRequest, Message } from 'drivebay/plugin';
import type { RecordedRequest } from '../setup/upstream';

type Body = RecordedRequest['body'];

/** An answer with which a vendor refuses a part of a request, word for word. */
export interface RecordedRefusal {
  /** The public thread that shows it. */
  seen: string;
  answer: unknown;
  /** A request that is refused so. */
  request: Partial<ChatRequest>;
  /** What is reported as left out. */
  ignored?: string[];
  /** Whether a body that the driver sends holds what is refused. */
  holds: (body: Body) => boolean;
  /** The refusal says nothing about later requests. */
  isOnce?: boolean;
}

const has = (name: string) => (body: object) => name in body;
const openai = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

export const OPENAI: RecordedRefusal[] = [
  {
    seen: 'johny-b/llmcomp#69',
    answer: openai("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", 'temperature', 'unsupported_value'),
    ...{ request: { temperature: 0 }, ignored: ['temperature'], holds: has('temperature') },
  },
  {
    seen: 'BeehiveInnovations/pal-mcp-server#78',
    answer: openai("Unsupported parameter: 'temperature' is not supported with this model.", 'temperature', 'unsupported_parameter'),
    ...{ request: { temperature: 0.2 }, ignored: ['temperature'], holds: has('temperature') },
  },
  {
    seen: 'lintsinghua/DeepAudit#80, by a proxy',
    answer: openai("litellm.BadRequestError: OpenAIException - Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", null, '400'),
    ...{ request: { temperature: 0.2 }, ignored: ['temperature'], holds: has('temperature') },
  },
  {
    seen: 'caozhiyuan/copilot-api#164, by a proxy, of another parameter',
    answer: { error: { message: "Unsupported parameter: 'top_p' is not supported with this model.", code: 'invalid_request_body' } },
    ...{ request: { topP: 0.2 }, ignored: ['top_p'], holds: has('top_p') },
  },
  {
    seen: 'nashsu/llm_wiki#336',
    answer: openai('Unrecognized request argument supplied: thinking'),
    ...{ request: { extra: { thinking: {} } }, ignored: ['thinking'], holds: has('thinking') },
  },
  {
    seen: 'lobehub/lobehub#7113',
    answer: openai('Unrecognized request argument supplied: max_completion_tokens'),
    ...{ request: { maxTokens: 9 }, holds: has('max_completion_tokens') },
  },
]; // prettier-ignore

const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const marked = (body: object) => JSON.stringify(body).includes('cache_control');
const thought = { type: 'thinking', thinking: 'Hm', signature: 'S' };
const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'x' }] };
const thoughtful: Message[] = [
  asked,
  { role: 'assistant', parts: [{ type: 'text', text: 'y' }], extra: { thinking_blocks: [thought] } },
  asked,
];
const holdsThought = ({ messages }: Body) => messages[1].content[0].type === 'thinking';

export const ANTHROPIC: RecordedRefusal[] = [
  {
    seen: 'Metaculus/forecasting-tools#308',
    answer: anthropic('`temperature` is deprecated for this model.'),
    ...{ request: { temperature: 0.2 }, ignored: ['temperature'], holds: has('temperature') },
  },
  {
    seen: 'the migration guide of version 2026-10-21',
    answer: anthropic('top_p: Extra inputs are not permitted'),
    ...{ request: { topP: 0.2 }, ignored: ['top_p'], holds: has('top_p') },
  },
  {
    seen: 'MartialBE/one-hub#529',
    answer: anthropic('`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking'),
    ...{ request: { temperature: 0.2, reasoningEffort: 'low' }, ignored: ['temperature'], holds: has('temperature') },
  },
  {
    seen: 'danny-avila/LibreChat#11949',
    answer: anthropic('temperature is not supported when thinking is enabled'),
    ...{ request: { temperature: 0.2, reasoningEffort: 'low' }, ignored: ['temperature'], holds: has('temperature') },
  },
  {
    seen: 'router-for-me/CLIProxyAPI#1125',
    answer: anthropic('`temperature` and `top_p` cannot both be specified for this model. Please use only one.'),
    ...{ request: { temperature: 0.2, topP: 0.5 }, ignored: ['temperature'], isOnce: true },
    holds: (body) => has('temperature')(body) && has('top_p')(body),
  },
  {
    seen: 'AAswordman/Operit#568',
    answer: anthropic('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'),
    ...{ request: { thinkingBudget: 2048 }, holds: ({ thinking }) => thinking?.type === 'enabled' },
  },
  {
    seen: 'pensarai/apex#890',
    answer: anthropic('adaptive thinking is not supported on this model'),
    ...{ request: { reasoningEffort: 'high' }, holds: ({ thinking }) => thinking?.type === 'adaptive' },
  },
  {
    seen: 'anthropics/claude-code#24451, with the numbers of a smaller model',
    answer: anthropic('max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307'),
    ...{ request: {}, holds: (body) => body.max_tokens > 4096 },
  },
  {
    seen: 'Mirascope/mirascope#618',
    answer: anthropic('messages.0.content.0.text.cache_control: Extra inputs are not permitted'),
    ...{ request: {}, holds: marked },
  },
  {
    seen: 'earendil-works/pi#7938',
    answer: anthropic('tools.0.cache_control: Extra inputs are not permitted'),
    ...{ request: { tools: [{ name: 'f' }] }, holds: marked },
  },
  {
    seen: 'NousResearch/hermes-agent#17890',
    answer: anthropic('messages.1.content.0: Invalid `signature` in `thinking` block'),
    ...{ request: { messages: thoughtful }, holds: holdsThought, isOnce: true },
  },
  {
    seen: 'earendil-works/pi#2096',
    answer: anthropic('messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'),
    ...{ request: { messages: thoughtful }, holds: holdsThought, isOnce: true },
  },
]; // prettier-ignore

const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
const unknown = (...names: string[]) =>
  google(names.map((name) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`).join('\n'));
const config =
  (name: string) =>
  ({ generationConfig }: Body) =>
    name in generationConfig;
const called: Message = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: '{}' }] };
const signed = { ...called, parts: [{ ...called.parts[0]!, extra: { extra_content: { google: { thought_signature: 's' } } } }] } as Message; // prettier-ignore
const STAND_IN = 'skip_thought_signature_validator';
const signature = ({ contents }: Body) => contents[1].parts[0].thoughtSignature as string | undefined;

export const GOOGLE: RecordedRefusal[] = [
  {
    seen: 'vercel/ai#4022',
    answer: google('Penalty is not enabled for models/gemini-exp-1206'),
    request: { extra: { presence_penalty: 1, frequency_penalty: 1 } },
    ...{ ignored: ['presence_penalty', 'frequency_penalty'], holds: config('presencePenalty') },
  },
  {
    seen: 'Ikalus1988/MisakaNet#1473',
    answer: google('Penalty is not enabled for this model'),
    ...{ request: { extra: { frequency_penalty: 1 } }, ignored: ['frequency_penalty'], holds: config('frequencyPenalty') },
  },
  {
    seen: 'nashsu/llm_wiki#49',
    answer: unknown('temperature'),
    ...{ request: { temperature: 1 }, ignored: ['temperature'], holds: config('temperature') },
  },
  {
    seen: 'MinLL/SkyrimNet-GamePlugin#77',
    answer: unknown('extra_body', 'reasoning'),
    ...{ request: { extra: { extra_body: {}, reasoning: {} } }, ignored: ['extra_body', 'reasoning'], holds: has('reasoning') },
  },
  {
    seen: '0xPlaygrounds/rig#788',
    answer: google('Developer instruction is not enabled for models/gemma-3-27b-it'),
    ...{ request: { messages: [asked, { ...asked, role: 'system' }] }, holds: has('systemInstruction') },
  },
  {
    seen: 'lobehub/lobehub#7985',
    answer: google('Thinking is not enabled for models/gemini-2.0-flash-preview-image-generation'),
    ...{ request: { thinkingBudget: 1024 }, ignored: ['thinking_budget'], holds: config('thinkingConfig') },
  },
  {
    seen: 'CherryHQ/cherry-studio#6319',
    answer: google('Unable to submit request because thinking is not configurable in this model; please remove the thinking_config setting and try it again.'),
    ...{ request: { thinkingBudget: 1024 }, ignored: ['thinking_budget'], holds: config('thinkingConfig') },
  },
  {
    seen: 'lbjlaq/Antigravity-Manager#3202',
    answer: google('Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly'),
    ...{ request: { messages: [asked, called] }, holds: (body) => signature(body) === undefined },
  },
  {
    seen: 'junjiem/dify-plugin-agent-mcp_sse#143',
    answer: google('Unable to submit request because function call `project_search` in the 2. content block is missing a `thought_signature`.'),
    ...{ request: { messages: [asked, called] }, holds: (body) => signature(body) === undefined },
  },
  {
    seen: 'decolua/9router#301',
    answer: google('Unable to submit request because Thought signature is not valid..'),
    ...{ request: { messages: [asked, signed] }, holds: (body) => signature(body) !== STAND_IN, isOnce: true },
  },
  {
    seen: 'heyhuynhgiabuu/proxypal#119',
    answer: google('Corrupted thought signature.'),
    ...{ request: { messages: [asked, signed] }, holds: (body) => signature(body) !== STAND_IN, isOnce: true },
  },
]; // prettier-ignore
